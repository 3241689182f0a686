"""The parts list: reads, checks and summarizes parts.csv beside this file.

`python -m hardware.parts` checks the list and prints its prices. Each part has a price class, which
is a range in euros for one piece (or for one metre or kilogram, if the part's name says that). All
prices are proposals, marked (P): no offers were requested.
"""

import csv
import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("parts.csv")
COLUMNS: Final = [
    *("id", "what", "key_figures", "quantity", "price_class"),
    *("source_1", "part_1", "source_2", "part_2", "note"),
]


PRICES: Final = {
    "<0.1": (0.0, 0.1),
    "<1": (0.1, 1.0),
    "1-5": (1.0, 5.0),
    "5-20": (5.0, 20.0),
    "20-60": (20.0, 60.0),
    ">60": (60.0, 100.0),
}
"""Lower and upper bound in euros of each price class. All bounds are proposals. The upper bound of
the highest class is a guess."""
LEAST: Final = 0.01
"""Euros: lower bound of the lowest class for the middle price, which needs more than 0 (P)."""
GROUPS: Final = {
    "boards": r".*-board",
    "computer": r"pi-\d.*|sd-card|supply-pi",
    "screen and knob": r"screen|screen-cable|encoder|knob|button|led-case|button-case",
    "sound": r"amplifier|loudspeaker|wire-sound",
    "wires and plugs": r"(wire-(?!sound)|lead-|plug-|xh-header-).*|contact|cable-tie",
    "box": r"(filament-|screw-(?!terminal)|insert-|nut-|plywood).*|acrylic-overlay|glue-film"
    r"|wood-glue|foot|cord|foam-tape|adhesive",
}
"""Pattern of the ids of each group of parts. All other parts are electronics."""
ELECTRONICS: Final = "electronics"

MAKER: Final = "any maker"
"""Source of a part that a standard describes fully, so that any manufacturer can supply it. Its
part number is its designation in the standard."""
FABRICATOR: Final = "any fabricator"
"""Source of a part that any manufacturer can make from this project's files. Its part number is the
folder of these files, beside parts.csv."""
_STANDARD: Final = re.compile(r"(ISO|ISO/ASTM|EN|DIN|IEC|UL|USB|SD) \d")


class Supply(StrEnum):
    """The ways in which a part can be bought."""

    TWO = "two sellers' numbers"
    STANDARD = "any maker's, by a standard"
    FILES = "any fabricator's, from our files"


class PartsError(ValueError):
    """The parts list has an invalid row, or a part that cannot be bought."""


@dataclass(frozen=True)
class Part:
    """A row of the parts list."""

    id: str
    what: str
    key_figures: str
    quantity: float
    """Number of pieces, metres or kilograms that a table needs."""
    price_class: str
    sources: tuple[tuple[str, str], ...]
    """Two sellers of the part, each with the seller's part number. Any maker or any fabricator
    needs no second one."""
    note: str

    @property
    def supply(self) -> Supply:
        """The way in which the part can be bought. A part from any maker or fabricator has an
        unlimited number of sellers, so its other sources do not count."""
        sellers = {source for source, _ in self.sources}
        if MAKER in sellers:
            return Supply.STANDARD
        if FABRICATOR in sellers:
            return Supply.FILES
        return Supply.TWO


def read(file: Path = FILE) -> list[Part]:
    """Return the parts in the order of the list. Raises PartsError if a part cannot be bought."""
    with file.open(newline="", encoding="utf-8") as text:
        rows = csv.DictReader(text)
        if rows.fieldnames != COLUMNS:
            raise PartsError(f"{file.name}: its columns have to be {', '.join(COLUMNS)}.")
        parts = [_part(row, f"{file.name}, line {rows.line_num}") for row in rows]
    twice = sorted({part.id for part in parts if [p.id for p in parts].count(part.id) > 1})
    if twice:
        raise PartsError(f"{file.name}: {', '.join(twice)} stands twice; one row a part.")
    _refuse_a_number_for_two_parts(parts, file.name)
    return parts


def _part(row: dict[str, str], where: str) -> Part:
    if None in row or None in row.values():
        raise PartsError(
            f"{where}: it has not {len(COLUMNS)} fields; quote one with a comma in it."
        )
    name = row["id"]
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise PartsError(f"{where}: {name!r} is no id; small letters and digits with hyphens are.")
    if not row["what"] or not row["key_figures"]:
        raise PartsError(f"{where}: {name} lacks what it is, or its key figures.")
    if row["price_class"] not in PRICES:
        raise PartsError(f"{where}: {name} has no price class out of {', '.join(PRICES)}.")
    quantity = _quantity(row["quantity"], name, where)
    if not quantity:
        raise PartsError(f"{where}: no table takes {name}; take the row out.")
    sources = [(row["source_1"], row["part_1"]), (row["source_2"], row["part_2"])]
    if any(bool(source) != bool(part) for source, part in sources):
        raise PartsError(f"{where}: {name} has a source without a number, or the other way round.")
    found = tuple(pair for pair in sources if all(pair))
    if len({source for source, _ in found}) < len(found):
        raise PartsError(
            f"{where}: both sources of {name} are the same; a second is another seller."
        )
    if len(found) < 2 and not {MAKER, FABRICATOR} & {source for source, _ in found}:
        raise PartsError(
            f"{where}: {name} needs two sellers' numbers, or {MAKER!r} with its standard."
        )
    for source, number in found:
        if source == MAKER and not _STANDARD.match(number):
            raise PartsError(f"{where}: {name} is any maker's, but {number!r} is no standard.")
        if source == FABRICATOR and not (FILE.parent / number / "gerbers").is_dir():
            raise PartsError(f"{where}: {name} is any fabricator's, but {number!r} has no gerbers.")
    what, figures = row["what"], row["key_figures"]
    return Part(name, what, figures, quantity, row["price_class"], found, row["note"])


def _quantity(text: str, name: str, where: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        raise PartsError(
            f"{where}: {name} has {text!r} for a quantity; a number is needed, 0 for none."
        )
    return float(text)


def _refuse_a_number_for_two_parts(parts: list[Part], name: str) -> None:
    """Raise PartsError if two parts have the same seller and part number."""
    bought: dict[tuple[str, str], str] = {}
    for part in parts:
        for source in part.sources:
            if source in bought:
                raise PartsError(
                    f"{name}: {part.id} and {bought[source]} are both {' '.join(source)}; "
                    "make one row of them."
                )
            bought[source] = part.id


def cost(parts: Iterable[Part]) -> tuple[float, float]:
    """Return the lowest and the highest total price of the parts, in euros. All prices are
    proposals."""
    low = high = 0.0
    for part in parts:
        least, most = PRICES[part.price_class]
        low += least * part.quantity
        high += most * part.quantity
    return low, high


def middle(parts: Iterable[Part]) -> float:
    """Return the middle price of the parts in euros: of each class the geometric mean of its
    bounds. A proposal, as all prices are."""
    return sum(
        part.quantity * math.sqrt(max(low, LEAST) * high)
        for part in parts
        for low, high in [PRICES[part.price_class]]
    )


def group(part: Part) -> str:
    """Return the name of the part's group: a key of ``GROUPS``, or ``ELECTRONICS``."""
    found = (name for name, ids in GROUPS.items() if re.fullmatch(ids, part.id))
    return next(found, ELECTRONICS)


def prices(parts: list[Part]) -> Iterator[str]:
    """Yield a line: how many kinds of parts there are, and what they cost."""
    low, high = cost(parts)
    most = f"{low:.0f} to {high:.0f} €"
    yield f"{len(parts)} kinds of parts, in the middle {middle(parts):.0f} €, {most} (P)."


def summary(parts: list[Part]) -> Iterator[str]:
    """Yield lines with the prices, and with the number of parts that can be bought in each way."""
    yield from prices(parts)
    yield f"How the {len(parts)} can be bought:"
    yield ""
    for supply in Supply:
        names = [part.id for part in parts if part.supply is supply]
        told = "" if supply is Supply.TWO else f" ({', '.join(names)})"
        if names:
            yield f"- {supply}: {len(names)}{told}."


def main() -> int:
    try:
        parts = read()
    except PartsError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(summary(parts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
