"""The controller's firmware, compiled for this machine, as the other end of the wire."""

from peer import Peer

from pi_table.simulator.emulated import EmulatedTable
from pi_table.simulator.hands import FINGER_COUNTS

MICROSECONDS = 1_000_000


class Firmware(Peer):
    """The controller's firmware, compiled for this machine, as the other end of the wire."""

    def __init__(self) -> None:
        super().__init__()
        self._table = EmulatedTable("host")

    def close(self) -> None:
        self._table.close()

    def tell(self, line: str) -> None:
        """Do this to the table, in the words of firmware/model/README.md."""
        self._table.tell(line)

    def finger(self, down: bool) -> None:
        self._table.tell(f"shape 0 A1 1:{FINGER_COUNTS if down else 0}")

    def cut(self) -> None:
        self._table.tell("unplug")

    def receive(self, data: bytes) -> None:
        self._table.write(data)

    def to_send(self, now: float) -> list[bytes]:
        self._table.run(round(now * MICROSECONDS))
        return [self._table.read()]
