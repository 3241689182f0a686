"""What the console knows and shows. Pure."""

from typing import Any, Final, Protocol

import msgspec

from pi_table.common.language import Lang, Words
from pi_table.games.announcer.first_game import FirstGame
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, Presence, Request
from pi_table.protocols.ipc.service import Page
from pi_table.screens.console.caption import Caption
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.judge import Judged, Question
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.screen import AnyScreen, Choice, Screen
from pi_table.screens.console.shapes import Scene

READ_SECONDS: Final = 600.0
"""For how long after the last press somebody seems to read. The table, which does not know what the
screen shows, sleeps after a minute."""


class PeekAsked(msgspec.Struct, frozen=True):
    """The latest request to peek, or to peek no longer, which the table has not answered yet."""

    id: int
    renews: bool = False
    """Did the request only renew a peek? Then nobody waits for the answer."""


class FamilyOfScreens(Protocol):
    """What the console knows of a family of games: a module that has these functions.

    A ``table`` is a message of its family, a ``model`` the console at a table that plays one of its
    games.
    """

    @property
    def PEEKS_WHILE_HELD(self) -> bool:  # noqa: N802 - a constant of a module
        """Is what is hidden seen only as long as PEEK is held? Elsewhere PEEK shows and hides."""

    def home(self, table: Any, /) -> AnyScreen:
        """The home screen."""

    def visible(self, table: Any, peeking: bool, /) -> Any:
        """What of the table the screens may be given."""

    def can_peek(self, model: Any, /) -> bool:
        """Is there something hidden that could be shown or hidden now?"""

    def peeking_seat(self, table: Any, /) -> Seat | None:
        """The seat in whose name somebody peeks; None where there is none."""

    def same_secrets(self, old: Any, table: Any, /) -> bool:
        """Is what is hidden still what it was? ``old`` is of any family, or None."""

    def another_visit(self, old: Any, table: Any, /) -> bool:
        """Was somebody at the screen, and is no longer? ``old`` is of any family, or None."""

    def body(self, model: Any, table: Any, now: float, /) -> Scene | None:
        """The screen on top, but for the buttons at its foot; None where it is a page of no
        family."""

    def peek_label(self, model: Any, /) -> Words:
        """What stands on the button that peeks."""

    def question(self, model: Any, /) -> Question | None:
        """What the referee is to be asked now."""

    def asked_soon(self, model: Any, /) -> Lang | None:
        """The language in which the referee will be asked soon."""


class Model(msgspec.Struct, frozen=True):
    """The console at one instant."""

    family: FamilyOfScreens | None = None
    """What is known of the family of the game that is played; None while the table is away."""
    table: AnyTableMessage | None = None
    """The latest message of the table, None while the table is away. The screens are given what
    `visible` leaves of it."""
    arrived: float = 0.0
    """When the latest message came, in seconds."""
    elsewhere: bool = False
    """Did the table say last that it serves another screen?"""
    stopped: str | None = None
    """Why the table, which is away, has failed for good; None if it is not known to have."""
    screens: tuple[AnyScreen, ...] = (Screen(),)
    """The way from the home screen to the one that is seen."""
    peeking: bool = False
    """Has somebody asked to see what is hidden? In Codex: do they hold PEEK?"""
    held_by: int | None = None
    """The finger on the screen that holds PEEK; None if none does."""
    peek_asked: PeekAsked | None = None
    """The request to peek that waits for its answer; None if none does."""
    unanswered: tuple[Request, ...] = ()
    """The acts that people asked for and the table has not answered yet."""
    kept: float = 0.0
    """When the table was asked for a peek last, in seconds."""
    served: float = 0.0
    """When the table was told last that somebody is at service, in seconds."""
    notice: Words | None = None
    """A sentence for whoever did something last: why it was refused."""
    caption: Caption | None = None
    """What was said to everybody and is to be read here; None if nothing was yet."""
    lang: Lang = "en"
    """The language of the screen: that of the people at it, which no game changes."""
    layout: Layout = Layout()
    """Where things lie on the screen."""
    first_game: FirstGame = FirstGame()
    """How far people have come in a game that explains itself."""
    explains: bool = True
    """Does such a game explain itself on this screen, or did somebody switch that off?"""
    judged: Judged | None = None
    """What the referee answered last, whatever it was asked."""
    bookmark: AnyScreen | None = None
    """Where somebody stopped to read how a game is played; None where nobody did."""
    pressed: float = 0.0
    """When somebody pressed or tapped something last, in seconds."""
    next_id: int = 1

    @property
    def screen(self) -> AnyScreen:
        return self.screens[-1]

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.visible is None else self.screen.choices(self.visible)

    @property
    def visible(self) -> AnyTableMessage | None:
        """The table as far as the screen may show it now."""
        if self.table is None or self.family is None:
            return None
        seen: AnyTableMessage = self.family.visible(self.table, self.peeking)
        return seen

    @property
    def selected(self) -> int:
        """The place of the selected choice; 0 if there is none."""
        return max(0, min(self.screen.selected, len(self.choices) - 1))

    @property
    def can_peek(self) -> bool:
        """Is there something hidden, and a screen on which it could be shown or hidden?"""
        if self.family is None or self.screen.hides_key:
            return False
        return self.family.can_peek(self)

    def invites(self, now: float) -> bool:
        """Does nobody seem to be there at ``now``, so that the screen asks or invites, whatever was
        on it? What ails the table stays to be read, and for a while what somebody reads."""
        if self.table is None or self.table.idle is Presence.PLAYING:
            return False
        return not isinstance(self.screen, Faults) and not self.is_read(now)

    def is_read(self, now: float) -> bool:
        """Does somebody seem to read the screen, though the table sleeps? Not where a game is set
        apart, which somebody may come back to."""
        public = None if self.table is None else self.table.public
        apart = public is not None and public.outcome is None
        return self.screen.is_read and not apart and now - self.pressed < READ_SECONDS

    @property
    def at_the_operators(self) -> bool:
        """Is somebody at the operator's page, or at something that it led to?"""
        return any(isinstance(screen, OperatorPage) for screen in self.screens)

    @property
    def service_page(self) -> Page | None:
        """What is tried in service on the screens; None where nothing is."""
        pages = [screen.service_page for screen in self.screens if screen.service_page is not None]
        return pages[-1] if pages else None

    @property
    def wants_secrets(self) -> bool:
        """Is the table to send what is hidden?"""
        if self.screen.hides_key or self.screen.made_up:
            return False
        return self.peeking or self.shows_key or self.screen.needs_secrets

    @property
    def shows_key(self) -> bool:
        """Must the key be seen, whether somebody peeks or not?"""
        return any(screen.shows_key for screen in self.screens)

    def __repr__(self) -> str:
        return f"Model({type(self.screen).__name__}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("screen", type(self.screen).__name__), ("key", "hidden")]


def remark(model: Model, now: float) -> Words | None:
    """What is to be read beside the screen's own words at ``now``: the notice, else the caption,
    for as long as that stands; None if there is neither."""
    caption = model.caption
    if model.notice is not None or caption is None:
        return model.notice
    return caption.words[model.lang] if caption.since <= now < caption.until else None


def seconds_left(model: Model, now: float) -> float | None:
    """What the hourglass or the clock has left at ``now``, None if there is none."""
    timer = None if model.table is None or model.table.public is None else model.table.public.timer
    if timer is None:
        return None
    gone = now - model.arrived if timer.running else 0.0
    return max(0.0, timer.left - gone)
