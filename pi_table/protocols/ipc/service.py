"""What a table in service tells the hidden screen: the field ``service`` of its messages."""

import enum

import msgspec

from pi_table.common.geometry import PLACE_COUNT

PAD_COUNT = PLACE_COUNT + 4
"""All that feels: the 27 places, and then the four strips of the rim (far, left, right, near)."""


class Page(enum.Enum):
    """What is tried in service."""

    MENU = "menu"
    """Nothing yet."""
    LIGHTS = "lights"
    TOUCH = "touch"
    SOUND = "sound"
    KNOBS = "knobs"
    SCREEN = "screen"
    FAULTS = "faults"


class How(enum.Enum):
    """Which lights are lit."""

    ONE = "one"
    """A single one."""
    WALK = "walk"
    """A single one, and by and by the next one."""
    ALL = "all"


class Colour(enum.Enum):
    """What a light shows."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"


class Lit(msgspec.Struct, frozen=True):
    """The lights that are tried."""

    how: How = How.ONE
    light: int = 0
    """The light of the strip (0 … 103), in the strip's order; where all are lit, the last one that
    was lit alone."""
    colour: Colour = Colour.WHITE


class Pads(msgspec.Struct, frozen=True):
    """What the 31 pads read (`PAD_COUNT`). Counts are those of the touch chips, below the pad's
    baseline."""

    deltas: tuple[int | None, ...]
    """The load of each pad in counts, negative where it reads above its baseline; None for a pad
    that cannot be read."""
    most: tuple[int | None, ...]
    """The greatest load of each pad since the page was opened."""
    thresholds: tuple[int, ...]
    """From how many counts on each pad is touched; empty while nobody knows."""
    touched: frozenset[int]
    """The places that are touched."""
    deaf: frozenset[int]
    """The places that cannot feel: that cannot be read, or are masked, because something lay on
    them for long. Which of the two, the load tells."""
    noisy: frozenset[int]
    """The pads that are too noisy to be believed."""


class InService(msgspec.Struct, frozen=True):
    """A table in service."""

    page: Page
    left: float
    """The seconds until service ends by itself if nobody touches or presses anything."""
    lit: Lit
    pads: Pads | None
    """What the pads read, where that is tried; None while nobody knows."""
    current_ma: int | None
    """What the lights draw, in milliampere, by calculation; None where nobody knows."""
    capped: bool
    """Would the lights have drawn more than they may, and are dimmer therefore?"""
    counts: dict[str, int]
    """How often each thing has gone wrong since the table was switched on, by the name of the
    thing."""
