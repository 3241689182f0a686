"""What a part of the enclosure is: its shape, where it goes, and what it is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from build123d import Edge, Location, Shape

Kind = Literal["printed", "sheet", "bought"]
HERE: Final = (Location((0, 0, 0)),)
"""One place, for a part that is built where it belongs."""


@dataclass(frozen=True)
class Part:
    """A part, and every place that one of it takes."""

    name: str
    """As the files are named."""
    kind: Kind
    material: str
    build: Callable[[], Shape]
    """Its solid. A printed part stands on the bed (z = 0) as it is printed, a sheet lies on z = 0;
    what is bought is an envelope: nothing of it sticks out."""
    places: tuple[Location, ...] = HERE
    """From the pose it is built in to the table's coordinates, one a piece; a tool has none."""
    step: int = 0
    """In which step of the assembly it comes in; 0 is what lies on the finished table."""
    thickness: float | None = None
    """Of a sheet, in mm."""
    engraving: Callable[[], list[Edge]] | None = None
    """Lines that the laser engraves into a sheet's upper side, drawn as the sheet lies."""

    @property
    def pieces(self) -> int:
        """How many a table takes. A tool, which has no place in the table, is made once."""
        return len(self.places) or 1

    def placed(self) -> list[Shape]:
        """Each piece where it belongs in the table."""
        solid = self.build()
        return [place * solid for place in self.places]
