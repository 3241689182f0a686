"""What stands in the frames of phones, once they are opened: JSON, in both directions.

A phone sends `Say`, after a knock (`sealing.handshake.Knock`). It is sent a `Header` in each frame,
with a part of a `PhoneMessage`. `pi_table/protocols/sealing/README.md` has the protocol.
"""

from typing import Annotated, Any, Final

import msgspec

from pi_table.games.rules.profile import Family
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import Door

MOST: Final = 2**53 - 1
"""The greatest count, and the greatest number of a request: JavaScript has no greater integers."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST)]


class Say(msgspec.Struct, frozen=True):
    """What a phone says at each beat."""

    s: str
    """The session: 16 bytes that the engine drew when it was started."""
    h: str
    """The phone's present hello."""
    n: Count
    """The count of this frame: greater than that of any before it under this hello."""
    b: Count
    """The count of the newest frame that the phone has taken (`Header.n`)."""
    hold: bool = False
    """Does a finger hold, so that what is hidden is to be seen?"""
    id: Count | None = None
    """The number of the request in ``do``: greater than that of any before it under this hello."""
    do: dict[str, Any] | None = None
    """An act as JSON, again until it is answered; the seat is the link's."""

    def __repr__(self) -> str:
        return "Say(…)"


class Header(msgspec.Struct, frozen=True):
    """What stands before the part of a message."""

    s: str
    """The session."""
    h: str
    """The hello that was heard last; empty where none was."""
    n: int
    """The count of this frame, which rises within a session."""
    a: int
    """The greatest count that was heard under this hello."""
    v: int
    """The number of the message."""
    p: int
    """Which part of the message this is, from 0."""
    of: int
    """How many parts the message has."""


class PhoneAnswer(msgspec.Struct, frozen=True):
    """What became of what a phone asked for last."""

    id: int
    """The number of the request."""
    ok: bool
    """Was it done? If not, it was refused."""
    reason: str | None = None
    """Why it was refused, as a short name for programs; None if it was not."""
    sentence: dict[str, str] | None = None
    """Why it was refused, by the code of each language; None if it was not."""
    told: Any = None
    """What the phone alone is told."""

    def __repr__(self) -> str:
        return "PhoneAnswer(…)"


class PhoneRules(msgspec.Struct, frozen=True):
    """Those settings of the game by which a phone offers what it offers."""

    lang: str
    """The language of the game's words, and of its clues."""
    players: str
    zero: bool
    unlimited: bool
    """May a clue have the number zero, or be unlimited?"""
    penalty: bool
    """Does a clue that was challenged cost a cell?"""
    visit_seconds: int
    discussion_seconds: int


class PhoneMessage(msgspec.Struct, frozen=True):
    """The table as the phone of a seat shows it. What everybody may see is not in it."""

    seat: Seat
    """The seat of the phone."""
    family: Family
    """The family of the game."""
    game: int | None
    """The number of the game in the journal; None where there is none."""
    may: tuple[str, ...]
    """What the phone may ask for now."""
    key: str | None
    """The 25 letters of the key, for a spymaster who holds; None at any other time."""
    door: Door | None
    """How it stands with the visit of the agent whose phone it is; None where there is none."""
    agent: dict[str, Any] | None
    """What that agent may see (`rules.codex.views.AgentView` without ``public``), while it holds;
    None at any other time."""
    rules: PhoneRules | None = None
    """Settings of the game; None where there is none."""
    tried: bool = False
    """Has another phone tried to open the link?"""
    answer: PhoneAnswer | None = None
    """What became of what the phone asked for last."""
    asked: bool = False
    """Is the phone asked to confirm, by holding, that it keeps its seat in this game?"""

    def __repr__(self) -> str:
        return "PhoneMessage(…)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("seat", self.seat.value), ("rest", "hidden")]
