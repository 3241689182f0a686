"""The whole table: every part with its places, and the assembly step in which the part is added."""

import math
from collections.abc import Callable, Iterable
from typing import Final

from build123d import Edge, Location, Pos, Rot, Shape

from enclosure import joints
from enclosure.dimensions import MM
from enclosure.leads import COMBS
from enclosure.levels import (
    ACROSS,
    BASE_TOP,
    BASE_UNDER,
    CELLS_FAR,
    CELLS_NEAR,
    CELLS_RIGHT,
    CHEEK_OUTSIDE,
    COVER_TOP,
    COVER_UNDER,
    DECK_TOP,
    DECK_UNDER,
    DOWN,
    FRAME_FAR,
    FRAME_NEAR,
    FRAME_OUTSIDE,
    FRAME_UNDER,
    GLASS,
    HOOD_SCREW,
    HOOD_UNDER,
    LEAN,
    LIP_UNDER,
    MIDDLE,
    OVERLAY_TOP,
    RIM_MIDDLE,
    SCREEN_MIDDLE,
    TILE_UNDER,
    TRENCH_INSIDE,
    WING_OUTSIDE,
)
from enclosure.part import HERE, Kind, Option, Part
from enclosure.parts import (
    base,
    bought,
    combs,
    covers,
    deck,
    edging,
    hood,
    ledgers,
    light_cells,
    overlay,
    peg,
    posts,
    sides,
    speaker,
    trench,
)
from enclosure.places import (
    AMPLIFIER,
    BUTTONS,
    CARRIER,
    ENCODER,
    FEET,
    PI,
    PI_SCREWS,
    SPEAKER,
    TILES,
    Point,
    offset_points,
    square,
)
from enclosure.shapes import facing_x, facing_y

WHITE: Final = "PLA or PETG, white"
BLACK: Final = "PETG, matt black"
PLY: Final = "birch plywood"
THIN: Final = "birch plywood, thin"
UPSIDE_DOWN: Final = Rot(180, 0, 0)


def _at(places: Iterable[Point], z: float) -> tuple[Location, ...]:
    return tuple(Pos(x, y, z) for x, y in places)


def _round(z: float) -> tuple[Location, ...]:
    """Return the places of the four outer corners of frame and rim, counterclockwise from the far
    right corner."""
    corners = (
        (FRAME_OUTSIDE, FRAME_FAR),
        (-FRAME_OUTSIDE, FRAME_FAR),
        (-FRAME_OUTSIDE, FRAME_NEAR),
        (FRAME_OUTSIDE, FRAME_NEAR),
    )
    return tuple(Pos(x, y, z) * Rot(0, 0, 90 * i) for i, (x, y) in enumerate(corners))


def _long_sides(z: float) -> tuple[Location, ...]:
    """Return the middles of the frame's outer faces on the far and near side."""
    return Pos(0, FRAME_FAR, z), Pos(0, FRAME_NEAR, z) * Rot(0, 0, 180)


def _short_sides(z: float) -> tuple[Location, ...]:
    """Return the middles of the frame's outer faces on the left and right side."""
    left, right = Pos(-FRAME_OUTSIDE, MIDDLE, z), Pos(FRAME_OUTSIDE, MIDDLE, z)
    return left * Rot(0, 0, 90), right * Rot(0, 0, -90)


def _printed(
    step: int, name: str, material: str, build: Callable[[], Shape], places: tuple[Location, ...]
) -> Part:
    return Part(name, "printed", material, build, places, step)


def _sheet(
    step: int,
    name: str,
    build: Callable[[], Shape],
    places: tuple[Location, ...],
    material: str = PLY,
    engraving: Callable[[], list[Edge]] | None = None,
    option: Option = "",
) -> Part:
    thickness = {PLY: MM["ply"], THIN: MM["thin_ply"]}.get(material, MM["overlay_thickness"])
    return Part(name, "sheet", material, build, places, step, thickness, engraving, option)


def _glued(
    step: int,
    name: str,
    build: Callable[[], Shape],
    option: Option = "",
    left: Location | None = None,
) -> Part:
    """Return a sheet that is glued by tabs. ``left`` is the place of its piece on the left side."""
    places = (joints.PLACES[name], left) if left else (joints.PLACES[name],)
    return _sheet(step, name, build, places, option=option)


def _thin(
    step: int,
    name: str,
    build: Callable[[], Shape],
    places: tuple[Location, ...],
    option: Option = "screen",
) -> Part:
    return _sheet(step, name, build, places, THIN, option=option)


def _both(z: float, thickness: float) -> tuple[Location, ...]:
    """Return the places of two flat sheets at height ``z``: the right one as built, the left one
    turned over."""
    return Pos(0, 0, z), Pos(0, 0, z + thickness) * Rot(0, 180, 0)


def _caps(z: float) -> tuple[Location, ...]:
    """Return the places of four caps: on both faces of both sheets that hold a nut below ``z``."""
    faces = (CHEEK_OUTSIDE, TRENCH_INSIDE - MM["thin_ply"])
    outside = [at for x in faces for at in (x, -x - MM["thin_ply"])]
    return tuple(Pos(0, HOOD_SCREW[1], z) * facing_x(x) for x in outside)


def _bought(
    step: int,
    name: str,
    build: Callable[[], Shape],
    places: tuple[Location, ...] = HERE,
    option: Option = "",
) -> Part:
    kind: Kind = "bought"
    return Part(name, kind, "bought", build, places, step, option=option)


_PAIRS: Final = tuple((DOWN[i] + DOWN[i + 1]) / 2 for i in range(0, len(DOWN), 2))
_WIDE: Final = ((ACROSS["A"] + ACROSS["B"]) / 2, (ACROSS["C"] + ACROSS["D"]) / 2)
_THIN: Final = MM["thin_ply"]
_PLATE: Final = (
    Pos(0, GLASS, SCREEN_MIDDLE) * Rot(math.degrees(LEAN), 0, 0) * facing_y(trench.FRONT)
)
_GUARD: Final = CELLS_RIGHT + MM["guard_gap"]
_RIM_HALVES: Final = tuple(
    side * turned
    for side in _long_sides(RIM_MIDDLE)
    for turned in (Pos(), Pos(0, 0, _THIN) * Rot(0, 180, 0))
)

PARTS: Final = (
    # 1: the base
    _glued(1, "base-near", base.near),
    _glued(1, "base-far", base.far),
    _glued(1, "base-strap", base.strap),
    _sheet(1, "foot-disc", base.foot_disc, _at(FEET, BASE_UNDER - MM["ply"])),
    _bought(1, "foot", bought.foot, _at(FEET, BASE_UNDER - MM["ply"])),
    # 2: walls, ledgers and posts
    _glued(2, "side-inner", sides.inner),
    _glued(2, "side-near", sides.near),
    _glued(2, "side-far", sides.far, "screen"),
    _glued(2, "ledger-near", ledgers.near),
    _glued(2, "ledger-inner", ledgers.inner),
    _glued(2, "ledger-cover", ledgers.cover),
    _glued(2, "ledger-left", ledgers.left),
    _glued(2, "ledger-right", ledgers.right),
    _glued(2, "side-left", sides.left),
    _glued(2, "side-right", sides.right),
    _sheet(2, "post", posts.post, posts.PLACES),
    # 3: electronics
    _printed(
        3,
        "stand-off",
        BLACK,
        posts.stand_off,
        _at(
            (
                *square(CARRIER, MM["carrier_hole"], MM["carrier_hole"]),
                *offset_points(PI, PI_SCREWS),
            ),
            BASE_TOP,
        ),
    ),
    _bought(3, "carrier", bought.carrier, _at([CARRIER], BASE_TOP + MM["stand_off"])),
    _bought(3, "raspberry-pi", bought.raspberry_pi, _at([PI], BASE_TOP + MM["stand_off"])),
    _bought(3, "loudspeaker", bought.loudspeaker, _at([SPEAKER], BASE_TOP)),
    _printed(
        3,
        "speaker-box",
        BLACK,
        speaker.speaker_box,
        (Pos(*SPEAKER, BASE_TOP + speaker.SPEAKER_BOX_UP) * UPSIDE_DOWN,),
    ),
    _bought(3, "amplifier", bought.amplifier, _at([AMPLIFIER], BASE_TOP)),
    # 4: the trench of the hidden screen
    _glued(4, "trench-back", trench.back, "screen"),
    _glued(4, "trench-cheek", trench.cheek, "screen"),
    _glued(4, "trench-cheek-left", trench.cheek_with_window, "screen"),
    _thin(4, "nut-cap", trench.nut_cap, _caps(HOOD_UNDER)),
    # 5: the deck and the light cells
    _sheet(5, "deck", deck.deck, _at([(0.0, 0.0)], DECK_UNDER)),
    _printed(
        5,
        "lead-comb",
        BLACK,
        combs.lead_comb,
        tuple(
            Pos(comb.x, comb.y, DECK_UNDER) * Rot(0, 0, 90 * comb.turns) * UPSIDE_DOWN
            for comb in COMBS
        ),
    ),
    _printed(
        5,
        "light-cells-wide",
        WHITE,
        light_cells.wide,
        _at(((x, y) for y in _PAIRS for x in _WIDE), DECK_TOP),
    ),
    _printed(
        5,
        "light-cells-narrow",
        WHITE,
        light_cells.narrow,
        _at(((ACROSS["E"], y) for y in _PAIRS), DECK_TOP),
    ),
    # 6: tiles, with their springs
    _printed(
        6,
        "spring-peg",
        WHITE,
        peg.spring_peg,
        tuple(
            place * UPSIDE_DOWN
            for place in _at(TILES, TILE_UNDER + MM["tile_thickness"] + peg.HIGH)
        ),
    ),
    _bought(6, "tile", bought.tile, _at(TILES, TILE_UNDER)),
    # 7: the frame
    _printed(7, "frame-corner", BLACK, edging.frame_corner, _round(FRAME_UNDER)),
    _printed(7, "frame-long", BLACK, edging.frame_long, _long_sides(FRAME_UNDER)),
    _printed(7, "frame-short", BLACK, edging.frame_short, _short_sides(FRAME_UNDER)),
    _bought(7, "cord", bought.cord),
    # 8: the overlay
    _sheet(
        8,
        "overlay",
        overlay.overlay,
        _at([(0.0, MIDDLE)], 0.0),
        "acrylic, opal",
        overlay.engraving,
    ),
    _bought(8, "electrode", bought.electrode, _at(TILES, 0)),
    _bought(
        8,
        "guard-across",
        bought.guard_across,
        (
            Pos(0, CELLS_FAR + MM["guard_gap"], 0),
            Pos(0, CELLS_NEAR - MM["guard_gap"] - MM["guard_width"], 0),
        ),
    ),
    _bought(
        8,
        "guard-down",
        bought.guard_down,
        (Pos(_GUARD, 0, 0), Pos(-_GUARD - MM["guard_width"], 0, 0)),
    ),
    # 9: the rim
    _sheet(9, "rim-long", edging.rim_long, _long_sides(LIP_UNDER)),
    _sheet(9, "rim-short", edging.rim_short, _short_sides(LIP_UNDER)),
    _sheet(9, "rim-top-long", edging.rim_top_long, _RIM_HALVES, THIN),
    _sheet(9, "rim-top-short", edging.rim_top_short, _short_sides(RIM_MIDDLE), THIN),
    _bought(9, "rim-tape", bought.rim_tape),
    # 10: covers and knobs, and the screen on its plate
    _glued(10, "cover-left", covers.left, "screen"),
    _glued(10, "cover-right", covers.right, "screen"),
    _thin(10, "cover-weir", covers.weir, _both(COVER_TOP, _THIN)),
    _thin(10, "cover-drip", covers.drip, _both(COVER_UNDER - _THIN, _THIN)),
    _thin(10, "control-plate", covers.control_plate, (Pos(0, 0, COVER_TOP),)),
    _bought(10, "encoder", bought.encoder, _at([ENCODER], COVER_TOP), "screen"),
    _bought(10, "knob", bought.knob, _at([ENCODER], COVER_TOP), "screen"),
    _bought(10, "button", bought.button, _at(BUTTONS, COVER_TOP), "screen"),
    _thin(10, "leaning-plate", trench.plate, (_PLATE,)),
    _bought(10, "screen", bought.screen, HERE, "screen"),
    # 11: the hood
    _glued(11, "hood-back", hood.back, "screen"),
    _glued(11, "hood-front", hood.front, "screen"),
    _glued(11, "hood-wing", hood.wing, "screen", facing_x(-WING_OUTSIDE)),
    _glued(11, "hood-shelf", hood.shelf, "screen", _both(HOOD_UNDER, MM["ply"])[1]),
    _glued(11, "roof", hood.roof, "screen"),
    # things on the finished table
    _bought(0, "card-small", bought.card_small, _at(TILES[:25:2], OVERLAY_TOP)),
    _bought(0, "card-large", bought.card_large, _at(TILES[1:25:2], OVERLAY_TOP)),
    _bought(0, "half-litre", bought.half_litre),
)

_PLAIN: Final = (
    _glued(2, "side-far-low", sides.far_low, "plain"),
    _glued(4, "cover-prop", trench.prop, "plain", facing_x(-CHEEK_OUTSIDE)),
    _thin(4, "prop-cap", trench.nut_cap, _caps(COVER_UNDER), "plain"),
    _sheet(10, "cover-plain", covers.plain, _both(COVER_UNDER, MM["ply"]), option="plain"),
    _thin(10, "cover-plain-strap", covers.plain_strap, (Pos(0, 0, COVER_UNDER - _THIN),), "plain"),
    _thin(10, "cover-plain-weir", covers.plain_weir, _both(COVER_TOP, _THIN), "plain"),
    _thin(10, "cover-plain-drip", covers.plain_drip, _both(COVER_UNDER - _THIN, _THIN), "plain"),
)
WITHOUT_SCREEN: Final = (*(part for part in PARTS if part.option != "screen"), *_PLAIN)
"""Every part of a table without a hidden screen: phones carry the key."""
ALL_PARTS: Final = (*PARTS, *_PLAIN)
"""Every part of both tables, once."""
