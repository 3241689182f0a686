"""What the lights are to show, hands included, as a value: `light` makes frames of it."""

import msgspec

from pi_table.common.palettes import Palette
from pi_table.devices.lights.service import Tried
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.announcer.standing import Standing


class Held(msgspec.Struct, frozen=True):
    """A place that somebody has begun to mean."""

    place: int
    begun: float
    """When that began, in seconds of the table's clock."""
    ends: float | None
    """When the place is meant if nothing comes between (seconds); None: at its second tap."""


class Attention(msgspec.Struct, frozen=True):
    """Where hands are, and what the table has to say about them. Times are in seconds."""

    hold: Held | None = None
    """The hold that is going on."""
    storing: Held | None = None
    """The hold that was meant and is not on the disk yet: its place stays lit."""
    unclear: frozenset[int] = frozenset()
    """The places on which something lies that means nothing, and is to be lifted."""
    waiting: bool = False
    """Does the table wait until everything is lifted, and has settled?"""
    blocked: bool = False
    """Is the table wet, or does something lie on its rim? It asks to be wiped and cleared."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot feel a finger."""


class Playing(msgspec.Struct, frozen=True):
    """An announcement whose lights are played."""

    said: Announcement
    at: float
    """When its lights begin, in seconds of the table's clock."""


class Look(msgspec.Struct, frozen=True):
    """How the house wants its lights."""

    palette: Palette = Palette.STANDARD
    brightness: float = 1.0
    """The share (0 … 1) of their light, as the eye takes it."""
    invites: bool = True
    """Does a table at which nobody is invite with its lights? Else it is dark."""


class Picture(msgspec.Struct, frozen=True):
    """What the lights are to show from some instant on, until the next picture."""

    standing: Standing = Standing()
    attention: Attention = Attention()
    playing: tuple[Playing, ...] = ()
    """What was announced a short while ago, in the order in which it begins."""
    look: Look = Look()
    tried: Tried | None = None
    """What is tried in service, and shown instead of all else; None where the table is not."""
