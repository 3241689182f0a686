"""Checks the glued joints: each tab is there, has a slot with its play, and all glued parts hold
together."""

from collections.abc import Sequence
from typing import Final

import manifold3d

from enclosure.checks.bodies import Body, Kind, solid
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.joints import GLUED, TABS, Span, Tab

SCREWED: Final = frozenset({"deck", "overlay", "foot-disc", "leaning-plate", "nut-cap", "prop-cap"})
"""Sheets that no tab holds: screws and the rim hold deck and overlay, glue alone holds the discs
under the base and the caps of nuts, and the plate of the screen slides into notches."""
FIRST: Final = ("base-near", "hood-back", "cover-left", "cover-right", "cover-plain", "rim-short")
"""A part of each thing that is glued together: the box, the hood, each cover and the rim."""
FILLED: Final = 0.95
"""Minimum share of a tab's box that its part must fill, and of a slot's edge that must be there."""
EDGE: Final = 0.3
"""Thickness in mm of the layer beside a slot in which the slot's edge is looked for."""
LEAST_TABS: Final = 2
"""Minimum number of tabs of a glued part; a single tab turns."""

Box = tuple[Span, Span, Span]


def check(bodies: list[Body], tabs: Sequence[Tab] = TABS) -> Report:
    """Return the report on the tabs and on all sheets of plywood."""
    report = Report("Glued joints")
    pieces: dict[str, list[manifold3d.Manifold]] = {}
    for body in bodies:
        if body.kind is Kind.SHEET:
            pieces.setdefault(body.part, []).append(solid(body.mesh))
    sheets = {
        name: manifold3d.Manifold.batch_boolean(each, manifold3d.OpType.Add)
        for name, each in pieces.items()
    }
    joined: dict[str, set[str]] = {}
    gaps: list[float] = []
    for tab in tabs:
        if wrong := _fault(tab, sheets):
            report.findings.append(wrong)
            continue
        gaps.append(cube(_inner(tab)).min_gap(sheets[tab.into], 5.0))
        if tab.glued:
            joined.setdefault(tab.of, set()).add(tab.into)
            joined.setdefault(tab.into, set()).add(tab.of)
    pairs = [pair for pair in GLUED if sheets.keys() & {*pair}]
    for one, other in pairs:
        area, least = _touching(pieces.get(one, []), sheets.get(other)), GLUED[one, other]
        report.figures.append(f"{one} and {other} are glued at {area:.0f} cm²")
        report.demand(
            area >= least, f"{one} and {other} touch at {area:.1f} cm²; {least:g} are asked."
        )
        if area >= least:
            joined.setdefault(one, set()).add(other)
            joined.setdefault(other, set()).add(one)
    strapped = {name for pair in pairs for name in pair}
    for name in sorted(sheets.keys() - SCREWED - strapped):
        of = sum(tab.glued and name in (tab.of, tab.into) for tab in tabs)
        report.demand(
            of >= LEAST_TABS,
            f"{name} has {of} tabs and slots; {LEAST_TABS} are the least that hold it.",
        )
    found = {name for first in FIRST if first in sheets for name in _reached(joined, first)}
    lost = sorted(sheets.keys() - SCREWED - found)
    report.findings += [f"{name} is not joined to base, hood, cover or rim." for name in lost]
    if gaps:
        report.figures.insert(
            0,
            f"{len(gaps)} tabs, each in its slot, nowhere nearer than {min(gaps):.2f} mm: "
            f"{MM['tab_play']} mm at the ends, {MM['ply_play']} mm at the faces",
        )
    return report


def cube(box: Box) -> manifold3d.Manifold:
    """Return a box as a solid."""
    low, high = zip(*box, strict=True)
    size = tuple(b - a for a, b in zip(low, high, strict=True))
    return manifold3d.Manifold.cube(size).translate(low)


def _fault(tab: Tab, sheets: dict[str, manifold3d.Manifold]) -> str | None:
    """Return a sentence if the tab is missing, or has no slot that fits; None if all is well."""
    where = "x {:.0f}, y {:.0f}, z {:.0f}".format(*(sum(span) / 2 for span in tab.box))
    for name in (tab.of, tab.into):
        if name not in sheets:
            return f"There is no {name} for the tab at {where}."
    box = cube(tab.box)
    if (box ^ sheets[tab.of]).volume() < FILLED * box.volume():
        return f"{tab.of} has no tab at {where}, and {tab.into} has a slot for it."
    into = sheets[tab.into]
    if not (cube(tab.box) ^ into).is_empty():
        return f"The tab of {tab.of} at {where} has no slot in {tab.into}."
    # A slot at a sheet's edge has one face only, so one of both faces is enough.
    for axis, play, least in ((tab.along, tab.play[0], 2), (tab.thick, tab.play[1], 1)):
        layers = [cube(layer) for layer in _beside(tab.box, axis, play)]
        met = sum((layer ^ into).volume() >= FILLED * layer.volume() for layer in layers)
        if met < least:
            return (
                f"The slot in {tab.into} at {where} is wider than its tab by more than "
                f"{2 * play:g} mm."
            )
    return None


def _inner(tab: Tab) -> Box:
    """Return the middle half of the tab's depth: its ends touch other faces."""
    (low, high), box = tab.box[tab.through], list(tab.box)
    box[tab.through] = (low + (high - low) / 4, high - (high - low) / 4)
    x, y, z = box
    return x, y, z


def _beside(box: Box, axis: int, play: float) -> list[Box]:
    """Return the two layers of a slot's edge beside the tab: at the ends of this axis."""
    found: list[Box] = []
    low, high = box[axis]
    for start, end in (
        (low - play - 0.02 - EDGE, low - play - 0.02),
        (high + play + 0.02, high + play + 0.02 + EDGE),
    ):
        x, y, z = (each if i != axis else (start, end) for i, each in enumerate(box))
        found.append((x, y, z))
    return found


def _touching(pieces: list[manifold3d.Manifold], other: manifold3d.Manifold | None) -> float:
    """Return the area in cm² at which the other part lies on or under each piece: the least of all
    pieces."""
    if not pieces or other is None:
        return 0.0
    deep = 0.2
    return min(
        max(float((each.translate((0, 0, z)) ^ other).volume()) for z in (-deep, deep)) / deep / 100
        for each in pieces
    )


def _reached(joined: dict[str, set[str]], start: str) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        for name in joined.get(todo.pop(), set()) - found:
            found.add(name)
            todo.append(name)
    return found
