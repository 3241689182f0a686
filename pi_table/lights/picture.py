"""What the lights are to show, as a value: `light` makes frames of it, at any time."""

import msgspec

from pi_table.announcer.announcement import Announcement
from pi_table.announcer.standing import Standing
from pi_table.colour.palettes import Palette
from pi_table.lights.attention import Attention
from pi_table.lights.service import Tried


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
