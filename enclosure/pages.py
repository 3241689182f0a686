"""Writes the table of screws into README.md: `python -m enclosure.pages`.

Generated figures are between the lines `<!-- NAME -->` and `<!-- end -->`; NAME is a key of
``MADE``.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from enclosure import fasteners

PAGE: Final = Path(__file__).with_name("README.md")
_PLACE: Final = re.compile(r"<!-- ([a-z]+) -->\n.*?<!-- end -->\n", re.DOTALL)
MADE: Final[dict[str, Callable[[], str]]] = {
    "fasteners": fasteners.table,
}


def update(page: str) -> str:
    """Return the page with its figures up to date. Raises KeyError for an unknown NAME."""
    return _PLACE.sub(
        lambda found: f"<!-- {found[1]} -->\n\n{MADE[found[1]]()}\n\n<!-- end -->\n", page
    )


if __name__ == "__main__":
    PAGE.write_text(update(PAGE.read_text("utf-8")), "utf-8")
