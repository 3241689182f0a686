"""The table's cables as wireviz draws them, from wiring.csv and the lengths of the table.

`python -m hardware.harness` writes cables/NAME.yml anew for each drawing: the chain of lights with
its feeds, the electrodes' leads, and what hangs on the Raspberry Pi, for either build. A test holds
the files to this; `make -C hardware harness` draws them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hardware import harness_of_pi, places
from hardware.cabling import (
    Drawing,
    Harness,
    Pin,
    Row,
    WiringError,
    colours_of,
    gauge_of,
    pins,
    text,
)
from hardware.dimensions import MM
from hardware.electrode_design import Design
from hardware.parts import Build
from hardware.power import Budget

FOLDER: Final = Path(__file__).with_name("cables")


def drawings(rows: Sequence[Row]) -> dict[str, Drawing]:
    """Each drawing by its name, as wireviz reads it. Raises WiringError for rows that cannot
    be joined."""
    return {
        "lights": _lights(rows),
        "electrodes": _electrodes(rows),
        "controller-lights": harness_of_pi.drawing(rows, Build.CONTROLLER),
        "pi-lights": harness_of_pi.drawing(rows, Build.PI),
    }


def _lights(rows: Sequence[Row]) -> Drawing:
    """A cable a line: the chain from tile to tile, then the feeds."""
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
        length = round(budget.metres(start, places.centre(place)), 2)
        harness.cable(
            f"to {place}",
            (left, [*nets]),
            (f"{place} J1", [*into]),
            colours_of(nets),
            gauge=gauge,
            length=length,
        )
    feed = pins(rows, "tile", "J4")
    for number, place in enumerate(places.fed(order)):
        left = f"carrier J{7 + number}"
        nets = pins(rows, "carrier", f"J{7 + number}")
        harness.connector(left, "feed", nets)
        harness.connector(f"{place} J4", "feed", feed)
        length = round(budget.metres(places.CARRIER, places.centre(place)), 2)
        harness.cable(
            f"feed of {place}",
            (left, [*nets]),
            (f"{place} J4", [*feed]),
            colours_of(nets),
            gauge=gauge,
            length=length,
        )
    return harness.drawing()


def _by_pin(rows: Sequence[Row]) -> dict[Pin, str]:
    """What is felt at each pin of a chip's plug. Raises WiringError for a pin with two."""
    nets: dict[Pin, str] = {}
    for row in rows:
        pin = int(row["plug"].partition(".")[2])
        if pin in nets:
            raise WiringError(
                f"wiring.csv: {nets[pin]} and {row['name']} are both at {row['plug']}."
            )
        nets[pin] = row["name"]
    return nets


def lead_metres(name: str) -> float:
    """How long the lead of a place, or of a strip of the rim, is, from the carrier."""
    design = Design()
    if name in places.chain(places.wiring()):
        return design.lead_metres(name)
    rim = MM["guard_gap"] + MM["guard_width"] / 2
    across, down = 2.5 * MM["pitch_across"] + rim, 2.5 * MM["pitch_down"] + rim
    ends = {
        "far": (0.0, down),
        "near": (0.0, -down - MM["pitch_down"]),
        "left": (-across, 0.0),
        "right": (across, 0.0),
    }
    way = places.metres(places.CARRIER, ends[name])
    return way * design.figures["lead_slack"] + design.figures["lead_ends"]


def _electrodes(rows: Sequence[Row]) -> Drawing:
    """For each chip its plug at the carrier, and a wire for each pad and strip of the rim."""
    harness = Harness()
    felt = [row for row in rows if row["kind"] in ("pad", "rim")]
    for chip in dict.fromkeys(row["chip"] for row in felt):
        own = [row for row in felt if row["chip"] == chip]
        plug = own[0]["plug"].partition(".")[0]
        nets = _by_pin(own)
        name = f"carrier {plug}"
        harness.connector(name, f"electrodes of {chip}", nets)
        for number, row in zip(nets, own, strict=True):
            place = row["name"]
            end = f"{place} J3" if row["kind"] == "pad" else f"rim {place}"
            kind = "electrode lead" if row["kind"] == "pad" else "foil, soldered"
            harness.connector(end, kind, {1: place})
            harness.cable(
                f"lead {place}",
                (name, [number]),
                (end, [1]),
                ["WH"],
                gauge="28 AWG",
                length=round(lead_metres(place), 2),
            )
    return harness.drawing()


def wire_metres(rows: Sequence[Row]) -> dict[str, float]:
    """The metres of wire of each gauge that the lights and the electrodes take."""
    found: dict[str, float] = {}
    for name in ("lights", "electrodes"):
        for cable in drawings(rows)[name]["cables"].values():
            metres = cable["wirecount"] * cable["length"]
            found[cable["gauge"]] = found.get(cable["gauge"], 0.0) + metres
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in drawings(places.wiring()).items():
        (FOLDER / f"{name}.yml").write_text(text(drawing), "utf-8")
