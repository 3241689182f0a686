"""Writes the enclosure's files: `python -m enclosure.export`, from the project's root.

STL files of printed parts, DXF files of cut and engraved parts, DXF files of whole sheets of
plywood, and pictures go to enclosure/files, which is committed. STEP files of every part are large,
so they go to build/enclosure/step, which is not committed. The same sources give the same bytes.
"""

import argparse
import datetime
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from build123d import Axis, Edge, GeomType, Pos, Rot, Shape, export_step
from ezdxf.addons.r12writer import R12FastStreamWriter, r12writer

from enclosure import pictures
from enclosure.assembly import ALL_PARTS, PARTS, PLY, THIN, WITHOUT_SCREEN
from enclosure.mesh import mesh
from enclosure.nesting import BEDS, SHEET, Placed, Size, nest
from enclosure.part import Part

FILES = Path(__file__).with_name("files")
STEP = Path("build/enclosure/step")
CUT = "CUT"
ENGRAVE = "ENGRAVE"
"""Name of the DXF layer for engravings; ``CUT`` is the name of the layer for cuts."""
PLYWOOD: Final = {
    "plywood": (PARTS, PLY),
    "plywood-thin": (PARTS, THIN),
    "plain-plywood": (WITHOUT_SCREEN, PLY),
    "plain-plywood-thin": (WITHOUT_SCREEN, THIN),
}
"""For each kind of sheets: the parts of the table, with or without the hidden screen, and the
material."""
EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
"""Fixed date that is written into files, so that files of different days are equal."""


def write_stl(solid: Shape, file: Path) -> None:
    """Write the solid in its printing pose as binary STL, in millimetres."""
    file.write_bytes(mesh(solid).export(file_type="stl"))


def write_dxf(solid: Shape, file: Path, engraving: Iterable[Edge] = ()) -> None:
    """Write the outlines of a sheet at z = 0 as DXF, in millimetres, without allowance for the
    kerf.

    Engravings come first, so that they are made before the cuts loosen the sheet.
    """
    bottom = solid.faces().sort_by(Axis.Z)[0]
    with r12writer(file) as drawing:
        for edge in engraving:
            _draw(drawing, edge, ENGRAVE)
        for edge in bottom.edges():
            _draw(drawing, edge, CUT)


def plywood(kind: str) -> list[Part]:
    """Return the parts that are cut from one kind of plywood for one kind of table."""
    parts, material = PLYWOOD[kind]
    return [part for part in parts if part.material == material]


@cache
def nested(kind: str) -> list[Placed]:
    """Return the place of each piece on the sheets of one kind of plywood."""
    sizes = {}
    for part in plywood(kind):
        box = part.build().bounding_box()
        sizes[part.name] = (round(box.size.X, 3), round(box.size.Y, 3))
    return nest(sizes, {part.name: part.pieces for part in plywood(kind)}, sheet_of(kind))


def sheet_of(kind: str) -> Size:
    """Return the size of a sheet of plywood in mm."""
    return BEDS[0] if PLYWOOD[kind][1] == THIN else SHEET


def write_sheets(folder: Path) -> None:
    """Write a DXF file for each sheet of plywood, with all its parts."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in PLYWOOD:
        built = {part.name: part.build() for part in plywood(kind)}
        for number in sorted({each.sheet for each in nested(kind)}):
            with r12writer(folder / f"{kind}-{number}.dxf") as drawing:
                for each in nested(kind):
                    if each.sheet == number:
                        flat = (Rot(0, 0, 90) if each.turned else Pos()) * built[each.name]
                        low = flat.bounding_box().min
                        moved = Pos(each.box[0] - low.X, each.box[1] - low.Y, 0) * flat
                        for edge in moved.faces().sort_by(Axis.Z)[0].edges():
                            _draw(drawing, edge, CUT)


def _draw(drawing: R12FastStreamWriter, edge: Edge, layer: str) -> None:
    start, middle, end = (tuple(edge.position_at(part))[:2] for part in (0, 0.5, 1))
    if edge.geom_type == GeomType.LINE:
        drawing.add_line(_short(start), _short(end), layer=layer)
        return
    if edge.geom_type != GeomType.CIRCLE:
        raise ValueError(f"A sheet has an edge that is no line and no arc: {edge.geom_type}.")
    centre = _short(tuple(edge.arc_center)[:2])
    radius = round(edge.radius, 4)
    if edge.is_closed:
        drawing.add_circle(centre, radius, layer=layer)
        return
    first, halfway, last = (
        math.degrees(math.atan2(y - centre[1], x - centre[0])) % 360
        for x, y in (start, middle, end)
    )
    if (halfway - first) % 360 > (last - first) % 360:  # DXF draws arcs counterclockwise only
        first, last = last, first
    drawing.add_arc(centre, radius, round(first, 4), round(last, 4), layer=layer)


def _short(point: tuple[float, ...]) -> tuple[float, float]:
    """Return a point rounded to 0.0001 mm. A negative zero becomes 0."""
    x, y = (round(value, 4) + 0.0 for value in point)
    return x, y


def write(out: Path, step: Path | None = None) -> None:
    """Write STL and DXF files of every part into the folder ``out``. STEP files go into the folder
    ``step``, or into a subfolder of ``out`` if ``step`` is not given."""
    step = step or out / "step"
    for folder in (step, out / "stl", out / "dxf"):
        folder.mkdir(parents=True, exist_ok=True)
    for part in ALL_PARTS:
        solid = part.build()
        solid.label = part.name
        export_step(solid, step / f"{part.name}.step", timestamp=EPOCH)
        if part.kind == "printed":
            write_stl(solid, out / "stl" / f"{part.name}.stl")
        elif part.kind == "sheet":
            engraved = part.engraving() if part.engraving else ()
            write_dxf(solid, out / "dxf" / f"{part.name}.dxf", engraved)
    write_sheets(out / "sheets")


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the enclosure's files.")
    parser.add_argument("--out", type=Path, default=FILES, help="for STL, DXF and pictures")
    parser.add_argument("--step", type=Path, default=STEP, help="for STEP")
    asked = parser.parse_args()
    write(asked.out, asked.step)
    pictures.write(asked.out / "pictures")


if __name__ == "__main__":
    main()
