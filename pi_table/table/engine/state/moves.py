"""Moves: results of acts, touches and time that are not stored yet; and the table's refusals."""

from typing import Any

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyAct, AnyState, Opening
from pi_table.games.rules.seat import Seat
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.state.game_in_play import GameInPlay


class Unable(TableError):  # noqa: N818 - an answer, not a fault
    """A refusal by the table, not by the rules; ``reason`` is a short name for programs."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Move(msgspec.Struct, frozen=True):
    """The result of an act before it is stored: the next state, and the events on the way."""

    state: AnyState
    happened: tuple[Event, ...]
    begins: float | None = None
    """Time at which a new game begins with this move."""
    told: Any = None
    """The result for the seat that acted, as JSON; no other seat receives it."""


def playing(game: GameInPlay | None) -> GameInPlay:
    """Return the game in play. Raises Unable before the first game."""
    if game is None:
        raise Unable("no-game", say("No game has begun yet: start one at the hidden screen."))
    return game


def move_of_act(game: GameInPlay, seat: Seat, act: AnyAct, now: float) -> Move:
    state, happened = games.step(game.state, seat, act, game.time(now))
    return Move(state, happened, told=games.private_result(state, seat, happened))


def act_of_touch(game: GameInPlay | None, place: int, chance: Chance) -> tuple[Seat, AnyAct]:
    """Return the act of a touch, and its seat. Raises Unable if the touch means nothing."""
    game = playing(game)
    meant = family_of(game.board).act_of_touch(place, game.state, chance)
    if meant is None:
        raise Unable("nothing-here", say("A touch has no effect here at the moment."))
    return meant


def move_to_begin(opening: Opening, now: float) -> Move:
    return Move(games.evolve(None, opening), (opening,), begins=now)


def move_of_time(game: GameInPlay, until: float) -> Move | None:
    """Return the move that time alone has caused by ``until``, or None."""
    state, happened = game.settle(until)
    return Move(state, happened) if happened else None


def move_to_set_apart(game: GameInPlay, for_good: bool, chance: Chance, now: float) -> Move | None:
    """Return the move that pauses a game which nobody continues, or abandons it ``for_good``.
    Return None if that is not possible now."""
    name = "abandon" if for_good else "pause"
    if name not in games.may(game.state, Seat.OPERATOR):
        return None
    return _of_the_operator(game, name, chance, now)


def move_to_end(game: GameInPlay, chance: Chance, now: float) -> Move:
    """Return the move that ends the game in play for another game."""
    return _of_the_operator(game, "abandon", chance, now)


def _of_the_operator(game: GameInPlay, name: str, chance: Chance, now: float) -> Move:
    act = games.read_act({"act": name}, game.state, chance)
    return move_of_act(game, Seat.OPERATOR, act, now)


def check_that_it_can_be_stored(closed: bool, fault: str | None) -> None:
    """Raise Unable if no journal is open."""
    if closed:
        raise Unable("out-of-order", fault or say("The table has no journal."))


def check_that_none_is_played(game: GameInPlay | None) -> None:
    """Raise Unable while a game is in play: another cannot begin."""
    if game is not None and game.board.outcome is None:
        raise Unable("game-in-progress", say("A game is being played: end it first."))
