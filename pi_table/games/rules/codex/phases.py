"""The phases of Codex as one table: who may do which act in which phase, and which phases follow.

A phase of the game consists of five phases of this table: two laps at the hidden screen or on
phones (SEND and ACT), a discussion (DISCUSS), a vote (VOTE) and the truth machine (MACHINE). Then
the next phase of the game begins. Laps and the discussion end when their time is over. A visit on
phones also ends once all its agents are done, and the operator can end the discussion. The vote and
the truth machine end by acts.

Permissions depend on the `Board`. For an agent at the hidden screen or on a phone they also depend
on that agent's own entries. They never depend on a role, a power or a message (CX-18).
"""

import enum
from collections.abc import Callable
from typing import Final

import msgspec

from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.board import (
    ACT,
    DISCUSS,
    INDEX,
    MACHINE,
    OVER,
    SEND,
    VOTE,
    Board,
    Phase,
)
from pi_table.games.rules.codex.hidden import State, inbox
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.seat import AGENTS, Role, Seat

PLAYING: Final = (SEND, ACT, DISCUSS, VOTE, MACHINE)
SEATS: Final = (*AGENTS, Seat.OPERATOR)


class By(enum.Enum):
    """The seats that may do an act."""

    TURN = "the agent whose turn it is", Role.AGENT
    TURN_OR_OPERATOR = "the agent whose turn it is, or the operator", Role.AGENT, Role.OPERATOR
    OPERATOR = "the operator", Role.OPERATOR
    AGENT = "any agent", Role.AGENT
    ANYONE = "anyone", Role.AGENT, Role.OPERATOR
    """Any agent, or the operator. `acts.Reveal` is an exception: at the truth machine only the
    agent in turn may do it, and after the end only the operator."""

    roles: tuple[Role, ...]
    """The roles that may do the act. Whether a seat may do it now depends on the board."""

    def __new__(cls, text: str, *roles: Role) -> "By":
        by = object.__new__(cls)
        by._value_ = text
        by.roles = roles
        return by


class Row(msgspec.Struct, frozen=True):
    """An act: who may do it, in which phases, and the phases that may follow each of these."""

    act: type[acts.Act]
    by: By
    leads: dict[Phase, tuple[Phase, ...]]
    otherwise: Reason = Reason.WRONG_PHASE
    """The reason for refusing the act in all other phases except OVER."""


def _stays(*phases: Phase) -> dict[Phase, tuple[Phase, ...]]:
    return {phase: (phase,) for phase in phases}


TABLE: Final = (
    Row(acts.Ready, By.TURN_OR_OPERATOR, _stays(SEND, ACT)),
    Row(acts.Send, By.TURN, _stays(SEND)),
    Row(acts.Hack, By.TURN, _stays(SEND)),
    Row(acts.Ask, By.TURN, _stays(ACT)),
    Row(acts.Extort, By.TURN, _stays(ACT)),
    Row(acts.Attempt, By.TURN, {ACT: (ACT, OVER)}),
    Row(acts.Done, By.TURN, {SEND: (SEND, ACT), ACT: (ACT, DISCUSS)}),
    Row(acts.ChooseCode, By.TURN, _stays(SEND, ACT, MACHINE)),
    Row(acts.EnterCode, By.TURN, _stays(SEND, ACT, MACHINE)),
    Row(acts.CastVote, By.TURN, {VOTE: (VOTE, MACHINE, SEND)}),
    Row(acts.Reveal, By.ANYONE, {MACHINE: (SEND,), OVER: (OVER,)}, Reason.NOT_OVER),
    Row(acts.EndDiscussion, By.OPERATOR, {DISCUSS: (VOTE,)}),
    Row(acts.NewCode, By.OPERATOR, _stays(*PLAYING)),
    Row(acts.Pair, By.AGENT, _stays(*PLAYING)),
    Row(acts.Unpair, By.OPERATOR, _stays(*PLAYING)),
    Row(acts.Pause, By.ANYONE, _stays(*PLAYING)),
    Row(acts.Resume, By.ANYONE, _stays(*PLAYING)),
    Row(acts.Correct, By.OPERATOR, {OVER: PLAYING}, Reason.NOTHING_TO_CORRECT),
    Row(acts.Abandon, By.OPERATOR, dict.fromkeys(PLAYING, (OVER,))),
)
ROWS: Final = {row.act: row for row in TABLE}
_POSSIBLE: Final = {
    (phase, role): tuple(row for row in TABLE if phase in row.leads and role in row.by.roles)
    for phase in (*PLAYING, OVER)
    for role in Role
}
"""For each phase and role, the rows of `TABLE` that can allow an act. The others are not asked."""
ON_TIME: Final[dict[Phase, tuple[Phase, ...]]] = {
    SEND: (SEND, ACT),
    ACT: (ACT, DISCUSS),
    DISCUSS: (VOTE,),
}
"""For each phase that can run out of time: the possible next phases."""

_IN_A_PAUSE: Final = (acts.Resume, acts.NewCode, acts.Correct, acts.Abandon)
"""Acts that are allowed even during a pause."""


def may(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the names of the acts that this seat may do now, in the order of `TABLE`."""
    rows = _POSSIBLE[state.board.phase, seat.role]
    return tuple(acts.name_of(row.act) for row in rows if why_not(state, seat, row.act) is None)


def why_not(state: State, seat: Seat, kind: type[acts.Act]) -> Reason | None:
    """Return the reason why this seat may not do this kind of act now; None if it may.

    The fields of the act are not checked.
    """
    reason = _in_public(state.board, seat, ROWS[kind])
    own = _AT_SCREEN.get(kind)
    if reason is not None or own is None or state.board.phase is OVER:
        return reason
    agent = INDEX[seat]
    dossier = state.secrets.dossiers[agent]
    if kind is acts.ChooseCode or kind is acts.EnterCode:
        return own(state, agent)
    if dossier.locked:
        return Reason.TOO_MANY_CODES
    if dossier.guarded:
        return Reason.CODE_FIRST
    return Reason.VISIT_DONE if dossier.done else own(state, agent)


def _in_public(board: Board, seat: Seat, row: Row) -> Reason | None:
    """Return a reason for a refusal if public information alone gives one; else None."""
    phase = board.phase
    if phase is OVER and row.leads and phase not in row.leads:
        return Reason.GAME_OVER
    if seat.role not in row.by.roles:
        return Reason.WRONG_SEAT
    if board.paused and row.act not in _IN_A_PAUSE:
        return Reason.PAUSED
    if phase not in row.leads:
        return row.otherwise
    if row.act is acts.Resume and not board.paused:
        return Reason.NOT_PAUSED
    if row.act is acts.Correct:
        can = board.abandoned is not None and board.identikits is None
        return None if can else Reason.NOTHING_TO_CORRECT
    if row.act is acts.Reveal and phase is OVER:
        if seat is not Seat.OPERATOR:
            return Reason.WRONG_SEAT
        return None if board.identikits is None else Reason.ALREADY_REVEALED
    if row.act is acts.Reveal and seat is Seat.OPERATOR:
        return Reason.NOT_OVER
    agents = row.by is By.TURN or row.act in (acts.Reveal, acts.Ready)
    if agents and seat is not Seat.OPERATOR and INDEX[seat] not in board.visiting:
        return Reason.NOT_YOUR_TURN
    if row.act is acts.Ready:
        awaited = board.awaited and INDEX.get(seat) not in board.there
        return None if awaited else Reason.READY_ALREADY
    if row.act in (acts.Pair, acts.Unpair):
        return _phone(board, seat, row.act)
    return Reason.READY_FIRST if row.by is By.TURN and board.awaited else None


def _phone(board: Board, seat: Seat, kind: type[acts.Act]) -> Reason | None:
    if board.settings.screens != "phones":
        return Reason.NO_PHONES
    if kind is acts.Pair:
        return Reason.PAIRED_ALREADY if INDEX[seat] in board.phones else None
    return None if board.phones else Reason.NOT_PAIRED


# Checks against earlier entries of the visiting agent


def _once(field: str) -> Callable[[State, int], Reason | None]:
    """Return a check that refuses a second entry in a phase, whether or not the agent has the
    power."""

    def own(state: State, agent: int) -> Reason | None:
        entered = getattr(state.secrets.dossiers[agent].entered, field)
        return None if entered is None else Reason.ENTERED_ALREADY

    return own


def _ask(state: State, agent: int) -> Reason | None:
    if not inbox(state, agent, state.board.number):
        return Reason.UNKNOWN_MESSAGE
    return _once("question")(state, agent)


def _finish(state: State, agent: int) -> Reason | None:
    sent = state.secrets.dossiers[agent].entered.message is not None
    return None if sent or state.board.phase is not SEND else Reason.MESSAGE_FIRST


def _choose_code(state: State, agent: int) -> Reason | None:
    return None if state.secrets.dossiers[agent].own_code is None else Reason.CODE_CHOSEN


def _enter_code(state: State, agent: int) -> Reason | None:
    dossier = state.secrets.dossiers[agent]
    if not dossier.guarded:
        return Reason.NO_CODE_NEEDED
    return Reason.TOO_MANY_CODES if dossier.locked else None


_AT_SCREEN: Final[dict[type[acts.Act], Callable[[State, int], Reason | None]]] = {
    acts.Send: _once("message"),
    acts.Hack: _once("hack"),
    acts.Ask: _ask,
    acts.Extort: _once("demand"),
    acts.Attempt: _once("attempt"),
    acts.Done: _finish,
    acts.ChooseCode: _choose_code,
    acts.EnterCode: _enter_code,
    acts.Reveal: lambda state, agent: None,
}
