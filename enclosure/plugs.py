"""Places of the plugs on carrier and tiles, read from the programs that draw the boards."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from hardware.boards.board import Part
from hardware.boards.carrier_board import carrier
from hardware.boards.tile_board import tile
from hardware.boards.wires import rows_of

Box = tuple[float, float, float, float]
"""The edges of a rectangle in mm: left, right, near, far."""

MATED: Final = 9.8
"""Millimetres from the board to the end of a JST XH plug with its housing (published value)."""
PITCH: Final = 2.5
"""Millimetres from one pin of a JST XH plug to the next pin (published value)."""
ENDS: Final = 2.45
"""Millimetres from the first and from the last pin of a JST XH plug to the ends of the plug's body
(published values)."""
SIDES: Final = (-3.4, 2.35)
"""Millimetres from the row of pins of a JST XH plug to the two faces of the plug's body (published
values). The two faces are swapped if the plug is on a board's underside."""
TERMINAL: Final = (-2.54, 7.62, -4.6, 5.2)
"""Rectangle in mm of a screw terminal's body, relative to its first pin (published value)."""


@dataclass(frozen=True)
class Plug:
    """A plug on a board, seen from above."""

    ref: str
    body: Box
    """Rectangle of the plug's body in mm, relative to the board's middle."""

    def at(self, x: float, y: float, around: float = 0) -> Box:
        """Return the rectangle of the plug's body if the board's middle is at (x, y), enlarged by
        ``around`` mm on each side."""
        left, right, near, far = self.body
        return left + x - around, right + x + around, near + y - around, far + y + around


@cache
def of_carrier() -> tuple[Plug, ...]:
    """Return the carrier's plugs: for electrodes, Raspberry Pi, lights, supply and feeds."""
    return _plugs(carrier(rows_of()).parts)


@cache
def of_tile() -> tuple[Plug, ...]:
    """Return the plugs on a tile's underside: for light in, light out, electrode and feed."""
    return _plugs(tile(rows_of()).parts)


def _plugs(parts: Iterable[Part]) -> tuple[Plug, ...]:
    named = (part for part in parts if part.ref[0] == "J" and part.ref[1:].isdigit())
    return tuple(Plug(part.ref, _body(part)) for part in named)


def _body(part: Part) -> Box:
    """Return the rectangle of a plug's body. Raises ValueError if the size of this kind of plug is
    unknown."""
    if part.kind == "screw-terminal":
        left, right, near, far = TERMINAL
    elif part.kind.startswith("xh-header-"):
        pins = int(part.kind.removeprefix("xh-header-"))
        left, right = -ENDS, (pins - 1) * PITCH + ENDS
        near, far = (-SIDES[1], -SIDES[0]) if part.below else SIDES
    else:
        raise ValueError(f"{part.ref} is a {part.kind}: how large that is stands nowhere.")
    for _ in range(round(part.turn / 90) % 4):
        left, right, near, far = -far, -near, left, right
    x, y = part.place
    return left + x, right + x, near + y, far + y
