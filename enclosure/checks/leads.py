"""Checks the ways of the electrodes' leads: combs hold each of them at the depth that the
electrodes' calculation has, nothing is in the way, and leads of different chips are apart."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

import manifold3d

from enclosure.checks.bodies import Body, solid
from enclosure.checks.joints import cube
from enclosure.checks.report import Report
from enclosure.leads import COMBS, DEPTH, LEAD, Comb, Lead, leads
from enclosure.levels import TILE_UNDER
from enclosure.places import Point
from enclosure.plugs import PITCH
from hardware.electrode_design import Design

FREE: Final = 170.0
"""Maximum length in mm of a lead without a comb (proposed): a longer one hangs down and sideways.
"""
AT_PLUG: Final = 30.0
"""Length in mm of a lead at the carrier's plug for which no distance to other chips' leads is
asked: the plugs J1 and J2 are side by side."""
UP: Final = 35.0
"""Length in mm of a lead for its ways from the plugs up and down to the comb (calculated)."""
Z: Final = TILE_UNDER - DEPTH
"""z in mm of the leads in the combs."""


def check(bodies: list[Body], ways: Sequence[Lead] | None = None) -> Report:
    """Return the report on each lead; ``ways`` are the leads, None means those of wiring.csv."""
    report, design = Report("Leads of the electrodes"), Design()
    ways = leads() if ways is None else ways
    combs = [solid(body.mesh) for body in bodies if body.part == "lead-comb"]
    held = {lead.name: _holders(lead, combs) for lead in ways}
    for lead in ways:
        free = _longest_free(lead, held[lead.name])
        if not held[lead.name]:
            report.findings.append(f"The lead of {lead.name} has no holder on its way.")
        else:
            report.demand(
                free <= FREE,
                f"The lead of {lead.name} is without a holder for {free:.0f} mm; {FREE:.0f} are "
                "the most.",
            )
        long = 1000 * design.lead_metres(lead.name)
        report.demand(
            lead.length + UP <= long,
            f"The lead of {lead.name} takes {lead.length + UP:.0f} mm and is {long:.0f} mm long.",
        )
        drop = lead.legs()[-1]
        most = 1000 * design.figures["lead_drop"]
        report.demand(
            math.dist(*drop) <= most,
            f"The lead of {lead.name} is beside all of its chip for {math.dist(*drop):.0f} mm; "
            f"electrodes.toml has {most:.0f}.",
        )
    report.demand(
        abs(DEPTH - design.figures["lead_height"]) < 0.05,
        f"The leads are {DEPTH:.1f} mm below the tiles; electrodes.toml has "
        f"{design.figures['lead_height']:g}.",
    )
    _check_ways(report, bodies, ways)
    apart, one, other = min(
        (_apart(one, other), one.name, other.name)
        for one, other in combinations(ways, 2)
        if one.chip != other.chip
    )
    least = design.figures["lead_spacing"]
    report.demand(
        apart >= least,
        f"The leads of {one} and {other}, of two chips, are {apart:.1f} mm apart; {least:g} are "
        "asked.",
    )
    counts = sorted(len(each) for each in held.values())
    free = max(_longest_free(lead, held[lead.name]) for lead in ways)
    report.figures += [
        f"{len(ways)} leads, {DEPTH:.1f} mm below the tiles, each in {counts[0]} to {counts[-1]} "
        f"of {len(combs)} combs, without one for {free:.0f} mm at most",
        f"leads of two chips are {apart:.1f} mm apart or more (least {least:g}), but for the last "
        f"{AT_PLUG:.0f} mm at the plugs",
    ]
    return report


def _holders(lead: Lead, combs: list[manifold3d.Manifold]) -> list[Point]:
    """Return the places where a comb holds this lead: its slot is free there, with a tooth at each
    side."""
    found = []
    for comb in COMBS:
        slot = comb.slot(lead.channel)
        if comb.chip == lead.chip and any(_is_on(slot, leg) for leg in lead.legs()):
            near = [each for each in combs if _is_held(comb, lead.channel, each)]
            found += [slot] if near else []
    return found


def _is_held(comb: Comb, channel: int, shape: manifold3d.Manifold) -> bool:
    x, y = comb.slot(channel)
    across = (0.0, 1.0) if comb.turns % 2 == 0 else (1.0, 0.0)
    wire = _block(x, y, LEAD - 0.2)
    teeth = [
        _block(x + side * across[0] * PITCH / 2, y + side * across[1] * PITCH / 2, 0.6)
        for side in (-1, 1)
    ]
    return (wire ^ shape).is_empty() and all(
        (tooth ^ shape).volume() > 0.9 * tooth.volume() for tooth in teeth
    )


def _block(x: float, y: float, size: float) -> manifold3d.Manifold:
    half = size / 2
    return cube(((x - half, x + half), (y - half, y + half), (Z - half, Z + half)))


def _is_on(point: Point, leg: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = leg
    x, y = point
    return min(a, c) - 0.1 <= x <= max(a, c) + 0.1 and min(b, d) - 0.1 <= y <= max(b, d) + 0.1


def _longest_free(lead: Lead, held: list[Point]) -> float:
    """Return the longest stretch of the lead between two holders, or to one of its ends."""
    at = [0.0, lead.length]
    done = 0.0
    for leg in lead.legs():
        at += [done + math.dist(leg[0], place) for place in held if _is_on(place, leg)]
        done += math.dist(*leg)
    at.sort()
    return max(b - a for a, b in pairwise(at))


def _check_ways(report: Report, bodies: list[Body], ways: Sequence[Lead]) -> None:
    """Check that no lead goes through another part."""
    half = LEAD / 2
    for body in bodies:
        low, high = body.mesh.bounds
        if body.part == "lead-comb" or low[2] > Z + half or high[2] < Z - half:
            continue
        shape = None
        for lead in ways:
            for (a, b), (c, d) in lead.legs():
                x = (min(a, c) - half, max(a, c) + half)
                y = (min(b, d) - half, max(b, d) + half)
                if low[0] > x[1] or high[0] < x[0] or low[1] > y[1] or high[1] < y[0]:
                    continue
                shape = shape or solid(body.mesh)
                report.demand(
                    (cube((x, y, (Z - half, Z + half))) ^ shape).is_empty(),
                    f"The lead of {lead.name} goes through {body.name}.",
                )


def _apart(one: Lead, other: Lead) -> float:
    return min(_between(a, b) for a in _but_the_end(one) for b in _but_the_end(other))


def _but_the_end(lead: Lead) -> list[tuple[Point, Point]]:
    """Return the legs of a lead without its last piece at the carrier's plug."""
    *legs, ((x, y), (end_x, end_y)) = lead.legs()
    cut = end_y - math.copysign(AT_PLUG, end_y - y)
    return [*legs, ((x, y), (end_x, cut))]


def _between(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """Return the distance of two legs, each along x or y."""
    gaps = [
        max(min(a, c) - max(e, g), min(e, g) - max(a, c), 0.0)
        for a, c, e, g in zip(*one, *other, strict=True)
    ]
    return math.hypot(*gaps)
