"""Where the table's places lie, and in which order the strip of lights runs through them."""

import csv
from pathlib import Path
from typing import Final

from enclosure.places import CARRIER
from hardware.dimensions import MM

__all__ = ["CARRIER", "centre", "chain", "fed", "metres", "wiring"]

WIRING: Final = Path(__file__).with_name("wiring.csv")
COLUMNS: Final = "ABCDE"
PADS: Final = {"end-turn": -1, "hourglass": 1}
"""The pads in a row of their own, nearest the operatives, and on which side of the middle."""


def wiring(file: Path = WIRING) -> list[dict[str, str]]:
    """The rows of the table of wires."""
    with file.open(newline="", encoding="utf-8") as text:
        return [*csv.DictReader(text)]


def rows(*kinds: str) -> dict[str, dict[str, str]]:
    """The rows of the table of wires that are of these kinds, by name."""
    return {row["name"]: row for row in wiring() if row["kind"] in kinds}


def centre(place: str) -> tuple[float, float]:
    """The middle of a cell or a pad in millimetres from the middle of C3: to the right, and away
    from the operatives."""
    if place in PADS:
        return PADS[place] * MM["pads_from_middle"], -3 * MM["pitch_down"]
    across, down = COLUMNS.index(place[0]) - 2, int(place[1]) - 3
    return across * MM["pitch_across"], -down * MM["pitch_down"]


def metres(start: tuple[float, float], end: tuple[float, float]) -> float:
    """The way of a wire, which goes across and down, not aslant."""
    return (abs(start[0] - end[0]) + abs(start[1] - end[1])) / 1000


def chain(rows: list[dict[str, str]]) -> dict[str, int]:
    """The places in the order in which the strip comes to them, each with its number of lights."""
    found = {}
    for row in rows:
        if row["kind"] == "pad":
            first, last = map(int, row["lights"].split("-"))
            found[first] = (row["name"], last - first + 1)
    return dict(found[first] for first in sorted(found))


def fed(order: list[str]) -> list[str]:
    """The places where the supply comes in: the first of each row that the strip comes to."""
    rows = [centre(place)[1] for place in order]
    return [place for at, place in enumerate(order) if at == 0 or rows[at] != rows[at - 1]]
