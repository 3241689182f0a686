"""What the table wants done: the outputs of its machine.

Orders are for the disk, which takes its time; what comes of an order is an input later. Everything
else is done at once.
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
    """The lights are to show this from now on."""

    picture: Picture


class Announce(msgspec.Struct, frozen=True):
    """This is to be said to everybody, in this order."""

    said: tuple[Announcement, ...]
    lang: Lang | None
    """The language of the game; None before the first."""


class TrySound(msgspec.Struct, frozen=True):
    """The loudspeaker is to be tried, also where the house is silent."""

    lang: Lang | None
    """The language in which a sentence is spoken; None: a sound is played."""


class Measure(msgspec.Struct, frozen=True):
    """The touch grid is to tell what it measures from now on, or no longer."""

    on: bool
    pads: bool = False
    """Is it to tell also what each pad reads?"""


class AskReferee(msgspec.Struct, frozen=True):
    """The referee is to be asked what it thinks of a clue; Judged answers."""

    to: object
    """The name of the request."""
    clue: dict[str, Any]
    """The clue and everything that the referee has to know of the table (`referee.lines.Clue`)."""

    def __repr__(self) -> str:
        return "AskReferee(…)"


class SendBlock(msgspec.Struct, frozen=True):
    """Every phone is to be sent these frames, at the beat that they were made for."""

    frames: tuple[bytes, ...]
    """A frame for each place."""


class Audience(enum.Enum):
    """Who is told how the table stands."""

    PUBLIC = "public"
    CONSOLE = "console"
    HOUSE = "house"


class Publish(msgspec.Struct, frozen=True):
    """An audience is to be sent the machine's newest message for it."""

    to: Audience


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request."""

    ok: bool
    """Was the request accepted, and stored if there was anything to store?"""
    reason: str | None = None
    """Why the request was refused, as a short name for programs; None if it was not."""
    sentence: str | None = None
    """Why the request was refused, as a sentence for people; None if it was not."""
    told: Any = None
    """What the seat that asked is told, and nobody else."""

    def __repr__(self) -> str:
        return f"Verdict({'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("ok", self.ok), ("reason", self.reason)]  # not what is told


class Answer(msgspec.Struct, frozen=True):
    """A request is to be answered."""

    to: object
    """The name of the request."""
    verdict: Verdict
    """What became of the request."""
    refusal: TableError | None = None
    """The error behind a refusal, for a caller in the same process; None if there is none."""


class ReplyToDesk(msgspec.Struct, frozen=True):
    """Whoever has called at a desk is to be answered."""

    to: object
    """The name of the call."""
    sealed: bytes
    """Empty where nobody could open what was asked."""


class End(msgspec.Struct, frozen=True):
    """The table is to end, as soon as what was answered has gone out, and to be started again."""


Seen = Show | Announce | TrySound | Publish | Answer
"""An output that somebody outside the process can see or hear."""
Immediate = Seen | SendBlock | AskReferee | ReplyToDesk | Measure | End
"""An output that is done at once, without the disk."""
Output = Order | Immediate
