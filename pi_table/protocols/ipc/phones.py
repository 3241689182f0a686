"""JSON in the decrypted frames of phones, in both directions.

A phone sends `Say`, after a knock (`sealing.handshake.Knock`). It receives a `Header` in each
frame, with a part of a `PhoneMessage`. `pi_table/protocols/sealing/README.md` has the protocol.
"""

from typing import Annotated, Any, Final

import msgspec

from pi_table.games.rules.profile import Family
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import Door

MAX_COUNT: Final = 2**53 - 1
"""The greatest count and request number: JavaScript's greatest safe integer."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)]


class Say(msgspec.Struct, frozen=True):
    """The message that a phone sends at each beat."""

    s: str
    """The session: 16 random bytes from the start of the engine."""
    h: str
    """The phone's current hello (`sealing.handshake.Knock.h`)."""
    n: Count
    """Count of this frame: greater than that of any earlier frame under this hello."""
    b: Count
    """Count of the newest frame that the phone has accepted (`Header.n`)."""
    hold: bool = False
    """True while the phone's user holds a finger on it, so that hidden information is shown."""
    id: Count | None = None
    """Number of the request in ``do``, greater than any earlier one under this hello."""
    do: dict[str, Any] | None = None
    """An act as JSON, repeated until it is answered. Its seat is always the seat of the link."""

    def __repr__(self) -> str:
        return "Say(…)"


class Header(msgspec.Struct, frozen=True):
    """The header of a frame to a phone, before the part of a message."""

    s: str
    h: str
    """The last hello that the engine received from this phone; empty if it received none."""
    n: int
    """Count of this frame, which rises within a session."""
    a: int
    """The greatest frame count (`Say.n`) that the engine received under this hello."""
    v: int
    """Number of the message of which this frame holds a part."""
    p: int
    """Index of this part of the message, from 0."""
    of: int
    """Number of parts into which the message is split."""


class PhoneAnswer(msgspec.Struct, frozen=True):
    """The result of the phone's last request; see also `messages.Answer`."""

    id: int
    ok: bool
    reason: str | None = None
    sentence: dict[str, str] | None = None
    """Reason for the refusal as a sentence, by language code; None without a refusal."""
    told: Any = None
    """Data of the result, as JSON, for this phone alone; None if there are no data."""

    def __repr__(self) -> str:
        return "PhoneAnswer(…)"


class PhoneRules(msgspec.Struct, frozen=True):
    """The settings of the game (`rules.profile.Settings`) that decide what a phone offers."""

    lang: str
    players: str
    zero: bool
    unlimited: bool
    penalty: bool
    visit_seconds: int
    discussion_seconds: int


class PhoneMessage(msgspec.Struct, frozen=True):
    """The table as the phone of a seat shows it, without the public view."""

    seat: Seat
    family: Family
    game: int | None
    """Number of the game in the journal; None if there is no game."""
    may: tuple[str, ...]
    """Names of the acts that the phone may request now."""
    key: str | None
    """The 25 letters of the key. None unless a spymaster holds a finger on the phone."""
    door: Door | None
    """The visit of the agent who has this phone; None while that agent has no visit."""
    agent: dict[str, Any] | None
    """The agent's view (`rules.codex.views.AgentView` without ``public``), while the agent holds a
    finger on the phone; None at any other time."""
    rules: PhoneRules | None = None
    tried: bool = False
    """True if another phone has tried to open the link."""
    answer: PhoneAnswer | None = None
    asked: bool = False
    """True if the phone must confirm, by holding, that it keeps its seat in this game."""

    def __repr__(self) -> str:
        return "PhoneMessage(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("seat", self.seat.value), ("rest", "hidden")]
