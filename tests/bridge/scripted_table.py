"""A table that plays an evening back, in the place of both sockets of a bridge.

Where it stands follows from the time alone: while its bridge is dead it plays on, and whoever comes
back finds it where it is by then, with a journal of all games that have ended since it began.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest import mock

import msgspec
from evening import Evening
from msgspec.structs import replace

from pi_table.common import config
from pi_table.common.config import Config
from pi_table.fleet.bridge import process
from pi_table.protocols.ipc.house import MAX_FINISHED_GAMES, FinishedGame, HouseMessage, Latest
from pi_table.protocols.ipc.messages import Answer, AnyPublicMessage

SETTLED: Final = 5.0
"""Seconds after which a script that has stopped is looked at again."""


class Pace(msgspec.Struct, frozen=True):
    """The speed of a table's games, with its first and last second on the table's clock."""

    begins: float
    ends: float
    speed: float
    """Seconds of the evening in a second."""


class ScriptedTable:
    """A table of this ``name``, which begins at ``offset`` seconds of its evening, by a ``clock``
    that everybody has who asks for it."""

    def __init__(
        self,
        name: str,
        evening: Evening,
        pace: Pace,
        offset: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._name = name
        self._evening = evening
        self._pace = pace
        self._offset = offset
        self._clock = clock
        self._before = self._ended(offset)
        self._show_house: Callable[[HouseMessage | None], None] = lambda _: None

    # Where it stands

    def position(self, at: float) -> float:
        """Seconds of its evenings at a time."""
        pace = self._pace
        passed = min(max(at, pace.begins), pace.ends) - pace.begins
        return self._offset + passed * pace.speed

    def finished(self, at: float) -> int:
        """Return the number of games that have ended by a time."""
        return self._ended(self.position(at)) - self._before

    def _ended(self, position: float) -> int:
        evenings, within = divmod(position, self._evening.seconds)
        games = self._evening.games
        return int(evenings) * len(games) + sum(each.at <= within for each in games)

    def game(self, number: int) -> FinishedGame:
        """A game of its journal, by its number from 1."""
        games = self._evening.games
        moment = games[(self._before + number - 1) % len(games)]
        assert moment.finished is not None
        told = hashlib.sha256(f"{self._name}/{number}".encode()).hexdigest()
        return replace(moment.finished, game=told[:32], number=number)

    def latest(self, at: float) -> Latest | None:
        """The game that was finished last at a time."""
        number = self.finished(at)
        if not number:
            return None
        game = self.game(number)
        return Latest(number, game.game, game.revision)

    # In the place of the two sockets

    async def follow_public(self, show: Callable[[AnyPublicMessage | None], None]) -> None:
        """Show what everybody sees, as it comes."""
        seconds, moments = self._evening.seconds, self._evening.moments
        evenings, within = divmod(self.position(self._clock()), seconds)
        newest = [each.public for each in moments if each.public and each.at <= within]
        if newest:
            show(newest[-1])
        while True:
            for each in moments:
                if each.at <= within:
                    continue
                due = (evenings * seconds + each.at - self._offset) / self._pace.speed
                await self._until(self._pace.begins + due)
                if each.public is not None:
                    show(each.public)
                else:
                    self._tell_house()
            evenings, within = evenings + 1, -1.0

    async def follow_house(self, show: Callable[[HouseMessage | None], None]) -> None:
        """Show how the table fares, as it comes."""
        self._show_house = show
        while True:
            self._tell_house()
            await asyncio.sleep(60.0)

    async def ask(self, do: dict[str, Any]) -> Answer:
        """Answer an order."""
        if do["act"] != "finished":
            return Answer(1, ok=True)
        after = do["after"]
        known = 0
        if after is not None and self.game(after["number"]).game == after["game"]:
            known = after["number"]
        last = min(self.finished(self._clock()), known + MAX_FINISHED_GAMES)
        told = [msgspec.to_builtins(self.game(number)) for number in range(known + 1, last + 1)]
        return Answer(1, ok=True, told=told)

    def _tell_house(self) -> None:
        self._show_house(replace(self._evening.house, latest=self.latest(self._clock())))

    async def _until(self, at: float) -> None:
        while at > self._pace.ends:
            await asyncio.sleep(SETTLED)
        await asyncio.sleep(max(0.0, at - self._clock()))


@contextmanager
def in_place_of_sockets(tables: Mapping[str, ScriptedTable]) -> Iterator[None]:
    """Each bridge by `settings_of` one of these tables, which stand here by their names, is
    connected to that table."""

    def house(path: Path, show: Any) -> Any:
        table = tables[path.parent.name]
        return SimpleNamespace(run=lambda: table.follow_house(show), ask=table.ask)

    def public(path: Path, show: Any) -> Any:
        table = tables[path.parent.name]
        return SimpleNamespace(run=lambda: table.follow_public(show))

    with (
        mock.patch.object(process, "HouseLink", house),
        mock.patch.object(process, "PublicLink", public),
    ):
        yield


def settings_of(name: str, folder: Path, broker: str, **bridge: str) -> Config:
    """The settings of a table's bridge, which keeps what it keeps below a folder; ``bridge`` are
    more of its section."""
    own = folder / name
    own.mkdir(exist_ok=True)
    return config.load(
        changes={
            "bridge": {"broker": broker, "table": name, **bridge},
            "paths": {"bridge": str(own), "runtime": str(own), "state": str(own)},
        }
    )
