"""Tests that the checks find each planted fault, and name its part and its measured value in a
sentence.

A fault is planted into the real table, as the checks load it; nothing else is changed.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from enclosure import dimensions
from enclosure.assembly import PARTS
from enclosure.checks import (
    cards,
    clearances,
    evening,
    exports,
    held,
    hidden_screen,
    joints,
    leads,
    light,
    meshes,
    overlaps,
    pitch,
    slicing,
    spill,
    table,
    walls,
    ways,
)
from enclosure.checks.bodies import Body, all_together, below, solid, surface
from enclosure.dimensions import MM
from enclosure.joints import PLAIN_TABS, TABS
from enclosure.leads import leads as ways_of_leads
from enclosure.levels import COVER_UNDER, DECK_TOP, HOOD_UNDER, LEAN, WING_OUTSIDE
from enclosure.mesh import mesh
from enclosure.places import CARRIER
from enclosure.tests.planted import but, plain_but
from hardware.places import centre, chain, wiring

PLACES = {name: centre(name) for name in chain(wiring())}
BED = (220.0, 220.0, 250.0)


def hood_short_of(less: float) -> list[str]:
    """Return the findings about a hood whose top is cut off."""
    top = max(body.mesh.bounds[1][2] for body in table.bodies() if body.part in table.HOOD)
    bodies = but("hood", lambda body: replace(body, mesh=below(body.mesh, top - less)))
    return hidden_screen.check(bodies, table.HOOD, table.screen(), table.outline()).findings


def test_a_hood_that_is_10_mm_short() -> None:
    (said,) = hood_short_of(10)
    assert "hood does not hide the screen: an onlooker behind the spymasters" in said
    assert "% of it" in said


def picture_of(bodies: list[Body], folder: Path) -> Path:
    """Return an empty picture that says that it shows these bodies."""
    text = PngInfo()
    text.add_text("Box", evening.digest(bodies))
    Image.new("RGB", (1, 1)).save(folder / "evening.png", pnginfo=text)
    return folder / "evening.png"


def test_a_picture_of_an_evening_with_an_earlier_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = list(table.bodies())
    picture = picture_of(bodies, tmp_path)
    assert not evening.check(bodies, table.screen(), picture).findings
    inside = but("carrier", lambda body: body.moved(x=1))
    assert not evening.check(inside, table.screen(), picture).findings
    (said,) = evening.check(
        but("roof", lambda body: body.moved(z=1)), table.screen(), picture
    ).findings
    assert said == "evening.png shows an earlier box or view: run `make -C enclosure evening`."
    monkeypatch.setattr(evening, "CAMERA", (0.0, -1340.0, 810.0))
    assert evening.check(bodies, table.screen(), picture).findings == [said]


def test_a_picture_of_an_evening_that_shows_the_hidden_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = list(table.bodies())
    monkeypatch.setattr(evening, "CAMERA", (0.0, 450.0, 500.0))
    (said,) = evening.check(bodies, table.screen(), picture_of(bodies, tmp_path)).findings
    assert said == "evening.png shows 100% of the hidden screen."


def test_a_roof_that_is_10_mm_short() -> None:
    def cut(body: Body) -> Body:
        end = float(body.mesh.bounds[1][1]) - 10
        kept = solid(body.mesh).trim_by_plane((0, -1, 0), -end)
        return replace(body, mesh=surface(kept))

    said = hidden_screen.check(but("roof", cut), table.HOOD, table.screen(), table.outline())
    assert any("hood does not hide the screen: an operative" in each for each in said.findings)


def test_wings_that_stand_10_mm_further_in() -> None:
    def narrower(body: Body) -> Body:
        mesh = body.mesh.copy()
        mesh.apply_scale([1 - 10 / WING_OUTSIDE, 1, 1])
        return replace(body, mesh=mesh)

    bodies = but("hood", narrower)
    said = hidden_screen.check(bodies, table.HOOD, table.screen(), table.outline()).findings
    assert any(
        each.startswith("Eyes 340 mm above the surface see all of the screen with noses up to ")
        for each in said
    )


def test_a_roof_that_stands_6_mm_too_far_forward() -> None:
    bodies = but("roof", lambda body: body.moved(y=6))
    said = hidden_screen.check(bodies, table.HOOD, table.screen(), table.outline()).findings
    assert any(
        each.startswith("Eyes 340 mm above the surface have a strip of 23 mm ")
        and "take 30" in each
        for each in said
    )


def test_a_screen_that_leans_10_degrees_less_is_hardly_legible() -> None:
    lean = LEAN - np.radians(10)
    up = MM["visible_up"] / 2 * np.array([0, -np.sin(lean), np.cos(lean)])
    upright = replace(table.screen(), up=up)
    bodies = [body for body in table.bodies() if body.part != "screen"]
    said = hidden_screen.check(bodies, table.HOOD, upright, table.outline()).findings
    assert any(
        each.startswith("The screen is hardly legible: what is 1 mm high looks like 0.4")
        and "to eyes 340 mm above the surface that sway by 15 mm" in each
        for each in said
    )


def test_a_hood_that_is_20_mm_too_high_is_noticed_too() -> None:
    def raised(body: Body) -> Body:
        corners = body.mesh.vertices.copy()
        corners[corners[:, 2] > 20, 2] += 20
        return replace(body, mesh=trimesh.Trimesh(corners, body.mesh.faces, process=False))

    said = hidden_screen.check(but("hood", raised), table.HOOD, table.screen(), table.outline())
    assert any("higher than it need be: nobody would notice" in each for each in said.findings)
    assert any(
        each.startswith("Eyes 500 mm above the surface have a strip of ") for each in said.findings
    )


def test_a_wall_0_5_mm_thin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dimensions.MM, "wall", 0.5)
    part = next(part for part in PARTS if part.name == "light-cells-wide")
    (said,) = walls.check({part.name: mesh(part.build())}).findings
    assert said.startswith("light-cells-wide: a wall is 0.50 mm thin at x ")


def test_an_electrode_off_its_pitch() -> None:
    chosen = {"electrode 3", "electrode 14", "electrode 27"}
    off = [body.moved(x=3) if body.name in chosen else body for body in table.bodies()]
    moved = [a.name for a, b in zip(off, table.bodies(), strict=True) if a is not b]
    found = pitch.check(off, PLACES).findings
    assert len(found) == len(moved) == len(chosen)
    for name, said in zip(moved, found, strict=True):
        assert said.startswith(f"{name}, the nearest to ")
        assert said.endswith("lies 3.0 mm off its middle.")


@pytest.mark.parametrize("part", ["electrode", "spring-peg"])
def test_a_part_of_a_cell_that_is_not_there(part: str) -> None:
    first = next(body for body in table.bodies() if body.part == part)
    said = pitch.check([body for body in table.bodies() if body is not first], PLACES).findings
    assert f"26 of {part} for 27 places." in said


def test_a_part_that_does_not_fit_the_bed() -> None:
    large = table.printing_poses()["frame-corner"].copy()
    large.apply_scale([1.1, 1, 1])
    report = slicing.check({"frame-corner": large}, {"frame-corner": 1}, BED)
    (said,) = report.findings
    assert said.startswith("frame-corner (231 x ")
    assert "is not sliced" in said


def test_a_part_that_takes_supports() -> None:
    table_on_one_leg = trimesh.util.concatenate(
        [
            trimesh.creation.box(
                (10, 10, 30), trimesh.transformations.translation_matrix((0, 0, 15))
            ),
            trimesh.creation.box(
                (80, 80, 4), trimesh.transformations.translation_matrix((0, 0, 32))
            ),
        ]
    )
    report = slicing.check({"leg": table_on_one_leg}, {"leg": 1}, BED)
    (said,) = report.findings
    assert said.startswith("leg (80 x 80 x 34 mm) takes ")


def test_two_parts_1_mm_into_each_other() -> None:
    found = overlaps.check(but("overlay", lambda body: body.moved(z=-1))).findings
    assert any(
        said.startswith("light-cells-wide 1 and overlay are 1.00 mm into each other")
        for said in found
    )


TAB = next(tab for tab in TABS if tab.of == "side-left" and tab.into == "base-near")


def test_a_tab_that_has_no_slot() -> None:
    def closed(body: Body) -> Body:
        return replace(body, mesh=surface(solid(body.mesh) + joints.cube(TAB.box)))

    (said,) = joints.check(but("base-near", closed)).findings
    assert said == "The tab of side-left at x -307, y -290, z -79 has no slot in base-near."


def test_a_slot_that_no_tab_goes_into() -> None:
    def smooth(body: Body) -> Body:
        return replace(body, mesh=surface(solid(body.mesh) - joints.cube(TAB.grown(1, 1, 0))))

    found = joints.check(but("side-left", smooth)).findings
    assert found == [
        "side-left has no tab at x -307, y -290, z -79, and base-near has a slot for it."
    ]


def test_a_slot_1_mm_too_wide() -> None:
    def wider(body: Body) -> Body:
        return replace(body, mesh=surface(solid(body.mesh) - joints.cube(TAB.grown(0.6, 0.1, 1))))

    found = joints.check(but("base-near", wider)).findings
    assert found == [
        "The slot in base-near at x -307, y -290, z -79 is wider than its tab by more than 0.1 mm."
    ]


def test_a_deck_whose_slot_is_closed_or_1_mm_too_wide() -> None:
    tab = next(tab for tab in TABS if tab.into == "deck")

    def closed(body: Body) -> Body:
        return replace(body, mesh=surface(solid(body.mesh) + joints.cube(tab.box)))

    def wider(body: Body) -> Body:
        return replace(body, mesh=surface(solid(body.mesh) - joints.cube(tab.grown(1, 1.2, 1))))

    where = "x -230, y 192, z -29"
    assert joints.check(but("deck", closed)).findings == [
        f"The tab of post at {where} has no slot in deck."
    ]
    assert joints.check(but("deck", wider)).findings == [
        f"The slot in deck at {where} is wider than its tab by more than 1.1 mm."
    ]


def test_a_post_that_is_missing() -> None:
    bodies = [body for body in table.bodies() if body.name != "post 6"]
    assert [said.split(" at ")[0] for said in joints.check(bodies).findings] == [
        "post has no tab",
        "post has no tab",
    ]


def test_an_inner_wall_without_joints() -> None:
    kept = [tab for tab in TABS if "side-inner" not in (tab.of, tab.into)]
    assert joints.check(list(table.bodies()), kept).findings == [
        "ledger-cover has 0 tabs and slots; 2 are the least that hold it.",
        "ledger-inner has 0 tabs and slots; 2 are the least that hold it.",
        "side-inner has 0 tabs and slots; 2 are the least that hold it.",
        "ledger-cover is not joined to base, hood, cover or rim.",
        "ledger-inner is not joined to base, hood, cover or rim.",
        "side-inner is not joined to base, hood, cover or rim.",
    ]


def test_a_hood_without_slots_for_its_front() -> None:
    def unslotted(body: Body) -> Body:
        return replace(body, mesh=body.mesh.bounding_box.to_mesh())

    found = joints.check(but("hood-front", unslotted)).findings
    assert len(found) == 7
    assert found[0].startswith("The tab of hood-wing at x ")
    assert found[0].endswith(" has no slot in hood-front.")
    assert found[-1] == "hood-front is not joined to base, hood, cover or rim."


def test_a_weir_1_mm_above_its_cover() -> None:
    found = joints.check(but("cover-weir", lambda body: body.moved(z=1))).findings
    assert found[0] == "cover-left and cover-weir touch at 0.0 cm²; 20 are asked."


def test_a_loudspeakers_box_that_floats_3_mm_above_the_base() -> None:
    floating = [body.moved(z=3) if body.part == "speaker-box" else body for body in table.lasting()]
    assert held.check(floating).findings == ["speaker-box touches nothing that stands on the base."]


def test_a_strap_that_lies_beside_the_seam() -> None:
    found = joints.check(but("base-strap", lambda body: body.moved(y=-30))).findings
    assert found[0] == "base-far and base-strap touch at 0.0 cm²; 100 are asked."


def test_a_strap_that_lies_beside_the_seam_of_the_plain_cover() -> None:
    bodies = plain_but("cover-plain-strap", x=70)
    found = joints.check(bodies, PLAIN_TABS).findings
    assert found[0] == "cover-plain and cover-plain-strap touch at 0.0 cm²; 50 are asked."


def test_a_rim_whose_layers_are_not_lapped() -> None:
    def cut(body: Body) -> Body:
        kept = solid(body.mesh)
        for side in (-1, 1):
            kept = kept.trim_by_plane((side, 0, 0), -294)
        return replace(body, mesh=surface(kept))

    found = joints.check(but("rim-top-long", cut)).findings
    assert found[0] == "rim-top-long and rim-short touch at 0.0 cm²; 3.5 are asked."
    assert found[-1] == "rim-top-long is not joined to base, hood, cover or rim."


def test_a_rim_that_floats_1_mm_above_frame_and_tape() -> None:
    floating = [
        body.moved(z=1) if body.part.startswith(("rim-long", "rim-short", "rim-top")) else body
        for body in table.bodies_without_screen()  # the hood's back is 0.5 mm beside the rim
    ]
    found = held.check(floating).findings
    assert len(found) == 10
    assert found[0] == "rim-long 1 touches nothing that stands on the base."


def test_a_gap_of_half_a_millimetre_in_one_layer_of_the_rim() -> None:
    for name, move, layer in (
        ("rim-top-short 2", {"y": 0.5}, "upper"),
        ("rim-short 2", {"x": 0.5}, "lower"),
    ):
        bodies = [body.moved(**move) if body.name == name else body for body in table.bodies()]
        assert spill.check_ring(bodies).findings == [
            f"The rim's {layer} layer has a gap or lacks a hole."
        ]


def test_a_frame_that_is_0_4_mm_too_low_for_the_rim() -> None:
    for part, area in (("frame-", 0), ("frame-short 1", 310)):
        low = [
            body.moved(z=-0.4) if body.name.startswith(part) else body for body in table.bodies()
        ]
        found = spill.check_ring(low).findings
        assert found == [f"The rim lies on the frame at {area} cm²; 330 are asked."]


def test_a_cover_without_its_ledger() -> None:
    for bodies, covers in (
        (table.bodies(), {"cover-left": 205, "cover-right": 205}),
        (table.bodies_without_screen(), {"cover-plain": 608}),
    ):
        found = held.check_covers([body for body in bodies if body.part != "ledger-cover"]).findings
        assert found == [
            f"{cover} lies on nothing along {free} mm of its near edge; 60 are the most."
            for cover, free in covers.items()
        ]


def test_a_ledger_that_is_4_mm_too_narrow_for_its_cover() -> None:
    for bodies in (
        but("ledger-cover", lambda body: body.moved(y=-4)),  # at the cover's edge
        but("ledger-cover", lambda body: body.moved(y=15)),  # far from it
    ):
        found = held.check_covers(bodies).findings
        assert [said.split()[0] for said in found] == ["cover-left", "cover-right"]
    assert held.check_covers([]).findings == ["There is no cover."]


def test_a_wall_that_ends_1_mm_below_its_cover() -> None:
    found = held.check_covers(plain_but("side-right", z=-1)).findings
    assert found == ["cover-plain lies on nothing along 129 mm of its right edge; 60 are the most."]


def test_a_lead_without_a_holder() -> None:
    found = leads.check([body for body in table.bodies() if body.part != "lead-comb"]).findings
    assert len(found) == 31
    assert found[0] == "The lead of A1 has no holder on its way."


def test_a_comb_that_is_1_mm_too_far_down_or_to_one_side() -> None:
    lost = ["left"]  # the only comb between the left guard and the middle of the table
    for move in ({"z": -1.0}, {"y": 1.0}):
        bodies = [
            body.moved(**move) if body.name == "lead-comb 1" else body for body in table.bodies()
        ]
        found = leads.check(bodies).findings
        assert [said.split()[3] for said in found] == lost, found


def test_leads_of_two_chips_in_one_bundle() -> None:
    strayed = [
        replace(lead, way=tuple((x, y + 70) for x, y in lead.way)) if lead.name == "A3" else lead
        for lead in ways_of_leads()
    ]
    found = leads.check(list(table.bodies()), strayed).findings
    assert any(", of two chips, are " in said and "A3" in said for said in found), found


def test_a_lead_through_a_post() -> None:
    through = [
        replace(lead, way=tuple((x, y + 80) for x, y in lead.way)) if lead.name == "E3" else lead
        for lead in ways_of_leads()
    ]
    found = leads.check(list(table.bodies()), through).findings
    assert any(said.startswith("The lead of E3 goes through post ") for said in found), found


def test_a_carrier_that_is_8_mm_too_high() -> None:
    raised = [body.moved(z=8) if body.part == "carrier" else body for body in table.bodies()]
    (said,) = clearances.check(raised).findings
    assert said == "carrier and deck are 2.00 mm apart; 5 mm are asked: plugs on the carrier."


def test_a_carrier_that_stands_10_mm_beside_its_place() -> None:
    x, y = CARRIER
    asked = ways.of_carrier((x + 10, y))
    found = ways.check(list(table.bodies()), asked).findings
    assert "J9 of the carrier has no way: deck is 6.0 mm in it." in found
    assert any(said.startswith("J9 of the carrier has no way: light-cells-wide") for said in found)


def test_an_opening_3_mm_beside_its_plug() -> None:
    found = ways.check(list(table.bodies()), ways.of_leads(3)).findings
    assert found == [
        f"the plug of lead {number} has no way: side-left is 1.3 mm in it." for number in (1, 2)
    ]


@pytest.mark.parametrize(
    ("up", "into"), [(-0.1, "tile"), (3.3, "electrode")], ids=["too deep", "too high"]
)
def test_a_peg_that_does_not_fit_below_its_electrode(up: float, into: str) -> None:
    found = overlaps.check(but("spring-peg", lambda body: body.moved(z=up))).findings
    assert [said for said in found if said.startswith("spring-peg") and into in said]


def test_a_peg_that_is_thicker_than_the_inside_of_its_spring() -> None:
    def thick(body: Body) -> Body:
        middle = body.mesh.bounds.mean(axis=0)
        stretch = trimesh.transformations.scale_matrix(1.2, middle, [1, 0, 0])
        return replace(body, mesh=body.mesh.copy().apply_transform(stretch))

    found = overlaps.check(but("spring-peg", thick)).findings
    assert any(said.startswith("spring-peg 1 and tile 1 are") for said in found)


def test_a_deck_that_lies_25_mm_beside_its_place() -> None:
    found = ways.check(but("deck", lambda body: body.moved(x=25))).findings
    assert "J1 of tile 1 has no way: deck is 6.0 mm in it." in found


def test_a_part_that_is_measured_and_not_there() -> None:
    said = clearances.check([body for body in table.bodies() if body.part != "knob"]).findings
    assert said[0] == "There is no knob or no hood to measure between."


def test_files_that_are_other_bytes(tmp_path: Path) -> None:
    first, second, committed = (tmp_path / name for name in ("first", "second", "committed"))
    for folder in (first, second, committed):
        (folder / "stl").mkdir(parents=True)
        for name in ("same", "dated", "stale"):
            (folder / "stl" / f"{name}.stl").write_text(name)
    (second / "stl" / "dated.stl").write_text("another second")
    (committed / "stl" / "stale.stl").write_text("as it was")
    (committed / "stl" / "gone.stl").write_text("of no part")
    (committed / "pictures").mkdir()
    (committed / "pictures" / "evening.png").write_text("rendered by another target")
    assert exports.check(first, second, committed).findings == [
        "stl/dated.stl is other bytes each time it is exported.",
        "stl/gone.stl is committed, and no part's: run `make -C enclosure`.",
        "stl/stale.stl is committed otherwise: run `make -C enclosure`.",
    ]


def test_a_picture_that_shows_something_else(tmp_path: Path) -> None:
    first, second, committed = (tmp_path / name for name in ("first", "second", "committed"))
    for folder, grey in ((first, 100), (second, 100), (committed, 110)):
        folder.mkdir()
        Image.new("RGB", (4, 4), (grey, grey, grey)).save(folder / "a.png")
    (said,) = exports.check(first, second, committed).findings
    assert said.startswith("a.png is committed with other colours, 10.0 of 255 off")


def test_a_profile_for_another_bed() -> None:
    report = slicing.check({}, {}, (200, 200, 250))
    assert report.findings == ["printer.ini: the bed is not 200 x 200 x 250 mm of our lengths."]


def printed_height(up: float, layer: float, first: float) -> float:
    """Return the height in mm that comes out of the slicer, which cuts in each layer's middle."""
    return first + max(0, round((up - first) / layer)) * layer


def test_a_tile_is_as_far_from_the_overlay_as_drawn_though_layers_are_thick() -> None:
    profile = slicing.settings()
    layer, first = (float(profile[f"{name}layer_height"]) for name in ("", "first_"))

    def off(up: float, first: float = first) -> float:
        return abs(printed_height(up, layer, first) - up)

    assert off(MM["cell_depth"]) < 0.01
    assert off(MM["stand_off"]) < 0.01
    assert off(-DECK_TOP) <= 0.11  # the walls under the overlay
    assert off(MM["cell_depth"], 0.2) > 0.09  # with a thin first layer


def test_a_mesh_with_a_hole() -> None:
    def holed(body: Body) -> Body:
        return replace(body, mesh=trimesh.Trimesh(body.mesh.vertices, body.mesh.faces[1:]))

    assert (
        meshes.check(but("hood-back", holed))
        .findings[0]
        .startswith("hood-back: the mesh has a hole")
    )


def test_light_cells_3_mm_too_low() -> None:
    def low(body: Body) -> Body:
        return replace(body, mesh=below(body.mesh, -3.0))

    (said,) = light.check(but("light-cells", low)).findings
    assert said.startswith("light-cells: ")
    assert "leaves through one neighbour's top" in said


def test_a_rim_3_mm_too_low() -> None:
    top = max(body.mesh.bounds[1][2] for body in table.bodies() if body.part.startswith("rim"))

    def low(body: Body) -> Body:
        return replace(body, mesh=below(body.mesh, top - 3))

    (said,) = spill.check(
        all_together(
            [low(body) if body.part.startswith("rim") else body for body in table.lasting()]
        ),
        table.outline(),
    ).findings
    assert said.startswith("The rim holds 0.")


def test_cells_too_narrow_for_the_larger_card() -> None:
    (said,) = cards.check((90, 80), (76, 52)).findings
    assert said.startswith("a card of 88 x 63 mm leaves 2 mm across and 17 mm down")


def test_nothing_is_planted_here() -> None:
    """The checks find nothing in the unchanged table."""
    bodies = list(table.bodies())
    assert hood_short_of(0) == []
    assert pitch.check(bodies, PLACES).findings == []
    assert overlaps.check(bodies).findings == []
    assert joints.check(bodies).findings == []
    plain = list(table.bodies_without_screen())
    assert overlaps.check(plain).findings == []
    assert joints.check(plain, PLAIN_TABS).findings == []
    assert held.check(plain).findings == []
    assert held.check(table.lasting()).findings == []
    for each, edge in ((bodies, HOOD_UNDER), (plain, COVER_UNDER)):
        assert held.check_covers(each).findings == []
        assert held.check_nuts(each, edge).findings == []
    assert leads.check(bodies).findings == []
    assert light.check(bodies).findings == []
    assert spill.check_ring(bodies).findings == []
    assert spill.check(all_together(table.lasting()), table.outline()).findings == []
    assert clearances.check(bodies).findings == []
    assert ways.check(bodies).findings == []
    assert np.isfinite(table.outline().far)
