"""How the table stands for everybody at an instant: all that announcements are made of."""

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
    """When the touch was refused, in seconds of the table's clock."""
    why: Words
    """Why the touch was refused, as a sentence for people."""


class Closing(msgspec.Struct, frozen=True):
    """The house has said that it closes."""

    number: int
    """From 1 since the table was switched on, one more each time."""
    minutes: int
    """So soon it closes."""


class Standing(msgspec.Struct, frozen=True):
    """What anybody at the table may know of it at one instant."""

    view: PublicView | CodexView | None = None
    """The game as anybody may see it; None before the first one."""
    game: int | None = None
    """The number of the game in the journal; None before the first one."""
    first_game: FirstGame = FirstGame()
    """How far people have come in a game that explains itself."""
    at: float = 0.0
    """When ``view`` was made, in seconds of the game."""
    hurry: bool = False
    """Is so little time left that it is to be said?"""
    urging: bool = False
    """Has a time run out?"""
    hourglass: bool = False
    """Can the hourglass be turned over?"""
    peeking: bool = False
    """Is the key of a word game on the hidden screen?"""
    seated: tuple[Seat, ...] = ()
    """The seats that a phone has in this game."""
    blocked: bool = False
    """Is the table wet, or does an arm lie on its rim?"""
    out_of_order: bool = False
    """Can the table not be played at?"""
    service: bool = False
    """Is the table in service?"""
    out_of_service: bool = False
    """Can no game begin at the table, because the house wants none to?"""
    located: bool = False
    """Do the lights blink so that somebody finds the table?"""
    closing: Closing | None = None
    """What the house said last of its closing; None before that."""
    asks: bool = False
    """Does the table ask whether anybody still plays?"""
    sleeps: bool = False
    """Is nobody there, so that the table invites people?"""
    marks: tuple[str, ...] = ()
    """The names of the cells that the operatives whose turn it is have marked as meant."""
    refused: RefusedTouch | None = None
    """The touch that was refused last."""
