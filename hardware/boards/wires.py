"""Reads the nets of the boards from wiring.csv, which is their only source.

A row whose kind is the name of a board (``KINDS``) is a net of this board; its column `pin` lists
the net's ends as REF.PIN. Some other rows add ends to nets of the carrier. If their column `plug`
has a plug's pin, they add this pin, and also:

- the row of a pad, or of a strip of the rim: the channel on its chip's module
- the row of a pin of the Raspberry Pi's controller: nothing else
"""

import csv
from pathlib import Path
from typing import Final

from hardware.boards import symbols
from hardware.boards.board import Board

FILE: Final = Path(__file__).parents[1] / "wiring.csv"
KINDS: Final = ("tile", "electrode", "carrier")
MODULES: Final = {"0x5A": "M1", "0x5B": "M2", "0x5C": "M3"}
"""Reference of each touch chip's module on the carrier, by the chip's address."""

Net = frozenset[tuple[str, str]]
"""The ends of a net; each end is the reference of a part and the number of a pin."""


class WiringError(ValueError):
    """wiring.csv describes wires that cannot exist on the boards."""


def rows_of(file: Path = FILE) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return [*csv.DictReader(text)]


def _ends(row: dict[str, str], board: str) -> tuple[str, list[str]] | None:
    """Return the name of the row's net on this board, and the net's ends as texts "REF.PIN".
    Returns None if the row adds no end to this board."""
    kind, name = row["kind"], row["name"]
    if kind == board:
        return name, row["pin"].split()
    if board != "carrier":
        return None
    plug = [row["plug"]] if row["plug"] else []
    if kind in ("pad", "rim"):
        return name, [f"{MODULES[row['chip']]}.E{row['channel']}", *plug]
    if kind == "controller":
        return name, plug
    return None


def nets(board: Board, rows: list[dict[str, str]]) -> dict[str, Net]:
    """Return the ends of each net of the board, by the net's name. Raises WiringError for an end
    that the board does not have, or that is on two nets."""
    found: dict[str, set[tuple[str, str]]] = {}
    taken: dict[tuple[str, str], str] = {}
    for row in rows:
        if (given := _ends(row, board.name)) is None:
            continue
        net, ends = given
        for end in ends:
            ref, _, pin = end.partition(".")
            part = next((each for each in board.parts if each.ref == ref), None)
            numbers = symbols.numbers_of(part.symbol, pin) if part else []
            if not numbers:
                raise WiringError(
                    f"wiring.csv, {row['kind']} {row['name']}: the {board.name} has no pin {end}."
                )
            for number in numbers:
                if taken.setdefault((ref, number), net) != net:
                    raise WiringError(
                        f"wiring.csv: {end} of the {board.name} is on {taken[ref, number]} and on "
                        f"{net}; a pin is on one net."
                    )
                found.setdefault(net, set()).add((ref, number))
    return {name: frozenset(ends) for name, ends in found.items()}


def net_of(nets: dict[str, Net]) -> dict[tuple[str, str], str]:
    """Return the net's name for each pin. A pin is a pair: the reference of its part, and its
    number."""
    return {end: name for name, ends in nets.items() for end in ends}
