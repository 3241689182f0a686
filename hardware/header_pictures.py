"""Pictures for the build guide: a Raspberry Pi's header with its connections."""

from collections.abc import Mapping
from typing import Final

from hardware.drawing import COLOURS, INK, SOFT, Drawing
from hardware.evening_design import pins as pins_of
from hardware.evening_design import wires
from hardware.harness_of_pi import CHIPS_3V3, GROUNDS, HEADER, SCREEN_5V
from hardware.places import rows

NAMES: Final[Mapping[int, str]] = {
    **dict.fromkeys((1, 17), "3.3 V"),
    **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
    27: "GPIO0",
    28: "GPIO1",
    **{pin: f"GPIO{number}" for number, pin in HEADER.items()},
}
"""Name of each of the header's 40 pins, as the Raspberry Pi's documentation gives it."""


def machine() -> Drawing:
    """Draw the header with all pins that a table uses."""
    picture = Drawing(660, 470, "Every pin of the Raspberry Pi that a table uses")
    wanted = _at_the_header(rows("pi", "panel"))
    for name, row in rows("amplifier").items():
        wanted[_pin(row)] = f"amplifier {name}"
    wanted |= _of_the_carrier()
    wanted[SCREEN_5V] = "screen"
    _header(picture, wanted)
    return picture


def _of_the_carrier() -> dict[int, str]:
    """Return the label of each header pin that is connected to the carrier: the plug's pin, and
    what it carries."""
    plug = {row["name"]: row["plug"] for row in rows("controller").values()}
    found = {_pin(row): f"{plug[name]} {name}" for name, row in rows("controller").items()}
    return found | {
        CHIPS_3V3: "J4.1 touch chips' supply",
        GROUNDS["chips"]: "J4.5 ground",
        GROUNDS["carrier"]: "J4.7 ground",
    }


def chips() -> Drawing:
    """Draw the header with the cable to the carrier."""
    picture = Drawing(660, 470, "The carrier's plug J4 at the Raspberry Pi")
    _header(picture, _of_the_carrier())
    picture.text(330, 456, "never 5 V at J4: a touch chip bears 3.6 V at most", 13, SOFT)
    return picture


def knobs() -> Drawing:
    """Draw the header with the connections of the knob and the buttons."""
    picture = Drawing(660, 470, "The knob and the buttons at the Raspberry Pi")
    wanted = _at_the_header(rows("pi"))
    for other in ("switch_off", "screen", "status_led", "chips", "carrier"):
        del wanted[GROUNDS[other]]
    _header(picture, wanted)
    picture.text(330, 456, "the other contact of each to its ground: 25, 30, 34", 13, SOFT)
    return picture


def header_of_evening() -> Drawing:
    """Draw the header with all wires of the table of one evening."""
    picture = Drawing(660, 450, "Every pin that the table of one evening uses")
    wanted = {}
    for row in wires():
        if row["pi_pin"]:
            chip = pins_of(row["to"], "U2")
            wanted[int(row["pi_pin"])] = f"74AHCT125, pin {chip[0]}" if chip else row["to"]
    _header(picture, wanted)
    return picture


def _pin(row: Mapping[str, str]) -> int:
    """Return the number of the header pin for this row of wiring.csv. The row's column `pin` is
    "GPIO" and a number."""
    return HEADER[int(row["pin"].removeprefix("GPIO"))]


def _at_the_header(wanted: Mapping[str, Mapping[str, str]]) -> dict[int, str]:
    """Return the label of each used header pin, including the ground pins of all parts."""
    return {pin: name for name, pin in GROUNDS.items()} | {
        _pin(row): name for name, row in wanted.items()
    }


def _header(picture: Drawing, wanted: Mapping[int, str], x: float = 330, y: float = 40) -> None:
    """Draw the Pi's header; ``wanted`` gives the label of each used pin."""
    picture.text(x, y - 20, "header of the Raspberry Pi, pin 1 at the card's end", bold=True)
    for pin, name in sorted(NAMES.items()):
        left = pin % 2 == 1
        row = (pin - 1) // 2
        at = y + 10 + row * 20
        near = x - 14 if left else x + 14
        supply = name in COLOURS
        mark = COLOURS[name] if supply else "#b9b4a6"
        what = wanted.get(pin, "")
        colour = mark if supply or not what else COLOURS["data"]
        picture.dot(near, at, 6, colour)
        side = "end" if left else "start"
        step = -1 if left else 1
        picture.text(near + step * 20, at, str(pin), 11, SOFT)
        picture.text(near + step * 36, at, name, 12, INK if what else SOFT, side)
        if what:
            picture.line((near + step * 96, at), (near + step * 126, at), colour=colour)
            picture.text(near + step * 134, at, what, 14, INK, side)
