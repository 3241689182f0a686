"""The input of the lights as one value: `Picture`."""

import msgspec

from pi_table.common.palettes import Palette
from pi_table.devices.lights.service import Tried
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.announcer.standing import Standing


class Held(msgspec.Struct, frozen=True):
    place: int
    begun: float
    """Time at which the finger came down, in seconds of the table's clock."""
    ends: float | None
    """Time at which the hold is complete, in seconds of the table's clock; None if only a second
    tap completes the hold."""


class Attention(msgspec.Struct, frozen=True):
    """The touches, and what the lights ask of the people who touch the table."""

    perhaps: int | None = None
    """Number (0 … 26) of the one place that a finger has perhaps begun to touch; None if there is
    none. Until the touch is certain, it has no effect except a light on that place."""
    hold: Held | None = None
    storing: Held | None = None
    """The completed hold (a long touch) whose result is not on the disk yet. Its place stays
    lit."""
    unclear: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the touched places while the touches have no clear meaning. People should
    lift everything there."""
    waiting: bool = False
    """True while the table waits until all hands and objects are lifted and the readings have
    settled."""
    blocked: bool = False
    """True if the table is wet or something rests on its rim. Then the lights ask people to wipe or
    clear the table."""
    deaf: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places that cannot be read."""


class Playing(msgspec.Struct, frozen=True):
    """An announcement whose light scene is being shown."""

    said: Announcement
    at: float
    """Start of the scene, in seconds of the table's clock."""


class Look(msgspec.Struct, frozen=True):
    """The light settings of one venue."""

    palette: Palette = Palette.STANDARD
    brightness: float = 1.0
    """Share (0 … 1) of full brightness, as the eye perceives it."""
    invites: bool = True
    """True if an idle table invites people with its lights; False if it is dark."""


class Picture(msgspec.Struct, frozen=True):
    standing: Standing = Standing()
    attention: Attention = Attention()
    playing: tuple[Playing, ...] = ()
    """The recent announcements, in the order in which their light scenes begin."""
    look: Look = Look()
    tried: Tried | None = None
    """The test of service mode, which is shown instead of everything else; None if there is no
    test."""
