"""The model of a part: its shape, its places and its material."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from build123d import Edge, Location, Shape

Kind = Literal["printed", "sheet", "bought"]
HERE: Final = (Location((0, 0, 0)),)
"""The places of a part that is built where it belongs: one place without a move."""


@dataclass(frozen=True)
class Part:
    """A part, with every place of its pieces."""

    name: str
    """Name of the part, and of its files."""
    kind: Kind
    material: str
    build: Callable[[], Shape]
    """Function that returns the part's solid. A printed part is on the bed (z = 0) in its printing
    pose, a sheet is flat on z = 0, and a bought part is an envelope that contains it."""
    places: tuple[Location, ...] = HERE
    """Moves from the pose in which the part is built to the table's coordinates, one for each
    piece; a tool has none."""
    step: int = 0
    """Step of the assembly in which it is added; 0 for things on the finished table."""
    thickness: float | None = None
    """Thickness of a sheet in mm."""
    engraving: Callable[[], list[Edge]] | None = None
    """Lines that the laser engraves into a sheet's upper side, drawn in the sheet's pose."""

    @property
    def pieces(self) -> int:
        """Number of pieces for a table. A tool, which has no place in the table, is made once."""
        return len(self.places) or 1

    def placed(self) -> list[Shape]:
        """Return each piece at its place in the table."""
        solid = self.build()
        return [place * solid for place in self.places]
