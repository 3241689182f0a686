"""The JSON inside encrypted frames from phones and to phones.

A phone first sends a knock (`sealing.handshake.Knock`), then a `PhoneBeat` every `BEAT_SECONDS`. It
receives frames, each with a `Header` and a part of a `PhoneMessage`.
`pi_table/protocols/sealing/README.md` has the protocol.
"""

from typing import Annotated, Any, Final

import msgspec

from pi_table.games.rules.profile import Family
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AgentVisit

MAX_COUNT: Final = 2**53 - 1
"""Maximum frame number and request number: the largest integer that JavaScript represents
exactly."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_COUNT)]


class PhoneBeat(msgspec.Struct, frozen=True):
    """The message that a phone sends at each beat (every `sealed.BEAT_SECONDS`)."""

    s: str
    """The session: 16 random bytes that the engine drew when it started."""
    h: str
    """The phone's current hello (`sealing.handshake.Knock.h`)."""
    n: Count
    """Number of this frame, higher than the number of any earlier frame with this hello."""
    b: Count
    """Number of the newest frame that the phone has accepted (`Header.n`)."""
    hold: bool = False
    """True while the user holds a finger on the phone. Only then may the phone show secrets."""
    id: Count | None = None
    """Number of the request in ``do``, higher than the number of any earlier request with this
    hello."""
    do: dict[str, Any] | None = None
    """An act as JSON. The phone repeats the act until it is answered. The phone's link, not the
    act, says which seat acts."""

    def __repr__(self) -> str:
        return "PhoneBeat(…)"


class Header(msgspec.Struct, frozen=True):
    """The header of a frame to a phone. A part of a message follows it."""

    s: str
    h: str
    """The last hello that the engine received from this phone; empty if it received none."""
    n: int
    """Number of this frame. It rises during a session."""
    a: int
    """The highest frame number (`PhoneBeat.n`) that the engine has received under the hello
    ``h``."""
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
    """Data of the result, as JSON; None if there are no data. Only this phone gets them."""

    def __repr__(self) -> str:
        return "PhoneAnswer(…)"


class PhoneRules(msgspec.Struct, frozen=True):
    """The settings of the game (`rules.profile.Settings`) that a phone needs to offer the right
    choices."""

    lang: str
    players: str
    zero: bool
    unlimited: bool
    penalty: bool
    visit_seconds: int
    discussion_seconds: int


class PhoneMessage(msgspec.Struct, frozen=True):
    """The table as the phone of one seat shows it. The phone gets the public view separately."""

    seat: Seat
    family: Family
    game: int | None
    """Number of the game in the journal; None if there is no game."""
    may: tuple[str, ...]
    """Names of the acts that the phone may request now."""
    key: str | None
    """The key as 25 letters, one for each cell. None unless a spymaster holds a finger on the
    phone."""
    door: AgentVisit | None
    """The visit of the agent who uses this phone; None outside a visit."""
    agent: dict[str, Any] | None
    """The agent's view (`rules.codex.views.AgentView` without ``public``), while the agent holds a
    finger on the phone; None at any other time."""
    rules: PhoneRules | None = None
    tried: bool = False
    """True if another phone has tried to open the link."""
    answer: PhoneAnswer | None = None
    asked: bool = False
    """True if the user must hold a finger on the phone to keep its seat in this game."""

    def __repr__(self) -> str:
        return "PhoneMessage(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("seat", self.seat.value), ("rest", "hidden")]
