"""The places of the table: 25 cells in a 5×5 grid, and two pads beside the grid.

A *cell* is a number from 0 to 24 in the program and a name from ``A1`` to ``E5`` for people. The
letter is the column, from the left as the operatives see it; the digit is the row, from the far
side, where the spymasters are. The order is always A1 B1 C1 D1 E1 A2 … E5. A *place* is a cell or
one of the two pads.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

T = TypeVar("T")

SIDE: Final = 5
CELL_COUNT: Final = SIDE * SIDE
CELLS: Final[tuple[str, ...]] = tuple(column + row for row in "12345" for column in "ABCDE")

END_TURN: Final = CELL_COUNT
HOURGLASS: Final = CELL_COUNT + 1
PLACES: Final[tuple[str, ...]] = (*CELLS, "end-turn", "hourglass")
PLACE_COUNT: Final = len(PLACES)

LEDS_OF_CELL: Final = 4
"""Number of LEDs under a cell: one near each corner, clockwise from the operatives' far left."""
LEDS_OF_PAD: Final = 2
"""Number of LEDs under a pad. The left LED comes first."""
LED_COUNT: Final = CELL_COUNT * LEDS_OF_CELL + (PLACE_COUNT - CELL_COUNT) * LEDS_OF_PAD
"""Number of LEDs of the table. LEDs are numbered place by place. `LEDS_OF_CELL` and `LEDS_OF_PAD`
explain the order within a place."""

AGENT_CELLS: Final = tuple(map(CELLS.index, ("A1", "C1", "E1", "A5", "C5", "E5")))
"""The cells of the six agents of Codex, in the order of their seats (CX-1)."""

_BY_NAME: Final = {name: place for place, name in enumerate(PLACES)}


def cell_named(name: object) -> int | None:
    """Return the cell (0 … 24) with this name, or None. Names are case-sensitive: ``a1`` is not a
    cell."""
    place = _BY_NAME.get(name) if isinstance(name, str) else None
    return place if place is not None and place < CELL_COUNT else None


def place_named(name: object) -> int | None:
    """Return the place (0 … 26) with this name, a cell or a pad; None for other names."""
    return _BY_NAME.get(name) if isinstance(name, str) else None


@cache
def leds_of(place: int) -> range:
    """Return the numbers of the LEDs (0 … 103) under a place (0 … 26)."""
    if place < CELL_COUNT:
        return range(place * LEDS_OF_CELL, (place + 1) * LEDS_OF_CELL)
    first = CELL_COUNT * LEDS_OF_CELL + (place - CELL_COUNT) * LEDS_OF_PAD
    return range(first, first + LEDS_OF_PAD)


LED_SLICES: Final = tuple(slice(leds.start, leds.stop) for leds in map(leds_of, range(PLACE_COUNT)))
"""For each place, the slice of a frame that has the colours of its LEDs."""


def for_each_led(of_places: Sequence[T]) -> tuple[T, ...]:
    """Return a value for each LED (0 … 103): the value of ``of_places`` for the LED's place (0 …
    26)."""
    return tuple(of_places[place] for place in range(PLACE_COUNT) for _ in leds_of(place))


def _in_the_order_of_the_strip() -> tuple[int, ...]:
    """Return the LEDs along the strip: the rows of the grid in zigzag, then the pads."""
    cells = [
        row * SIDE + column for row in range(SIDE) for column in range(SIDE)[:: 1 - row % 2 * 2]
    ]
    return tuple(
        led for place in (*cells, *range(CELL_COUNT, PLACE_COUNT)) for led in leds_of(place)
    )


STRIP: Final = _in_the_order_of_the_strip()
"""The LED at each position of the strip, in the order of `hardware/wiring.csv`."""


def across(cell: int) -> int:
    """Return the cell in the opposite position, such as E5 for A1. People on the other side of the
    table see ``cell`` there."""
    return CELL_COUNT - 1 - cell
