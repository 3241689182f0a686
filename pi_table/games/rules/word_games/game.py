"""The functions of the `games.Game` protocol for word games."""

from collections.abc import Iterator
from typing import Any, Final

from pi_table.games.rules.events import Event
from pi_table.games.rules.explained import act_line, line_about
from pi_table.games.rules.profile import Profile
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games import phases
from pi_table.games.rules.word_games.board import COVER, Board, Clue, State
from pi_table.games.rules.word_games.decide import decide
from pi_table.games.rules.word_games.decide import lapse as _lapse
from pi_table.games.rules.word_games.evolve import evolve, evolve_all
from pi_table.games.rules.word_games.text import read_act, read_opening
from pi_table.games.rules.word_games.views import public_view, view

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


SEATS: Final = tuple(seat for seat in Seat if seat.team is not None or seat is Seat.OPERATOR)


def explain(profile: Profile) -> Iterator[str]:
    """Yield a line for each act, and one about ``clues``.

    The phase COVER is named only for games that a group can play (NC-4).
    """
    for row in phases.TABLE:
        reached = (phase for phase in row.leads if phase is not COVER or _has_groups(profile))
        yield act_line(row.act, row.by, reached)
    yield line_about("clues", "anyone. Hear every clue so far.")


def _has_groups(profile: Profile) -> bool:
    return "players" in profile.settings


def lapse(state: State, now: float) -> Event | None:
    return _lapse(state.board, now)


def seats(board: Board) -> tuple[Seat, ...]:
    """Return the seats of the game: those of both teams, or of the one group, and the operator."""
    absent = board.starts.other if board.is_group else None
    return tuple(seat for seat in SEATS if absent is None or seat.team is not absent)


def clues(board: Board) -> tuple[Clue, ...]:
    """Return all clues so far (CN-25)."""
    return board.clues


def may(state: State, seat: Seat) -> tuple[str, ...]:
    return phases.may(state.board, seat)


def private_result(state: State, seat: Seat, happened: tuple[Event, ...]) -> Any:
    """Return None, because every result of an act is public."""
    return None
