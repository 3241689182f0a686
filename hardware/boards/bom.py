"""The parts of a board for whoever places them: a line for each kind, with its designators.

A fabricator takes it together with positions.csv.
"""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

from hardware.boards.board import Board
from hardware.parts import Part

HEAD: Final = ("Designator", "Quantity", "Part", "Value", "Footprint", "Placed by", "Sources")
MAKER: Final = "maker"
FABRICATOR: Final = "fabricator"
FLAT: Final = re.compile(r"SMD:|SOIC|SOT-23")
"""Pattern of the footprints of parts that lie flat on the board, so that a machine places them."""


def text(board: Board, listed: Iterable[Part]) -> str:
    """Return the text of bom.csv. Raises KeyError for a part that parts.csv does not have."""
    sources = {part.id: part.sources for part in listed}
    kinds: dict[str, list[str]] = {}
    for part in board.parts:
        if part.id:
            kinds.setdefault(part.id, []).append(part.ref)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(HEAD)
    for kind, refs in sorted(kinds.items()):
        one = board.part(refs[0])
        placed = FABRICATOR if FLAT.search(one.footprint) else MAKER
        of = "; ".join(" ".join(each) for each in sources[kind])
        refs.sort(key=lambda ref: (ref.rstrip("0123456789"), int(re.sub(r"\D", "", ref))))
        value = "" if one.note else one.value
        rows.writerow((" ".join(refs), len(refs), kind, value, one.footprint, placed, of))
    return out.getvalue()
