"""The engine's functions for the word games; `table.engine.families.registry` documents these
functions."""

from typing import Any

from pi_table.common.geometry import CELLS, END_TURN, HOURGLASS
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.seat import Role, Seat, seat_of
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.acts import TurnHourglass
from pi_table.games.rules.word_games.board import Board, State
from pi_table.games.rules.word_games.drawing import key_with_card
from pi_table.games.rules.word_games.events import Dealt
from pi_table.games.rules.word_games.phases import why_not
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.families.word_games.messages import (
    console_message,
    look,
    phone,
    public_message,
    sight,
)
from pi_table.table.engine.families.word_games.record import is_open, secrets, sentences

SEATS_ARE_PEOPLE = False

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


def act_of_touch(place: int, state: State, chance: Chance) -> tuple[Seat, acts.Act]:
    board = state.board
    seat = seat_of(board.turn, Role.OPERATIVES)
    if place == END_TURN:
        return seat, acts.Stop()
    if place == HOURGLASS:
        return seat, acts.TurnHourglass()
    assert place < len(CELLS)
    if board.laying is None:
        return seat, acts.Guess(place)
    # None instead of a word means the card that is chosen when the hold ends.
    return seat, acts.Place(place, None, key_with_card(state, chance))


def urging(board: Board, time: float) -> bool:
    """True if the hourglass or a clock has run out, except a clock that ends the turn."""
    settings = board.settings
    ends_turns = settings.timer == "clock" and settings.clock_end == "end-turn"
    return not ends_turns and board.urging(time)


def announced_countdown(board: Board) -> Countdown | None:
    return board.countdown


def has_hourglass(board: Board) -> bool:
    return why_not(board, Seat.OPERATOR, TurnHourglass) is None


def next_game(opening: Dealt, board: Board, swaps: bool) -> tuple[dict[str, Any], WordSource]:
    """Return the next game's starting team, if the teams swap, and the source of its words: the
    pack of the previous game, or the guests' own cards."""
    own = opening.words is None and opening.hands is None
    pack = None if opening.deck is None else opening.deck.pack
    starts = {"starts": board.starts.other.value} if swaps else {}
    return starts, WordSource("own" if own else "dealt", pack)
