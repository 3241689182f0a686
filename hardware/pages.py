"""The tables that the pages of this folder show, made by the programs beside them.

A page has a line `<!-- NAME -->` before each such table, with a name of ``TABLES``, and a line
`<!-- end -->` behind it. `python -m hardware.pages` writes what stands between anew.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hardware import electrodes, figures, parts, plan, power
from hardware.electrode_design import FILE, Design

FOLDER: Final = Path(__file__).parent
PAGES: Final = ("README.md", "PARTS.md", "POWER.md", "ELECTRODES.md")
_PLACE: Final = re.compile(r"<!-- ([a-z-]+) -->\n.*?<!-- end -->\n", re.DOTALL)

TABLES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "from-above": plan.from_above,
    "cut": plan.cut,
    "parts": lambda: parts.table(parts.read()),
    "parts-summary": lambda: parts.summary(parts.read()),
    "power-draws": lambda: power.draws(power.Budget()),
    "power-wires": lambda: power.wires(power.Budget()),
    "power-caps": lambda: power.other_caps(power.Budget()),
    "power-figures": lambda: figures.table(figures.read(power.FILE)),
    "electrodes-pads": lambda: electrodes.pads(Design()),
    "electrodes-overlays": lambda: electrodes.overlays(Design()),
    "electrodes-gaps": lambda: electrodes.gaps(Design()),
    "electrodes-others": lambda: electrodes.others(Design()),
    "electrodes-boards": lambda: electrodes.boards(Design()),
    "electrodes-figures": lambda: figures.table(figures.read(FILE)),
}


def made(text: str) -> str:
    """The page with its tables as they are now. Raises ValueError for one that nothing makes."""

    def anew(found: re.Match[str]) -> str:
        if found[1] not in TABLES:
            raise ValueError(f"Nothing makes a table {found[1]!r}: {', '.join(TABLES)} are made.")
        lines = "\n".join(TABLES[found[1]]())
        return f"<!-- {found[1]} -->\n\n{lines}\n\n<!-- end -->\n"

    return _PLACE.sub(anew, text)


if __name__ == "__main__":
    for name in PAGES:
        page = FOLDER / name
        page.write_text(made(page.read_text("utf-8")), "utf-8")
