"""A table that answers at the socket of the house as it is told to, on a thread of its own."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from pi_table.fleet.updating.asking import TableHealth
from pi_table.protocols.ipc import house
from pi_table.protocols.ipc.house import HouseMessage, HouseSettings
from pi_table.protocols.ipc.messages import Answer
from pi_table.protocols.ipc.server import Server, Viewer

PLAYED: Final = Answer(1, ok=False, reason="game-in-progress", sentence="A game is being played.")
FREE: Final = Answer(1, ok=True)
WELL: Final = TableHealth()


def settings(quiet_from: str = "00:00", quiet_until: str = "00:00") -> HouseSettings:
    return HouseSettings(
        brightness=100,
        volume=60,
        muted=False,
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        idle_lights=True,
        out_of_service=False,
    )


def message(of: HouseSettings, health: TableHealth = WELL) -> bytes:
    return house.line(
        HouseMessage(
            version="0.7.0",
            faults=(),
            out_of_order=health.out_of_order,
            link=health.link,
            deaf=(),
            wet=False,
            can_store=health.can_store,
            counts={},
            settings=of,
            latest=None,
            locating=False,
            kept_free=False,
        )
    )


class StandIn:
    """A context in which the socket of the house lies in the folder ``runtime``."""

    def __init__(
        self,
        runtime: Path,
        answer: Answer | bytes | None = FREE,
        told: bytes | None = None,
        most: int = 4,
    ) -> None:
        """``answer``: to each request; bytes are sent as they are, None: there is none. ``told``:
        what everybody is sent at once; None: the message of a house without quiet hours."""
        self.runtime = runtime
        self.asked: list[dict[str, Any]] = []
        self.answer = answer
        self.told = message(settings()) if told is None else told
        self._most = most
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        self.house = Server(lambda: self.told, self._hear, self._most)
        self.begin()
        return self

    def __exit__(self, *args: object) -> None:
        self.end()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, work: Any) -> None:
        """Do something on the loop of the table, and wait until it is done."""
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def do(self, what: Callable[[], object]) -> None:
        async def done() -> None:
            what()
            await asyncio.sleep(0)

        self.call(done())

    def end(self) -> None:
        """The engine ends, and nobody answers any more."""
        self.do(self.house.close)

    def begin(self) -> None:
        """It begins, or begins anew."""
        self.call(self.house.open(self.runtime / "house.sock", 0o600))

    def _hear(self, line: bytes, viewer: Viewer) -> None:
        self.asked.append(msgspec.json.decode(line)["do"])
        if isinstance(self.answer, Answer):
            viewer.answer(msgspec.json.encode(self.answer) + b"\n")
        elif self.answer is not None:
            viewer.answer(self.answer)
