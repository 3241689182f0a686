"""The base of the console's screens, and the effects of pressing something.

A screen is a value. It offers *choices* for the current message of the table. The encoder selects
one of them, and a press (or a tap) takes it. A choice has one of a few effects, which `update`
carries out: it requests an act from the table, opens a further screen, changes the screen itself,
goes back, or changes the language. Screens do not know how they look, or in which language they are
shown.
"""

from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from pi_table.common.language import Lang, Words
from pi_table.devices.hal.contracts import Input
from pi_table.games.names import TEAMS
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import AnyTableMessage, ConsoleMessage, Request
from pi_table.protocols.ipc.service import Page
from pi_table.screens.console.acts import Act, Name

Table = TypeVar("Table", bound=AnyTableMessage, contravariant=True)
"""The type of the messages that a screen accepts: messages of one family, or of any family."""


class Screen(msgspec.Struct, Generic[Table], frozen=True, kw_only=True):
    """One screen, and the index of its selected choice."""

    selected: int = 0

    shows_key: ClassVar[bool] = False
    """True if the key must be visible on this screen, with or without a peek."""
    needs_secrets: ClassVar[bool] = False
    """True if the screen needs secrets while it is on top, although it does not show them."""
    hides_key: ClassVar[bool] = False
    """True if opening this screen ends a peek. Secrets then stay hidden until the next peek."""
    made_up: ClassVar[bool] = False
    """True if PEEK shows only invented content on this screen. Then no secrets are requested."""
    begins_anew: ClassVar[bool] = False
    """True if the selection returns to the first choice when anything happens in the game."""
    closes_after: ClassVar[float | None] = None
    """Seconds after the last press until this screen closes by itself; None if it stays open."""
    is_read: ClassVar[bool] = False
    """True if people may read this screen for minutes without pressing anything."""
    has_grid: ClassVar[bool] = True
    """True if the grid is drawn beside this screen."""
    service_page: ClassVar[Page | None] = None
    """The page of service mode that this screen shows; None on other screens."""

    def choices(self, table: Table) -> "tuple[Choice, ...]":
        """Return the choices. ``table`` is the visible part of the table's message."""
        return ()

    def possible(self, table: Table) -> bool:
        """True if this screen still makes sense for ``table``. Otherwise the screen is closed."""
        return True

    def on_character(self, sign: str, table: Table) -> "Effect | None":
        """Return the effect of a character from a keyboard; None for the usual effect."""
        return None

    def knob(self, given: Input, table: Table) -> "Effect | None":
        """Return the effect of turning a knob or pressing a button; None for the usual effect."""
        return None

    def does(self, what: str, table: Table) -> "Effect":
        """Return the effect of the screen's own action ``what`` (`Do`)."""
        raise NotImplementedError

    def anew(self, table: Table) -> "AnyScreen":
        """Return this screen as it must be after something has happened in the game."""
        return msgspec.structs.replace(self, selected=0) if self.begins_anew else self

    def asking(self, request: Request) -> "AnyScreen":
        """Return this screen after a request was made on it, or on a screen that was opened from
        it."""
        return self

    def with_language(self, lang: Lang) -> "AnyScreen":
        """Return this screen after the console's language was changed to ``lang``."""
        return self

    def behind(self, below: "AnyScreen") -> "AnyScreen":
        """Return the screen under this one (``below``) as it must be after people have gone back to
        it."""
        return below


AnyScreen = Screen[Any]
"""A screen for messages of any family."""


class AnswerScreen(Screen[Table], frozen=True, kw_only=True):
    """A screen that shows the table's answer to a request, once the answer has arrived."""

    told: Any = None
    asked: int | None = None
    """The id of the request to be answered; None before the request is made."""

    kind: ClassVar[Any] = Any
    """The type of the answer."""

    def hear(self, told: Any) -> "AnswerScreen[Table]":
        """Return the screen with the answer on it. Raises msgspec.ValidationError if the answer is
        not a `kind`."""
        return msgspec.structs.replace(self, told=msgspec.convert(told, self.kind))

    def refuse(self, sentence: Words) -> "tuple[AnswerScreen[Table] | None, Words | None]":
        """Return this screen after the table has refused the request (None closes the screen), and
        the notice to show (None: no notice). ``sentence`` is the table's reason."""
        return None, sentence


class Ask(msgspec.Struct, frozen=True):
    """The effect that requests an act from the table and returns to the home screen.

    With ``stay`` the screens stay open, so that entries are not lost if the table refuses. If the
    table accepts the act, the game changes, and the screens close by themselves.
    """

    do: Act
    stay: bool = False


class Go(msgspec.Struct, frozen=True):
    """The effect that opens a screen. ``ask`` is the act that requests the screen's content; None
    if no request is needed. `update` adds the console's language to the request."""

    screen: AnyScreen
    ask: Act | None = None


class Become(msgspec.Struct, frozen=True):
    """The effect that replaces the current screen by another."""

    screen: AnyScreen


class Return(msgspec.Struct, frozen=True):
    """The effect that closes the current screen. If ``below`` is given, it replaces the screen
    under the closed one."""

    below: AnyScreen | None = None


class Speak(msgspec.Struct, frozen=True):
    """The effect that changes to the next language."""


class NewGame(msgspec.Struct, frozen=True):
    """The effect that opens the list of games."""


class Explain(msgspec.Struct, frozen=True):
    """The effect that switches explanations on or off."""


class Help(msgspec.Struct, frozen=True):
    """The effect that opens the pages on how to play, or leaves them."""


class Do(msgspec.Struct, frozen=True):
    """The effect of a choice on a screen that holds a secret: the screen carries out its own action
    ``what``.

    The effect must not contain the secret, because each choice in the picture carries its effect.
    """

    what: str


Effect = Ask | Go | Become | Return | Speak | NewGame | Explain | Help | Do


class Choice(msgspec.Struct, frozen=True):
    """A line or tile that people can choose. If ``does`` is None, nothing happens."""

    label: Words
    does: Effect | None = None
    team: Team | None = None
    """The team for which this choice acts, or None."""
    value: Words = ""
    """The text at the end of the choice's line."""
    cell: int | None = None
    """The cell (0 … 24) of the choice; None if the choice is not about a cell."""


def may(table: ConsoleMessage, seat: Seat, act: Name) -> bool:
    """True if the table allows ``seat`` to do ``act`` now."""
    return act in table.may.get(seat.value, ())


def can_begin(table: ConsoleMessage) -> bool:
    """True if a new game may be started, even if the current game must be ended first.

    During a game, the table's message does not say whether guests may start another game. The
    settings of the house say it.
    """
    may_start = table.lock.open or "start" in table.house.guests_may
    ends_another = may_start and may(table, Seat.OPERATOR, "abandon")
    return may(table, Seat.OPERATOR, "start") or ends_another


def name(team: Team) -> Words:
    """Return the team's name: ``Red`` or ``Blue``."""
    return TEAMS[team]


def language(table: ConsoleMessage) -> Lang:
    """Return the language of the table's settings; without settings, the default language."""
    return DEFAULT_LANGUAGE if table.settings is None else table.settings.lang


DEFAULT_LANGUAGE: Final[Lang] = next(iter(PROFILES.values())).defaults.lang


Moment = tuple[int | None, PublicView | CodexView | None]


def moment(table: AnyTableMessage) -> Moment:
    """Return the state of the game without its timer. Two such states are equal if nothing has
    happened between them."""
    public = table.public
    return table.game, None if public is None else msgspec.structs.replace(public, timer=None)


class ListScreen(Screen[Table], frozen=True, kw_only=True):
    """A screen over the full width. It has a title, a text beside the title, and a help text."""

    has_grid: ClassVar[bool] = False
    columns: ClassVar[int] = 1
    """Number of columns of choices: one column is drawn as lines, several as tiles."""
    heading: ClassVar[Words] = ""
    hint: ClassVar[Words] = ""
    """The help text of a screen whose help text never changes."""

    def title(self, table: Table) -> Words:
        """Return the text at the top."""
        return self.heading

    def beside(self, table: Table) -> Words:
        """Return the text beside the title."""
        return ""

    def help(self, table: Table) -> Words:
        """Return the text at the foot. It is about the screen or about the selected choice."""
        return self.hint


class OperatorScreen(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    """A list screen for operators. It closes when the operator's page is locked."""

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open
