"""Where the LEDs are, for scenes that run over the table.

Lengths are from the middle of C3, x to the operatives' right and y towards them, in a measure of
their own: from cell to cell it is 70 and 50, where a table has 100 and 80 mm
(`hardware/dimensions.toml`). What runs over the table is in proportion, but for a tenth.
"""

import math
from typing import Final

from pi_table.geometry import CELL_COUNT, END_TURN, LED_COUNT, PLACE_COUNT, SIDE, leds_of

ACROSS: Final = 70.0
DOWN: Final = 50.0
_CORNERS: Final = ((-20.0, -12.0), (20.0, -12.0), (20.0, 12.0), (-20.0, 12.0))
_MIDDLE: Final = SIDE // 2


def _place(place: int) -> tuple[float, float]:
    if place < CELL_COUNT:
        row, column = divmod(place, SIDE)
        return (column - _MIDDLE) * ACROSS, (row - _MIDDLE) * DOWN
    side = -1 if place == END_TURN else 1
    return side * 1.25 * ACROSS, 3 * DOWN


PLACES: Final[tuple[tuple[float, float], ...]] = tuple(map(_place, range(PLACE_COUNT)))
"""The middle of each place."""


def _led(led: int) -> tuple[float, float]:
    place = next(place for place in range(PLACE_COUNT) if led in leds_of(place))
    x, y = PLACES[place]
    number = led - leds_of(place).start
    if place < CELL_COUNT:
        dx, dy = _CORNERS[number]
    else:
        dx, dy = (-20.0, 20.0)[number], 0.0
    return x + dx, y + dy


LEDS: Final[tuple[tuple[float, float], ...]] = tuple(map(_led, range(LED_COUNT)))
"""Each LED."""
FAR: Final = -2 * DOWN - 12.0
NEAR: Final = 3 * DOWN
LEFT: Final = -2 * ACROSS - 20.0
RIGHT: Final = -LEFT


def _distances(place: int) -> tuple[float, ...]:
    x, y = PLACES[place]
    return tuple(math.hypot(led_x - x, led_y - y) for led_x, led_y in LEDS)


DISTANCES: Final = tuple(map(_distances, range(PLACE_COUNT)))
"""How far each LED is from the middle of each place."""
MIDDLE: Final = CELL_COUNT // 2
"""The cell in the middle."""
FARTHEST: Final = max(DISTANCES[MIDDLE])
ANGLES: Final = tuple(math.atan2(y, x) for x, y in LEDS)
"""The direction of each LED as seen from the middle, in radians."""
