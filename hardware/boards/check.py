"""Checks the boards against wiring.csv, parts.csv and dimensions.toml, and describes each fault in
a sentence.

The checks read the text of KiCad's files and do not need KiCad. Tests can therefore plant faults in
that text.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from enclosure.dimensions import MM
from hardware.boards.sexpr import Node, child, children, parse, plain
from hardware.boards.wires import Net

MIDDLE: Final = (100.0, 100.0)
"""Place of the board's middle on KiCad's sheet, in mm."""
PLUG_BODY: Final = 3.6
"""Largest distance in mm from a plug's first pin to the long side of the plug's body."""
SPRING_ROOM: Final = 1.0
"""Least width in mm of a land beyond the contact spring, all round: the spring stands loose."""
NEAR: Final = 0.01
"""Permitted deviation in mm of a part from its place."""


@dataclass(frozen=True)
class Footprint:
    """A part as the .kicad_pcb file describes it."""

    ref: str
    id: str
    """Id of the part's row in parts.csv; empty if the part has no row."""
    place: tuple[float, float]
    """Place in mm, relative to the board's middle: to the right, and away from the operatives."""
    pads: tuple[tuple[str, str], ...]
    """The number and the net of each pad; the net is empty for an unconnected pad."""
    size: tuple[float, float]
    """Width and height in mm of the part's first pad."""


def footprints(board: str) -> list[Footprint]:
    """Return the parts in the text of a .kicad_pcb."""
    return [_footprint(node) for node in children(parse(board), "footprint")]


def _footprint(node: Node) -> Footprint:
    fields = {plain(each[1]): plain(each[2]) for each in children(node, "property")}
    x, y = (float(plain(each)) for each in child(node, "at")[1:3])
    pads = [
        (plain(pad[1]), plain(nets[0][-1]) if (nets := children(pad, "net")) else "")
        for pad in children(node, "pad")
    ]
    first = [child(pad, "size") for pad in children(node, "pad")[:1]]
    size = (float(plain(first[0][1])), float(plain(first[0][2]))) if first else (0.0, 0.0)
    place = (round(x - MIDDLE[0], 4), round(MIDDLE[1] - y, 4))
    return Footprint(fields["Reference"], fields.get("Part", ""), place, tuple(pads), size)


def netlist(text: str) -> dict[str, Net]:
    """Return the nets of a schematic's netlist by name. Nets of unconnected pins are left out."""
    found = {}
    for net in children(child(parse(text), "nets"), "net"):
        name = plain(child(net, "name")[1])
        if not name.startswith("unconnected-"):
            found[name] = frozenset(
                (plain(child(node, "ref")[1]), plain(child(node, "pin")[1]))
                for node in children(net, "node")
            )
    return found


def board_nets(board: str) -> dict[str, Net]:
    """Return the nets of a .kicad_pcb's text by name. Nets of unconnected pins are left out."""
    found: dict[str, set[tuple[str, str]]] = {}
    for part in footprints(board):
        for number, net in part.pads:
            if number and net and not net.startswith("unconnected-"):
                found.setdefault(net, set()).add((part.ref, number))
    return {name: frozenset(ends) for name, ends in found.items()}


def wire_faults(
    name: str, what: str, drawn: dict[str, Net], wired: dict[str, Net]
) -> Iterator[str]:
    """Yield a sentence for each difference between wiring.csv and the nets of a schematic or
    board."""
    for net in sorted(drawn.keys() - wired.keys()):
        yield f"The {what} of the {name} has a net {net}, which wiring.csv has not."
    for net in sorted(wired.keys() - drawn.keys()):
        yield f"wiring.csv has a net {net} of the {name}, which its {what} has not."
    for net in sorted(wired.keys() & drawn.keys()):
        for ends, there, lacking in (
            (drawn[net] - wired[net], f"the {what}", "wiring.csv"),
            (wired[net] - drawn[net], "wiring.csv", f"the {what}"),
        ):
            if ends:
                pins = ", ".join(".".join(end) for end in sorted(ends))
                yield f"Net {net} of the {name}: {pins} is on it in {there}, and not in {lacking}."


def part_faults(name: str, board: str, listed: set[str]) -> Iterator[str]:
    """Yield a sentence for each part on the board that is missing in the parts list."""
    unknown: dict[str, list[str]] = {}
    for part in footprints(board):
        if part.id and part.id not in listed:
            unknown.setdefault(part.id, []).append(part.ref)
    for part_id, refs in sorted(unknown.items()):
        yield f"parts.csv has no {part_id}, which is {', '.join(sorted(refs))} of the {name}."


def places(name: str) -> dict[str, tuple[float, float]]:
    """Return the required places by part reference, for the parts whose places dimensions.toml
    defines."""
    if name == "electrode":
        return {"E1": (0.0, 0.0)}
    if name == "carrier":
        at = MM["carrier_hole"] / 2
        return {"H1": (-at, at), "H2": (at, at), "H3": (at, -at), "H4": (-at, -at)}
    x, y = MM["led_across"] / 2, MM["led_down"] / 2
    hole = MM["tile_hole_across"] / 2
    return {
        "D1": (-x, y),
        "D2": (x, y),
        "D3": (x, -y),
        "D4": (-x, -y),
        "H1": (-hole, 0.0),
        "H2": (hole, 0.0),
        "TP1": (0.0, 0.0),
    }


def outline(board: str) -> tuple[float, float]:
    """Return the board's width and height in mm. Raises ValueError if the board has no edge."""
    for rect in children(parse(board), "gr_rect"):
        if plain(child(rect, "layer")[1]) == "Edge.Cuts":
            (x0, y0), (x1, y1) = (
                [float(plain(each)) for each in child(rect, end)[1:3]] for end in ("start", "end")
            )
            return (round(abs(x1 - x0), 4), round(abs(y1 - y0), 4))
    raise ValueError("The board has no edge.")


def sizes(name: str) -> tuple[float, float]:
    """Return the width and height in mm that this board must have."""
    if name == "carrier":
        return (MM["carrier"], MM["carrier"])
    return (MM[f"{name}_across"], MM[f"{name}_down"])


def place_faults(name: str, board: str) -> Iterator[str]:
    """Yield a sentence for each size or place that does not agree with dimensions.toml."""
    if outline(board) != sizes(name):
        yield f"The {name} is {outline(board)} mm large instead of {sizes(name)}."
    there = {part.ref: part for part in footprints(board)}
    for ref, place in places(name).items():
        if ref not in there:
            yield f"The {name} has no {ref}."
        elif (off := math.dist(there[ref].place, place)) > NEAR:
            yield (
                f"{ref} of the {name} lies {off:.2f} mm off its place: at {there[ref].place} from "
                f"the middle instead of {place} (dimensions.toml)."
            )
    if name == "tile":
        if there["TP1"].size[0] < MM["spring_across"] + 2 * SPRING_ROOM:
            yield (
                f"TP1 of the tile is {there['TP1'].size[0]:g} mm wide, too small a land for a "
                f"spring of {MM['spring_across']:g} mm."
            )
        window = (MM["deck_window_across"] / 2, MM["deck_window_down"] / 2)
        for ref in sorted(ref for ref in there if ref.startswith("J") and ref[1:].isdigit()):
            x, y = map(abs, there[ref].place)
            if x + PLUG_BODY > window[0] or y + PLUG_BODY > window[1]:
                yield f"{ref} of the tile stands over the edge of the deck's window below."
    if name == "electrode":
        copper, edge = there["E1"].size, sizes(name)
        if any(
            not 0.5 <= (whole - part) / 2 <= 0.6 for whole, part in zip(edge, copper, strict=True)
        ):
            yield f"The electrode's copper of {copper} mm does not fill its board of {edge} mm."


def counts(board: str) -> Counter[str]:
    """Return the number of pieces on the board for each row of parts.csv."""
    return Counter(part.id for part in footprints(board) if part.id)
