"""The outputs of the table's state machine.

Orders go to the disk and take time; the results of orders return as inputs later. All other outputs
are carried out at once.
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
    """Announce ``said`` to everybody, in this order."""

    said: tuple[Announcement, ...]
    lang: Lang | None
    """The language of the game; None before the first."""


class TrySound(msgspec.Struct, frozen=True):
    """Test the loudspeaker, even in a silent house."""

    lang: Lang | None
    """The language of a spoken sentence; None for a sound."""


class Measure(msgspec.Struct, frozen=True):
    """Start or stop the readings of the touch grid; ``pads`` adds the reading of each pad."""

    on: bool
    pads: bool = False


class AskReferee(msgspec.Struct, frozen=True):
    """Ask the referee for its opinion of a clue. The input `Judged` brings the answer."""

    to: object
    clue: dict[str, Any]
    """The clue, and what the referee must know of the table (`referee.lines.Clue`)."""

    def __repr__(self) -> str:
        return "AskReferee(…)"


class SendBlock(msgspec.Struct, frozen=True):
    """Send the frames to the phones at the beat for which they were made."""

    frames: tuple[bytes, ...]
    """One frame for each phone place, taken or not."""


class Audience(enum.Enum):
    """The receivers of the table's state."""

    PUBLIC = "public"
    CONSOLE = "console"
    HOUSE = "house"


class Publish(msgspec.Struct, frozen=True):
    """Send an audience the newest message that the machine makes for it."""

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
    """The result for the seat that asked, as JSON; no other seat receives it."""

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
    """Answer a call from a desk."""

    to: object
    sealed: bytes
    """The sealed answer; empty if the call could not be opened."""


class End(msgspec.Struct, frozen=True):
    """End the process after the pending answers are sent; it is started again."""


Seen = Show | Announce | TrySound | Publish | Answer
"""An output that somebody outside the process can see or hear."""
Immediate = Seen | SendBlock | AskReferee | ReplyToDesk | Measure | End
"""An output that is carried out at once, without the disk."""
Output = Order | Immediate
