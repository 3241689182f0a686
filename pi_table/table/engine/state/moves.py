"""What an act, a touch or time brings about, before it is stored; and what the table refuses."""

from typing import Any

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyAct, AnyState, Opening
from pi_table.games.rules.seat import Seat
from pi_table.table.engine.families.families import family_of
from pi_table.table.engine.state.game_in_play import GameInPlay


class Unable(TableError):  # noqa: N818 - an answer, not a fault
    """The table, not the rules, refuses something; ``reason`` is a short name for programs."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Move(msgspec.Struct, frozen=True):
    """What an act brings about, not yet stored: the next state, and the events on the way."""

    state: AnyState
    happened: tuple[Event, ...]
    begins: float | None = None
    """The instant at which a new game begins with this move; None for the game in play."""
    told: Any = None
    """What the seat that acted is told, and nobody else."""


def playing(game: GameInPlay | None) -> GameInPlay:
    """The game in play. Raises Unable before the first."""
    if game is None:
        raise Unable("no-game", say("No game has begun yet: start one on the console."))
    return game


def acted(game: GameInPlay, seat: Seat, act: AnyAct, now: float) -> Move:
    """The move that an act of ``seat`` makes. Raises Refused."""
    state, happened = games.step(game.state, seat, act, game.time(now))
    return Move(state, happened, told=games.told(state, seat, happened))


def touched(game: GameInPlay | None, place: int, chance: Chance) -> tuple[Seat, AnyAct]:
    """The act that touching a place is, and its seat. Raises Unable where there is none."""
    game = playing(game)
    meant = family_of(game.board).touched(place, game.state, chance)
    if meant is None:
        raise Unable("nothing-here", say("A touch means nothing here at the moment."))
    return meant


def begun(opening: Opening, now: float) -> Move:
    """The move by which a game begins."""
    return Move(games.evolved(None, opening), (opening,), begins=now)


def lapsed(game: GameInPlay, until: float) -> Move | None:
    """What time alone has brought about by ``until``; None if that is nothing."""
    state, happened = game.lapsed(until)
    return Move(state, happened) if happened else None


def set_apart(game: GameInPlay, for_good: bool, chance: Chance, now: float) -> Move | None:
    """What the table does about a game that nobody plays on: it pauses the game, and abandons it
    where that is ``for_good``. None if that is nothing now."""
    name = "abandon" if for_good else "pause"
    if name not in games.may(game.state, Seat.OPERATOR):
        return None
    return _of_the_operator(game, name, chance, now)


def ended_by_the_operator(game: GameInPlay, chance: Chance, now: float) -> Move:
    """The end of a game that is still played when another one is to begin."""
    return _of_the_operator(game, "abandon", chance, now)


def _of_the_operator(game: GameInPlay, name: str, chance: Chance, now: float) -> Move:
    act = games.read_act({"act": name}, game.state, chance)
    return acted(game, Seat.OPERATOR, act, now)


def check_that_it_can_be_stored(closed: bool, fault: str | None) -> None:
    """Raises Unable where there is no journal to store anything in."""
    if closed:
        raise Unable("out-of-order", fault or say("The table has no journal."))


def check_that_none_is_played(game: GameInPlay | None) -> None:
    """Raises Unable while a game is being played: another one cannot begin."""
    if game is not None and game.board.outcome is None:
        raise Unable("game-in-progress", say("A game is being played: end it first."))
