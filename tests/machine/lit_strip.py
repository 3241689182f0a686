"""The lights of the table at a booted machine, read off the emulated strip's pin."""

import math
import socket
import time
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from pi_table.common.geometry import leds_of
from pi_table.common.palettes import Palette
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import colour_of_pulses
from pi_table.devices.hal.simulated import of_cells
from pi_table.devices.lights.colours import PALETTES

DIM: Final = 120
"""Cells that nobody has covered glow, and by less than this; what is found is brighter."""


def brightest(colour: int) -> int:
    """The strongest channel, 0 of what is as good as dark."""
    most = max(colour.to_bytes(3, "big"))
    return most if most >= DIM else 0


def meaning(colour: int) -> str:
    """The name in `Colours` of what is nearest in hue."""
    meant = asdict(PALETTES[Palette.STANDARD])
    return min(meant, key=lambda name: _apart(colour, meant[name]))


def _apart(one: int, other: int) -> float:
    pure = [[part / max(each.to_bytes(3, "big")) for part in each.to_bytes(3, "big")]
            for each in (one, other)]  # fmt: skip
    return math.fsum((a - b) ** 2 for a, b in zip(*pure, strict=True))


class LitStrip:
    """Hears each frame that the strip latches, from now on."""

    def __init__(self, control: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(control))
        self._socket.sendall(b"watch\n")
        self._socket.setblocking(False)
        self._rest = b""
        self.frame: LightFrame | None = None
        """The newest frame."""
        self.since: list[tuple[float, LightFrame]] = []
        """Every frame, with the instant at which it was heard."""

    def hear(self) -> None:
        """Take what has come by now."""
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except BlockingIOError:
                return
            assert data, "The table has gone."
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                word, *told = line.decode().split()
                if word == "shown":
                    self.frame = tuple(colour_of_pulses(int(led, 16)) for led in told[2:])
                    self.since.append((time.monotonic(), self.frame))

    def shown_at(self, cell: str) -> set[str]:
        """Which meanings of the standard palette the lit LEDs of a cell have now: names of
        `Colours`, each LED's the nearest in hue."""
        self.hear()
        assert self.frame is not None
        place = "ABCDE".index(cell[0]) + 5 * (int(cell[1]) - 1)
        return {meaning(self.frame[led]) for led in leds_of(place) if brightest(self.frame[led])}

    @staticmethod
    def is_the_tables(frame: LightFrame) -> bool:
        """True if the engine lights this. The controller alone leaves every other cell dark."""
        return any(int(colour[1:], 16) for colour in of_cells(frame)[1::2])

    def close(self) -> None:
        self._socket.close()
