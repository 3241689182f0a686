"""A snapshot of the public state of the table: the source of all announcements."""

import msgspec

from pi_table.common.language import Words
from pi_table.games.announcer.first_game import FirstGame
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games.views import PublicView


class RefusedTouch(msgspec.Struct, frozen=True):
    """A touch that was refused."""

    place: int
    """The place (0 … 26) that was touched."""
    at: float
    """Time of the refusal in seconds of the table's clock."""
    why: Words


class Closing(msgspec.Struct, frozen=True):
    """An announcement that the house closes soon."""

    number: int
    """Number of the announcement since the table was switched on, from 1."""
    minutes: int


class Standing(msgspec.Struct, frozen=True):
    """The public state of the table at one instant."""

    view: PublicView | CodexView | None = None
    """The public view of the game; None before the first game."""
    game: int | None = None
    """Number of the game in the journal; None before the first game."""
    first_game: FirstGame = FirstGame()
    at: float = 0.0
    """Time of ``view`` in seconds of the game."""
    hurry: bool = False
    """True if little time is left on the timer, so that an announcement is due."""
    urging: bool = False
    """True if the time limit has passed."""
    hourglass: bool = False
    """True if the hourglass can be turned over."""
    peeking: bool = False
    """True if the key of a word game is on the hidden screen."""
    seated: tuple[Seat, ...] = ()
    """Seats with a phone in this game."""
    blocked: bool = False
    """True if the table is wet, or an arm lies on its rim."""
    out_of_order: bool = False
    """True if nobody can play at the table, because of a fault."""
    service: bool = False
    out_of_service: bool = False
    """True if no game can begin because the house has taken the table out of service."""
    located: bool = False
    """True if the lights blink so that somebody finds the table."""
    closing: Closing | None = None
    """The last announcement that the house closes; None before the first announcement."""
    asks: bool = False
    sleeps: bool = False
    """True in attract mode: nobody is at the table."""
    marks: tuple[str, ...] = ()
    """Names of the cells that the operatives of this turn have marked as candidates."""
    refused: RefusedTouch | None = None
