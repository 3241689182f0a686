"""Tests that each screw, nut and cable tie has its way, its hold and the right length."""

from dataclasses import replace

import manifold3d

from enclosure.checks import held, joints, table, ways
from enclosure.checks.bodies import Body, solid, surface
from enclosure.dimensions import MM
from enclosure.fasteners import JOINTS
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
    LIP_UNDER,
    RIM_TOP,
    TILE_UNDER,
)
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
from enclosure.tests.planted import but


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
