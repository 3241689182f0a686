"""The tabs and slots by which the walls, the ledgers and the base are glued together.

Each tab is a box in the table's coordinates. The part that has it gets the box added, the part that
it goes into gets the box cut out, enlarged by the play. A slot at a sheet's edge is open there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from build123d import Location, Pos, Rot, Shape

from enclosure.dimensions import MM
from enclosure.levels import (
    BASE_TOP,
    BASE_UNDER,
    COVER_LEDGER_UNDER,
    COVER_UNDER,
    FAR_INSIDE,
    FAR_OUTSIDE,
    FRAME_UNDER,
    INNER_FAR,
    INNER_NEAR,
    LEDGER_UNDER,
    NEAR_INSIDE,
    NEAR_OUTSIDE,
    SIDE_INSIDE,
    SIDE_OUTSIDE,
)
from enclosure.places import SEAM
from enclosure.shapes import block

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
"""x in mm of the middles of the tabs of the inner wall in the base, beside its openings."""
AT_LEDGERS: Final = (-270.0, -140.0, -10.0, 120.0)
"""y in mm of the middles of the tabs of the long ledgers."""
AT_COVER_LEDGERS: Final = (165.0, 265.0)
"""x in mm of the middles of the tabs of the right ledger under a cover."""
INNER_TAB: Final = (6.0, 24.0)
"""Heights in mm above the base of the inner wall's tabs in the long walls: below the LED."""


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

    @property
    def thick(self) -> int:
        return 3 - self.along - self.through

    def grown(self, along: float, thick: float, through: float = 0.0) -> tuple[Span, Span, Span]:
        """Return the box, larger by these millimetres at both ends of each axis."""
        more = {self.along: along, self.thick: thick, self.through: through}
        x, y, z = ((low - more[i], high + more[i]) for i, (low, high) in enumerate(self.box))
        return x, y, z

    def solid(self) -> Shape:
        return _block(self.box)

    def slot(self) -> Shape:
        return _block(self.grown(MM["tab_play"], MM["ply_play"], 1.0))


_STAND: Final = Rot(90, 0, 0)
"""Rotation that turns a flat sheet into an upright wall: the sheet's y axis then points up."""
PLACES: Final = {
    "base-near": Pos(0, 0, BASE_UNDER),
    "base-far": Pos(0, 0, BASE_UNDER),
    "side-left": Pos(-SIDE_OUTSIDE, 0, BASE_TOP) * Rot(0, 0, 90) * _STAND,
    "side-right": Pos(SIDE_INSIDE, 0, BASE_TOP) * Rot(0, 0, 90) * _STAND,
    "side-near": Pos(0, NEAR_INSIDE, BASE_TOP) * _STAND,
    "side-far": Pos(0, FAR_OUTSIDE, BASE_TOP) * _STAND,
    "side-inner": Pos(0, INNER_FAR, BASE_TOP) * _STAND,
    "ledger-left": Pos(0, 0, LEDGER_UNDER),
    "ledger-right": Pos(0, 0, LEDGER_UNDER),
    "ledger-near": Pos(0, 0, LEDGER_UNDER),
    "ledger-inner": Pos(0, 0, LEDGER_UNDER),
    "ledger-cover-left": Pos(0, 0, COVER_LEDGER_UNDER),
    "ledger-cover-right": Pos(0, 0, COVER_LEDGER_UNDER),
    "base-strap": Pos(0, 0, BASE_TOP),
}
"""For each glued part, the move from its flat sheet to its place in the table."""
GLUED: Final = (("base-strap", "base-near"), ("base-strap", "base-far"))
"""Pairs of parts that are glued face to face, without tabs."""


def fitted(name: str, sheet: Shape) -> Shape:
    """Return the flat sheet of a part with its tabs, and with slots for the tabs of others."""
    flat: Location = PLACES[name].inverse()
    for tab in TABS:
        if tab.of == name:
            sheet += flat * tab.solid()
    return sheet - [flat * tab.slot() for tab in TABS if tab.into == name]


def _around(middle: float) -> Span:
    return middle - MM["tab"] / 2, middle + MM["tab"] / 2


def _long_walls() -> Iterator[Tab]:
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
            ("near", (NEAR_OUTSIDE, NEAR_INSIDE), FRAME_UNDER),
            ("far", (FAR_INSIDE, FAR_OUTSIDE), COVER_UNDER),
        ):
            finger = (top - BASE_TOP) / FINGERS
            for i in range(1, FINGERS, 2):
                box = (x, y_span, (BASE_TOP + i * finger, BASE_TOP + (i + 1) * finger))
                yield Tab(f"side-{wall}", f"side-{name}", box, Z, X)
        low, high = INNER_TAB
        box = (x, (INNER_NEAR, INNER_FAR), (BASE_TOP + low, BASE_TOP + high))
        yield Tab("side-inner", f"side-{name}", box, Z, X)


def _short_walls() -> Iterator[Tab]:
    down = (BASE_UNDER, BASE_TOP)
    for name, base, y_span, places in (
        ("near", "base-near", (NEAR_OUTSIDE, NEAR_INSIDE), AT_SHORT_WALLS),
        ("far", "base-far", (FAR_INSIDE, FAR_OUTSIDE), AT_SHORT_WALLS),
        ("inner", "base-far", (INNER_NEAR, INNER_FAR), AT_INNER_WALL),
    ):
        for x in places:
            yield Tab(f"side-{name}", base, (_around(x), y_span, down), X, Z)
    for name, y_span in (
        ("near", (NEAR_OUTSIDE, NEAR_INSIDE)),
        ("inner", (INNER_NEAR, INNER_FAR)),
    ):
        for x in AT_SHORT_WALLS:
            box = (_around(x), y_span, (LEDGER_UNDER, FRAME_UNDER))
            yield Tab(f"ledger-{name}", f"side-{name}", box, X, Y)
    for name, side in (("left", -1), ("right", 1)):
        for x in AT_COVER_LEDGERS:
            box = (_around(side * x), (FAR_INSIDE, FAR_OUTSIDE), (COVER_LEDGER_UNDER, COVER_UNDER))
            yield Tab(f"ledger-cover-{name}", "side-far", box, X, Y)


def _block(box: tuple[Span, Span, Span]) -> Shape:
    x, y, z = box
    return block(*x, *y, *z)


TABS: Final = (*_long_walls(), *_short_walls())
