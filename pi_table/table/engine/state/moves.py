"""Moves: results of acts, touches and time, before they are stored. Also the table's refusals."""

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
    """A result that is not stored yet: the next state, and the events that lead to it."""

    state: AnyState
    happened: tuple[Event, ...]
    begins: float | None = None
    """Time at which a new game begins with this move; None if no game begins."""
    told: Any = None
    """The private result of the act as JSON. Only the seat that acted receives it."""


def playing(game: GameInPlay | None) -> GameInPlay:
    """Return the game in play, or the last game. Raises Unable if there is none yet."""
    if game is None:
        raise Unable("no-game", say("No game has begun yet: start one first."))
    return game


def move_of_act(game: GameInPlay, seat: Seat, act: AnyAct, now: float) -> Move:
    state, happened = games.step(game.state, seat, act, game.time(now))
    return Move(state, happened, told=games.private_result(state, seat, happened))


def act_of_touch(game: GameInPlay | None, place: int, chance: Chance) -> tuple[Seat, AnyAct]:
    """Return the seat that a touch acts for, and its act. Raises Unable if the touch means nothing
    now."""
    game = playing(game)
    meant = family_of(game.board).act_of_touch(place, game.state, chance)
    if meant is None:
        raise Unable("nothing-here", say("A touch has no effect here at the moment."))
    return meant


def move_to_begin(opening: Opening, now: float) -> Move:
    return Move(games.evolve(None, opening), (opening,), begins=now)


def move_of_time(game: GameInPlay, until: float) -> Move | None:
    """Return the move that time alone has caused by ``until``; None if there is none."""
    state, happened = game.settle(until)
    return Move(state, happened) if happened else None


def move_to_set_apart(game: GameInPlay, for_good: bool, chance: Chance, now: float) -> Move | None:
    """Return the move that pauses a game that people have left. If ``for_good`` is True, the move
    instead ends that game as abandoned. Return None if the rules do not allow the move now."""
    name = "abandon" if for_good else "pause"
    if name not in games.may(game.state, Seat.OPERATOR):
        return None
    return _of_the_operator(game, name, chance, now)


def move_to_end(game: GameInPlay, chance: Chance, now: float) -> Move:
    """Return the move that ends the game in play, so that another game can begin."""
    return _of_the_operator(game, "abandon", chance, now)


def _of_the_operator(game: GameInPlay, name: str, chance: Chance, now: float) -> Move:
    act = games.read_act({"act": name}, game.state, chance)
    return move_of_act(game, Seat.OPERATOR, act, now)


def check_that_it_can_be_stored(
    closed: bool, fault: str | None, unsettled: TableError | None
) -> None:
    """Raise Unable, with the journal's ``fault``, if the journal is not open. Raise ``unsettled``
    if the disk could not store what time has changed."""
    if unsettled is not None:
        raise unsettled
    if closed:
        raise Unable("out-of-order", fault or say("The table has no journal."))


def check_that_none_is_played(game: GameInPlay | None) -> None:
    """Raise Unable while a game is in play, because another game cannot begin."""
    if game is not None and game.board.outcome is None:
        raise Unable("game-in-progress", say("A game is being played: end it first."))
