"""Generates the tables in the pages of this folder: `python -m hardware.pages`.

Each table is between the lines `<!-- NAME -->` and `<!-- end -->`; NAME is a key of ``TABLES``.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hardware import bus, effort, electrodes, parts, power
from hardware.electrode_design import Design

FOLDER: Final = Path(__file__).parent
PAGES: Final = ("README.md", "BUILD.md", "POWER.md", "ELECTRODES.md")
_PLACE: Final = re.compile(r"<!-- ([a-z-]+) -->\n.*?<!-- end -->\n", re.DOTALL)


TABLES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "prices": lambda: parts.prices(parts.read()),
    "hours": effort.say_hours,
    "bus": lambda: bus.summary(bus.Bus()),
    "power-draws": lambda: power.draws(power.Budget()),
    "electrodes-overlays": lambda: electrodes.overlays(Design()),
}


def update(text: str) -> str:
    """Return the page's text with its tables generated again. Raises ValueError for an unknown
    table."""

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
