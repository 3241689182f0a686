"""Holds the boards and wires of a table against what was seen of bought modules (modules.toml).

Each revision of a module may have its pins in another order. `kicad.sh python3 -m hardware.modules`
exits with 1 if:

- a footprint has a pin elsewhere than the module, or a board's place has another size
- a pin gets more volts than it bears
- two supplies meet in one net or in one part
- a bought board is not in modules.toml
- two plugs that fit each other carry different things
"""

import csv
import datetime
import math
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from enclosure.dimensions import MM
from hardware.boards import symbols, wires
from hardware.boards.board import Board
from hardware.boards.carrier_board import carrier
from hardware.boards.sexpr import child, children, parse, plain
from hardware.boards.tile_board import tile
from hardware.evening_design import BREAKOUT

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "modules.toml"
LISTS: Final = (HERE / "parts.csv", HERE / "evening" / "parts.csv")
READY_MADE: Final = "breakout"
"""Word in a part's description by which a bought board is known."""
GPIO_VOLTS: Final = 3.4
"""Highest voltage in volts that a pin of the Raspberry Pi bears: its own 3.3 V, and a little."""
NEAR: Final = 0.01
_IN_BOX: Final = MM["amplifier_across"] - 2 * MM["play"], MM["amplifier_down"] - 2 * MM["play"]
PLACES: Final = (
    ("amplifier", _IN_BOX, "its place in the box", 12.0),
    ("mpr121-breakout", (BREAKOUT[1], BREAKOUT[0]), "the plan of the table of one evening", 1.0),
)
"""Where else a module has a place: its id, width and height in mm, the place, and how much larger
than the module it may be in mm. Plugs and other breakouts fit in the box too."""
ELECTRODES: Final = ("pad", "rim")


class ModulesError(ValueError):
    """A module's facts are incomplete."""


@dataclass(frozen=True)
class Pin:
    """A pin of a module."""

    places: tuple[tuple[float, float], ...]
    """Each place of a pin with this name, in mm from the module's middle, seen from above: to the
    right, and up."""
    volts: float
    """Highest voltage that the pin bears, in volts against GND."""
    gives: bool = False
    """True if the pin gives its voltage, for instance that of a regulator."""


@dataclass(frozen=True)
class Module:
    """A bought board, as it was seen."""

    id: str
    """Id of its row in parts.csv."""
    revision: str
    source: str
    size: tuple[float, float]
    """Width and height of the board in mm."""
    pins: Mapping[str, Pin]
    """Pins by the name that the board prints."""
    symbol: str = ""
    """Symbol by which a board of this project holds the module; empty if wires lead to it."""


@dataclass(frozen=True)
class Facts:
    """All of modules.toml."""

    modules: Mapping[str, Module]
    nets: Mapping[str, Mapping[str, Any]]
    """For each net of the carrier its volts, and the pin that gives them."""


def read(text: str | None = None) -> Facts:
    """Return the facts. Raises ModulesError if a module has no revision, source, date or pin."""
    given = tomllib.loads(FILE.read_text("utf-8") if text is None else text)
    nets = given.pop("nets")
    modules = {}
    for name, fields in given.items():
        told = isinstance(fields.get("seen"), datetime.date) and fields.get("pins")
        if not told or not all(fields.get(each) for each in ("source", "revision", "size")):
            raise ModulesError(
                f"modules.toml: {name} lacks its revision, its source, the day on which that was "
                "seen, its size, or its pins."
            )
        pins = {
            pin: Pin(
                tuple(tuple(of[key]) for key in ("at", "also_at") if key in of),
                of["volts"],
                of.get("gives", False),
            )
            for pin, of in fields["pins"].items()
        }
        width, height = fields["size"]
        revision, source = fields["revision"], fields["source"]
        symbol = fields.get("symbol", "")
        modules[name] = Module(name, revision, source, (width, height), pins, symbol)
    return Facts(modules, nets)


def pads_of(footprint: str) -> dict[str, tuple[float, float]]:
    """Return the place of each pad of a footprint's text, by the pad's number, in the coordinates
    of ``Pin.places``."""
    found = {}
    for pad in children(parse(footprint), "pad"):
        x, y = (float(plain(each)) for each in child(pad, "at")[1:3])
        found[plain(pad[1])] = (x, -y)
    return found


def footprint_of(symbol: str) -> str:
    """Return the text of the footprint with the same name as a symbol of this project."""
    library, _, name = symbol.partition(":")
    return (HERE / "boards" / "library" / f"{library}.pretty" / f"{name}.kicad_mod").read_text()


def footprint_faults(module: Module, footprint: str) -> Iterator[str]:
    """Yield a sentence for each pin of the module that the footprint has elsewhere, or not at
    all."""
    pads = pads_of(footprint)
    wanted = {name: [*pin.places] for name, pin in module.pins.items()}
    for pin in symbols.pins(module.symbol):
        if not wanted.get(pin.name):
            yield f"{module.id}: the symbol has a pin {pin.name}, which the module has not."
            continue
        pad = pads[pin.number]
        place = min(wanted[pin.name], key=lambda place: math.dist(pad, place))
        wanted[pin.name].remove(place)
        off = math.dist(pad, place)
        if off > NEAR:
            yield (
                f"{module.id}: the footprint has {pin.name} {off:.2f} mm from its place on the "
                f"module {module.revision}."
            )
    for name, places in wanted.items():
        if places:
            yield f"{module.id}: the footprint lacks the module's pin {name}."


def outline_of(footprint: str) -> tuple[float, float]:
    """Return width and height in mm of the board that a footprint's text draws."""
    for rect in children(parse(footprint), "fp_rect"):
        if plain(child(rect, "layer")[1]) == "F.Fab":
            (x0, y0), (x1, y1) = (
                [float(plain(each)) for each in child(rect, end)[1:3]] for end in ("start", "end")
            )
            return abs(x1 - x0), abs(y1 - y0)
    raise ModulesError("The footprint has no outline on F.Fab.")


def size_faults(
    module: Module, drawn: tuple[float, float], where: str, spare: float = NEAR
) -> Iterator[str]:
    """Yield a sentence if a drawing or a place is smaller than the module, or larger by more than
    ``spare`` mm."""
    if any(
        not -NEAR <= there - is_so <= spare for there, is_so in zip(drawn, module.size, strict=True)
    ):
        (width, height), (wide, high) = module.size, drawn
        yield (
            f"{module.id}: the board is {width:g} x {height:g} mm, and {where} has {wide:g} x "
            f"{high:g} mm for it."
        )


def place_faults(facts: Facts) -> Iterator[str]:
    """Yield a sentence for each module for which a board, the box or a drawing has another size."""
    for module in facts.modules.values():
        if module.symbol:
            drawn = outline_of(footprint_of(module.symbol))
            yield from size_faults(module, drawn, "its footprint")
    for name, drawn, where, spare in PLACES:
        yield from size_faults(facts.modules[name], drawn, where, spare)


def plugged_in(module: Module, footprint: str) -> dict[str, str]:
    """Return the name of the module's pin nearest to each pad of a footprint, by the pad's number.
    What the board calls the pad does not count."""
    names = {place: name for name, pin in module.pins.items() for place in pin.places}
    return {
        number: names[min(names, key=lambda place: math.dist(pad, place))]
        for number, pad in pads_of(footprint).items()
    }


def voltage_faults(
    facts: Facts,
    board: Board,
    rows: list[dict[str, str]],
    footprint: Callable[[str], str] = footprint_of,
) -> Iterator[str]:
    """Yield a sentence for each net of the carrier that has more volts than a module's pin bears,
    or more than one giver. ``footprint`` returns the text of a symbol's footprint."""
    held = {
        module.symbol: (module.pins, plugged_in(module, footprint(module.symbol)))
        for module in facts.modules.values()
        if module.symbol
    }
    electrodes = {row["name"] for row in rows if row["kind"] in ELECTRODES}
    for net, ends in sorted(wires.nets(board, rows).items()):
        of = facts.nets.get("electrode" if net in electrodes else net)
        givers = [of["from"]] if of and "from" in of else []
        for ref, number in sorted(ends):
            if (symbol := board.part(ref).symbol) not in held:
                continue
            pins, over = held[symbol]
            name = over[number]
            if of is None:
                yield f"modules.toml does not say how many volts the net {net} has."
                break
            if of["volts"] > pins[name].volts:
                yield (
                    f"{ref}.{name} bears {pins[name].volts:g} V, and the net {net} has up to "
                    f"{of['volts']:g} V."
                )
            if pins[name].gives:
                givers.append(f"{ref}.{name}")
        if len(givers) > 1:
            yield f"{' and '.join(givers)} both give voltage to the net {net}."


def rail_faults(facts: Facts, board: Board, rows: list[dict[str, str]]) -> Iterator[str]:
    """Yield a sentence for each part, such as a diode, that lies between two supplies: while one is
    off, the other would feed all that hangs on it."""
    rails: dict[str, list[str]] = {}
    for net, ends in sorted(wires.nets(board, rows).items()):
        if "from" in facts.nets.get(net, {}):
            for ref in {ref for ref, _ in ends}:
                rails.setdefault(ref, []).append(net)
    for ref, nets in sorted(rails.items()):
        if len(nets) > 1:
            yield f"{ref} of the {board.name} lies between the supplies {' and '.join(nets)}."


def wire_faults(facts: Facts, rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield a sentence for each wire to a pin that the module has not, and for each wire to the
    Raspberry Pi with more volts than it bears."""
    amplifier = facts.modules["amplifier"]
    for row in rows:
        if row["kind"] == "amplifier" and row["name"] not in amplifier.pins:
            yield f"wiring.csv leads to {row['name']} of the amplifier, which has no such pin."
        if row["kind"] == "controller":
            volts = facts.nets.get(row["name"], {}).get("volts")
            if volts is None or volts > GPIO_VOLTS:
                yield (
                    f"{row['pin']} bears {GPIO_VOLTS:g} V, and its net {row['name']} has "
                    f"{'an unknown voltage' if volts is None else f'up to {volts:g} V'}."
                )


def list_faults(facts: Facts, lists: Iterable[Path] = LISTS) -> Iterator[str]:
    """Yield a sentence for each bought board of a parts list that modules.toml does not have."""
    for file in lists:
        with file.open(newline="", encoding="utf-8") as text:
            for row in csv.DictReader(text):
                if READY_MADE in row["what"] and row["id"] not in facts.modules:
                    yield f"modules.toml has no {row['id']}, a bought board of {file.name}."


def plug_faults(boards: Iterable[Board], rows: list[dict[str, str]]) -> Iterator[str]:
    """Yield a sentence for each pair of plugs that fit each other and have, at the same pin,
    something else: supply, ground, data, or an electrode."""
    electrodes = {"electrode", *(row["name"] for row in rows if row["kind"] in ELECTRODES)}

    def role(net: str) -> str:
        """Return what a net carries, by name for a supply."""
        if net in electrodes:
            return "an electrode"
        return net if net in ("+5V", "+3V3", "GND") else "a signal"

    seen: dict[tuple[str, str], tuple[str, str]] = {}
    told = set()
    for board in boards:
        for net, ends in sorted(wires.nets(board, rows).items()):
            for ref, number in sorted(ends):
                kind = board.part(ref).kind
                if not kind.startswith("xh-header-"):
                    continue
                where = f"{ref} of the {board.name}"
                other, carried = seen.setdefault((kind, number), (where, role(net)))
                if carried != role(net) and (other, where) not in told:
                    told.add((other, where))
                    yield (
                        f"{other} and {where} fit each other, and pin {number} is {carried} at "
                        f"one and {role(net)} at the other."
                    )


def faults() -> Iterator[str]:
    """Yield every fault of the table's modules, boards and wires."""
    facts, rows = read(), wires.rows_of()
    for module in facts.modules.values():
        if module.symbol:
            yield from footprint_faults(module, footprint_of(module.symbol))
    yield from place_faults(facts)
    yield from voltage_faults(facts, carrier(rows), rows)
    yield from rail_faults(facts, carrier(rows), rows)
    yield from wire_faults(facts, rows)
    yield from list_faults(facts)
    yield from plug_faults((tile(rows), carrier(rows)), rows)


def main() -> int:
    found = [*faults()]
    print(*found or ["Modules, voltages and plugs: no fault."], sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
