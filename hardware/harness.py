"""The table's cables for wireviz, from wiring.csv and the table's lengths.

`python -m hardware.harness` writes cables/NAME.yml for each drawing: the chain of lights with its
feeds, the electrodes' leads, and the Raspberry Pi's cables. A test checks that the files are up to
date; `make -C hardware harness` draws them.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hardware import harness_of_pi, leads, places
from hardware.cabling import (
    Drawing,
    Harness,
    Pin,
    Row,
    WiringError,
    gauge_of,
    pins,
    text,
)
from hardware.electrode_design import Design
from hardware.harness_of_pi import TERMINAL
from hardware.power import Budget

FOLDER: Final = Path(__file__).with_name("cables")
CONTACTS: Final = 12
"""Number of contacts of each touch chip's plug on the carrier. Some contacts are not used."""
LEAD: Final = "28 AWG"
"""Wire gauge of every electrode's lead (AWG)."""
READY_COLOUR: Final = "BK"
"""Colour of every ready lead, as wireviz names it."""
JOINED: Final = ", joined"
"""End of a cable's type if each of its wires is two ready leads, soldered together."""
_READY: Final = re.compile(rf"(\d+) × (lead-\d+)({JOINED})?")


def drawings(rows: Sequence[Row]) -> dict[str, Drawing]:
    """Return each drawing in wireviz's format, by the drawing's name. Raises WiringError if the
    rows describe impossible connections."""
    return {
        "lights": _lights(rows),
        "electrodes": _electrodes(rows),
        "pi": harness_of_pi.drawing(rows),
    }


def _lights(rows: Sequence[Row]) -> Drawing:
    """Return the drawing of the lights: first the cables of the chain from tile to tile, then the
    feeds."""
    budget, harness = Budget(), Harness()
    order = [*places.chain([*map(dict, rows)])]
    gauge = gauge_of(budget.figures["chain_awg"])
    into, out = pins(rows, "tile", "J1"), pins(rows, "tile", "J2")
    for before, place in zip(["carrier", *order], order, strict=False):
        left = "carrier J5" if before == "carrier" else f"{before} J2"
        nets = pins(rows, "carrier", "J5") if before == "carrier" else out
        start = places.CARRIER if before == "carrier" else places.centre(before)
        harness.connector(left, "light out", nets)
        harness.connector(f"{place} J1", "light in", into)
        harness.cable(
            f"to {place}",
            (left, [*nets]),
            (f"{place} J1", [*into]),
            [READY_COLOUR] * len(nets),
            gauge=gauge,
            **_ready(len(nets), budget.metres(start, places.centre(place))),
        )
    feed = pins(rows, "tile", "J4")
    for number, place in enumerate(places.fed(order)):
        left = f"carrier J{7 + number}"
        nets = pins(rows, "carrier", f"J{7 + number}")
        harness.connector(left, "feed", nets)
        harness.connector(f"{place} J4", "feed", feed)
        harness.cable(
            f"feed of {place}",
            (left, [*nets]),
            (f"{place} J4", [*feed]),
            [READY_COLOUR] * len(nets),
            gauge=gauge,
            **_ready(len(nets), budget.metres(places.CARRIER, places.centre(place))),
        )
    return harness.drawing()


def _ready(wires: int, metres: float) -> dict[str, Any]:
    """Return wireviz's fields of a cable of ready leads: its type says which leads, and how many.
    ``metres`` is the length that the cable needs at least."""
    names = leads.choose(metres)
    joined = JOINED if len(names) > 1 else ""
    kind = f"{wires * len(names)} × {names[0]}{joined}"
    return {"type": kind, "length": round(leads.metres_of(metres), 3)}


def _by_pin(rows: Sequence[Row]) -> dict[Pin, str]:
    """Return the name of the pad at each pin of a chip's plug. Raises WiringError if two pads share
    a pin."""
    nets: dict[Pin, str] = {}
    for row in rows:
        pin = int(row["plug"].partition(".")[2])
        if pin in nets:
            raise WiringError(
                f"wiring.csv: {nets[pin]} and {row['name']} are both at {row['plug']}."
            )
        nets[pin] = row["name"]
    return nets


def _electrodes(rows: Sequence[Row]) -> Drawing:
    """Return the drawing of the electrodes' leads: each touch chip's plug on the carrier, with a
    lead for each pad and for each strip of the rim."""
    design, harness = Design(), Harness()
    felt = [row for row in rows if row["kind"] in ("pad", "rim")]
    for chip in dict.fromkeys(row["chip"] for row in felt):
        own = [row for row in felt if row["chip"] == chip]
        plug = own[0]["plug"].partition(".")[0]
        nets = _by_pin(own)
        name = f"carrier {plug}"
        every: dict[Pin, str] = {pin: nets.get(pin, "no wire") for pin in range(1, CONTACTS + 1)}
        harness.connector(name, f"electrodes of {chip}", every)
        for number, row in zip(nets, own, strict=True):
            place = row["name"]
            end = f"{place} J3"
            if row["kind"] == "pad":
                harness.connector(end, "electrode lead", {1: place, 2: "no wire"})
            harness.cable(
                f"lead {place}",
                (name, [number]),
                (end, [1]),
                ["WH"],
                gauge=LEAD,
                length=round(design.lead_metres(place), 2),
            )
            if row["kind"] == "rim":
                _tail(harness, rows, design, place)
    return harness.drawing()


def _tail(harness: Harness, rows: Sequence[Row], design: Design, guard: str) -> None:
    """Add a guard's tail: a wire from the guard's foil to one half of a plug. The tail stays on the
    overlay when the plug is pulled."""
    both = " and ".join(map(str, pins(rows, "guard", "J3")))
    harness.connector(f"{guard} J3", "on the guard's tail", {1: guard, "tail": f"to {both}"})
    harness.connector(f"rim {guard}", "foil, soldered", {1: guard})
    harness.cable(
        f"tail {guard}",
        (f"{guard} J3", ["tail"]),
        (f"rim {guard}", [1]),
        ["WH"],
        gauge=LEAD,
        length=design.figures["guard_tail"],
    )


def wire_metres(rows: Sequence[Row]) -> dict[str, float]:
    """Return the metres of wire that all cables need besides the ready leads, for each wire
    gauge."""
    found: dict[str, float] = {}
    for drawing in drawings(rows).values():
        for cable in drawing["cables"].values():
            if "gauge" in cable and "type" not in cable:
                metres = cable["wirecount"] * cable["length"]
                found[cable["gauge"]] = found.get(cable["gauge"], 0.0) + metres
    return found


def ready_leads(drawing: Drawing) -> Counter[str]:
    """Return the number of ready leads of each kind, by the id in parts.csv."""
    found: Counter[str] = Counter()
    for cable in drawing["cables"].values():
        if match := _READY.fullmatch(cable.get("type", "")):
            found[match[2]] += int(match[1])
    return found


def joints(drawing: Drawing) -> int:
    """Return the number of wires in which two ready leads are soldered together."""
    cables = drawing["cables"].values()
    return sum(each["wirecount"] for each in cables if each.get("type", "").endswith(JOINED))


def crimps(drawing: Drawing) -> int:
    """Return the number of contacts to crimp by hand: one for each end of a wire in a plug, if the
    wire is no ready lead."""
    found = 0
    for left, through, right in drawing["connections"]:
        ((cable, _),) = through.items()
        if not _READY.fullmatch(drawing["cables"][cable].get("type", "")):
            ends = (
                (name, pin) for end in (left, right) for name, pins in end.items() for pin in pins
            )
            found += sum(_is_crimped(drawing, *end) for end in ends)
    return found


def _is_crimped(drawing: Drawing, name: str, pin: Pin) -> bool:
    """True if the wire at this pin ends in a contact of JST XH. A guard's tail is soldered to the
    plug, and the supply's cable is in a screw terminal."""
    is_plug = re.search(r" J\d+$", name) and drawing["connectors"][name]["type"] != TERMINAL
    return bool(is_plug) and isinstance(pin, int)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in drawings(places.wiring()).items():
        (FOLDER / f"{name}.yml").write_text(text(drawing), "utf-8")
