"""The phases of a word game as one table: who may do which act in which phase, and what follows.

If the teams lay out the cards, a game begins in PLACE. A turn begins in CLUE: the spymaster of the
team in turn gives one clue. In GUESS the team's operatives guess. Before the first guess the other
team may challenge the clue. In CHALLENGE, the spymaster of this other team decides. If the clue is
allowed, the guessing goes on. If not, the other team's turn begins in PENALTY, where this team may
cover a cell or decline. In a game without penalties the turn begins in CLUE. A group that plays
alone ends each turn in COVER: its spymaster must cover a cell of the absent team. OVER is the end,
and only a correction leads back from it. README.md of the rules draws the table; a test compares
the two.

All permissions depend on a `Board` only, never on the key.
"""

import enum
from collections.abc import Callable
from typing import Final

import msgspec

from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.board import (
    CHALLENGE,
    CLUE,
    COVER,
    GUESS,
    OVER,
    PENALTY,
    PLACE,
    Board,
    Phase,
)

PLAYING: Final = (PLACE, CLUE, GUESS, CHALLENGE, PENALTY, COVER)


class By(enum.Enum):
    """The seats that may do an act."""

    SPYMASTER = "the team's spymaster", True, Role.SPYMASTER
    OPERATIVES = "the team's operatives", True, Role.OPERATIVES
    OTHER_TEAM = "the other team", False, Role.SPYMASTER, Role.OPERATIVES
    OTHER_SPYMASTER = "the other team's spymaster", False, Role.SPYMASTER
    KEEPER = "a spymaster or the operator", None, Role.SPYMASTER, Role.OPERATOR
    OPERATOR = "the operator", None, Role.OPERATOR
    ANYONE = "anyone", None, *Role

    to_move: bool | None
    """True if the act is for the team in turn, False if for the other team, None if for both."""
    roles: tuple[Role, ...]
    """The roles that may do the act. Whether a seat may do it now depends on the board."""
    seats: tuple[frozenset[Seat], ...]
    """The seats that may do the act: in red's turn, and in blue's turn."""

    def __new__(cls, text: str, to_move: bool | None, *roles: Role) -> "By":
        by = object.__new__(cls)
        by._value_ = text
        by.to_move = to_move
        by.roles = roles
        able = [seat for seat in Seat if seat.role in roles]
        by.seats = tuple(
            frozenset(s for s in able if to_move is None or to_move is (s.team is turn))
            for turn in Team
        )
        return by


# Further checks of some acts, once seat and phase are right


def _choose(board: Board) -> Reason | None:
    return None if board.hand else Reason.NOT_IN_HAND


def _stop(board: Board) -> Reason | None:
    return None if board.guesses else Reason.GUESS_FIRST


def _challenge(board: Board) -> Reason | None:
    if board.challenged:
        return Reason.CHALLENGE_USED
    return Reason.CHALLENGE_TOO_LATE if board.guesses else None


def _hourglass(board: Board) -> Reason | None:
    return None if board.settings.timer == "hourglass" else Reason.NO_HOURGLASS


def _resume(board: Board) -> Reason | None:
    return None if board.paused else Reason.NOT_PAUSED


def _correct(board: Board) -> Reason | None:
    number_can_be_mended = board.clue is not None and not board.guesses
    earlier = board.abandoned is not None or board.before is not None
    can = board.open_key is None and (earlier or number_can_be_mended)
    return None if can else Reason.NOTHING_TO_CORRECT


def _new_key(board: Board) -> Reason | None:
    # A group may have covered a cell before its first clue, because the clock also ends turns
    # without a clue.
    return Reason.TOO_LATE_FOR_NEW_KEY if board.clues or board.covered else None


def _reveal(board: Board) -> Reason | None:
    if board.laying is not None:
        return Reason.NO_KEY
    return Reason.ALREADY_REVEALED if board.open_key is not None else None


class Row(msgspec.Struct, frozen=True):
    """An act: who may do it, in which phases, and the phases that may follow each of these."""

    act: type[acts.Act]
    by: By
    leads: dict[Phase, tuple[Phase, ...]]
    otherwise: Reason = Reason.WRONG_SEAT
    """The reason for refusing the act in a phase that is not in ``leads``. OVER and the phases of
    `_AWAITED` have reasons of their own."""
    guard: Callable[[Board], Reason | None] | None = None
    """An additional check after the checks of seat and phase. It returns the reason for a refusal,
    or None."""

    def why_not(self, board: Board, seat: Seat) -> Reason | None:
        """Return the reason why this seat may not do the act now; None if it may.

        The fields of the act are not checked.
        """
        if board.phase not in self.leads or seat not in self.by.seats[board.turn.index]:
            return _wrong(board, seat, self)
        if board.paused and self.act not in _ANY_TIME:
            return Reason.PAUSED
        return None if self.guard is None else self.guard(board)


def _stays(*phases: Phase) -> dict[Phase, tuple[Phase, ...]]:
    return {phase: (phase,) for phase in phases}


TABLE: Final = (
    Row(acts.Choose, By.OPERATIVES, _stays(PLACE), Reason.CARDS_LAID_OUT, _choose),
    Row(acts.Place, By.OPERATIVES, {PLACE: (PLACE, CLUE)}, Reason.CARDS_LAID_OUT),
    Row(acts.GiveClue, By.SPYMASTER, {CLUE: (GUESS,)}, Reason.CLUE_GIVEN),
    Row(acts.Guess, By.OPERATIVES, {GUESS: (GUESS, CLUE, COVER, OVER)}, Reason.NO_CLUE_YET),
    Row(acts.Stop, By.OPERATIVES, {GUESS: (CLUE, COVER)}, Reason.NO_CLUE_YET, _stop),
    Row(acts.Challenge, By.OTHER_TEAM, {GUESS: (CHALLENGE,)}, Reason.NO_CLUE_YET, _challenge),
    Row(acts.Allow, By.OTHER_SPYMASTER, {CHALLENGE: (GUESS,)}, Reason.NO_CHALLENGE),
    Row(acts.Uphold, By.OTHER_SPYMASTER, {CHALLENGE: (PENALTY, CLUE)}, Reason.NO_CHALLENGE),
    Row(acts.Cover, By.SPYMASTER, {PENALTY: (CLUE, OVER), COVER: (CLUE, OVER)}, Reason.NO_PENALTY),
    Row(acts.Decline, By.SPYMASTER, {PENALTY: (CLUE,)}, Reason.NO_PENALTY),
    Row(acts.TurnHourglass, By.ANYONE, _stays(CLUE, GUESS), Reason.NO_HOURGLASS, _hourglass),
    Row(acts.Pause, By.ANYONE, _stays(*PLAYING)),
    Row(acts.Resume, By.ANYONE, _stays(*PLAYING), guard=_resume),
    Row(
        acts.Correct,
        By.OPERATOR,
        {
            PLACE: (PLACE,),
            CLUE: (GUESS,),
            GUESS: (GUESS,),
            CHALLENGE: (CHALLENGE,),
            COVER: (GUESS,),
            OVER: PLAYING,
        },
        Reason.NOTHING_TO_CORRECT,
        _correct,
    ),
    Row(acts.NewKey, By.KEEPER, _stays(CLUE), Reason.TOO_LATE_FOR_NEW_KEY, _new_key),
    Row(acts.Abandon, By.OPERATOR, dict.fromkeys(PLAYING, (OVER,))),
    Row(acts.Reveal, By.KEEPER, _stays(OVER), Reason.NOT_OVER, _reveal),
)
ROWS: Final = {row.act: row for row in TABLE}
_POSSIBLE: Final = {
    (phase, role): tuple(row for row in TABLE if phase in row.leads and role in row.by.roles)
    for phase in (*PLAYING, OVER)
    for role in Role
}
"""For each phase and role, the rows of `TABLE` that can allow an act. The others are not asked."""
ON_TIME: Final[dict[Phase, tuple[Phase, ...]]] = {CLUE: (CLUE, COVER), GUESS: (CLUE, COVER)}
"""For each phase in which the clock can end the turn: the possible next phases."""

_ANY_TIME: Final = (acts.Resume, acts.Correct, acts.NewKey, acts.Abandon, acts.Reveal)
"""Acts that are allowed even during a pause."""


_AWAITED: Final = {
    PLACE: Reason.CARDS_FIRST,
    CHALLENGE: Reason.CHALLENGE_PENDING,
    PENALTY: Reason.PENALTY_PENDING,
    COVER: Reason.COVER_PENDING,
}
"""Phases in which everybody waits for one act, and the reason for refusing all other acts."""
_KEEPERS: Final = (By.KEEPER, By.OPERATOR)
"""If an act of these seats is refused, the reason is the one in the act's row of `TABLE`
(`otherwise`). Only in the phase PLACE it is the reason of `_AWAITED`."""


def may(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the names of the acts that this seat may do now, in the order of `TABLE`."""
    rows = _POSSIBLE[board.phase, seat.role]
    return tuple(acts.name_of(row.act) for row in rows if row.why_not(board, seat) is None)


def why_not(board: Board, seat: Seat, kind: type[acts.Act]) -> Reason | None:
    """Return the reason why this seat may not do this kind of act now; None if it may."""
    return ROWS[kind].why_not(board, seat)


def _wrong(board: Board, seat: Seat, row: Row) -> Reason:
    """Return the reason for a refusal if the phase or the seat is wrong."""
    by, phase = row.by, board.phase
    possible = phase in row.leads
    if phase is OVER and not possible:
        return Reason.GAME_OVER
    if seat.role not in by.roles:
        return Reason.WRONG_SEAT
    if board.paused and row.act not in _ANY_TIME:
        return Reason.PAUSED
    if not possible:
        waits = by not in _KEEPERS or phase is PLACE
        return _AWAITED.get(phase, row.otherwise) if waits else row.otherwise
    if by.to_move:
        return Reason.NOT_YOUR_TURN
    return Reason.NO_OTHER_TEAM if board.is_group else Reason.WRONG_SEAT
