"""A board's data before KiCad draws it: parts, places, copper, texts.

Places are in mm from the board's middle: x to the right, y away from the side of the table where
the operatives sit.
"""

from dataclasses import dataclass
from typing import Literal

from hardware.boards.kinds import KINDS

Point = tuple[float, float]
Layer = Literal["F.Cu", "B.Cu"]


@dataclass(frozen=True)
class Part:
    """A part of the schematic, with its place on the board."""

    ref: str
    kind: str
    """A key of ``kinds.KINDS``."""
    sheet: tuple[Point, ...]
    """Place in the schematic of each unit of the symbol, in steps of 2.54 mm."""
    place: Point = (0.0, 0.0)
    turn: float = 0.0
    """Rotation in degrees, counterclockwise as seen from above."""
    below: bool = False
    """True if the part is on the underside."""
    label: Point | None = None
    """Place of the reference text in mm, relative to the part. None keeps the place that the
    footprint defines."""
    sheet_turn: int = 0
    """Rotation of the symbol in the schematic, in degrees: 0, 90, 180 or 270."""
    note: str = ""
    """Text shown as the part's value. If it is empty, the value of the part's kind is shown."""

    @property
    def symbol(self) -> str:
        return KINDS[self.kind].symbol

    @property
    def footprint(self) -> str:
        return KINDS[self.kind].footprint

    @property
    def id(self) -> str:
        """Id of the part's row in parts.csv; empty for copper and holes, which are not bought."""
        return self.kind if KINDS[self.kind].bought else ""

    @property
    def value(self) -> str:
        return self.note or KINDS[self.kind].value


@dataclass(frozen=True)
class Track:
    net: str
    layer: Layer
    width: float
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Via:
    net: str
    place: Point


@dataclass(frozen=True)
class Pour:
    """A copper area that fills its outline and keeps clear of other nets."""

    net: str
    layer: Layer
    outline: tuple[Point, ...]


@dataclass(frozen=True)
class Text:
    words: str
    place: Point
    height: float = 1.2
    below: bool = False
    turn: float = 0.0


@dataclass(frozen=True)
class Board:
    name: str
    title: str
    across: float
    down: float
    thickness: float
    parts: tuple[Part, ...]
    notes: tuple[tuple[Point, str], ...] = ()
    """Texts on the schematic, each with its place in steps of 2.54 mm."""
    flags: tuple[tuple[str, Point], ...] = ()
    """Nets with a power source outside the board, each with the place of its power flag in the
    schematic."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of pins that the schematic joins by a straight wire, each pin as "REF.PIN"."""
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()
    pours: tuple[Pour, ...] = ()
    no_pour: tuple[tuple[Point, ...], ...] = ()
    """Outlines of the areas that no pour may fill, on both layers."""
    drops: tuple[tuple[str, Point], ...] = ()
    """Pads ("REF.PIN"), each with the place of its via in mm, relative to the pad. A short track
    and the via connect the pad to the pour on the other side of the board."""
    apart: tuple[str, ...] = ()
    """Pads ("REF.PIN") that no pour may touch, because a separate track feeds them."""
    routed: tuple[str, ...] = ()
    """Names of the nets that the router draws, in the order that it tries first."""
    grid: float = 0.5
    """Distance in mm between neighbouring points of the router's grid."""
    texts: tuple[Text, ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    """Start and end of each line printed on the board's upper side, such as the lines of an arrow.
    """

    def part(self, ref: str) -> Part:
        """Return the part with this reference. Raises KeyError if the board has no such part."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise KeyError(f"{self.name} has no part {ref}.")


def round_holes(parts: tuple[Part, ...]) -> tuple[tuple[Point, ...], ...]:
    """Return a square outline around each screw hole. Pours must stay outside it, because a screw's
    head scratches the board there."""
    half = 4.0
    return tuple(
        box(x - half, y - half, x + half, y + half)
        for x, y in (part.place for part in parts if part.kind == "hole")
    )


def box(left: float, near: float, right: float, far: float) -> tuple[Point, ...]:
    """Return the four corners of a rectangle, counterclockwise from the near left corner."""
    return ((left, near), (right, near), (right, far), (left, far))
