"""The names of the parts that service mode tests."""

from collections.abc import Mapping, Sequence
from typing import Final

from pi_table.common.geometry import CELL_COUNT, END_TURN, HOURGLASS, PLACE_COUNT, PLACES, leds_of
from pi_table.common.language import Words, say
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.service import Colour, How

OF_CELL: Final = (say("far left"), say("far right"), say("near right"), say("near left"))
"""Names of the four lights of a cell, in the order of the lights. Directions are as the operatives
see them."""
OF_PAD: Final = (say("left light"), say("right light"))
"""Names of the two lights of a pad, in the order of the lights."""
RIM: Final = (say("Far rim"), say("Left rim"), say("Right rim"), say("Near rim"))
PADS: Final[tuple[Words, ...]] = (*PLACES[:CELL_COUNT], say("End turn"), say("Hourglass"), *RIM)
COLOURS: Final[Mapping[Colour, Words]] = {
    Colour.RED: say("in red"),
    Colour.GREEN: say("in green"),
    Colour.BLUE: say("in blue"),
    Colour.WHITE: say("in white"),
}
HOW: Final[Mapping[How, Words]] = {
    How.ONE: say("One light"),
    How.WALK: say("One after another"),
    How.ALL: say("All lights"),
}
INPUTS: Final[Mapping[Input, Words]] = {
    Input.PRESS: say("Pressed"),
    Input.RIGHT: say("Turned right"),
    Input.LEFT: say("Turned left"),
    Input.BACK: say("Back"),
    Input.PEEK: say("PEEK"),
    Input.UNPEEK: say("PEEK released"),
}


def place_of(led: int) -> int:
    """Return the place (0 … 26) of an LED (0 … 103)."""
    return next(place for place in range(PLACE_COUNT) if led in leds_of(place))


def name_of(led: int) -> Words:
    """Return the name of an LED (0 … 103): its place, and its position at that place."""
    place = place_of(led)
    names = OF_PAD if place in (END_TURN, HOURGLASS) else OF_CELL
    where = names[led - leds_of(place).start]
    return say("{place}, {where}", place=PADS[place], where=where)


def name_of_light(leds: Sequence[int]) -> Words:
    """Return the name of a light of the string that shows these LEDs (0 … 103)."""
    if not leds:
        return say("It stays dark")
    return name_of(leds[0]) if len(leds) == 1 else PADS[place_of(leds[0])]
