"""Checks the distance between parts that must not be close to each other."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from enclosure.checks.bodies import Body, solid
from enclosure.checks.report import Report

FAR = 60.0
"""Limit in mm: a longer distance is reported only as "more than" this limit."""


@dataclass(frozen=True)
class Clearance:
    """The minimum distance in mm between two parts, and the reason for it. ``one`` and ``other``
    are the beginnings of part names; a beginning can fit several parts."""

    one: str
    other: str
    least: float
    why: str


ASKED: Final = (
    Clearance("tile", "overlay", 0.5, "a tile's spring presses on the electrode alone"),
    Clearance("tile", "deck", 2, "wires past the plugs under the tile"),
    Clearance("electrode", "light-cells", 5, "light gets past the electrode"),
    Clearance("electrode", "guard", 10, "a finger on a cell is none on the guard"),
    Clearance("guard-across", "guard-down", 2, "guards do not touch each other"),
    Clearance("guard", "frame", 3, "a wet frame is no guard"),
    Clearance("carrier", "deck", 5, "plugs on the carrier"),
    Clearance("carrier", "post", 5, "a hand gets at the carrier's plugs"),
    Clearance("raspberry-pi", "deck", 10, "a Pi gets warm"),
    Clearance("amplifier", "raspberry-pi", 8, "the Pi's plugs, and the amplifier's wires"),
    Clearance("amplifier", "cover", 10, "header wires on the amplifier's pins"),
    Clearance("screen", "hood", 0.5, "the hood comes off, and the screen stays"),
    Clearance("overlay", "frame", 0.5, "acrylic grows by 0.7 mm over 20 K"),
    Clearance("overlay", "rim-long", 0.3, "the tape alone holds the overlay down"),
    Clearance("overlay", "rim-short", 0.3, "the tape alone holds the overlay down"),
    Clearance("knob", "hood", 15, "fingers round the knob"),
    Clearance("button", "knob", 15, "fingers round the knob"),
    Clearance("card-large", "rim-", 15, "a finger under the outermost card's edge"),
)


def check(bodies: list[Body], asked: tuple[Clearance, ...] = ASKED) -> Report:
    """Return the report. Each item of ``asked`` sets a minimum distance between two groups of
    bodies: those whose names begin with its ``one``, and those whose names begin with its
    ``other``."""
    report = Report("Clearances")
    solids = {id(body): solid(body.mesh) for body in bodies}
    for each in asked:
        ones = [body for body in bodies if body.part.startswith(each.one)]
        others = [body for body in bodies if body.part.startswith(each.other)]
        if not ones or not others:
            report.findings.append(f"There is no {each.one} or no {each.other} to measure between.")
            continue
        gap, one, other = min(
            (
                (solids[id(a)].min_gap(solids[id(b)], FAR), a.name, b.name)
                for a in ones
                for b in others
                if _near(a, b)
            ),
            default=(FAR, each.one, each.other),
        )
        much = f"{gap:.1f} mm" if gap < FAR else f"more than {FAR:.0f} mm"
        report.figures.append(
            f"{each.one} and {each.other}: {much} (least {each.least:g}: {each.why})"
        )
        report.demand(
            gap >= each.least - 0.01,
            f"{one} and {other} are {gap:.2f} mm apart; {each.least:g} mm are asked: {each.why}.",
        )
    return report


def _near(one: Body, other: Body) -> bool:
    middles = np.abs(one.mesh.bounds.mean(axis=0) - other.mesh.bounds.mean(axis=0))
    return bool((middles - (one.mesh.extents + other.mesh.extents) / 2).max() < FAR)
