"""The model of a board before KiCad sees it: parts, places, copper, texts.

Places are millimetres from the board's middle: x to the right, y away from the operatives.
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
    """One place in the schematic, in steps of 2.54 mm, for each unit of the symbol."""
    place: Point = (0.0, 0.0)
    turn: float = 0.0
    """Rotation in degrees, counterclockwise as seen from above."""
    below: bool = False
    """True if the part is on the underside."""
    label: Point | None = None
    """Place of the reference text in mm, relative to the part; None for the place that the
    footprint gives it."""
    sheet_turn: int = 0
    """Degrees by which the schematic turns the symbol: 0, 90, 180 or 270."""
    note: str = ""
    """Text to show as the part's value, instead of the value of the part's kind; empty to show the
    value of the kind."""

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
    """Copper that fills the free area of the outline."""

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
    """Nets that are powered from outside, each with the place of its power flag in the schematic.
    """
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of pins that the schematic joins by a straight wire, each pin as "REF.PIN"."""
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()
    pours: tuple[Pour, ...] = ()
    no_pour: tuple[tuple[Point, ...], ...] = ()
    """Outlines of areas without pours, on both layers."""
    drops: tuple[tuple[str, Point], ...] = ()
    """Pads ("REF.PIN") that a short track and a via join to the pour on the other side. Each pad
    has the place of its via, relative to the pad."""
    apart: tuple[str, ...] = ()
    """Pads ("REF.PIN") that no pour may touch, because a separate track feeds them."""
    routed: tuple[str, ...] = ()
    """Names of the nets that the router draws, in the order of drawing."""
    grid: float = 0.5
    """Distance in mm between neighbouring points of the router's grid."""
    texts: tuple[Text, ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    """Start and end of each line on the upper silkscreen, for arrows and frames."""

    def part(self, ref: str) -> Part:
        """Return the part with this reference. Raises KeyError if the board has no such part."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise KeyError(f"{self.name} has no part {ref}.")


def round_holes(parts: tuple[Part, ...]) -> tuple[tuple[Point, ...], ...]:
    """Return a square outline around each screw hole, to keep copper out. A screw's head would
    scratch through to copper there."""
    half = 4.0
    return tuple(
        box(x - half, y - half, x + half, y + half)
        for x, y in (part.place for part in parts if part.kind == "hole")
    )


def box(left: float, near: float, right: float, far: float) -> tuple[Point, ...]:
    """Return the four corners of a rectangle, counterclockwise from the near left corner."""
    return ((left, near), (right, near), (right, far), (left, far))
