"""The table that is checked: the parts of enclosure/assembly.py as meshes, each in its places."""

from functools import cache

import numpy as np
import trimesh
from build123d import Location
from numpy.typing import NDArray

from enclosure.assembly import PARTS, WITHOUT_SCREEN
from enclosure.checks.bodies import Body, Kind
from enclosure.checks.eyes import Outline
from enclosure.checks.screen import Screen
from enclosure.dimensions import MM
from enclosure.levels import GLASS, LEAN, MIDDLE, OVERLAY_TOP, SCREEN_MIDDLE
from enclosure.mesh import mesh
from enclosure.part import Part
from hardware.places import centre, chain, wiring

HOOD = frozenset({"hood-back", "hood-front", "hood-wing", "hood-shelf", "roof"})
"""Names of the parts above the table's surface, which hide the screen."""

DRAWN_ALONE = frozenset({"half-litre"})
"""Names of things that only the pictures show, such as a spilled drink."""


@cache
def printing_poses() -> dict[str, trimesh.Trimesh]:
    """Return the mesh of each printed part by the part's name, in the part's pose on the printer's
    bed."""
    return {part.name: mesh(part.build()) for part in PARTS if part.kind == Kind.PRINTED.value}


@cache
def bodies() -> tuple[Body, ...]:
    """Return every piece of every part in its place, of a table with the hidden screen."""
    return _bodies(PARTS)


@cache
def bodies_without_screen() -> tuple[Body, ...]:
    """Return every piece of every part in its place, of a table without a hidden screen."""
    return _bodies(WITHOUT_SCREEN)


def _bodies(parts: tuple[Part, ...]) -> tuple[Body, ...]:
    """Return the pieces of these parts.

    Of the bought parts, only the screen counts as cover: its back hides what is behind it. All
    other bought parts can be taken out by hand.
    """
    placed = []
    for part in parts:
        if part.name in DRAWN_ALONE:
            continue
        shape = mesh(part.build())
        for number, place in enumerate(part.places, 1):
            piece = shape.copy()
            piece.apply_transform(_matrix(place))
            name = part.name if len(part.places) == 1 else f"{part.name} {number}"
            covers = part.kind != Kind.BOUGHT.value or part.name == "screen"
            placed.append(Body(name, part.name, Kind(part.kind), piece, covers))
    return tuple(placed)


def lasting() -> list[Body]:
    """Return the bodies that are always on the table, without loose things such as cards."""
    loose = {part.name for part in PARTS if part.step == 0}
    return [body for body in bodies() if body.part not in loose]


def outline() -> Outline:
    """Return the table's outline from above."""
    low = np.min([body.mesh.bounds[0] for body in bodies()], axis=0)
    high = np.max([body.mesh.bounds[1] for body in bodies()], axis=0)
    return Outline(low[0], high[0], low[1], high[1], OVERLAY_TOP)


def screen() -> Screen:
    """Return the visible surface of the hidden screen."""
    return Screen(
        np.array([0, GLASS, SCREEN_MIDDLE]),
        np.array([MM["visible_across"] / 2, 0, 0]),
        MM["visible_up"] / 2 * np.array([0, -np.sin(LEAN), np.cos(LEAN)]),
    )


def marks() -> dict[str, tuple[float, float]]:
    """Return the middle of each engraved cell and pad, in the coordinates of the overlay's
    drawing."""
    places = {name: centre(name) for name in chain(wiring())}
    return {name: (x, y - MIDDLE) for name, (x, y) in places.items()}


def _matrix(place: Location) -> NDArray[np.float64]:
    moved = place.wrapped.Transformation()
    matrix = np.eye(4)
    matrix[:3] = [[moved.Value(row, column) for column in range(1, 5)] for row in range(1, 4)]
    return matrix
