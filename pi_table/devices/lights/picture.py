"""The input of the lights as a value, including hands: `light` makes frames from it."""

import msgspec

from pi_table.common.palettes import Palette
from pi_table.devices.lights.service import Tried
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.announcer.standing import Standing


class Held(msgspec.Struct, frozen=True):
    """A place that a finger holds."""

    place: int
    begun: float
    """Start of the hold, in seconds of the table's clock."""
    ends: float | None
    """Time at which the hold is complete (seconds); None if a second tap completes it."""


class Attention(msgspec.Struct, frozen=True):
    """The touches, and the table's requests about them. Times are in seconds."""

    hold: Held | None = None
    """The hold in progress; None if there is none."""
    storing: Held | None = None
    """The completed hold that is not stored on the disk yet: its place stays lit."""
    unclear: frozenset[int] = frozenset()
    """The places with a meaningless object on them, which should be lifted."""
    waiting: bool = False
    """True if the table waits until everything is lifted and the readings have settled."""
    blocked: bool = False
    """True if the table is wet or something rests on its rim. It asks to be wiped and cleared."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot be read."""


class Playing(msgspec.Struct, frozen=True):
    """An announcement whose scene is being played."""

    said: Announcement
    at: float
    """Start of the scene, in seconds of the table's clock."""


class Look(msgspec.Struct, frozen=True):
    """The light settings of the house."""

    palette: Palette = Palette.STANDARD
    brightness: float = 1.0
    """Share (0 … 1) of full light, as the eye perceives it."""
    invites: bool = True
    """True if an idle table invites people with its lights. Otherwise it is dark."""


class Picture(msgspec.Struct, frozen=True):
    """The content of the lights from one instant until the next picture."""

    standing: Standing = Standing()
    attention: Attention = Attention()
    playing: tuple[Playing, ...] = ()
    """The recent announcements, in the order in which their scenes begin."""
    look: Look = Look()
    tried: Tried | None = None
    """The service test, shown instead of everything else; None outside service."""
