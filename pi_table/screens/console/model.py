"""The state of the console. Pure."""

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
"""Seconds after the last press during which a person counts as reading a page.

The table does not know what the screen shows, and sleeps after a minute.
"""


class PeekAsked(msgspec.Struct, frozen=True):
    """The latest request to peek, or to stop it, that the table has not answered yet."""

    id: int
    renews: bool = False
    """True if the request renews a peek, so that no person waits for the answer."""


class FamilyOfScreens(Protocol):
    """A family of games as the console sees it: a module with these functions. ``table`` is a
    console message of the family; ``model`` is the console at such a table."""

    @property
    def PEEKS_WHILE_HELD(self) -> bool:  # noqa: N802 - a constant of a module
        """True if secrets are visible only while PEEK is held; False if PEEK toggles them."""

    def home(self, table: Any, /) -> AnyScreen:
        """Return the home screen."""

    def visible(self, table: Any, peeking: bool, /) -> Any:
        """Return the part of the table's message that screens may get."""

    def can_peek(self, model: Any, /) -> bool:
        """True if there is a secret that could be shown or hidden now."""

    def peeking_seat(self, table: Any, /) -> Seat | None:
        """Return the seat in whose name a peek is requested, or None."""

    def same_secrets(self, old: Any, table: Any, /) -> bool:
        """True if both messages have the same secrets. ``old`` is of any family, or None."""

    def another_visit(self, old: Any, table: Any, /) -> bool:
        """True if the visit in ``old`` is over. ``old`` is of any family, or None."""

    def body(self, model: Any, table: Any, now: float, /) -> Scene | None:
        """Draw the screen on top without its foot; None if it is not a page of this family."""

    def peek_label(self, model: Any, /) -> Words:
        """Return the label of the peek button."""

    def question(self, model: Any, /) -> Question | None:
        """Return the question to the referee about the current screen, or None."""

    def language_to_prepare(self, model: Any, /) -> Lang | None:
        """Return the language in which the referee will soon be asked."""


class Model(msgspec.Struct, frozen=True):
    """The console at one instant."""

    family: FamilyOfScreens | None = None
    """The family of the current game; None while the table is away."""
    table: AnyTableMessage | None = None
    """The latest message, None while the table is away. Screens get only the `visible` part."""
    arrived: float = 0.0
    """Time when the latest message arrived, in seconds."""
    elsewhere: bool = False
    """True if the table last reported that another screen is its console."""
    stopped: str | None = None
    """The reason why the absent table has failed permanently, or None."""
    screens: tuple[AnyScreen, ...] = (Screen(),)
    """The stack of screens from the home screen to the visible one."""
    peeking: bool = False
    """True if secrets were requested; in Codex, if PEEK is held."""
    held_by: int | None = None
    """The finger on the screen that holds PEEK, or None."""
    peek_asked: PeekAsked | None = None
    """The request to peek that waits for its answer, or None."""
    unanswered: tuple[Request, ...] = ()
    """The requests that people made and that the table has not answered yet."""
    kept: float = 0.0
    """Time when a peek was last requested, in seconds."""
    served: float = 0.0
    """Time when presence at service was last reported to the table, in seconds."""
    notice: Words | None = None
    """A sentence about the last action: why it was refused."""
    caption: Caption | None = None
    lang: Lang = "en"
    """The language chosen by the people at the screen; no game changes it."""
    layout: Layout = Layout()
    first_game: FirstGame = FirstGame()
    """The progress of people in a game that explains itself."""
    explains: bool = True
    """True unless explanations were switched off on this screen."""
    judged: Judged | None = None
    """The referee's last answer, to any question."""
    bookmark: AnyScreen | None = None
    """The page on how to play at which reading was interrupted, or None."""
    begun: float | None = None
    """Time when the latest game began, in seconds; None if no game began on this screen."""
    pressed: float = 0.0
    """Time when something was last pressed or tapped, in seconds."""
    next_id: int = 1

    @property
    def screen(self) -> AnyScreen:
        return self.screens[-1]

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.visible is None else self.screen.choices(self.visible)

    @property
    def visible(self) -> AnyTableMessage | None:
        """The part of the table's message that the screen may show now."""
        if self.table is None or self.family is None:
            return None
        seen: AnyTableMessage = self.family.visible(self.table, self.peeking)
        return seen

    @property
    def selected(self) -> int:
        """The index of the selected choice; 0 if there is none."""
        return max(0, min(self.screen.selected, len(self.choices) - 1))

    @property
    def can_peek(self) -> bool:
        """True if there is a secret, and a screen that can show or hide it."""
        if self.family is None or self.screen.hides_key:
            return False
        return self.family.can_peek(self)

    def invites(self, now: float) -> bool:
        """True if the invitation replaces the screen, because nobody seems to be there at ``now``.
        The page of faults stays visible, and so does a page that is being read."""
        if self.table is None or self.table.idle is Presence.PLAYING:
            return False
        return not isinstance(self.screen, Faults) and not self.is_read(now)

    def is_read(self, now: float) -> bool:
        """True if a person seems to be reading the screen although the table sleeps. False during
        an unfinished game, because people may come back to it."""
        public = None if self.table is None else self.table.public
        apart = public is not None and public.outcome is None
        return self.screen.is_read and not apart and now - self.pressed < READ_SECONDS

    @property
    def knows_games(self) -> bool:
        """True if the last game of this evening began without explanations."""
        settings = None if self.table is None else self.table.settings
        if settings is None or settings.explain or self.begun is None:
            return False
        return self.pressed - self.begun < NIGHT.total_seconds()

    @property
    def at_the_operators(self) -> bool:
        """True if the operator's page is open, or a screen opened from it."""
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
        """True if the key must be visible, with or without a peek."""
        return any(screen.shows_key for screen in self.screens)

    def __repr__(self) -> str:
        return f"Model({type(self.screen).__name__}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("screen", type(self.screen).__name__), ("key", "hidden")]


def remark(model: Model, now: float) -> Words | None:
    """Return the notice; without a notice the caption, if it is to be shown at ``now``."""
    caption = model.caption
    if model.notice is not None or caption is None:
        return model.notice
    return caption.words[model.lang] if caption.since <= now < caption.until else None


def seconds_left(model: Model, now: float) -> float | None:
    """Return the seconds left on the hourglass or clock at ``now``, or None."""
    timer = None if model.table is None or model.table.public is None else model.table.public.timer
    if timer is None:
        return None
    gone = now - model.arrived if timer.running else 0.0
    return max(0.0, timer.left - gone)
