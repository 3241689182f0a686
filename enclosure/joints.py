"""The tabs and slots by which the sheets of plywood are joined: base, walls, ledgers, posts, deck,
trench, hood and covers.

Each tab is a box in the table's coordinates. The part that has it gets the box added, the part that
it goes into gets the box cut out, enlarged by the play. A slot at a sheet's edge is open there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from build123d import Location, Pos, Shape

from enclosure.dimensions import MM
from enclosure.levels import (
    BASE_TOP,
    BASE_UNDER,
    CHEEK_OUTSIDE,
    COVER_TOP,
    COVER_UNDER,
    DECK_UNDER,
    FAR_INSIDE,
    FAR_OUTSIDE,
    FRAME_UNDER,
    HOOD_INSIDE,
    HOOD_OUTSIDE,
    HOOD_TOP,
    HOOD_UNDER,
    INNER_FAR,
    INNER_NEAR,
    LEDGER_UNDER,
    NEAR_INSIDE,
    NEAR_OUTSIDE,
    ROOF_FRONT,
    ROOF_UNDER,
    SCREEN_BACK,
    SIDE_INSIDE,
    SIDE_OUTSIDE,
    TRENCH_BACK,
    TRENCH_INSIDE,
    WING_INSIDE,
    WING_OUTSIDE,
)
from enclosure.places import POSTS, SEAM
from enclosure.shapes import block, facing_x, facing_y

Span = tuple[float, float]
X, Y, Z = 0, 1, 2

FINGERS: Final = 5
"""Number of fingers of the two walls at a corner of the box, one above the other."""
AT_LONG_WALLS: Final = (-290.0, -170.0, -50.0, 150.0, 352.0)
"""y in mm of the middles of the tabs between the long walls and the base. They are clear of the
base's seam, of the openings for the leads and of the feet."""
AT_SHORT_WALLS: Final = (-225.0, -75.0, 75.0, 225.0)
"""x in mm of the middles of the tabs of the near and far wall, and of their ledgers."""
AT_INNER_WALL: Final = (-270.0, -100.0, 100.0, 270.0)
"""x in mm of the middles of the tabs of the inner wall in the base, beside its openings. The
tabs of the covers' ledger in the inner wall are above them."""
AT_LEDGERS: Final = (-270.0, -140.0, -10.0, 120.0)
"""y in mm of the middles of the tabs of the long ledgers."""
AT_CHEEKS: Final = (SCREEN_BACK + 20, HOOD_INSIDE - 25)
"""y in mm of the middles of the tabs of cheeks and props in the base."""
AT_TRENCH_BACK: Final = (-50.0, 50.0)
"""x in mm of the middles of the tabs of the trench's back in the base."""
AT_COVERS: Final = (SCREEN_BACK + 42, SCREEN_BACK + 80)
"""y in mm of the middles of the covers' tabs in the trench's cheeks."""
AT_SHELVES: Final = (SCREEN_BACK + 25, HOOD_INSIDE - 25)
"""y in mm of the middles of the tabs of the hood's shelves in the wings."""
INNER_TAB: Final = (6.0, 24.0)
"""Heights in mm above the base of the inner wall's tabs in the long walls: below the LED."""
POST_FOOT: Final = (-1.0, 15.0)
"""Both ends in mm of a post's tab in the base, from the post's screw."""
POST_HEAD: Final = (6.0, 18.0)
"""Both ends in mm of a post's tab in the deck, from the post's screw."""
POST_TAB_UP: Final = MM["ply"] - 0.8
"""Height in mm of a post's tab in the deck: below the deck's top, though plywood may be thin."""


@dataclass(frozen=True)
class Tab:
    """A tab of one part in a slot of another, in the table's coordinates.

    ``along`` is the axis along the joint, ``through`` the axis in which the tab goes through the
    other sheet. The third axis is that of the tab's own thickness.
    """

    of: str
    into: str
    box: tuple[Span, Span, Span]
    along: int
    through: int
    glued: bool = True
    """False for a tab that comes out for service."""
    loose: float = 0.0
    """Millimetres by which each side of the slot is wider than for a single tab: the deck goes over
    many tabs at once."""

    @property
    def thick(self) -> int:
        return 3 - self.along - self.through

    def grown(self, along: float, thick: float, through: float = 0.0) -> tuple[Span, Span, Span]:
        """Return the box, larger by these millimetres at both ends of each axis."""
        more = {self.along: along, self.thick: thick, self.through: through}
        x, y, z = ((low - more[i], high + more[i]) for i, (low, high) in enumerate(self.box))
        return x, y, z

    @property
    def play(self) -> Span:
        """Distances in mm from the tab to its slot: at each end, and at each face."""
        return MM["tab_play"] + self.loose, MM["ply_play"] + self.loose

    def solid(self) -> Shape:
        return _block(self.box)

    def slot(self) -> Shape:
        return _block(self.grown(*self.play, 1.0))


_ON_BASE: Final = Pos(0, 0, BASE_TOP)
PLACES: Final = {
    "base-near": Pos(0, 0, BASE_UNDER),
    "base-far": Pos(0, 0, BASE_UNDER),
    "base-strap": _ON_BASE,
    "deck": Pos(0, 0, DECK_UNDER),
    "side-left": _ON_BASE * facing_x(-SIDE_OUTSIDE),
    "side-right": _ON_BASE * facing_x(SIDE_INSIDE),
    "side-near": _ON_BASE * facing_y(NEAR_INSIDE),
    "side-far": _ON_BASE * facing_y(FAR_OUTSIDE),
    "side-far-low": _ON_BASE * facing_y(FAR_OUTSIDE),
    "side-inner": _ON_BASE * facing_y(INNER_FAR),
    "ledger-left": Pos(0, 0, LEDGER_UNDER),
    "ledger-right": Pos(0, 0, LEDGER_UNDER),
    "ledger-near": Pos(0, 0, LEDGER_UNDER),
    "ledger-inner": Pos(0, 0, LEDGER_UNDER),
    "ledger-cover": Pos(0, 0, COVER_UNDER - MM["ply"]),
    "trench-back": facing_y(SCREEN_BACK),
    "trench-cheek": facing_x(TRENCH_INSIDE),
    "trench-cheek-left": facing_x(-CHEEK_OUTSIDE),
    "cover-prop": facing_x(TRENCH_INSIDE),
    "cover-left": Pos(0, 0, COVER_UNDER),
    "cover-right": Pos(0, 0, COVER_UNDER),
    "hood-back": facing_y(SCREEN_BACK),
    "hood-front": facing_y(HOOD_OUTSIDE),
    "hood-wing": facing_x(WING_INSIDE),
    "hood-shelf": Pos(0, 0, HOOD_UNDER),
    "roof": Pos(0, 0, ROOF_UNDER),
}
"""For each part with tabs or slots, the move from its flat sheet to its place in the table."""
BOTH_SIDES: Final = frozenset({"cover-prop", "hood-shelf", "hood-wing"})
"""Parts of two equal pieces. `PLACES` has the place of the right one."""
GLUED: Final = {
    ("base-near", "base-strap"): 100.0,
    ("base-far", "base-strap"): 100.0,
    ("cover-left", "cover-weir"): 20.0,
    ("cover-right", "cover-weir"): 20.0,
    ("cover-left", "cover-drip"): 10.0,
    ("cover-right", "cover-drip"): 10.0,
    ("control-plate", "cover-right"): 30.0,
    ("cover-plain", "cover-plain-weir"): 20.0,
    ("cover-plain", "cover-plain-drip"): 10.0,
    ("cover-plain", "cover-plain-strap"): 50.0,
    ("rim-top-long", "rim-long"): 50.0,
    ("rim-top-long", "rim-short"): 3.5,
    ("rim-top-short", "rim-short"): 100.0,
}
"""Parts that are glued face to face, without tabs: each piece of the first one lies on or under the
second one with this area in cm² at least.

Drips bear nothing. A screw at each corner of the rim goes through both of its layers.
"""


def fitted(name: str, sheet: Shape) -> Shape:
    """Return the flat sheet of a part with its tabs, and with slots for the tabs of others."""
    flat: Location = PLACES[name].inverse()
    mine = {
        (tab.of == name, tab.box): tab
        for tab in (*TABS, *PLAIN_TABS)
        if name in (tab.of, tab.into) and (tab.box[X][0] > 0 or name not in BOTH_SIDES)
    }
    for tab in mine.values():
        if tab.of == name:
            sheet += flat * tab.solid()
    return sheet - [flat * tab.slot() for tab in mine.values() if tab.into == name]


def _around(middle: float, wide: float = MM["tab"]) -> Span:
    return middle - wide / 2, middle + wide / 2


def _long_walls(far: str) -> Iterator[Tab]:
    for name, x in (
        ("left", (-SIDE_OUTSIDE, -SIDE_INSIDE)),
        ("right", (SIDE_INSIDE, SIDE_OUTSIDE)),
    ):
        for y in AT_LONG_WALLS:
            base = "base-near" if y < SEAM else "base-far"
            box = (x, _around(y), (BASE_UNDER, BASE_TOP))
            yield Tab(f"side-{name}", base, box, Y, Z)
        for y in AT_LEDGERS:
            box = (x, _around(y), (LEDGER_UNDER, FRAME_UNDER))
            yield Tab(f"ledger-{name}", f"side-{name}", box, Y, X)
        for wall, y_span, top in (
            ("side-near", (NEAR_OUTSIDE, NEAR_INSIDE), FRAME_UNDER),
            (far, (FAR_INSIDE, FAR_OUTSIDE), COVER_UNDER),
        ):
            for z_span in _fingers(BASE_TOP, top, FINGERS):
                box = (x, y_span, z_span)
                yield Tab(wall, f"side-{name}", box, Z, X)
        low, high = INNER_TAB
        box = (x, (INNER_NEAR, INNER_FAR), (BASE_TOP + low, BASE_TOP + high))
        yield Tab("side-inner", f"side-{name}", box, Z, X)


def _short_walls(far: str) -> Iterator[Tab]:
    down, inner = (BASE_UNDER, BASE_TOP), (INNER_NEAR, INNER_FAR)
    for name, base, y_span, places in (
        ("side-near", "base-near", (NEAR_OUTSIDE, NEAR_INSIDE), AT_SHORT_WALLS),
        (far, "base-far", (FAR_INSIDE, FAR_OUTSIDE), AT_SHORT_WALLS),
        ("side-inner", "base-far", inner, AT_INNER_WALL),
    ):
        for x in places:
            yield Tab(name, base, (_around(x), y_span, down), X, Z)
    for name, y_span in (
        ("near", (NEAR_OUTSIDE, NEAR_INSIDE)),
        ("inner", inner),
    ):
        for x in AT_SHORT_WALLS:
            box = (_around(x), y_span, (LEDGER_UNDER, FRAME_UNDER))
            yield Tab(f"ledger-{name}", f"side-{name}", box, X, Y)
    for x in AT_INNER_WALL:
        z_span = (COVER_UNDER - MM["ply"], COVER_UNDER)
        yield Tab("ledger-cover", "side-inner", (_around(x, 20.0), inner, z_span), X, Y)


def _posts() -> Iterator[Tab]:
    half = MM["ply"] / 2
    for x, y, side in POSTS:
        base = "base-near" if y < SEAM else "base-far"
        foot, head = (
            (min(x + side * a, x + side * b), max(x + side * a, x + side * b))
            for a, b in (POST_FOOT, POST_HEAD)
        )
        y_span = (y - half, y + half)
        yield Tab("post", base, (foot, y_span, (BASE_UNDER, BASE_TOP)), X, Z)
        box = (head, y_span, (DECK_UNDER, DECK_UNDER + POST_TAB_UP))
        yield Tab("post", "deck", box, X, Z, glued=False, loose=MM["deck_play"])


def _on_base(right: str, left: str) -> Iterator[Tab]:
    """Yield the tabs in the base of what is beside the screen: cheeks or props."""
    for y in AT_CHEEKS:
        for of, x_span in _sides(right, left, (TRENCH_INSIDE, CHEEK_OUTSIDE)):
            yield Tab(of, "base-far", (x_span, _around(y, 24.0), (BASE_UNDER, BASE_TOP)), Y, Z)


def _trench() -> Iterator[Tab]:
    back = (TRENCH_BACK, SCREEN_BACK)
    cheeks = ("trench-cheek", "trench-cheek-left")
    yield from _on_base(*cheeks)
    for x in AT_TRENCH_BACK:
        yield Tab("trench-back", "base-far", (_around(x), back, (BASE_UNDER, BASE_TOP)), X, Z)
    for cheek, x_span in _sides(*cheeks, (TRENCH_INSIDE, CHEEK_OUTSIDE)):
        for z_span in _fingers(BASE_TOP, HOOD_UNDER, 5):
            yield Tab(cheek, "trench-back", (x_span, back, z_span), Z, Y)
        cover = "cover-right" if x_span[0] > 0 else "cover-left"
        inside = (x_span[0] + 1, x_span[1]) if x_span[0] > 0 else (x_span[0], x_span[1] - 1)
        for y in AT_COVERS:
            box = (inside, _around(y, 16.0), (COVER_UNDER, COVER_TOP))
            yield Tab(cover, cheek, box, Y, X, glued=False)


def _hood() -> Iterator[Tab]:
    back, roof = (TRENCH_BACK, SCREEN_BACK), (ROOF_UNDER, ROOF_UNDER + MM["ply"])
    for wing, x_span in _sides("hood-wing", "hood-wing", (WING_INSIDE, WING_OUTSIDE)):
        for z_span in _fingers(COVER_TOP, ROOF_UNDER, 7):
            yield Tab(wing, "hood-back", (x_span, back, z_span), Z, Y)
        for z_span in _fingers(COVER_TOP, HOOD_TOP, 7):
            yield Tab(wing, "hood-front", (x_span, (HOOD_INSIDE, HOOD_OUTSIDE), z_span), Z, Y)
        for y_span in _fingers(SCREEN_BACK, ROOF_FRONT, 3):
            yield Tab(wing, "roof", (x_span, y_span, roof), Y, Z)
        for y in AT_SHELVES:
            box = (x_span, _around(y, 20.0), (HOOD_UNDER, HOOD_UNDER + MM["ply"]))
            yield Tab("hood-shelf", wing, box, Y, X)
    for x_span in _fingers(-WING_INSIDE, WING_INSIDE, 7):
        yield Tab("hood-back", "roof", (x_span, back, roof), X, Z)


def _fingers(low: float, high: float, count: int) -> Iterator[Span]:
    """Yield every second of ``count`` equal parts of a length. ``count`` is odd, and both ends
    belong to the other sheet."""
    step = (high - low) / count
    for i in range(1, count, 2):
        yield low + i * step, low + (i + 1) * step


def _sides(right: str, left: str, x_span: Span) -> tuple[tuple[str, Span], tuple[str, Span]]:
    """Return the names of both sides' parts, each with its span of x."""
    return (right, x_span), (left, (-x_span[1], -x_span[0]))


def _block(box: tuple[Span, Span, Span]) -> Shape:
    x, y, z = box
    return block(*x, *y, *z)


TABS: Final = (
    *_long_walls("side-far"),
    *_short_walls("side-far"),
    *_posts(),
    *_trench(),
    *_hood(),
)
"""All tabs of a table with the hidden screen."""
PLAIN_TABS: Final = (
    *_long_walls("side-far-low"),
    *_short_walls("side-far-low"),
    *_posts(),
    *_on_base("cover-prop", "cover-prop"),
)
"""All tabs of a table without a hidden screen."""
