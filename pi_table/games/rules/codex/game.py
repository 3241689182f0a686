"""Codex, as `games` plays it."""

from collections.abc import Iterator
from typing import NoReturn

import msgspec

from pi_table.games.rules.codex import events, phases
from pi_table.games.rules.codex.board import Board
from pi_table.games.rules.codex.decide import decide, lapse
from pi_table.games.rules.codex.evolve import evolve
from pi_table.games.rules.codex.hidden import Attempted, State
from pi_table.games.rules.codex.identikit import WRONG_CODES, Hides, Value
from pi_table.games.rules.codex.phases import SEATS, may
from pi_table.games.rules.codex.text import read_act, read_opening
from pi_table.games.rules.codex.views import public_view, view
from pi_table.games.rules.events import Event
from pi_table.games.rules.explained import listed_act
from pi_table.games.rules.profile import Profile
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat

__all__ = [
    "SEATS",
    "clues",
    "decide",
    "evolve",
    "explained",
    "lapse",
    "may",
    "public_view",
    "read_act",
    "read_opening",
    "seats",
    "told",
    "view",
]


class AttemptTold(Hides, msgspec.Struct, frozen=True):
    """What comes of an attempt at a code."""

    result: Attempted


class AnswerTold(Hides, msgspec.Struct, frozen=True):
    """What a profiler asked, and is told."""

    fact: str
    value: Value


class CodeTold(Hides, msgspec.Struct, frozen=True):
    """Was the code of one's own right? How many more may be wrong?"""

    right: bool
    tries_left: int


def explained(profile: Profile) -> Iterator[str]:
    """The acts."""
    for row in phases.TABLE:
        yield listed_act(row.act, row.by, row.leads)


def clues(board: Board) -> NoReturn:
    """There are none: always raises Refused."""
    raise Refused(Reason.UNKNOWN_ACT)


def seats(board: Board) -> tuple[Seat, ...]:
    return SEATS


def told(
    state: State, seat: Seat, happened: tuple[Event, ...]
) -> AttemptTold | AnswerTold | CodeTold | None:
    """What came of an attempt, a question or a code of one's own; of all else there is nothing to
    tell, nor of a question by one who cannot ask."""
    match happened:
        case (events.CodeTried(result=result), *_):
            return AttemptTold(result)
        case (events.Asked(fact=fact, answer=str() | int() as answer), *_):
            return AnswerTold(fact.value, answer)
        case (events.OwnCodeEntered(agent=agent, right=right), *_):
            return CodeTold(right, WRONG_CODES - state.secrets.dossiers[agent].wrong)
    return None
