"""The model of a part: its shape, its places and its material."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from build123d import Edge, Location, Shape

Kind = Literal["printed", "sheet", "bought"]
Option = Literal["", "screen", "plain"]
"""The table to which a part belongs: every table, only one with the hidden screen, or only one
without."""
HERE: Final = (Location((0, 0, 0)),)
"""``Part.places`` of a part that is built in the table's coordinates: one place, which does not
move the part."""


@dataclass(frozen=True)
class Part:
    """A part, with the places of all its pieces."""

    name: str
    """Name of the part, also used for the names of its files."""
    kind: Kind
    material: str
    build: Callable[[], Shape]
    """Function that returns the part's solid. A printed part is on the bed (z = 0) in its printing
    pose. A sheet is flat on z = 0. A bought part is a simple shape around the real part."""
    places: tuple[Location, ...] = HERE
    """For each piece, a move from the place where the part is built to the piece's place in the
    table."""
    step: int = 0
    """Number of the assembly step in which the part is added; 0 for things on the finished table.
    """
    thickness: float | None = None
    """Thickness in mm of a sheet; None for a part that is not a sheet."""
    engraving: Callable[[], list[Edge]] | None = None
    """Function that returns the lines to engrave into a sheet's upper side, in the coordinates of
    the built sheet. None means no engraving."""
    option: Option = ""

    @property
    def pieces(self) -> int:
        """Number of pieces that one table needs."""
        return len(self.places)

    def placed(self) -> list[Shape]:
        """Return the solid of each piece at its place in the table."""
        solid = self.build()
        return [place * solid for place in self.places]
