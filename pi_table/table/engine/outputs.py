"""The outputs of the table's state machine.

An order is work for the disk. It takes time, and its result becomes an input later. All other
outputs are carried out at once.
"""

import enum
from typing import Any

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.language import Lang
from pi_table.devices.lights.picture import Picture
from pi_table.games.announcer.announcement import Announcement
from pi_table.table.engine.storage.order import Order


class Show(msgspec.Struct, frozen=True):
    picture: Picture


class Announce(msgspec.Struct, frozen=True):
    """Make the announcements ``said`` to everybody, one after another."""

    said: tuple[Announcement, ...]
    lang: Lang | None
    """The language of the game; None before the first game."""


class TrySound(msgspec.Struct, frozen=True):
    """Test the loudspeaker, even if the house's settings turn its sound off."""

    lang: Lang | None
    """Language of the spoken test sentence; None to play a sound instead."""


class Measure(msgspec.Struct, frozen=True):
    """Start or stop readings of the touch grid. With ``pads``, the readings include each single
    pad."""

    on: bool
    pads: bool = False


class AskReferee(msgspec.Struct, frozen=True):
    """Ask the referee for its opinion of a clue. The answer comes as the input `Judged`."""

    to: object
    clue: dict[str, Any]
    """The clue, and what the referee must know about the game: the fields of
    `referee.lines.Clue`."""

    def __repr__(self) -> str:
        return "AskReferee(…)"


class SendBlock(msgspec.Struct, frozen=True):
    """Send these frames to the phones at the next regular time of sending."""

    frames: tuple[bytes, ...]
    """Always `PLACES_FOR_PHONES` frames, however many phones there are."""


class Audience(enum.Enum):
    """A group of viewers who receive the same messages about the table."""

    PUBLIC = "public"
    CONSOLE = "console"
    HOUSE = "house"


class Publish(msgspec.Struct, frozen=True):
    """Send an audience a new message. The machine makes the message when it is sent."""

    to: Audience


class Verdict(msgspec.Struct, frozen=True):
    """The result of a request."""

    ok: bool
    """True if the request was accepted and, where necessary, stored."""
    reason: str | None = None
    """The reason for a refusal, as a short name for programs."""
    sentence: str | None = None
    """The reason for a refusal, as a sentence for people."""
    told: Any = None
    """The requested data as JSON. Only the seat that asked receives it."""

    def __repr__(self) -> str:
        return f"Verdict({'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("ok", self.ok), ("reason", self.reason)]  # without the private result


class Answer(msgspec.Struct, frozen=True):
    to: object
    verdict: Verdict
    refusal: TableError | None = None
    """The error behind a refusal, for a caller in the same process."""


class ReplyToDesk(msgspec.Struct, frozen=True):
    """Send the encrypted answer to a message of a desk."""

    to: object
    sealed: bytes
    """The encrypted answer; empty if the desk's message could not be decrypted."""


class End(msgspec.Struct, frozen=True):
    """End the engine's process after the pending answers are sent. The system restarts it."""


Seen = Show | Announce | TrySound | Publish | Answer
"""An output that somebody outside the process can see or hear."""
Immediate = Seen | SendBlock | AskReferee | ReplyToDesk | Measure | End
"""An output that is carried out at once, without the disk."""
Output = Order | Immediate
