"""Which LED each light of the string shows.

The program has four LEDs a cell and two a pad (`geometry.leds_of`). A string may have fewer or more
lights, in any order. A *layout* is a text file that a maker can write by hand:

    # A comment.
    order GRB
    A1 far-left
    A1 far
    A1
    end-turn left
    -

``order`` is the order of the colours on the data line; GRB is the default. Each other line is one
light, in the order of the string: a place, and a corner or side of it if the light does not stand
for the whole place. ``-`` is a light that stays dark. A light shows the mean of its LEDs.

`firmware/linux/layout.c` reads the same files, and lights the string in the same way.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.edited_text import read_text
from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT, PLACE_COUNT, PLACES, leds_of, place_named
from pi_table.common.language import Say, did_you_mean, say

MAX_BYTES: Final = 32 * 1024
"""Maximum size of a layout file in bytes."""
MAX_LIGHTS: Final = 256
"""Maximum number of lights of a string, including those that stay dark."""
MAX_LIGHTS_OF_PLACE: Final = 8
MAX_QUOTED: Final = 20
"""Maximum number of characters that an error message quotes of a line."""
ORDERS: Final = tuple("".join(order) for order in permutations("RGB"))
DEFAULT_ORDER: Final = "GRB"

PARTS_OF_CELL: Final = {
    "far-left": (0,),
    "far-right": (1,),
    "near-right": (2,),
    "near-left": (3,),
    "far": (0, 1),
    "right": (1, 2),
    "near": (2, 3),
    "left": (0, 3),
}
"""The corners and sides of a cell, each with the positions of its LEDs in `leds_of`."""
PARTS_OF_PAD: Final = {"left": (0,), "right": (1,)}
PRESETS: Final = ("tiles", "string-100")
"""The layouts in the folder `layouts`: the circuit boards of hardware/ (tiles), and a ready-wired
string of 50 lights, 100 mm apart, with one light in each cell."""


class LightLayout(msgspec.Struct, frozen=True):
    """The lights of a string."""

    lights: tuple[tuple[int, ...], ...]
    """The LEDs (0 … 103) that each light shows, in the order of the string. A light without LEDs
    stays dark."""
    order: str = DEFAULT_ORDER
    """The order of the colours on the data line, such as GRB."""

    @property
    def light_count(self) -> int:
        return len(self.lights)

    def lights_of(self, place: int) -> tuple[int, ...]:
        """Return the numbers of the lights of a place (0 … 26), in the order of the string."""
        return _lights_by_place(self)[place]

    def place_of(self, light: int) -> int | None:
        """Return the place of a light; None for a light that stays dark."""
        leds = self.lights[light]
        return _place_of_led(leds[0]) if leds else None


def read_layout(name: str) -> LightLayout:
    """Return the layout with this name: a preset, or the path of a file. A path has a slash.

    Raises InputError for an unknown name or a file with an error.
    """
    if name in PRESETS:
        return preset(name)
    if "/" not in name:
        raise InputError(
            say(
                "[lights] layout names {name}, which is no layout: {did_you_mean} For a file of "
                "your own, write its whole path, with its folder.",
                name=repr(name[:MAX_QUOTED]),
                did_you_mean=did_you_mean(name[:MAX_QUOTED], PRESETS),
            )
        )
    return parse_layout(
        read_text(Path(name), MAX_BYTES, say("The layout of the lights {name}", name=name)), name
    )


def path_of(name: str) -> Path:
    """Return the path of the file with this layout: a preset's, or ``name`` itself."""
    if name not in PRESETS:
        return Path(name)
    return Path(__file__).with_name("layouts") / f"{name}.txt"


@cache
def preset(name: str) -> LightLayout:
    """Return one of the `PRESETS`."""
    return parse_layout(path_of(name).read_text("utf-8"), name)


def parse_layout(text: str, where: str) -> LightLayout:
    """Return the layout in a text. ``where`` is the name of its file in error messages.

    Raises InputError, which names the line if the error is in one line.
    """
    order: str | None = None
    lights: list[tuple[int, ...]] = []
    of_place = [0] * PLACE_COUNT
    for number, line in enumerate(text.split("\n"), 1):
        words = [word for word in re.split("[ \t]+", line.partition("#")[0]) if word]
        if not words:
            continue
        if words[0] == "order":
            if order is not None or lights:
                what = say("the order of the colours is named once, before the first light.")
                raise _error(where, number, what)
            order = _order(words[1:], where, number)
            continue
        place, leds = _light(words, where, number)
        lights.append(leds)
        if place is not None:
            of_place[place] += 1
        if len(lights) > MAX_LIGHTS:
            what = say("the string has more than {most} lights.", most=MAX_LIGHTS)
            raise _error(where, number, what)
        if place is not None and of_place[place] > MAX_LIGHTS_OF_PLACE:
            what = say(
                "{place} has more than {most} lights: write - for those that stay dark.",
                place=PLACES[place],
                most=MAX_LIGHTS_OF_PLACE,
            )
            raise _error(where, number, what)
    check_all_shown(lights, where)
    return LightLayout(tuple(lights), order or DEFAULT_ORDER)


def _order(words: list[str], where: str, number: int) -> str:
    given = " ".join(words)
    if given not in ORDERS:
        what = say(
            "{given} is no order of the colours: write GRB, or RGB if red and green are exchanged.",
            given=repr(given[:MAX_QUOTED]),
        )
        raise _error(where, number, what)
    return given


def _light(words: list[str], where: str, number: int) -> tuple[int | None, tuple[int, ...]]:
    """Return the place and the LEDs of a line; no place and no LEDs for a dark light."""
    if words == ["-"]:
        return None, ()
    place = place_named(words[0])
    if place is None:
        what = say(
            "{word} is no place: write A1 to E5, end-turn or hourglass, or - for a light that "
            "stays dark.",
            word=repr(words[0][:MAX_QUOTED]),
        )
        raise _error(where, number, what)
    leds = leds_of(place)
    if len(words) == 1:
        return place, tuple(leds)
    parts = PARTS_OF_CELL if place < CELL_COUNT else PARTS_OF_PAD
    part = " ".join(words[1:])
    if part not in parts:
        what = say(
            "{part} is no part of {place}: {did_you_mean}",
            part=repr(part[:MAX_QUOTED]),
            place=words[0],
            did_you_mean=did_you_mean(part[:MAX_QUOTED], (*parts,)),
        )
        raise _error(where, number, what)
    return place, tuple(leds[at] for at in parts[part])


def check_all_shown(lights: Sequence[tuple[int, ...]], where: str) -> None:
    """Raise InputError if no light shows one of the LEDs (0 … 103): some light scenes could then
    not be seen."""
    shown = {led for leds in lights for led in leds}
    for place in range(PLACE_COUNT):
        missing = [at for at, led in enumerate(leds_of(place)) if led not in shown]
        if not missing:
            continue
        name = PLACES[place]
        if len(missing) == len(leds_of(place)):
            raise InputError(
                say(
                    "{where} has no light for {name}: add a line with {name}, where its light is "
                    "on the string.",
                    where=where,
                    name=name,
                )
            )
        parts = PARTS_OF_CELL if place < CELL_COUNT else PARTS_OF_PAD
        raise InputError(
            say(
                "{where} has no light that shows {name} {part}: name it on a line, or name a side "
                "or only {name}, for a light that stands for more of the place.",
                where=where,
                name=name,
                part=next(part for part, at in parts.items() if at == (missing[0],)),
            )
        )


def _error(where: str, number: int, what: Say) -> InputError:
    return InputError(say("{where}, line {number}: {what}", where=where, number=number, what=what))


@cache
def _place_of_led(led: int) -> int:
    return next(place for place in range(PLACE_COUNT) if led in leds_of(place))


@cache
def _lights_by_place(layout: LightLayout) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(PLACE_COUNT)]
    for light in range(layout.light_count):
        place = layout.place_of(light)
        if place is not None:
            found[place].append(light)
    return tuple(map(tuple, found))
