"""What an act brings about, before it is stored; and what the table itself refuses."""

from typing import Any

import msgspec

from pi_table.engine.game_in_play import GameInPlay
from pi_table.errors import TableError
from pi_table.rules import games
from pi_table.rules.events import Event
from pi_table.rules.games import AnyAct, AnyState, Opening
from pi_table.rules.seat import Seat


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
        raise Unable("no-game", "No game has begun yet: start one on the console.")
    return game


def acted(game: GameInPlay, seat: Seat, act: AnyAct, now: float) -> Move:
    """The move that an act of ``seat`` makes. Raises Refused."""
    state, happened = games.step(game.state, seat, act, game.time(now))
    return Move(state, happened, told=games.told(state, seat, happened))


def begun(opening: Opening, now: float) -> Move:
    """The move by which a game begins."""
    return Move(games.evolved(None, opening), (opening,), begins=now)


def check_that_it_can_be_stored(closed: bool, fault: str | None) -> None:
    """Raises Unable where there is no journal to store anything in."""
    if closed:
        raise Unable("out-of-order", fault or "The table has no journal.")


def check_that_none_is_played(game: GameInPlay | None) -> None:
    """Raises Unable while a game is being played: another one cannot begin."""
    if game is not None and game.board.outcome is None:
        raise Unable("game-in-progress", "A game is being played: end it first.")
