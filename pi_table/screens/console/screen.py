"""What a screen of the console is, and what pressing something on it can do.

A screen is a value. It offers *choices* for the table as it stands; the encoder moves the selection
among them, a press (or a tap) takes one. What a choice does is one of a few things, which
`update` carries out: it asks the table for an act, opens a further screen, changes the screen
itself, goes back, or changes the language. Screens know nothing of how they look, nor in which
language they are read.
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
"""The messages that a screen is for: those of one family, or any."""


class Screen(msgspec.Struct, Generic[Table], frozen=True, kw_only=True):
    """One screen, and which of its choices is selected."""

    selected: int = 0

    shows_key: ClassVar[bool] = False
    """Must the key be seen on this screen, whether somebody peeks or not?"""
    needs_secrets: ClassVar[bool] = False
    """Does this screen need what is hidden while it is on top, though it shows nothing of that by
    itself?"""
    hides_key: ClassVar[bool] = False
    """Must the key not be seen on this screen, nor after it until somebody peeks again?"""
    made_up: ClassVar[bool] = False
    """Is what PEEK shows on this screen made up, so that the table is not asked for anything?"""
    begins_anew: ClassVar[bool] = False
    """Does the selection on this screen go to the first choice when anything has happened in the
    game?"""
    closes_after: ClassVar[float | None] = None
    """The seconds after the last press in which this screen closes by itself; None where it does
    not."""
    is_read: ClassVar[bool] = False
    """Is this screen read for minutes, by people who press nothing meanwhile?"""
    has_grid: ClassVar[bool] = True
    """Is the grid beside this screen?"""
    service_page: ClassVar[Page | None] = None
    """What is tried on this screen in service; None where nothing is."""

    def choices(self, table: Table) -> "tuple[Choice, ...]":
        """What can be chosen on this screen, as far as the table may be seen."""
        return ()

    def possible(self, table: Table) -> bool:
        """Does this screen still make sense? If not, it closes by itself."""
        return True

    def typed(self, sign: str, table: Table) -> "Effect | None":
        """What a keyboard's sign does on this screen; None where it means nothing here."""
        return None

    def knob(self, given: Input, table: Table) -> "Effect | None":
        """What the knob, or a button beside it, does on this screen; None where it does what it
        does everywhere."""
        return None

    def does(self, what: str, table: Table) -> "Effect":
        """What the effect `Do` does on this screen."""
        raise NotImplementedError

    def anew(self, table: Table) -> "AnyScreen":
        """What this screen becomes when anything has happened in the game."""
        return msgspec.structs.replace(self, selected=0) if self.begins_anew else self

    def asking(self, request: Request) -> "AnyScreen":
        """What this screen becomes when a request was made on it, or on a screen above it."""
        return self

    def spoken(self, lang: Lang) -> "AnyScreen":
        """What this screen becomes when the people at it go over to another language."""
        return self

    def behind(self, below: "AnyScreen") -> "AnyScreen":
        """What the screen below becomes when somebody goes back to it from this one."""
        return below


AnyScreen = Screen[Any]
"""A screen for messages that are not told apart here."""


class Told(Screen[Table], frozen=True, kw_only=True):
    """A screen that shows what the table tells in answer to a request, when it has come."""

    told: Any = None
    asked: int | None = None
    """The id of the request that is to be answered; None before it is made."""

    kind: ClassVar[Any] = Any
    """The type of what is told."""

    def hear(self, told: Any) -> "Told[Table]":
        """The screen with the answer on it. Raises msgspec.ValidationError."""
        return msgspec.structs.replace(self, told=msgspec.convert(told, self.kind))

    def refuse(self, sentence: Words) -> "tuple[Told[Table] | None, Words | None]":
        """What becomes of the screen when the request is refused, and the notice that is then
        shown. The screen closes where the first is None; there is no notice where the second is."""
        return None, sentence


class Ask(msgspec.Struct, frozen=True):
    """Ask the table for an act, and go home. With ``stay`` the screens stay as they are, so that
    nothing is lost if the table refuses; if it does not, the game has changed, and they close by
    themselves."""

    do: Act
    stay: bool = False


class Go(msgspec.Struct, frozen=True):
    """Open a screen. With ``ask``, the table is asked for what the screen will show, in the
    language of the console."""

    screen: AnyScreen
    ask: Act | None = None


class Become(msgspec.Struct, frozen=True):
    """Put another screen in this one's place."""

    screen: AnyScreen


class Return(msgspec.Struct, frozen=True):
    """Close this screen. ``below`` takes the place of the screen under it; None leaves that as it
    is."""

    below: AnyScreen | None = None


class Speak(msgspec.Struct, frozen=True):
    """Go over to the next language."""


class NewGame(msgspec.Struct, frozen=True):
    """Open the list of games."""


class Play(msgspec.Struct, frozen=True):
    """Begin the game that the table would propose, as it stands."""


class Explain(msgspec.Struct, frozen=True):
    """Explain each phase as it comes, or do so no longer."""


class Help(msgspec.Struct, frozen=True):
    """Open the pages that say how the game is played; on them, go back."""


class Do(msgspec.Struct, frozen=True):
    """Let the screen do something by the name ``what`` with a secret that the screen alone holds.
    The secret may not stand here, for a choice is part of the picture wherever it can be tapped."""

    what: str


Effect = Ask | Go | Become | Return | Speak | NewGame | Play | Explain | Help | Do


class Choice(msgspec.Struct, frozen=True):
    """Something that can be chosen; nothing happens where ``does`` is None."""

    label: Words
    does: Effect | None = None
    team: Team | None = None
    """The team whose act the choice is; None if it is no team's."""
    value: Words = ""
    """What stands at the end of the choice's line."""
    cell: int | None = None
    """The cell (0 … 24) that the choice stands for; None if it stands for none."""


def may(table: ConsoleMessage, seat: Seat, act: Name) -> bool:
    """Does the table allow this act to this seat now?"""
    return act in table.may.get(seat.value, ())


def can_begin(table: ConsoleMessage) -> bool:
    """May a game be begun, if need be by ending the one that is played? While one is, the table
    does not say whether its guests may start another; the house does."""
    may_start = table.lock.open or "start" in table.house.guests_may
    ends_another = may_start and may(table, Seat.OPERATOR, "abandon")
    return may(table, Seat.OPERATOR, "start") or ends_another


def name(team: Team) -> Words:
    """``Red`` or ``Blue``."""
    return TEAMS[team]


def language(table: ConsoleMessage) -> Lang:
    """The language of the game; before the first game, that of the one that is proposed."""
    return DEFAULT_LANGUAGE if table.settings is None else table.settings.lang


DEFAULT_LANGUAGE: Final[Lang] = next(iter(PROFILES.values())).defaults.lang


Moment = tuple[int | None, PublicView | CodexView | None]


def moment(table: AnyTableMessage) -> Moment:
    """How the game stands, leaving time aside: as long as it is the same, nothing has happened."""
    public = table.public
    return table.game, None if public is None else msgspec.structs.replace(public, timer=None)


class Listed(Screen[Table], frozen=True, kw_only=True):
    """A screen that says itself what stands around its choices."""

    has_grid: ClassVar[bool] = False
    columns: ClassVar[int] = 1
    """In how many columns the choices stand: in one they are lines, in more they are tiles."""

    def title(self, table: Table) -> Words:
        """What stands at the top."""
        raise NotImplementedError

    def beside(self, table: Table) -> Words:
        """What stands beside the title."""
        return ""

    def help(self, table: Table) -> Words:
        """What stands at the foot: about the screen, or about the selected choice."""
        return ""
