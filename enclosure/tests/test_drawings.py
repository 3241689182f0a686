"""Tests that the checks find faults in the drawings for the laser: outlines, engraving, nesting."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import ezdxf
from ezdxf.addons.r12writer import r12writer

from enclosure import export
from enclosure.assembly import ALL_PARTS, PARTS
from enclosure.checks import sheets, table
from enclosure.nesting import nest


def test_a_base_that_does_not_fit_the_laser(tmp_path: Path) -> None:
    part = next(part for part in ALL_PARTS if part.name == "base-near")
    export.write_dxf(part.build().scale(1.5), tmp_path / "base-near.dxf")
    (said,) = sheets.check([tmp_path / "base-near.dxf"]).findings
    assert said.startswith("base-near is 930.0 x ")
    assert said.endswith("it fits no bed of 600 x 400 mm or 900 x 600 mm.")


def test_an_outline_that_does_not_close(tmp_path: Path) -> None:
    export.write_dxf(
        next(part for part in PARTS if part.kind == "sheet").build(), tmp_path / "a.dxf"
    )
    drawing = ezdxf.readfile(tmp_path / "a.dxf")
    lines = list(drawing.modelspace().query("LINE"))
    drawing.modelspace().delete_entity(lines[0])
    drawing.saveas(tmp_path / "a.dxf")
    (said,) = sheets.check([tmp_path / "a.dxf"]).findings
    assert said.startswith("a: the outline does not close at x ")


def engraved(file: Path, change) -> list[str]:  # type: ignore[no-untyped-def]
    """Return the check's findings about the overlay, after a change to the overlay's drawing."""
    part = next(part for part in PARTS if part.name == "overlay")
    assert part.engraving
    export.write_dxf(part.build(), file, part.engraving())
    drawing = ezdxf.readfile(file)
    change(drawing.modelspace())
    drawing.saveas(file)
    return sheets.check([file], {"overlay": table.marks()}).findings


def test_marks_3_mm_off_their_cell(tmp_path: Path) -> None:
    def move(space) -> None:  # type: ignore[no-untyped-def]
        for line in space.query("LINE[layer=='ENGRAVE']")[:8]:
            line.translate(3, 0, 0)

    said = engraved(tmp_path / "overlay.dxf", move)
    assert said == ["overlay: the marks of A1 lie 3.0 mm off its middle."]


def test_an_overlay_that_is_not_engraved(tmp_path: Path) -> None:
    def smooth(space) -> None:  # type: ignore[no-untyped-def]
        for line in space.query("*[layer=='ENGRAVE']"):
            space.delete_entity(line)

    said = engraved(tmp_path / "overlay.dxf", smooth)
    assert len(said) == 27
    assert said[-1] == "overlay: nothing is engraved round hourglass."


def test_a_line_under_the_rim_and_a_layer_of_no_meaning(tmp_path: Path) -> None:
    def draw(space) -> None:  # type: ignore[no-untyped-def]
        space.add_line((-297, 290), (-290, 290), dxfattribs={"layer": "PAINT"})
        space.add_line((-195, 283), (-190, 283), dxfattribs={"layer": "ENGRAVE"})

    said = engraved(tmp_path / "overlay.dxf", draw)
    assert "overlay: nobody knows what to do with the layer PAINT." in said
    assert any(each.startswith("overlay: a line is engraved 7.0 mm from the edge") for each in said)


def test_a_sheet_larger_than_the_laser(tmp_path: Path) -> None:
    with r12writer(tmp_path / "long.dxf") as drawing:
        corners = [(0, 0), (901, 0), (901, 300), (0, 300), (0, 0)]
        for start, end in pairwise(corners):
            drawing.add_line(start, end, layer="CUT")
    (said,) = sheets.check([tmp_path / "long.dxf"]).findings
    assert said == (
        "long is 901.0 x 300.0 mm: with a margin of 5 mm it fits no bed of 600 x 400 mm or "
        "900 x 600 mm."
    )


def test_a_part_without_a_margin(tmp_path: Path) -> None:
    with r12writer(tmp_path / "wide.dxf") as drawing:
        corners = [(0, 0), (620, 0), (620, 592), (0, 592), (0, 0)]
        for start, end in pairwise(corners):
            drawing.add_line(start, end, layer="CUT")
    (said,) = sheets.check([tmp_path / "wide.dxf"]).findings
    assert said.startswith("wide is 620.0 x 592.0 mm: with a margin of 5 mm it fits no bed of ")


def test_a_part_2_mm_beside_another_and_at_the_sheets_edge() -> None:
    sizes = {"wall": (700.0, 70.0), "base": (620.0, 420.0)}
    good = nest(sizes, {"wall": 2, "base": 1})
    wanted = {"wall": 2, "base": 1}
    assert sheets.check_nesting(good, wanted).findings == []
    first = next(each for each in good if each.name == "base")
    left, near, right, far = first.box
    moved = replace(first, box=(left - 2, near - 2, right - 2, far - 2))
    found = sheets.check_nesting([moved if each is first else each for each in good], wanted)
    assert any(said.startswith("base is 3.0 mm from the edge of ") for said in found.findings)
    assert any(" are 2.0 mm apart on sheet 1; 4 are asked." in said for said in found.findings)
    assert sheets.check_nesting(good[1:], wanted).findings == [
        "Some pieces are on no sheet, or on two."
    ]
