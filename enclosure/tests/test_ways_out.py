"""Tests that parts come out for service, and that they stay in their places otherwise."""

from dataclasses import replace

import numpy as np
import trimesh

from enclosure.checks import overlaps, table
from enclosure.checks.bodies import solid, surface
from enclosure.levels import LEAN, TILE_UNDER


def moved_out(
    parts: tuple[str, ...], without: frozenset[str], x: float, y: float, z: float
) -> list[str]:
    """Return the findings about parts that are moved, on a table without some parts."""
    return overlaps.check(
        [
            body.moved(x, y, z) if body.part in parts else body
            for body in table.bodies()
            if body.part not in without
        ]
    ).findings


def tile_in_its_cell(degrees: float, right: float, hook: float = 0.0) -> list[str]:
    """Return the findings about the tile of E1, whose cell is the narrowest. Its right side is up
    by an angle, and it is moved to the right (mm). The hooks are lower by ``hook`` mm."""
    tile, cells, deck = (
        next(body for body in table.bodies() if body.name == name)
        for name in ("tile 5", "light-cells-narrow 1", "deck")
    )
    (left, near, _), _ = tile.mesh.bounds
    edge = (left, near, TILE_UNDER)
    turned = tile.mesh.copy()
    turn = trimesh.transformations.rotation_matrix(-np.radians(degrees), (0, 1, 0), edge)
    turned.apply_transform(turn)
    turned.apply_translation((right, 0, 0))
    ledge = solid(cells.mesh).trim_by_plane((0, 0, -1), -TILE_UNDER)
    lowered = solid(cells.mesh).trim_by_plane((0, 0, 1), TILE_UNDER).translate((0, 0, -hook))
    cells = replace(cells, mesh=surface(ledge + lowered))
    return overlaps.check([replace(tile, mesh=turned), cells, deck]).findings


def test_a_hook_holds_a_tile_that_comes_out_tilted() -> None:
    held = [body for body in table.bodies() if body.name in ("tile 5", "light-cells-narrow 1")]
    lifted = [body.moved(z=0.5) if body.part == "tile" else body for body in held]
    (said,) = overlaps.check(lifted).findings
    assert said.startswith("light-cells-narrow 1 and tile 5 are ")
    for degrees in (0.0, 1.0, 3.0, 6.0, 10.0, 15.0):
        assert tile_in_its_cell(degrees, 0.5) == [], degrees
    assert tile_in_its_cell(0.0, 0.0, 0.5) != []
    assert tile_in_its_cell(10.0, 0.5, 1.0) != []


DECK = ("deck", "lead-comb", "light-cells-wide", "light-cells-narrow", "tile", "spring-peg")


def test_the_deck_comes_out_through_the_frame_with_all_that_is_on_it() -> None:
    loose = ("overlay", "electrode", "guard", "rim", "card-")
    gone = frozenset(body.part for body in table.bodies() if body.part.startswith(loose))
    for up in (1.0, 5.0, 20.0, 60.0):
        assert moved_out(DECK, gone, 0, 0, up) == [], up
    assert moved_out(DECK, gone, 1, 0, 1)  # the posts' tabs hold it
    assert moved_out(DECK, gone, 30, 0, 25)  # the frame is beside it


COVER = ("cover-right", "control-plate", "encoder", "knob", "button")
SCREEN = ("screen", "leaning-plate")


def test_hood_cover_and_screen_come_off_in_this_order() -> None:
    nothing: frozenset[str] = frozenset()
    for up in (1.0, 20.0, 120.0):
        assert moved_out((*table.HOOD,), nothing, 0, 0, up) == []
    weirs = frozenset({"cover-weir", "cover-drip"})  # one part for both sides: see the left cover
    assert moved_out(COVER, table.HOOD | weirs, 8, 0, 0) == []
    assert moved_out(("cover-right",), nothing, 0, 0, 1)  # the tabs and the hood hold it
    for along in (1.0, 30.0, 110.0):
        y, z = -along * np.sin(LEAN), along * np.cos(LEAN)
        assert moved_out(SCREEN, table.HOOD, 0, float(y), float(z)) == []
    assert moved_out(SCREEN, nothing, 0, -np.sin(LEAN), np.cos(LEAN))
