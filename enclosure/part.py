"""The model of a part: its shape, its places and its material."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from build123d import Edge, Location, Shape

Kind = Literal["printed", "sheet", "bought"]
HERE: Final = (Location((0, 0, 0)),)
"""One place, for a part that is built where it belongs."""


@dataclass(frozen=True)
class Part:
    """A part, with every place of its pieces."""

    name: str
    """As the files are named."""
    kind: Kind
    material: str
    build: Callable[[], Shape]
    """Function that returns its solid. A printed part is on the bed (z = 0) in its printing pose, a
    sheet is flat on z = 0, a bought part is an envelope that contains it."""
    places: tuple[Location, ...] = HERE
    """From the pose it is built in to the table's coordinates, one a piece; a tool has none."""
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
        """Each piece where it belongs in the table."""
        solid = self.build()
        return [place * solid for place in self.places]
