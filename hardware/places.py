"""Places of the table's cells and pads, and their order along the strip of lights."""

import csv
from pathlib import Path
from typing import Final

from enclosure.places import CARRIER, PI
from hardware.dimensions import MM

__all__ = ["CARRIER", "PI", "centre", "chain", "fed", "metres", "wiring"]

WIRING: Final = Path(__file__).with_name("wiring.csv")
COLUMNS: Final = "ABCDE"
PADS: Final = {"end-turn": -1, "hourglass": 1}
"""Side of each pad in the row nearest the operatives: -1 is left of the middle, 1 is right of it.
"""


def wiring(file: Path = WIRING) -> list[dict[str, str]]:
    """Return the rows of wiring.csv."""
    with file.open(newline="", encoding="utf-8") as text:
        return [*csv.DictReader(text)]


def rows(*kinds: str) -> dict[str, dict[str, str]]:
    """Return the rows of wiring.csv whose kind is one of ``kinds``, by the row's name."""
    return {row["name"]: row for row in wiring() if row["kind"] in kinds}


def centre(place: str) -> tuple[float, float]:
    """Return the middle of a cell or pad, in mm from the middle of C3: to the right, and away from
    the operatives."""
    if place in PADS:
        return PADS[place] * MM["pads_from_middle"], -3 * MM["pitch_down"]
    across, down = COLUMNS.index(place[0]) - 2, int(place[1]) - 3
    return across * MM["pitch_across"], -down * MM["pitch_down"]


def metres(start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return the length in metres of a wire between two places. Wires run across and down, not
    diagonally."""
    return (abs(start[0] - end[0]) + abs(start[1] - end[1])) / 1000


def chain(rows: list[dict[str, str]]) -> dict[str, int]:
    """Return the cells and pads in the order of the light strip, each with its number of lights
    (LEDs)."""
    found = {}
    for row in rows:
        if row["kind"] == "pad":
            first, last = map(int, row["lights"].split("-"))
            found[first] = (row["name"], last - first + 1)
    return dict(found[first] for first in sorted(found))


def fed(order: list[str]) -> list[str]:
    """Return the cells and pads with a feed (a wire from the supply): in each row, the first place
    along the strip."""
    rows = [centre(place)[1] for place in order]
    return [place for at, place in enumerate(order) if at == 0 or rows[at] != rows[at - 1]]
