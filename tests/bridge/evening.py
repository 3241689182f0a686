"""An evening at a table as its sockets tell it: real games at the real engine, in virtual time.

Whoever stands in the place of many tables plays it back, each table from another moment on.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from random_player import next_act
from virtual_table import VirtualTable

from pi_table.common.geometry import CELLS
from pi_table.protocols.ipc.house import FinishedGame, HouseMessage
from pi_table.protocols.ipc.messages import CodexPublicMessage, PublicMessage

BETWEEN_GAMES: Final = 120.0
"""Seconds between two games."""
SKILL: Final = 0.7
"""Probability (0 … 1) that a team touches the cell that it looks for."""
PAUSES: Final = {"clue": (30.0, 90.0), "touch": (8.0, 35.0)}
"""Seconds that people in a bar think, at least and at most."""


class Moment(msgspec.Struct, frozen=True):
    """Something that a table tells."""

    at: float
    """Seconds from the beginning of the evening."""
    public: PublicMessage | CodexPublicMessage | None = None
    finished: FinishedGame | None = None
    """A game that has ended by then."""


class Evening(msgspec.Struct, frozen=True):
    """Everything that a table tells in an evening, in order."""

    seconds: float
    moments: tuple[Moment, ...]
    house: HouseMessage
    """The newest message about the table's health."""

    @property
    def games(self) -> tuple[Moment, ...]:
        """The ends of games."""
        return tuple(each for each in self.moments if each.finished is not None)


def evening(games: int, seed: int = 1) -> Evening:
    """An evening of so many games, played at the pace of a bar."""
    chance = Random(seed)
    with TemporaryDirectory() as folder:
        table = VirtualTable(Path(folder) / "journal.sqlite", cards="dealt")
        begun, ended = table.now, list[Moment]()
        for number in range(1, games + 1):
            table.advance(BETWEEN_GAMES)
            table.do("start", profile="codenames", options={})
            _play(table, chance)
            (game,) = [each for each in _finished(table) if each.number == number]
            ended.append(Moment(table.now - begun, finished=game))
        table.advance(BETWEEN_GAMES)
        moments = [
            *(Moment(at - begun, public=message) for at, message in table.public),
            *ended,
        ]
        seconds, house = table.now - begun, table.table.house_message()
        table.switch_off()
    moments.sort(key=lambda each: each.at)
    return Evening(seconds, tuple(moments), replace(house, latest=None))


def _play(table: VirtualTable, chance: Random) -> None:
    while table.view.outcome is None:
        known = table.known
        view, key = known["public"], known["key"]
        if view["phase"] == "clue":
            table.advance(chance.uniform(*PAUSES["clue"]))
            table.clue(chance.choice((1, 2, 2, 3)), view["turn"], chance.choice(("sea", "flight")))
            continue
        do = next_act(known, chance)
        if "touch" not in do or do["touch"] not in CELLS:
            continue
        table.advance(chance.uniform(*PAUSES["touch"]))
        meant = [
            name
            for name, cell in view["cells"].items()
            if cell["covered"] is None and key[CELLS.index(name)] == view["turn"][0]
        ]
        table.hold(chance.choice(meant) if meant and chance.random() < SKILL else do["touch"])


def _finished(table: VirtualTable) -> tuple[FinishedGame, ...]:
    answers: list[Any] = []
    table.table.on_house_order(
        {"act": "finished", "seat": "operator", "after": None}, answers.append
    )
    (verdict,) = answers
    games: tuple[FinishedGame, ...] = verdict.told
    return games
