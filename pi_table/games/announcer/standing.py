"""A snapshot of the public state of the table. All announcements are made from it."""

import msgspec

from pi_table.common.language import Words
from pi_table.games.announcer.first_game import FirstGame
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games.views import PublicView


class RefusedTouch(msgspec.Struct, frozen=True):
    """A touch that the table refused."""

    place: int
    """The place (0 … 26) that was touched."""
    at: float
    """Time of the refusal, in seconds of the table's clock."""
    why: Words


class Closing(msgspec.Struct, frozen=True):
    """An announcement by the house that it will close soon."""

    number: int
    """Number of this announcement, counted from 1 since the table was switched on."""
    minutes: int


class Standing(msgspec.Struct, frozen=True):
    """The public state of the table at one moment."""

    view: PublicView | CodexView | None = None
    """The public view of the game; None before the first game."""
    game: int | None = None
    """Number of the game in the journal; None before the first game."""
    first_game: FirstGame = FirstGame()
    at: float = 0.0
    """Time of ``view``, in seconds of game time."""
    hurry: bool = False
    """True if little time remains on the timer. The table announces this."""
    urging: bool = False
    """True if the time limit has passed."""
    hourglass: bool = False
    """True if the hourglass can be turned over."""
    peeking: bool = False
    """True if the key of a word game is on the hidden screen."""
    seated: tuple[Seat, ...] = ()
    """The seats that have a phone in this game."""
    has_screen: bool = True
    """True if the table has a hidden screen. Without one, each agent needs a phone."""
    blocked: bool = False
    """True if the table is wet, or an arm lies on its rim."""
    out_of_order: bool = False
    """True if a fault prevents everybody from playing at the table."""
    service: bool = False
    out_of_service: bool = False
    """True if the house has taken the table out of service, so that no game can begin."""
    located: bool = False
    """True if the lights blink so that staff can find this table."""
    closing: Closing | None = None
    """The latest announcement that the house will close soon; None if there was none."""
    asks: bool = False
    sleeps: bool = False
    """True in attract mode: nobody is at the table."""
    marks: tuple[str, ...] = ()
    """Names of the cells that the operatives in turn have marked as possible guesses."""
    refused: RefusedTouch | None = None
