"""Calculates the capacitance from a pad to the conductors around it. The electric field is solved
by the finite volume method.

`boards/kicad.sh python3 -m hardware.field` prints the capacitance, compares it with the formulas of
`electrode_design.py`, and exits with 1 if they differ by more than 2 %. The program takes ten
seconds and needs numpy, which is installed in KiCad's root.

The electrode is at 1 V. Its own tile, which has a hole in its copper, and all electrodes and tiles
beside it are at 0 V, because a chip grounds its other pads while it measures one. Acrylic is above
the electrode. The cells count as an endless lattice, so it is sufficient to solve a quarter of one
cell. Leads, chips and objects on the table are left out.
"""

import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hardware import places
from hardware.boards.tile_board import tile
from hardware.capacity import EPSILON
from hardware.electrode_design import Design

BORDER: Final = 0.5
"""Millimetres between the edge of the electrode's copper and the edge of its board."""
NEAR: Final = 0.02
"""Largest permitted error of a formula, as a share of the capacitance."""
PAD, PADS, TILE, TILES = 1, 2, 3, 4
"""The conductor at a point of the grid: the electrode, another electrode, the electrode's own tile,
another tile."""

_ALL: Final = slice(None)
_ENDS: Final = tuple(
    tuple((*[_ALL] * axis, cut, *[_ALL] * (2 - axis)) for cut in (slice(None, -1), slice(1, None)))
    for axis in range(3)
)
"""For each axis of the grid, two slices: the points where a step begins, and the points where a
step ends."""


@dataclass(frozen=True)
class Cell:
    """Sizes in mm of a cell's copper and its surroundings; a pair is (across, down)."""

    pitch: tuple[float, float]
    electrode: tuple[float, float]
    thick: float
    """Distance in mm from the electrode's upper copper, at the overlay, to its lower copper."""
    tile: tuple[float, float]
    tile_thick: float
    open: tuple[float, float]
    """Width and length in mm of the copper-free middle of the tile; (0, 0) if the tile has copper
    everywhere."""
    depth: float
    """Distance in mm from the overlay to the tile's top."""
    overlay: float
    permittivity: float
    """Relative permittivity of the overlay."""


@dataclass(frozen=True)
class Field:
    """Capacitances of the electrode in pF: to its own tile, to the tiles beside it, and to the
    electrodes beside it."""

    tile: float
    tiles: float
    pads: float


_PARTS: Final = ("tile", "tiles", "pads")


def of_the_table(design: Design) -> Cell:
    """Return the cell of the real table. Its sizes come from dimensions.toml and from the tile's
    drawing."""
    board = tile(places.wiring())
    outlines = (board.pours[0].outline, board.no_pour[0])
    copper, middle = (
        tuple(2 * max(each) for each in zip(*outline, strict=True)) for outline in outlines
    )
    mm = design.mm
    return Cell(
        (mm["pitch_across"], mm["pitch_down"]),
        (mm["electrode_across"] - 2 * BORDER, mm["electrode_down"] - 2 * BORDER),
        mm["electrode_thickness"],
        (copper[0], copper[1]),
        mm["tile_thickness"],
        (middle[0], middle[1]),
        mm["light_depth"],
        mm["overlay_thickness"],
        design.figures["overlay_permittivity"],
    )


def solve(cell: Cell, step: float) -> Field:
    """Return the electrode's capacitances, solved on a grid with steps of about ``step`` mm. Half
    the step halves the error."""
    x, y = (_beside(cell, way, step) for way in (0, 1))
    z = _upwards(cell, step)
    belongs = _belongs(cell, x, y, z)
    charge = _charge(belongs, x, y, z, cell)
    of = {owner: -4 * float(charge[belongs == owner].sum()) for owner in (PADS, TILE, TILES)}
    return Field(of[TILE], of[TILES], of[PADS])


def without_steps(cell: Cell) -> Field:
    """Return the electrode's capacitances, extrapolated from two grids to a step of 0. The error is
    proportional to the step."""
    fine, coarse = solve(cell, 1.0), solve(cell, 2.0)
    return Field(*(2 * getattr(fine, name) - getattr(coarse, name) for name in _PARTS))


def _beside(cell: Cell, way: int, step: float) -> Any:
    """Return the coordinates along one horizontal axis of the grid, from the middle of the cell to
    the middle of the gap beyond the next cell."""
    pitch = cell.pitch[way]
    edges = {each[way] / 2 for each in (cell.electrode, cell.tile, cell.open)}
    end = 1.5 * pitch
    marks = {0.0, end, *edges, *(pitch + sign * edge for edge in edges for sign in (-1, 1))}
    return _grade(sorted(mark for mark in marks if 0 <= mark <= end), step)


def _upwards(cell: Cell, step: float) -> Any:
    """Return the coordinates along the vertical axis of the grid, from well below the tile to well
    above the overlay. The overlay's underside is at 0."""
    marks = [-cell.depth - cell.tile_thick, -cell.depth, -cell.thick, 0.0, cell.overlay]
    below = marks[0] - np.geomspace(step, 30.0, 12)[::-1]
    above = marks[-1] + np.geomspace(step, 40.0, 14)
    return np.concatenate([below, _grade(marks, min(step, 0.7)), above])


def _grade(marks: list[float], step: float) -> Any:
    """Return grid points at all marks, and further points between the marks, about `step` apart."""
    parts = [np.array(marks[:1])]
    for low, high in pairwise(marks):
        count = max(1, round((high - low) / step))
        parts.append(np.linspace(low, high, count + 1)[1:])
    return np.concatenate(parts)


def _belongs(cell: Cell, x: Any, y: Any, z: Any) -> Any:
    """Return the number of the conductor at each point of the grid; 0 where there is no copper."""
    found = np.zeros((len(x), len(y), len(z)), np.int8)
    little = 1e-6
    above = (z >= -cell.thick - little) & (z <= little)
    below = (z >= -cell.depth - cell.tile_thick - little) & (z <= -cell.depth + little)
    for across in (cell.pitch[0], 0.0):
        for down in (cell.pitch[1], 0.0):

            def within(
                size: tuple[float, float], more: float, at: tuple[float, float] = (across, down)
            ) -> Any:
                ways = zip((x, y), at, size, strict=True)
                return np.outer(*(abs(line - mid) <= side / 2 + more for line, mid, side in ways))

            own = across == down == 0
            pad = within(cell.electrode, little)
            ground = within(cell.tile, little) & ~within(cell.open, -little)
            found[pad[:, :, None] & above] = PAD if own else PADS
            found[ground[:, :, None] & below] = TILE if own else TILES
    return found


def _charge(belongs: Any, x: Any, y: Any, z: Any, cell: Cell) -> Any:
    """Return the charge in pC at each point of the grid, with 1 V on the electrode, calculated by
    the conjugate gradient method."""
    steps = [np.diff(line) for line in (x, y, z)]
    middles = (z[1:] + z[:-1]) / 2
    seen = np.where((middles > 0) & (middles < cell.overlay), cell.permittivity, 1.0)
    wide, long, high = (_halves(each) for each in (steps[0], steps[1], steps[2] * seen))
    ways = (
        long[None, :, None] * high / steps[0][:, None, None],
        wide[:, None, None] * high / steps[1][None, :, None],
        wide[:, None, None] * long[None, :, None] * (seen / steps[2]),
    )

    def flux(volts: Any) -> Any:
        out = np.zeros_like(volts)
        for axis, way in enumerate(ways):
            flow = np.diff(volts, axis=axis) * way
            out[_ENDS[axis][0]] -= flow
            out[_ENDS[axis][1]] += flow
        return out

    own = np.zeros(belongs.shape)
    for axis, way in enumerate(ways):
        own[_ENDS[axis][0]] += way
        own[_ENDS[axis][1]] += way
    held = belongs > 0
    volts = (belongs == PAD).astype(float)
    rest = -flux(volts)
    rest[held] = 0
    start = float((rest * rest).sum())
    scaled = rest / own
    towards = scaled.copy()
    product = float((rest * scaled).sum())
    while float((rest * rest).sum()) > 1e-12 * start:
        flow = flux(towards)
        flow[held] = 0
        share = product / float((towards * flow).sum())
        volts += share * towards
        rest -= share * flow
        scaled = rest / own
        before, product = product, float((rest * scaled).sum())
        towards = scaled + product / before * towards
    return EPSILON * flux(volts)


def _halves(steps: Any) -> Any:
    """Return, for each point of an axis, half of the step before the point plus half of the step
    after it."""
    found = np.zeros(len(steps) + 1)
    found[:-1] += steps / 2
    found[1:] += steps / 2
    return found


def endless_plates() -> tuple[float, float]:
    """Return two results for the capacitance in pF of two plates without edges: the result of this
    module's solver, and the result of the textbook formula."""
    size = (300.0, 240.0)
    cell = Cell((100.0, 80.0), size, 0.8, size, 1.6, (0.0, 0.0), 12.0, 3.0, 2.8)
    return solve(cell, 2.0).tile, EPSILON * size[0] * size[1] / (12.0 - 0.8)


def main() -> int:
    plates, book = endless_plates()
    print(f"Two plates without edges: {plates:.2f} pF solved, {book:.2f} pF by the book.")
    design = Design()
    field = without_steps(of_the_table(design))
    pairs = (
        ("to the tiles' ground", field.tile + field.tiles, design.plate),
        ("to its neighbours", field.pads, design.neighbours),
    )
    print(f"A pad: {field.tile:.2f} pF to its own tile, {field.tiles:.2f} pF to those beside.")
    wrong = abs(plates / book - 1) > NEAR
    for what, solution, reckoned in pairs:
        print(f"A pad {what}: {solution:.2f} pF solved, {reckoned:.2f} pF by the formula.")
        if abs(reckoned / solution - 1) > NEAR:
            print(f"{what}: change its share in electrodes.toml.", file=sys.stderr)
            wrong = True
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
