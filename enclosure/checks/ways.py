"""Checks that each plug has enough space: for a hand, for its wires, and for its way through the
box.

A plug of the carrier is pulled upwards, through deck and light cells, after the tile above it is
removed. The wires of a tile's plug go down through the deck's window, and bend to one side below
it. The supply lead of a Raspberry Pi is pushed through the left wall with its plug. The rim's
screws go through both layers of the rim into the frame.
"""

import math
from dataclasses import dataclass

import manifold3d
import trimesh

from enclosure import plugs
from enclosure.checks.bodies import Body, solid
from enclosure.checks.overlaps import MIN_DEPTH_MM, deepest
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.levels import BASE_TOP, DECK_UNDER, RIM_TOP, SIDE_INSIDE, SIDE_OUTSIDE, TILE_UNDER
from enclosure.places import CARRIER, RIM_SCREW_LONG, RIM_SCREWS, SUPPLY_LEADS

BOARD = 1.6
"""Thickness of the carrier's board, in mm."""


@dataclass(frozen=True)
class Way:
    """The space that a plug or a screw needs on its way. ``without`` are the names of the parts
    that are taken out first."""

    name: str
    box: plugs.Box
    low: float
    high: float
    without: tuple[str, ...] = ()

    def shape(self, around: float) -> manifold3d.Manifold:
        """Return the space as a solid, enlarged by ``around`` mm at each side of the plug."""
        left, right, near, far = self.box
        size = (right - left + 2 * around, far - near + 2 * around, self.high - self.low)
        corner = (left - around, near - around, self.low)
        return manifold3d.Manifold.cube(size).translate(corner)


def of_carrier(place: tuple[float, float] = CARRIER) -> list[Way]:
    """Return the space for each plug of the carrier, from the plug's upper end to the tiles'
    underside."""
    low = BASE_TOP + MM["stand_off"] + BOARD + plugs.MATED
    return [
        Way(f"{plug.ref} of the carrier", plug.at(*place), low, TILE_UNDER, ("tile", "carrier"))
        for plug in plugs.of_carrier()
    ]


def of_tiles(bodies: list[Body]) -> list[Way]:
    """Return the space for each plug of each tile, from the plug's lower end to the bend of its
    wires below the deck."""
    found = []
    for body in bodies:
        if body.part == "tile":
            x, y, _ = body.mesh.bounds.mean(axis=0)
            found += [
                Way(
                    f"{plug.ref} of {body.name}",
                    plug.at(float(x), float(y)),
                    DECK_UNDER - MM["plug_bend"],
                    TILE_UNDER - plugs.MATED - MIN_DEPTH_MM,
                )
                for plug in plugs.of_tile()
            ]
    return found


def of_leads(moved: float = 0) -> list[Way]:
    """Return the space for a flat USB-C plug that goes inwards through each opening in the left
    wall. ``moved`` is the plug's distance in mm from the opening's middle."""
    across, long = MM["usb_plug_across"] / 2, MM["usb_plug_long"]
    low = BASE_TOP + 1
    return [
        Way(
            f"the plug of lead {number}",
            (-SIDE_OUTSIDE - long, -SIDE_INSIDE + long, y + moved - across, y + moved + across),
            low,
            low + MM["usb_plug_up"],
        )
        for number, (_, y) in enumerate(SUPPLY_LEADS, 1)
    ]


def of_rim_screws() -> list[Way]:
    """Return the space for each screw of the rim, from its head to its end in the frame. It is a
    square bar that fits into the round holes."""
    half = MM["screw_hole"] / 2 / math.sqrt(2) - MM["play"] - MIN_DEPTH_MM
    return [
        Way(
            f"the rim's screw at x {x:.0f}, y {y:.0f}",
            (x - half, x + half, y - half, y + half),
            RIM_TOP - RIM_SCREW_LONG,
            RIM_TOP,
        )
        for x, y in RIM_SCREWS
    ]


def check(bodies: list[Body], asked: list[Way] | None = None) -> Report:
    """Return the report. ``asked`` are the spaces that must be free; None means the spaces of all
    plugs and of the rim's screws."""
    report = Report("Ways of the plugs and of the rim's screws")
    around = MM["play"]
    of_plugs = [*of_carrier(), *of_tiles(bodies), *of_leads()]
    ways = [*of_plugs, *of_rim_screws()] if asked is None else asked
    solids = {id(body): solid(body.mesh) for body in bodies}
    for way in ways:
        for body in bodies:
            if body.part in way.without or not _near(way, body.mesh, around):
                continue
            shared = way.shape(around) ^ solids[id(body)]
            report.demand(
                shared.is_empty() or deepest(shared) < MIN_DEPTH_MM,
                f"{way.name} has no way: {body.name} is {deepest(shared):.1f} mm in it.",
            )
    wires, plug = MM["plug_bend"], [MM[f"usb_plug_{way}"] for way in ("across", "up", "long")]
    report.figures.append(
        f"{len(of_plugs)} plugs, {around} mm round each: the carrier's are free up to the tiles' "
        f"underside, the tiles' down through the deck and {wires:.0f} mm more"
    )
    report.figures.append(
        f"a USB-C plug of {plug[0]:g} x {plug[1]:g} x {plug[2]:g} mm goes in at each of "
        f"{len(SUPPLY_LEADS)} openings for leads"
    )
    report.figures.append(f"{len(RIM_SCREWS)} screws of the rim, {RIM_SCREW_LONG:g} mm long")
    return report


def _near(way: Way, mesh: trimesh.Trimesh, around: float) -> bool:
    left, right, near, far = way.box
    low, high = mesh.bounds
    return bool(
        low[0] < right + around
        and high[0] > left - around
        and low[1] < far + around
        and high[1] > near - around
        and low[2] < way.high
        and high[2] > way.low
    )
