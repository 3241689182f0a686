"""What is hidden in a game of Codex, and who may look at it."""

import msgspec

from pi_table.rules.codex.board import AT_SCREEN, INDEX, Board, Phase
from pi_table.rules.codex.hidden import State
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Seat


class Visit(msgspec.Struct, frozen=True):
    """What an agent may see in one visit to the hidden screen."""

    phase: Phase
    number: int
    """The number of the phase of the game, from 1."""


def sight(state: State, seat: Seat) -> Visit:
    """An agent's secrets, for that agent, in a visit to the hidden screen and past the code of
    their own (CX-18, CX-19). Raises Refused."""
    return _sight(state, seat, state.board.at_screen(seat))


def sight_on_a_phone(state: State, seat: Seat) -> Visit:
    """The same on a phone, on which several agents have their visits at a time (CX-20)."""
    return _sight(state, seat, visits(state.board, seat))


def visits(board: Board, seat: Seat) -> bool:
    """Is it this agent's visit, or choice at the truth machine, wherever that is?"""
    return board.phase in AT_SCREEN and INDEX.get(seat) in board.visiting


def _sight(state: State, seat: Seat, is_there: bool) -> Visit:
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
    return Visit(board.phase, board.number)
