"""The engine's functions for Codex; `table.engine.families.registry` documents these functions."""

from typing import Any

from pi_table.common.geometry import AGENT_CELLS, END_TURN
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.board import DISCUSS, VOTE, Board
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.families.codex.messages import (
    console_message,
    look,
    phone,
    public_message,
    sight,
)
from pi_table.table.engine.families.codex.record import is_open, secrets, sentences

SEATS_ARE_PEOPLE = True

__all__ = [
    "SEATS_ARE_PEOPLE",
    "act_of_touch",
    "announced_countdown",
    "console_message",
    "has_hourglass",
    "is_open",
    "look",
    "next_game",
    "phone",
    "public_message",
    "secrets",
    "sentences",
    "sight",
    "urging",
]


def act_of_touch(place: int, state: State, chance: Chance) -> tuple[Seat, acts.Act] | None:
    board = state.board
    if board.phase is VOTE and board.turn is not None and place in AGENT_CELLS:
        return AGENTS[board.turn], acts.CastVote(AGENT_CELLS.index(place))
    if board.phase is DISCUSS and place == END_TURN:
        return Seat.OPERATOR, acts.EndDiscussion()
    return None


def urging(board: Board, time: float) -> bool:
    """Return False: nobody is urged, because visits and discussions end by themselves when their
    time is over."""
    return False


def announced_countdown(board: Board) -> Countdown | None:
    """Return the countdown of a discussion. The countdown of a visit is only on the
    hidden screen."""
    return board.countdown if board.phase is DISCUSS else None


def has_hourglass(board: Board) -> bool:
    return False


def next_game(opening: AgentsDealt, board: Board, swaps: bool) -> tuple[dict[str, Any], WordSource]:
    """Return what the next game takes over: the agents' nicknames, and which agents use phones. No
    words are dealt."""
    kept: dict[str, Any] = {"nicknames": [each.nickname for each in opening.identikits]}
    if board.phones:
        kept["phones"] = [AGENTS[agent].value for agent in board.phones]
    return kept, WordSource("own")
