"""The messages of a game of Codex for the sockets."""

from typing import Any, Final

import msgspec

from pi_table.games.rules.codex.board import AT_SCREEN, INDEX, Board, Phase
from pi_table.games.rules.codex.game import public_view, seats, view
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.views import AgentView, CodexOperatorView, CodexView
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc.messages import (
    AgentOutside,
    AgentVisit,
    CodexMessage,
    CodexPublicMessage,
    Said,
)
from pi_table.table.engine.phones.shown import PhoneView


class VisitId(msgspec.Struct, frozen=True):
    """Identifies the visit in which an agent may see their secrets."""

    phase: Phase
    number: int
    """The number of the visit's phase in the game, from 1."""


def sight(state: State, seat: Seat) -> VisitId:
    """Return the id of the visit at the hidden screen in which this agent may see their secrets
    now. Raises Refused if they may not, for example before entering their code (CX-18, CX-19)."""
    return _sight(state, seat, state.board.at_screen(seat))


def sight_on_a_phone(state: State, seat: Seat) -> VisitId:
    """Return the id of the visit in which this agent may see their secrets on a phone now. Raises
    Refused as `sight` does. Several agents can have visits on phones at the same time (CX-20)."""
    return _sight(state, seat, is_visiting(state.board, seat))


def is_visiting(board: Board, seat: Seat) -> bool:
    """True if this agent may act in a visit or choose at the truth machine now."""
    return board.phase in AT_SCREEN and INDEX.get(seat) in board.visiting


def _sight(state: State, seat: Seat, is_there: bool) -> VisitId:
    board = state.board
    if seat not in INDEX:
        raise Refused(Reason.WRONG_SEAT)
    if board.identikits is not None:
        raise Refused(Reason.ALREADY_REVEALED)
    if board.outcome is not None:
        raise Refused(Reason.GAME_OVER)
    if not is_there:
        raise Refused(Reason.NOT_YOUR_TURN)
    if board.paused:
        raise Refused(Reason.PAUSED)
    if board.awaited:
        raise Refused(Reason.READY_FIRST)
    dossier = state.secrets.dossiers[INDEX[seat]]
    if dossier.own_code is None or not dossier.is_open:
        raise Refused(Reason.TOO_MANY_CODES if dossier.locked else Reason.CODE_FIRST)
    if dossier.done:
        raise Refused(Reason.VISIT_DONE)
    return VisitId(board.phase, board.number)


def public_message(
    view: CodexView, out_of_order: bool, said: tuple[Said, ...]
) -> CodexPublicMessage:
    return CodexPublicMessage(view, out_of_order, said)


NO_SECRET: Final = ("send", "hack", "extort")
"""Acts that a phone may show as done even while no finger is held. They reveal none of the secrets
that the agent has received."""


def console_message(
    state: State, seen: CodexView, time: float, peeks: Seat | None, common: dict[str, Any]
) -> CodexMessage:
    """Return the message for the hidden screen, with an agent's secrets only during a peek.

    Without a peek, the message also lacks the acts of agents who are in a visit, because some of
    these acts depend on secrets.
    """
    there = _at_screen(state, time)
    if there is not None and peeks is there.seat:
        return CodexMessage(seen, _visit_of(there), there, **common)
    visiting = [AGENTS[agent].value for agent in state.board.visiting if seen.turn is None]
    may = {seat: acts for seat, acts in common["may"].items() if seat not in visiting}
    door = None if there is None else _visit_of(there)
    return CodexMessage(seen, door, None, **{**common, "may": may})


def look(
    state: State, seat: Seat, time: float, may_be_told: bool
) -> AgentView | CodexOperatorView | AgentOutside:
    if may_be_told:
        return view(state, seat, time)
    there = _at_screen(state, time)
    return AgentOutside(
        seat, public_view(state.board, time), None if there is None else _visit_of(there)
    )


AT_THE_DOOR: Final = frozenset({"ready", "choose-code", "enter-code", "pause", "resume"})
"""Acts that an agent's phone offers while no finger is held. None of them depends on secrets."""


def phone(state: State, seat: Seat, time: float, may: tuple[str, ...], holds: bool) -> PhoneView:
    """Return what an agent's phone shows: the state of the visit.

    Once the agent has entered their own code, the phone also shows all that the agent knows and may
    do, but only while a finger is held on it (CX-20).
    """
    if not is_visiting(state.board, seat):
        return PhoneView(tuple(act for act in may if act in AT_THE_DOOR))
    seen = view(state, seat, time)
    assert isinstance(seen, AgentView)
    door = _visit_of(seen)
    try:
        sight_on_a_phone(state, seat)
    except Refused:
        holds = False
    if not holds:
        return PhoneView(tuple(act for act in may if act in AT_THE_DOOR), door=door)
    fields = (name for name in AgentView.__struct_fields__ if name != "public")
    return PhoneView(may, door=door, agent={name: getattr(seen, name) for name in fields})


def _visit_of(there: AgentView) -> AgentVisit:
    entered = tuple(act for act in NO_SECRET if getattr(there.entered, act) is not None)
    return AgentVisit(there.seat, there.code, there.tries_left, there.done, entered)


def _at_screen(state: State, time: float) -> AgentView | None:
    """Return the view of the agent at the hidden screen; None if no agent is there."""
    for seat in seats(state.board):
        if state.board.at_screen(seat):
            seen = view(state, seat, time)
            assert isinstance(seen, AgentView)
            return seen
    return None
