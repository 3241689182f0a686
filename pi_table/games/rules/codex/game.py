"""The functions of the `games.Game` protocol for Codex."""

from collections.abc import Iterator
from typing import NoReturn

import msgspec

from pi_table.games.rules.codex import events, phases
from pi_table.games.rules.codex.board import Board
from pi_table.games.rules.codex.decide import decide, lapse
from pi_table.games.rules.codex.evolve import evolve, evolve_all
from pi_table.games.rules.codex.hidden import Attempted, State
from pi_table.games.rules.codex.identikit import WRONG_CODES, Hides, Value
from pi_table.games.rules.codex.phases import SEATS, may
from pi_table.games.rules.codex.text import read_act, read_opening
from pi_table.games.rules.codex.views import public_view, view
from pi_table.games.rules.events import Event
from pi_table.games.rules.explained import act_line
from pi_table.games.rules.profile import Profile
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat

__all__ = [
    "SEATS",
    "clues",
    "decide",
    "evolve",
    "evolve_all",
    "explain",
    "lapse",
    "may",
    "private_result",
    "public_view",
    "read_act",
    "read_opening",
    "seats",
    "view",
]


class AttemptTold(Hides, msgspec.Struct, frozen=True):
    result: Attempted


class AnswerTold(Hides, msgspec.Struct, frozen=True):
    """A profiler's question and the answer to it."""

    fact: str
    value: Value


class CodeTold(Hides, msgspec.Struct, frozen=True):
    """The result of entering the personal code, and how many tries remain."""

    right: bool
    tries_left: int


def explain(profile: Profile) -> Iterator[str]:
    for row in phases.TABLE:
        yield act_line(row.act, row.by, row.leads)


def clues(board: Board) -> NoReturn:
    """Raise Refused, because this game has no clues."""
    raise Refused(Reason.UNKNOWN_ACT)


def seats(board: Board) -> tuple[Seat, ...]:
    return SEATS


def private_result(
    state: State, seat: Seat, happened: tuple[Event, ...]
) -> AttemptTold | AnswerTold | CodeTold | None:
    """Return the result of an attempt, a question or a personal code. Only ``seat`` may see it.

    Returns None for every other act, and for a question by an agent who may not ask.
    """
    match happened:
        case (events.CodeTried(result=result), *_):
            return AttemptTold(result)
        case (events.Asked(fact=fact, answer=str() | int() as answer), *_):
            return AnswerTold(fact.value, answer)
        case (events.OwnCodeEntered(agent=agent, right=right), *_):
            return CodeTold(right, WRONG_CODES - state.secrets.dossiers[agent].wrong)
    return None
