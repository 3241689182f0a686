"""The state of service mode: the field ``service`` of messages for the hidden screen."""

import enum

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.common.light_layout import preset

PAD_COUNT = PLACE_COUNT + 4
"""Number of pads (touch inputs): first the 27 places, then the strips on the far, left, right and
near rim."""


TILES = preset("tiles").lights


class Page(enum.Enum):
    """The pages of service mode."""

    MENU = "menu"
    LIGHTS = "lights"
    TOUCH = "touch"
    SOUND = "sound"
    KNOBS = "knobs"
    SCREEN = "screen"
    FAULTS = "faults"


class How(enum.Enum):
    """Patterns of the light test."""

    ONE = "one"
    WALK = "walk"
    """One light is lit at a time. After a while the next light is lit instead."""
    ALL = "all"


class Colour(enum.Enum):
    """Colours of the light test."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"


class Lit(msgspec.Struct, frozen=True):
    """The choice of lights and colour in the light test."""

    how: How = How.ONE
    light: int = 0
    """Index of the lit light along the string, from 0. If all lights are lit, the index of the
    light that was lit before."""
    colour: Colour = Colour.WHITE


class Pads(msgspec.Struct, frozen=True):
    """Readings of the 31 pads (`PAD_COUNT`). A load is baseline minus reading, in counts of the
    touch chip. A finger raises the load."""

    deltas: tuple[int | None, ...]
    """The load of each pad, negative if the reading is above the baseline; None if unreadable."""
    most: tuple[int | None, ...]
    """The greatest load of each pad since the page was opened; None if it was never read."""
    thresholds: tuple[int, ...]
    """Touch threshold of each pad in counts; empty while unknown."""
    touched: frozenset[int]
    deaf: frozenset[int]
    """Places that cannot feel a finger. They are unreadable, or ignored because something was on
    them for a long time."""
    noisy: frozenset[int]
    """Numbers of the pads that are too noisy to be trusted."""


class InService(msgspec.Struct, frozen=True):
    """The state of service mode."""

    page: Page
    left: float
    """Seconds until service mode ends by itself, if nobody touches or presses anything."""
    lit: Lit
    pads: Pads | None
    """The readings of the pads on the touch page; None while unknown."""
    current_ma: int | None
    """Calculated current of the lights in milliampere; None if unknown."""
    capped: bool
    """True if the lights were dimmed to stay within their current limit."""
    counts: dict[str, int]
    """Number of failures of each kind since the table was switched on, by the name of the kind."""
    string: tuple[tuple[int, ...], ...] = TILES
    """For each light of this table's string, in order, the LEDs (0 … 103) that the light shows."""
