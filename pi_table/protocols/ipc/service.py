"""Service mode: the field ``service`` of messages for the hidden screen."""

import enum

import msgspec

from pi_table.common.geometry import PLACE_COUNT

PAD_COUNT = PLACE_COUNT + 4
"""Touch inputs: the 27 places, and then the four strips of the rim (far, left, right, near)."""


class Page(enum.Enum):
    """The pages of service mode."""

    MENU = "menu"
    """No test yet."""
    LIGHTS = "lights"
    TOUCH = "touch"
    SOUND = "sound"
    KNOBS = "knobs"
    SCREEN = "screen"
    FAULTS = "faults"


class How(enum.Enum):
    """Patterns of the light test."""

    ONE = "one"
    """A single light."""
    WALK = "walk"
    """A single light, which moves on to the next one."""
    ALL = "all"


class Colour(enum.Enum):
    """Colours of the light test."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"


class Lit(msgspec.Struct, frozen=True):
    """The light test."""

    how: How = How.ONE
    light: int = 0
    """Index along the strip (0 … 103); if all are lit, the last one that was lit alone."""
    colour: Colour = Colour.WHITE


class Pads(msgspec.Struct, frozen=True):
    """Readings of the 31 pads (`PAD_COUNT`).

    The loads are in counts of the touch chips, below the pad's baseline.
    """

    deltas: tuple[int | None, ...]
    """The load of each pad in counts, negative above its baseline; None if it cannot be read."""
    most: tuple[int | None, ...]
    """The greatest load of each pad since the page was opened."""
    thresholds: tuple[int, ...]
    """Touch threshold of each pad in counts; empty while unknown."""
    touched: frozenset[int]
    """The places that are touched."""
    deaf: frozenset[int]
    """Places that cannot feel a finger: unreadable, or masked because something lay on them for
    long.

    The load of the pad (``deltas``) shows which of the two it is.
    """
    noisy: frozenset[int]
    """Pads that are too noisy to be trusted."""


class InService(msgspec.Struct, frozen=True):
    """The state of service mode."""

    page: Page
    left: float
    """Seconds until service mode ends by itself without a touch or press."""
    lit: Lit
    pads: Pads | None
    """The readings of the pads on the touch page; None while unknown."""
    current_ma: int | None
    """Calculated current of the lights in milliampere; None if unknown."""
    capped: bool
    """True if the lights were dimmed to stay within their current limit."""
    counts: dict[str, int]
    """Failures since the table was switched on, by their names."""
