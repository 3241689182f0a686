"""The positions of the LEDs, for scenes that run over the table.

Positions are in millimetres from the middle of C3: x to the operatives' right, y towards the
operatives. `hardware/dimensions.toml` has the same numbers with their reasons;
`tests/test_facts.py` compares the two.
"""

import math
from typing import Final

from pi_table.common.geometry import CELL_COUNT, END_TURN, LED_COUNT, PLACE_COUNT, SIDE, leds_of

PITCH_ACROSS: Final = 100.0
PITCH_DOWN: Final = 80.0
LED_ACROSS: Final = 84.0
LED_DOWN: Final = 64.0
"""Distance in mm between a place's near and far LEDs. ``LED_ACROSS`` is the distance between its
left and right LEDs."""
PADS_FROM_MIDDLE: Final = 100.0
_X: Final = LED_ACROSS / 2
_Y: Final = LED_DOWN / 2
_CORNERS: Final = ((-_X, -_Y), (_X, -_Y), (_X, _Y), (-_X, _Y))
"""Offsets in mm of a cell's four LEDs from its middle, clockwise from the far left. A pad has only
the first two."""
_MIDDLE: Final = SIDE // 2


def _place(place: int) -> tuple[float, float]:
    if place < CELL_COUNT:
        row, column = divmod(place, SIDE)
        return (column - _MIDDLE) * PITCH_ACROSS, (row - _MIDDLE) * PITCH_DOWN
    side = -1 if place == END_TURN else 1
    return side * PADS_FROM_MIDDLE, (SIDE - _MIDDLE) * PITCH_DOWN


PLACES: Final[tuple[tuple[float, float], ...]] = tuple(map(_place, range(PLACE_COUNT)))


def _led(led: int) -> tuple[float, float]:
    place = next(place for place in range(PLACE_COUNT) if led in leds_of(place))
    x, y = PLACES[place]
    dx, dy = _CORNERS[led - leds_of(place).start]
    return x + dx, y + dy


LEDS: Final[tuple[tuple[float, float], ...]] = tuple(map(_led, range(LED_COUNT)))
FAR: Final = min(y for _, y in LEDS)
NEAR: Final = max(y for _, y in LEDS)


def _distances(place: int) -> tuple[float, ...]:
    x, y = PLACES[place]
    return tuple(math.hypot(led_x - x, led_y - y) for led_x, led_y in LEDS)


DISTANCES: Final = tuple(map(_distances, range(PLACE_COUNT)))
"""For each place, the distance in mm of every LED from the middle of the place."""
MIDDLE: Final = CELL_COUNT // 2
FARTHEST: Final = max(DISTANCES[MIDDLE])
