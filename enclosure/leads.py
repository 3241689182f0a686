"""The ways of the electrodes' leads under the deck, and the combs that hold them.

Each chip has the cells of two rows, so its leads run between these two rows, and then down to its
plug on the carrier. A chip grounds its other leads while it measures one, so its leads may run
side by side. Leads of different chips must stay apart. Each comb has a slot for each channel of a
chip, in the order of the plug's pins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from enclosure import plugs
from enclosure.dimensions import MM
from enclosure.levels import ACROSS, DOWN
from enclosure.places import CARRIER, Point
from hardware.boards.carrier_board import carrier
from hardware.boards.wires import rows_of
from hardware.electrode_design import Design
from hardware.places import centre, wiring

CHANNELS: Final = 12
CHIPS: Final = {"0x5A": ("J1", 0), "0x5B": ("J2", 2), "0x5C": ("J3", 4)}
"""For each chip: its plug on the carrier, and the number of the upper one of its two rows."""
TIE: Final = 4.0
"""Distance in mm from a comb's middle to each of the two slots for its cable tie."""
COMB_PLATE: Final = 3.0
"""Thickness in mm of a comb under the deck, above its slots."""
LEAD: Final = 1.2
"""Outer diameter in mm of a lead (published value)."""
DEPTH: Final = MM["cell_depth"] + MM["ply"] + COMB_PLATE + LEAD / 2
"""Distance in mm from the tiles' underside down to the middle of a lead in a comb."""
STRIP: Final = 3.0
"""y in mm of the combs between two rows, from the middle between these rows: the slots for the
cables of the lights are beside it, and the way to the plug of 0x5B is short."""


@dataclass(frozen=True)
class Comb:
    """A comb under the deck. ``turns`` is the number of quarter turns to the left of the part,
    whose teeth are to the left of its cable tie. Its slots are alike, so any end may be the first:
    channel 0 is at the far end, or at the end of its pin."""

    chip: str
    x: float
    y: float
    turns: int = 0

    def slot(self, channel: int) -> Point:
        """Return the middle of a channel's slot."""
        if self.turns % 2:
            side = 1 if self.turns == 3 else -1
            order = -1 if pin(self.chip, 1) < pin(self.chip, 0) else 1
            return self.x - order * lane(channel), self.y + side * TEETH_AT
        side = 1 if self.turns == 2 else -1
        return self.x + side * TEETH_AT, self.y + lane(channel)


@dataclass(frozen=True)
class Lead:
    """A lead, from the plug of a tile or guard to the carrier's plug."""

    name: str
    chip: str
    channel: int
    way: tuple[Point, ...]

    @property
    def length(self) -> float:
        return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in self.legs())

    def legs(self) -> list[tuple[Point, Point]]:
        return [*zip(self.way, self.way[1:], strict=False)]


TEETH_AT: Final = 10.5
"""Distance in mm from a comb's cable tie to the middle of its teeth."""


def lane(channel: int) -> float:
    """Return a channel's distance in mm from a comb's middle; channel 0 is at the far end."""
    return ((CHANNELS - 1) / 2 - channel) * plugs.PITCH


def strip(chip: str) -> float:
    """Return y in mm of the combs between the two rows of a chip."""
    row = CHIPS[chip][1]
    return (DOWN[row] + DOWN[row + 1]) / 2 + STRIP


@cache
def pin(chip: str, channel: int) -> Point:
    """Return the place of a channel's pin on the carrier."""
    name = CHIPS[chip][0]
    part = next(part for part in carrier(rows_of()).parts if part.ref == name)
    along = channel * plugs.PITCH * (-1 if part.turn == 180 else 1)
    return CARRIER[0] + part.place[0] + along, CARRIER[1] + part.place[1]


def _plug_middle(chip: str) -> Point:
    (left, y), (right, _) = pin(chip, 0), pin(chip, CHANNELS - 1)
    return (left + right) / 2, y


DROPS: Final = (
    Comb("0x5A", _plug_middle("0x5A")[0], 46.0, 3),
    Comb("0x5B", _plug_middle("0x5B")[0], -31.5, 3),
    Comb("0x5C", _plug_middle("0x5C")[0], -120.0, 1),
)
"""The combs on the ways down from the rows to the plugs."""
_BESIDE: Final = {"A": (-22.0, 0), "B": (22.0, 2), "C": (5.0, 0), "D": (-6.0, 0), "E": (22.0, 2)}
"""For each column: x in mm of a comb from the column's middle, and its turns. The leads of a column
pass its comb on their way to the middle of the table."""
_COLUMNS: Final = {"0x5A": "ABCD", "0x5B": "BDE", "0x5C": "BCD"}
"""The columns with a comb between the rows of each chip. The outer ones are for the guards."""
COMBS: Final = (
    *(
        Comb(chip, ACROSS[column] + _BESIDE[column][0], strip(chip), _BESIDE[column][1])
        for chip, columns in _COLUMNS.items()
        for column in columns
    ),
    *DROPS,
)


@cache
def leads() -> tuple[Lead, ...]:
    """Return every lead of wiring.csv with its way."""
    return tuple(_leads())


def _leads() -> Iterator[Lead]:
    guards = Design().guards
    tile = next(plug for plug in plugs.of_tile() if plug.ref == "J3")
    beside = (tile.body[0] + tile.body[1]) / 2
    for row in wiring():
        if row["kind"] not in ("pad", "rim"):
            continue
        name, chip, channel = row["name"], row["chip"], int(row["channel"])
        if row["kind"] == "rim":
            start = guards[name]
        else:
            x, y = centre(name)
            start = x + beside, y
        drop = next(comb for comb in DROPS if comb.chip == chip)
        across = strip(chip) + lane(channel)
        down = drop.slot(channel)[0]
        yield Lead(
            name,
            chip,
            channel,
            (start, (start[0], across), (down, across), (down, pin(chip, channel)[1])),
        )
