"""Draws pictures of the table: whole, cut open, and taken apart for each step of the assembly.

`python -m enclosure.pictures [--out DIR] [NAME…]`, from the project's root, writes PNG files. It
needs no display. On one machine, each run writes the same bytes. On a machine with another version
of the renderer, pixels at edges may differ.
"""

import argparse
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import numpy as np
import pyvista
from build123d import GeomType

from enclosure.assembly import ALL_PARTS, PARTS, WITHOUT_SCREEN
from enclosure.leads import CHIPS, DEPTH, leads
from enclosure.levels import DECK_UNDER, TILE_UNDER
from enclosure.mesh import mesh
from enclosure.part import Part

Vector = tuple[float, float, float]
SIZE: Final = (1200, 900)
FOLDER: Final = Path(__file__).parent / "files" / "pictures"
STEPS: Final = max(part.step for part in PARTS)
COLOURS: Final = (
    *("#d1495b", "#2e86ab", "#e0a030", "#3c9d6b", "#8d5a97", "#d97b3f", "#5b7083"),
    *("#b0326f", "#1f4e79", "#8a7a1f", "#7fb069"),
)
"""Colours for the parts that a step adds, in this order. After the last colour, the first comes
again."""
MATERIALS: Final = {"printed": "#3b3d42", "sheet": "#d8b98a", "bought": "#2f7d4f"}
WHITE: Final = "#f4f2ec"
OTHERS: Final = {
    "screen": "#1d2b3a",
    "half-litre": "#7fb3d5",
    "guard-across": "#c77b3a",
    "guard-down": "#c77b3a",
    "cord": "#c0392b",
    "rim-tape": "#c0392b",
    "foot": "#1c1c1c",
    "control-plate": "#2b2d31",
    "leaning-plate": "#2b2d31",
    "encoder": "#8a8d91",
    "knob": "#8a8d91",
    "button": "#8a8d91",
    "card-small": "#cfe0f0",
    "card-large": "#f3d9c4",
}
APART: Final[dict[str, Vector]] = {
    "base-near": (0, -40, 0),
    "base-far": (0, 40, 0),
    "base-strap": (0, 0, 30),
    "foot-disc": (0, 0, -50),
    "foot": (0, 0, -80),
    "post": (0, 0, 60),
    "side-inner": (0, 0, 60),
    "ledger-near": (0, 0, 90),
    "ledger-inner": (0, 0, 130),
    "ledger-cover": (0, 0, 170),
    "ledger-left": (-60, 0, 90),
    "ledger-right": (60, 0, 90),
    "carrier": (0, 0, 90),
    "stand-off": (0, 0, 40),
    "raspberry-pi": (0, 0, 90),
    "speaker-box": (0, 0, 130),
    "loudspeaker": (0, 0, 60),
    "amplifier": (0, 0, 90),
    "trench-cheek": (60, 0, 130),
    "trench-cheek-left": (-60, 0, 130),
    "trench-back": (0, -40, 130),
    "nut-cap": (0, 0, 200),
    "side-left": (-90, 0, 0),
    "side-right": (90, 0, 0),
    "side-near": (0, -90, 0),
    "side-far": (0, 90, 0),
    "deck": (0, 0, 60),
    "lead-comb": (0, 0, 30),
    "light-cells-wide": (0, 0, 150),
    "light-cells-narrow": (0, 0, 150),
    "spring-peg": (0, 0, 150),
    "tile": (0, 0, 90),
    "frame-corner": (0, 0, 90),
    "frame-long": (0, 0, 90),
    "frame-short": (0, 0, 90),
    "cord": (0, 0, 130),
    "electrode": (0, 0, 90),
    "guard-across": (0, 0, 90),
    "guard-down": (0, 0, 90),
    "overlay": (0, 0, 150),
    "rim-long": (0, 0, 60),
    "rim-short": (0, 0, 60),
    "rim-top-long": (0, 0, 100),
    "rim-top-short": (0, 0, 100),
    "rim-tape": (0, 0, 25),
    "cover-left": (-40, 0, 70),
    "cover-right": (40, 0, 70),
    "cover-weir": (0, 0, 130),
    "cover-drip": (0, 0, 30),
    "control-plate": (40, 0, 160),
    "encoder": (40, 0, 100),
    "knob": (40, 0, 210),
    "button": (40, 0, 230),
    "leaning-plate": (0, 0, 190),
    "screen": (0, 90, 190),
    "hood-back": (0, -70, 120),
    "hood-front": (0, 90, 120),
    "hood-wing": (0, 0, 120),
    "hood-shelf": (0, 0, 60),
    "roof": (0, 0, 220),
}
"""For each part: the offset in mm by which the picture of its step shows it away from its place."""


@dataclass(frozen=True)
class View:
    """A view of the table: the direction from which it is seen, and a zoom factor; 1 shows the
    whole table."""

    direction: Vector
    zoom: float = 1.0
    focus: Vector | None = None


OPERATIVES: Final = View((-0.55, -1.0, 0.9))
SPYMASTERS: Final = View((-0.55, 1.0, 0.8))
BELOW: Final = View((-0.5, -0.9, -0.8))
FAR_BAY: Final = View((-0.8, 0.7, 1.4), 0.9, (20, 40, -30))
"""View from the left of the spymasters, near the far bay."""
STEP_VIEWS: Final = {3: FAR_BAY, 10: SPYMASTERS, 11: SPYMASTERS}
"""Views for the steps that the operatives' view does not show well, by the number of the step."""
GLUED: Final = {"electrode": "overlay"}
"""For each part that is glued to another part and added together with it: the other part's name."""
SMALL: Final = 130.0
"""Largest size in mm of a part that counts as small. In pictures, a line joins a small part to its
place."""
ENGRAVED: Final = 0.5
"""Half of the width in mm of an engraved line in pictures. Thinner lines vanish at some viewing
angles."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Paints the enclosure.")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("names", nargs="*", help="of pictures; all of them without")
    asked = parser.parse_args()
    write(asked.out, asked.names)


def write(out: Path, names: Iterable[str] = ()) -> None:
    """Write the pictures with these names, or all pictures if no name is given."""
    out.mkdir(parents=True, exist_ok=True)
    paint: dict[str, Callable[[pyvista.Plotter], None]] = {
        "table": lambda plotter: _whole(plotter, OPERATIVES),
        "table-spymasters": lambda plotter: _whole(plotter, SPYMASTERS),
        "table-below": lambda plotter: _whole(plotter, BELOW),
        "table-plain": lambda plotter: _whole(plotter, SPYMASTERS, WITHOUT_SCREEN),
        "section": lambda plotter: _cut(plotter, View((-1, 0, 0), 1.22, (0, 20, 30))),
        "section-rim": lambda plotter: _cut(
            plotter, View((-1, -0.1, 0.1), 9, (0, -312, -10)), 40.0
        ),
        "section-screen": lambda plotter: _cut(plotter, View((-1, 0, 0.05), 2.5, (0, 280, 45))),
        "leads": _leads,
        **{f"step-{i:02}": _painter_of(i) for i in range(1, STEPS + 1)},
    }
    for name in names or paint:
        plotter = pyvista.Plotter(off_screen=True, window_size=SIZE, lighting="light kit")
        plotter.set_background("white")
        paint[name](plotter)
        plotter.screenshot(out / f"{name}.png")
        plotter.close()


@cache
def _pieces(name: str) -> pyvista.PolyData:
    """Return one mesh with all pieces of a part in their places."""
    part = next(each for each in ALL_PARTS if each.name == name)
    solid = mesh(part.build())
    corners, faces = [], []
    for i, place in enumerate(part.places):
        moved = _matrix(place) @ np.c_[solid.vertices, np.ones(len(solid.vertices))].T
        corners.append(moved[:3].T)
        faces.append(solid.faces + i * len(solid.vertices))
    found = np.concatenate(faces)
    return pyvista.PolyData(np.concatenate(corners), np.c_[np.full(len(found), 3), found].ravel())


def _matrix(place: object) -> np.ndarray:
    transformation = place.wrapped.Transformation()  # type: ignore[attr-defined]
    rows = [[transformation.Value(r, c) for c in range(1, 5)] for r in range(1, 4)]
    return np.array([*rows, [0.0, 0.0, 0.0, 1.0]])


def _add(
    plotter: pyvista.Plotter, body: pyvista.PolyData, colour: str, opacity: float = 1.0
) -> None:
    plotter.add_mesh(body, color=colour, opacity=opacity, ambient=0.25, diffuse=0.95)
    edges = body.extract_feature_edges(30, manifold_edges=False)
    if edges.n_points:
        plotter.add_mesh(edges, color="#1c1c1c", line_width=1.0, opacity=max(opacity, 0.4))


def _engrave(plotter: pyvista.Plotter, part: Part, apart: Vector = (0, 0, 0)) -> None:
    """Draw the engraved lines of a sheet, on the sheet's upper side."""
    if part.engraving is None:
        return
    (place,) = part.places
    lines = []
    for edge in part.engraving():
        steps = 1 if edge.geom_type == GeomType.LINE else 24
        drawn = [tuple(edge.position_at(at / steps)) for at in range(steps + 1)]
        corners = np.c_[np.array(drawn), np.ones(len(drawn))]
        corners[:, 2] += (part.thickness or 0) + 0.3  # a line in the face itself would flicker
        moved = (_matrix(place) @ corners.T)[:3].T + np.array(apart)
        lines.append(pyvista.lines_from_points(moved).tube(radius=ENGRAVED, n_sides=6))
    plotter.add_mesh(pyvista.merge(lines), color="#1c1c1c")


def _colour(part: Part) -> str:
    if "white" in part.material or "opal" in part.material:
        return WHITE
    return OTHERS.get(part.name, MATERIALS[part.kind])


def _look(plotter: pyvista.Plotter, view: View) -> None:
    plotter.enable_parallel_projection()
    bounds = np.array(plotter.bounds).reshape(3, 2)
    focus = np.array(view.focus) if view.focus else bounds.mean(axis=1)
    direction = np.array(view.direction) / np.linalg.norm(view.direction)
    plotter.camera_position = [focus + 2000 * direction, focus, (0, 0, 1)]
    plotter.camera.parallel_scale = (
        0.42 * float(np.linalg.norm(bounds[:, 1] - bounds[:, 0])) / view.zoom
    )
    plotter.camera.clipping_range = (10, 5000)


def _whole(plotter: pyvista.Plotter, view: View, parts: tuple[Part, ...] = PARTS) -> None:
    for part in parts:
        if part.name != "half-litre":
            _add(plotter, _pieces(part.name), _colour(part))
            _engrave(plotter, part)
    _look(plotter, view)


def _cut(plotter: pyvista.Plotter, view: View, x: float = 0.0) -> None:
    """Draw everything to the right of the plane at ``x``, with the cut faces filled."""
    for part in PARTS:
        whole = _pieces(part.name)
        if whole.bounds[1] <= x:
            continue
        body = whole
        if whole.bounds[0] < x:
            body = whole.clip_closed_surface(normal=(1, 0, 0), origin=(x, 0, 0))
        if body.n_points:
            _add(plotter, body, _colour(part))
    _look(plotter, view)


def _leads(plotter: pyvista.Plotter) -> None:
    """Draw the deck from below, with the combs and the leads of each chip."""
    for name, colour in (("deck", "#efe6d8"), ("lead-comb", "#5b7083"), ("post", "#d9d9d9")):
        _add(plotter, _pieces(name), colour)
    for i, (chip, (plug, _)) in enumerate(CHIPS.items()):
        lines = []
        for lead in leads():
            if lead.chip == chip:
                x, y = lead.way[0]
                ways = [(x, y, DECK_UNDER), *((x, y, TILE_UNDER - DEPTH) for x, y in lead.way)]
                tubes = (pyvista.Line(a, b).tube(radius=0.9) for a, b in pairwise(ways))
                lines += [*tubes]
        plotter.add_mesh(pyvista.merge(lines), color=COLOURS[i])
        plotter.add_text(
            f"{chip}, {plug}", position=(20, SIZE[1] - 50 - 34 * i), font_size=13, color=COLOURS[i]
        )
    _look(plotter, View((-0.15, -0.5, -1), 1.05))


def _painter_of(step: int) -> Callable[[pyvista.Plotter], None]:
    return lambda plotter: _step(plotter, step)


def _step(plotter: pyvista.Plotter, step: int) -> None:
    """Draw an assembly step: earlier parts are grey; the added parts are coloured and moved away
    from their places."""
    coming = [part for part in PARTS if part.step == step]
    for part in PARTS:
        if 0 < part.step < step:
            _add(plotter, _pieces(part.name), "#d9d9d9")
            _engrave(plotter, part)
    for i, part in enumerate(coming):
        colour = COLOURS[i % len(COLOURS)]
        clear = 0.35 if part.name == "overlay" else 1.0
        _add(plotter, _pieces(part.name).translate(APART[part.name]), colour, clear)
        _engrave(plotter, part, APART[part.name])
        _lead(plotter, part, colour)
        plotter.add_text(
            f"{len(part.places)} × {part.name}",
            position=(20, SIZE[1] - 50 - 34 * i),
            font_size=13,
            color=colour,
        )
    _look(plotter, STEP_VIEWS.get(step, OPERATIVES))


def _lead(plotter: pyvista.Plotter, part: Part, colour: str) -> None:
    """Draw a line from each piece of a small part to its place, if the place is straight below or
    above the piece."""
    across, down, up = APART[part.name]
    low, high = mesh(part.build()).bounds
    if across or down or (high - low)[:2].max() > SMALL:
        return
    goal = APART[GLUED[part.name]][2] if part.name in GLUED else 0.0
    foot = [*((low + high) / 2)[:2], low[2] if up > goal else high[2], 1.0]
    lines = []
    for place in part.places:
        end = (_matrix(place) @ foot)[:3]
        line = pyvista.Line(end + np.array([0, 0, goal]), end + np.array([0, 0, up]))
        lines.append(line.tube(radius=ENGRAVED, n_sides=6))
    plotter.add_mesh(pyvista.merge(lines), color=colour)


if __name__ == "__main__":
    main()
