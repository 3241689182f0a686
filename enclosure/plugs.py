"""Places of the plugs of carrier and tiles, from the boards' own programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from hardware.boards.board import Part
from hardware.boards.carrier_board import carrier
from hardware.boards.tile_board import tile
from hardware.boards.wires import rows_of

Box = tuple[float, float, float, float]
"""Left, right, near and far, in mm."""

MATED: Final = 9.8
"""From the board to the end of a plug with its housing: S (JST XH)."""
PITCH: Final = 2.5
"""From one pin of such a plug to the next: S."""
ENDS: Final = 2.45
"""From the outermost pins to the body's ends: S."""
SIDES: Final = (-3.4, 2.35)
"""From the row of pins to the body's faces: S. On a board's underside it is the other way round."""
TERMINAL: Final = (-2.54, 7.62, -4.6, 5.2)
"""A screw terminal's body from its first pin: S."""


@dataclass(frozen=True)
class Plug:
    """A plug on a board, seen from above."""

    ref: str
    body: Box
    """From the board's middle."""

    def at(self, x: float, y: float, around: float = 0) -> Box:
        """Return the body on a board with that middle, enlarged by so many mm."""
        left, right, near, far = self.body
        return left + x - around, right + x + around, near + y - around, far + y + around


@cache
def of_carrier() -> tuple[Plug, ...]:
    """Return the carrier's plugs: electrodes, Raspberry Pi, lights, supply and feeds."""
    return _plugs(carrier(rows_of()).parts)


@cache
def of_tile() -> tuple[Plug, ...]:
    """On a tile's underside: light in and out, electrode, feed."""
    return _plugs(tile(rows_of()).parts)


def _plugs(parts: Iterable[Part]) -> tuple[Plug, ...]:
    named = (part for part in parts if part.ref[0] == "J" and part.ref[1:].isdigit())
    return tuple(Plug(part.ref, _body(part)) for part in named)


def _body(part: Part) -> Box:
    """The body's rectangle. Raises ValueError for a kind of plug whose size is not known."""
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
