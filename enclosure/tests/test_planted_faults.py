"""Tests that the checks find each planted fault, and name its part and its measured value in a
sentence.

A fault is planted into the real table, as the checks load it; nothing else is changed.
"""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import ezdxf
import manifold3d
import numpy as np
import pytest
import trimesh
from ezdxf.addons.r12writer import r12writer
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from enclosure import dimensions, export
from enclosure.assembly import ALL_PARTS, PARTS
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
    sheets,
    slicing,
    spill,
    table,
    walls,
    ways,
)
from enclosure.checks.bodies import Body, all_together, below, solid, surface
from enclosure.dimensions import MM
from enclosure.fasteners import JOINTS
from enclosure.joints import PLAIN_TABS, TABS
from enclosure.leads import leads as ways_of_leads
from enclosure.levels import (
    BASE_TOP,
    BASE_UNDER,
    COVER_UNDER,
    DECK_TOP,
    DECK_UNDER,
    FRAME_TOP,
    FRAME_UNDER,
    HOOD_SCREW,
    HOOD_UNDER,
    LEAN,
    LIP_UNDER,
    RIM_TOP,
    TILE_UNDER,
    WING_OUTSIDE,
)
from enclosure.mesh import mesh
from enclosure.nesting import nest
from enclosure.parts.speaker import SCREW_DEEP
from enclosure.places import (
    CARRIER,
    DECK_SCREWS,
    PI,
    PI_SCREWS,
    RIM_SCREWS,
    SPEAKER,
    SPEAKER_SCREWS,
    TIES,
    offset_points,
    square,
)
from enclosure.shapes import NUT_DEPTH, NUT_ROOM
from hardware.places import centre, chain, wiring

PLACES = {name: centre(name) for name in chain(wiring())}
BED = (220.0, 220.0, 250.0)


def but(part: str, change) -> list[Body]:  # type: ignore[no-untyped-def]
    """Return the table's bodies. ``change`` is applied to the bodies of one part."""
    return [change(body) if body.part.startswith(part) else body for body in table.bodies()]


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


def test_a_base_that_does_not_fit_the_laser(tmp_path: Path) -> None:
    part = next(part for part in ALL_PARTS if part.name == "base-near")
    export.write_dxf(part.build().scale(1.5), tmp_path / "base-near.dxf")
    (said,) = sheets.check([tmp_path / "base-near.dxf"]).findings
    assert said.startswith("base-near is 930.0 x ")
    assert said.endswith("it fits no bed of 600 x 400 mm or 900 x 600 mm.")


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


def test_a_screwdriver_reaches_each_screw_of_the_deck() -> None:
    cells = [solid(b.mesh) for b in table.bodies() if b.part.startswith("light-cells")]

    def free(x: float, y: float) -> bool:
        head = manifold3d.Manifold.cylinder(-DECK_TOP, 2.8).translate((x, y, DECK_TOP))
        return all((head ^ each).is_empty() for each in cells)

    assert all(free(x, y) for x, y in DECK_SCREWS)
    assert not any(free(x * 1.006, y) for x, y in DECK_SCREWS)  # 1.5 mm further out


def test_each_screw_of_the_deck_meets_a_nut() -> None:
    posts = [body for body in table.bodies() if body.part == "post"]
    nuts = [(x, y, DECK_UNDER - NUT_DEPTH - 1) for x, y in DECK_SCREWS]
    for x, y, z in nuts:
        size = MM["nut_across"] / 2 - 0.1
        nut = joints.cube(((x - size, x + size), (y - 2, y + 2), (z - 1, z + 1)))
        above = joints.cube(((x - 1, x + 1), (y - 1, y + 1), (z + 2, DECK_TOP + 1)))
        wood = joints.cube(((x + 2, x + 2.5), (y - 2, y + 2), (DECK_UNDER - NUT_DEPTH, DECK_UNDER)))
        assert sum((wood ^ solid(body.mesh)).volume() for body in posts) > 0.99 * wood.volume()
        around = [body for body in table.bodies() if body.part == "deck"] + posts
        assert all((solid(body.mesh) ^ nut).is_empty() for body in posts)
        assert all((solid(body.mesh) ^ above).is_empty() for body in around)
        assert any(body.mesh.bounds[0][0] < x < body.mesh.bounds[1][0] for body in posts)


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


def plain_but(part: str, **by: float) -> list[Body]:
    """Return the bodies of a table without a hidden screen, with one part moved."""
    return [
        body.moved(**by) if body.part == part else body for body in table.bodies_without_screen()
    ]


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


def test_a_rim_whose_screws_miss_the_frames_inserts_by_2_mm() -> None:
    for part in ("rim-top-short", "rim-long", "frame-short"):
        found = ways.check(but(part, lambda body: body.moved(x=2)), ways.of_rim_screws()).findings
        assert found
        assert all(
            each.startswith("the rim's screw at x ") and f" has no way: {part} " in each
            for each in found
        )


def without_plastic(bodies: list[Body]) -> int:
    """Return the number of the rim's inserts that have no plastic around them."""
    frame = [solid(body.mesh) for body in bodies if body.part.startswith("frame-")]
    deep, across = 5.0, MM["insert_hole"] / 2
    ring = manifold3d.Manifold.cylinder(deep, across + 1) - manifold3d.Manifold.cylinder(
        deep, across + 0.1
    )
    rings = [ring.translate((x, y, FRAME_TOP - deep)) for x, y in RIM_SCREWS]
    filled = [sum((each ^ piece).volume() for piece in frame) / each.volume() for each in rings]
    return sum(share < 0.99 for share in filled)


def test_each_insert_of_the_rim_has_plastic_around_it() -> None:
    assert without_plastic(list(table.bodies())) == 0
    assert without_plastic(but("frame-short", lambda body: body.moved(x=1))) == 2
    assert without_plastic(but("frame-", lambda body: body.moved(z=-1))) == 18


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


def test_a_nut_without_a_cap() -> None:
    x = HOOD_SCREW[0]
    for bodies, edge, z in (
        (table.bodies(), HOOD_UNDER, -8),
        (table.bodies_without_screen(), COVER_UNDER, -28),
    ):
        said = f"The nut at x {x:.0f}, z {z} falls out of its slot towards x {x + 4.5:.0f}."
        without = [body for body in bodies if "cap 1" not in body.name]
        too_high = [body.moved(z=2) if "cap 1" in body.name else body for body in bodies]
        for each in (without, too_high):
            assert held.check_nuts(each, edge).findings == [said]


def test_a_cheek_without_a_slot_for_its_nut() -> None:
    x, y = HOOD_SCREW

    def filled(body: Body) -> Body:
        block = joints.cube(((x - 3, x + 3), (y - 8, y + 8), (HOOD_UNDER - 12, HOOD_UNDER)))
        return replace(body, mesh=surface(solid(body.mesh) + block))

    bodies = [filled(body) if body.part == "trench-cheek" else body for body in table.bodies()]
    said = f"The nut at x {x:.0f}, z -8 has no slot, or its screw no way."
    assert held.check_nuts(bodies, HOOD_UNDER).findings == [said]
    hollow = joints.cube(((x - 4, x + 4), (y - 3, y + 3), (HOOD_UNDER - 8, HOOD_UNDER)))
    bodies = but("trench-cheek", lambda b: replace(b, mesh=surface(solid(b.mesh) - hollow)))
    found = held.check_nuts(bodies, HOOD_UNDER).findings
    assert [each.split(" has ")[1] for each in found] == [
        f"no wood above it at y {at:.0f}." for at in (y - 2.25, y + 2.25)
    ]
    beside = but("hood-shelf", lambda body: body.moved(y=4))
    assert said in held.check_nuts(beside, HOOD_UNDER).findings


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


def without_a_screw(bodies: list[Body]) -> list[str]:
    """Return the names of the tiles whose screw has no boss around it, or no hole through boss and
    deck."""
    parts = ("light-cells", "deck")
    there = [(body, solid(body.mesh)) for body in bodies if body.part.startswith(parts)]
    found = []
    for tile in (body for body in bodies if body.part == "tile"):
        (left, near, _), (right, far, _) = tile.mesh.bounds
        place = ((left + right + MM["tile_hole_across"]) / 2, (near + far) / 2, DECK_UNDER)
        pin, thread, boss = (
            manifold3d.Manifold.cylinder(TILE_UNDER - DECK_UNDER, across / 2).translate(place)
            for across in (MM["tap_hole"] - 0.1, MM["tap_hole"] + 0.2, MM["boss"] - 0.1)
        )
        ring = (boss - thread).trim_by_plane((0, 0, 1), DECK_TOP)
        plastic = sum((ring ^ each).volume() for body, each in there if body.part != "deck")
        if plastic < 0.9 * ring.volume() or any(not (pin ^ each).is_empty() for _, each in there):
            found.append(tile.name)
    return found


def test_each_tile_has_a_hole_for_its_screw_and_a_boss_around_it() -> None:
    bodies = list(table.bodies())
    assert without_a_screw(bodies) == []
    assert len(without_a_screw(but("deck", lambda body: body.moved(x=3)))) == 27
    assert without_a_screw(but("light-cells-narrow", lambda body: body.moved(y=1))) == [
        f"tile {number}" for number in (5, 10, 15, 20, 25)
    ]


def blocked(bodies: list[Body]) -> list[str]:
    """Return the names of the parts in the way of a board's or the loudspeaker's screws, or of a
    cable tie through the base."""
    screws = [
        *square(CARRIER, MM["carrier_hole"], MM["carrier_hole"]),
        *offset_points(PI, PI_SCREWS),
        *offset_points(SPEAKER, SPEAKER_SCREWS),
    ]
    top = BASE_TOP + MM["stand_off"]
    ways = [
        joints.cube(((x - 0.8, x + 0.8), (y - 0.8, y + 0.8), (BASE_UNDER, top))) for x, y in screws
    ]
    for x, y in TIES:
        for at in (y - MM["cable"] / 2 - 1, y + MM["cable"] / 2 + 1):
            box = ((x - 1.25, x + 1.25), (at - 0.6, at + 0.6), (BASE_UNDER, BASE_TOP))
            ways.append(joints.cube(box))
    way = manifold3d.Manifold.compose(ways)
    parts = ("base-near", "base-far", "base-strap", "stand-off", "speaker-box", "side-", "trench-")
    near = [body for body in bodies if body.part.startswith(parts)]
    return [body.name for body in near if not (way ^ solid(body.mesh)).is_empty()]


def test_screws_and_ties_go_through_the_base() -> None:
    bodies = list(table.bodies())
    assert blocked(bodies) == []
    for part in ("base-far", "stand-off", "speaker-box"):
        assert any(name.startswith(part) for name in blocked(but(part, lambda b: b.moved(y=2.5))))


def too_short_or_long(nut_depth: float) -> list[str]:
    """Return the joints whose screw does not fit its way. ``nut_depth`` is the depth in mm of
    nuts below the edges of their sheets."""
    board, ply, up = MM["tile_thickness"], MM["ply"], MM["stand_off"]
    in_edge = {"deck", "hood, or plain cover"}
    # To the nut's end, which is 2.4 mm high, or the insert's, 4 mm, or with 5 mm in plastic.
    shortest = {
        "carrier with stand-offs": board + up + ply + 2.4,
        "Raspberry Pi with stand-offs": board + up + ply + 2.4,
        **dict.fromkeys(in_edge, ply + nut_depth + 2.4),
        "loudspeaker's box": ply + 5,
        "tiles": board + 5,
        "rim": RIM_TOP - LIP_UNDER + 4,
    }
    longest = {
        **dict.fromkeys(in_edge, ply + nut_depth + MM["nut_high"] + NUT_ROOM),
        "loudspeaker's box": ply + SCREW_DEEP,
        "tiles": board + MM["cell_depth"],
        "rim": RIM_TOP - FRAME_UNDER - 2,
    }
    foot = MM["foot_height"] - 2  # a screw that is so much longer touches what the table is on
    found = []
    for joint in JOINTS:
        if joint.what in shortest:
            long, least = float(joint.screw.split(" × ")[1].split(",")[0]), shortest[joint.what]
            if not least <= long <= longest.get(joint.what, least + foot):
                found.append(joint.what)
    assert {joint.what for joint in JOINTS} - {*shortest} == {"screen on its plate"}
    return found


def test_each_screw_is_as_long_as_its_way() -> None:
    assert too_short_or_long(NUT_DEPTH) == []
    in_edge = ["deck", "hood, or plain cover"]
    assert too_short_or_long(NUT_DEPTH + 1) == too_short_or_long(2.0) == in_edge


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
