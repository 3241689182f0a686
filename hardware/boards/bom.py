"""The parts of a board for whoever places them: a line for each kind, with its designators.

A fabricator takes its first rows together with positions.csv, which has the same parts.
"""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

from hardware.boards.board import Board
from hardware.parts import Part

HEAD: Final = ("Designator", "Quantity", "Part", "Comment", "Footprint", "Placed by", "Sources")
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
    rows: list[tuple[str, ...]] = []
    for kind, refs in sorted(kinds.items()):
        one = board.part(refs[0])
        placed = FABRICATOR if FLAT.search(one.footprint) else MAKER
        of = "; ".join(" ".join(each) for each in sources[kind])
        refs.sort(key=lambda ref: (ref.rstrip("0123456789"), int(re.sub(r"\D", "", ref))))
        value = "" if one.note else one.value
        rows.append((",".join(refs), f"{len(refs)}", kind, value, one.footprint, placed, of))
    rows.sort(key=lambda row: row[HEAD.index("Placed by")])
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(HEAD)
    lines.writerows(rows)
    return out.getvalue()
