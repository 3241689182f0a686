"""What the sockets show of the table: to everybody, and on the hidden screen.

What a game shows is its family's to say (`families`).
"""

from typing import Any

from pi_table.engine import peek
from pi_table.engine.families import family_of
from pi_table.engine.requests import operators_acts, unlocked
from pi_table.engine.situation import Situation
from pi_table.ipc.messages import (
    AnyPublicMessage,
    AnyTableMessage,
    PageLock,
    PublicMessage,
    TableMessage,
)
from pi_table.rules import games
from pi_table.rules.seat import Seat


def to_everybody(situation: Situation, now: float) -> AnyPublicMessage:
    """The message for the public socket."""
    game = situation.game
    if game is None:
        return PublicMessage(None, situation.out_of_order)
    view = games.public_view(game.board, game.time(now))
    return family_of(game.board).public_message(view, situation.out_of_order)


def to_the_console(situation: Situation, now: float) -> AnyTableMessage:
    """The message for the hidden screen. What is hidden is in it only while a peek is on."""
    game = situation.game
    own = operators_acts(situation)
    may = {Seat.OPERATOR.value: own}
    if game is not None:
        may = {
            seat.value: unlocked(situation, seat.role, games.may(game.state, seat))
            for seat in games.seats(game.board)
        }
        may[Seat.OPERATOR.value] += own
    common: dict[str, Any] = {
        "may": may,
        "settings": None if game is None else game.board.settings,
        "game": None if game is None else game.number,
        "cards": situation.cards,
        "packs": situation.packs,
        "house": situation.house,
        "lock": PageLock(
            situation.lock.is_set, situation.lock.is_open, round(situation.pin_wait, 3)
        ),
        "faults": situation.faults,
        "peek": peek.for_the_console(situation.peek, now),
    }
    if game is None:
        return TableMessage(None, None, **common)
    time = game.time(now)
    view = games.public_view(game.board, time)
    peeks = None if situation.peek is None else situation.peek.seat
    return family_of(game.board).console_message(game.state, view, time, peeks, common)
