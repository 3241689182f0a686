"""Reads symbols from KiCad's libraries and from this project's library: their pins, and their text
for a schematic."""

import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hardware.boards.sexpr import Node, child, children, parse, plain, quote

OWN: Final = Path(__file__).with_name("library")
KICAD: Final = Path("/usr/share/kicad/symbols")
"""Folder of KiCad's own symbols, inside KiCad's root (see `kicad.sh`)."""


@dataclass(frozen=True)
class Pin:
    """A pin of a symbol. x and y are in mm from the symbol's origin: x to the right, y up."""

    unit: int
    name: str
    number: str
    x: float
    y: float
    angle: int
    """Direction in degrees from the pin's free end towards the symbol: 0 right, 90 up, 180 left,
    270 down."""


@cache
def _library(name: str) -> dict[str, Node]:
    own = OWN / f"{name}.kicad_sym"
    file = own if own.exists() else KICAD / own.name
    return {plain(node[1]): node for node in children(parse(file.read_text("utf-8")), "symbol")}


@cache
def symbol(name: str) -> Node:
    """Return the symbol "LIBRARY:NAME" in the form that a schematic needs. If it extends another
    symbol, both are merged."""
    library, _, short = name.partition(":")
    found = copy.deepcopy(_library(library)[short])
    if parents := children(found, "extends"):
        parent = plain(parents[0][1])
        whole = copy.deepcopy(_library(library)[parent])
        own = {plain(each[1]): each for each in children(found, "property")}
        whole = [
            own.get(plain(each[1]), each)
            if isinstance(each, list) and each[0] == "property"
            else each
            for each in whole
        ]
        there = {plain(each[1]) for each in children(whole, "property")}
        last = max(n for n, each in enumerate(whole) if each[:1] == ["property"]) + 1
        whole[last:last] = [each for name, each in own.items() if name not in there]
        for unit in children(whole, "symbol"):
            unit[1] = quote(plain(unit[1]).replace(parent, short, 1))
        found = whole
    found[1] = quote(name)
    return found


def units(name: str) -> int:
    """Return the number of separate parts (units) in which the symbol is drawn."""
    return max(pin.unit for pin in pins(name)) if pins(name) else 1


@cache
def pins(name: str) -> tuple[Pin, ...]:
    """Return the pins of the symbol "LIBRARY:NAME"."""
    found = []
    for unit in children(symbol(name), "symbol"):
        number, style = map(int, plain(unit[1]).rsplit("_", 2)[1:])
        for pin in children(unit, "pin") if style < 2 else []:
            x, y, angle = map(plain, child(pin, "at")[1:4])
            title, code = plain(child(pin, "name")[1]), plain(child(pin, "number")[1])
            found.append(Pin(number, title, code, float(x), float(y), int(angle)))
    return tuple(found)


def numbers_of(name: str, end: str) -> list[str]:
    """Return the numbers of the pins with this number or name. Several pins may share a name."""
    by_number = [pin.number for pin in pins(name) if pin.number == end]
    return by_number or [pin.number for pin in pins(name) if pin.name == end]
