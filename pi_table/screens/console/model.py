"""The state of the console, as a value."""

from functools import cached_property
from typing import Any, Final, Protocol

import msgspec

from pi_table.common.language import Lang, Words
from pi_table.games.announcer.first_game import FirstGame
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.house import NIGHT
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
"""Seconds after the last press for which the console assumes that somebody reads its page.

The table does not know what the screen shows. It becomes idle after a minute, even if somebody is
reading.
"""


class PeekAsked(msgspec.Struct, frozen=True):
    """The latest request to begin or end a peek, while the table has not answered it."""

    id: int
    renews: bool = False
    """True if the request renews a peek. Nobody waits for its answer, so no notice shows a refusal.
    """


class FamilyOfScreens(Protocol):
    """The functions of a module with the screens of one family of games.

    ``table`` is a message of this family to the console. ``model`` is the state of a console that
    has received such a message.
    """

    @property
    def PEEKS_WHILE_HELD(self) -> bool:  # noqa: N802 - a constant of a module
        """True if secrets are visible only while the button PEEK is held; False if a press toggles
        them."""

    def home(self, table: Any, /) -> AnyScreen:
        """Return the home screen."""

    def visible(self, table: Any, peeking: bool, /) -> Any:
        """Return the part of the table's message that screens may get. In Codex it has no secrets
        unless ``peeking``."""

    def can_peek(self, model: Any, /) -> bool:
        """True if there is a secret that could be shown or hidden now."""

    def peeking_seat(self, table: Any, /) -> Seat | None:
        """Return the seat for which a peek can be requested, or None."""

    def same_secrets(self, old: Any, table: Any, /) -> bool:
        """True if both messages have the same secrets. ``old`` may be a message of any family, or
        None."""

    def another_visit(self, old: Any, table: Any, /) -> bool:
        """True if the visit in ``old`` is over. ``old`` may be a message of any family, or None."""

    def body(self, model: Any, table: Any, now: float, /) -> Scene | None:
        """Draw the topmost screen without its foot. Return None if this family does not draw it."""

    def peek_label(self, model: Any, /) -> Words:
        """Return the label of the peek button."""

    def question(self, model: Any, /) -> Question | None:
        """Return the question that the current screen asks the referee, or None."""

    def language_to_prepare(self, model: Any, /) -> Lang | None:
        """Return the language in which the referee will soon be asked, or None."""


class Model(msgspec.Struct, frozen=True, dict=True):
    """The state of the console at one instant."""

    family: FamilyOfScreens | None = None
    """The screens of the current game's family; None while the table is not connected."""
    table: AnyTableMessage | None = None
    """The latest message; None while the table is not connected. Screens get only the part
    `visible`."""
    arrived: float = 0.0
    """Time when the latest message arrived, in seconds."""
    elsewhere: bool = False
    """True if the last connection was refused, because the table serves another screen."""
    stopped: str | None = None
    """The reason why the table has failed permanently; None if it has not failed."""
    screens: tuple[AnyScreen, ...] = (Screen(),)
    """The stack of screens from the home screen to the visible one."""
    peeking: bool = False
    """True if people want to see secrets: after a press of PEEK; in Codex, while PEEK is held."""
    held_by: int | None = None
    """The finger that holds the button PEEK on the touch screen, or None."""
    peek_asked: PeekAsked | None = None
    """The unanswered request to begin or end a peek, or None."""
    unanswered: tuple[Request, ...] = ()
    """Unanswered requests for acts that people chose."""
    kept: float = 0.0
    """Time when a peek was last requested or renewed, in seconds."""
    served: float = 0.0
    """Time when the table was last told that somebody is using service mode, in seconds."""
    notice: Words | None = None
    """A sentence about the last action, such as the reason of a refusal; or None."""
    caption: Caption | None = None
    lang: Lang = "en"
    """The language that people chose at the screen. When the console connects during a game, it is
    that game's language."""
    layout: Layout = Layout()
    first_game: FirstGame = FirstGame()
    """The steps that first-time players have met so far, in games with explanations."""
    explains: bool = True
    """True unless people switched explanations off at this console during this game."""
    judged: Judged | None = None
    """The latest answer of the referee. It may be about an earlier clue."""
    bookmark: AnyScreen | None = None
    """The page on how to play that was shown last, if its reader left before the end; else None."""
    begun: float | None = None
    """Time when the latest game began, in seconds; None if no game began since the console
    connected."""
    pressed: float = 0.0
    """Time when something was last pressed or tapped, in seconds."""
    next_id: int = 1

    @property
    def screen(self) -> AnyScreen:
        return self.screens[-1]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.visible is None else self.screen.choices(self.visible)

    @cached_property
    def visible(self) -> AnyTableMessage | None:
        """The part of the table's message that the screen may show now."""
        if self.table is None or self.family is None:
            return None
        seen: AnyTableMessage = self.family.visible(self.table, self.peeking)
        return seen

    @property
    def selected(self) -> int:
        """The index of the selected choice; 0 if there are no choices."""
        return max(0, min(self.screen.selected, len(self.choices) - 1))

    @property
    def can_peek(self) -> bool:
        """True if there is a secret that the current screen can show or hide."""
        if self.family is None or self.screen.hides_key:
            return False
        return self.family.can_peek(self)

    def invites(self, now: float) -> bool:
        """True if the invitation replaces the screen, because nobody seems to be there at ``now``.
        The page with faults, and a page that is being read, are not replaced."""
        if self.table is None or self.table.idle is Presence.PLAYING:
            return False
        return not isinstance(self.screen, Faults) and not self.is_read(now)

    def is_read(self, now: float) -> bool:
        """True if somebody seems to be reading the screen although the table is idle. During an
        unfinished game it is False, because the screen then invites people to continue the game."""
        public = None if self.table is None else self.table.public
        apart = public is not None and public.outcome is None
        return self.screen.is_read and not apart and now - self.pressed < READ_SECONDS

    @property
    def knows_games(self) -> bool:
        """True if people seem to know the games: this evening's latest game began without
        explanations."""
        settings = None if self.table is None else self.table.settings
        if settings is None or settings.explain or self.begun is None:
            return False
        return self.pressed - self.begun < NIGHT.total_seconds()

    @property
    def at_the_operators(self) -> bool:
        """True if the operator's page is open, or a screen that was opened from it."""
        return any(isinstance(screen, OperatorPage) for screen in self.screens)

    @property
    def service_page(self) -> Page | None:
        pages = [screen.service_page for screen in self.screens if screen.service_page is not None]
        return pages[-1] if pages else None

    @property
    def wants_secrets(self) -> bool:
        if self.screen.hides_key or self.screen.made_up:
            return False
        return self.peeking or self.shows_key or self.screen.needs_secrets

    @property
    def shows_key(self) -> bool:
        """True if an open screen must show the key, with or without a peek."""
        return any(screen.shows_key for screen in self.screens)

    def __repr__(self) -> str:
        return f"Model({type(self.screen).__name__}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("screen", type(self.screen).__name__), ("key", "hidden")]


def remark(model: Model, now: float) -> Words | None:
    """Return the notice. Without a notice, return the caption if its time includes ``now``; else
    None."""
    caption = model.caption
    if model.notice is not None or caption is None:
        return model.notice
    return caption.words[model.lang] if caption.since <= now < caption.until else None


def seconds_left(model: Model, now: float) -> float | None:
    """Return the seconds that remain on the hourglass or clock at ``now``; None without a timer."""
    timer = None if model.table is None or model.table.public is None else model.table.public.timer
    if timer is None:
        return None
    gone = now - model.arrived if timer.running else 0.0
    return max(0.0, timer.left - gone)
