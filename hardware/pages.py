"""Generates the tables in the pages of this folder: `python -m hardware.pages`.

A table is between the lines `<!-- NAME -->`, with a name from ``TABLES``, and `<!-- end -->`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from hardware import electrodes, parts, power
from hardware.dimensions import MM
from hardware.electrode_design import Design
from hardware.figures import lines_of

FOLDER: Final = Path(__file__).parent
PAGES: Final = ("README.md", "POWER.md", "ELECTRODES.md")
_PLACE: Final = re.compile(r"<!-- ([a-z-]+) -->\n.*?<!-- end -->\n", re.DOTALL)


def lengths() -> Iterator[str]:
    """Yield the table of the layout's lengths, seen from above."""
    beyond = 2 * (MM["guard_gap"] + MM["guard_width"] + MM["edge"])
    across, down = 5 * MM["pitch_across"] + beyond, 6 * MM["pitch_down"] + beyond
    rows = (
        ("overlay", f"{across:g} × {down:g} × {MM['overlay_thickness']:g}, opal acrylic"),
        ("pitch of the cells", f"{MM['pitch_across']:g} × {MM['pitch_down']:g}, C3 in the middle"),
        ("end-turn, hourglass", f"in a sixth row, {MM['pads_from_middle']:g} off the middle"),
        (
            "guard",
            f"foil {MM['guard_width']:g} wide, {MM['guard_gap']:g} off the cells, "
            f"{MM['edge']:g} off the overlay's edge",
        ),
        (
            "electrode board",
            f"{MM['electrode_across']:g} × {MM['electrode_down']:g} × "
            f"{MM['electrode_thickness']:g}, glued flat under the overlay",
        ),
        ("air below the overlay", f"{MM['light_depth']:g}"),
        (
            "tile",
            f"{MM['tile_across']:g} × {MM['tile_down']:g} × {MM['tile_thickness']:g}, "
            f"white walls of {MM['wall']:g} around it",
        ),
    )
    return lines_of(("part", "mm (P)"), rows)


TABLES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "lengths": lengths,
    "prices": lambda: parts.prices(parts.read()),
    "power-draws": lambda: power.draws(power.Budget()),
    "power-wires": lambda: power.wires(power.Budget()),
    "power-caps": lambda: power.other_caps(power.Budget()),
    "electrodes-pads": lambda: electrodes.pads(Design()),
    "electrodes-overlays": lambda: electrodes.overlays(Design()),
    "electrodes-gaps": lambda: electrodes.gaps(Design()),
    "electrodes-others": lambda: electrodes.others(Design()),
}


def update(text: str) -> str:
    """Return the page with its tables up to date. Raises ValueError for an unknown table."""

    def table(found: re.Match[str]) -> str:
        if found[1] not in TABLES:
            raise ValueError(f"Nothing makes a table {found[1]!r}: {', '.join(TABLES)} are made.")
        lines = "\n".join(TABLES[found[1]]())
        return f"<!-- {found[1]} -->\n\n{lines}\n\n<!-- end -->\n"

    return _PLACE.sub(table, text)


if __name__ == "__main__":
    for name in PAGES:
        page = FOLDER / name
        page.write_text(update(page.read_text("utf-8")), "utf-8")
