"""Inputs of the calculations in this folder, read from their TOML files.

A figure has a value with its unit, a mark (see README.md) and its source. A result is only as
certain as the least certain figure behind it.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FACTS: Final = Path(__file__).parents[1] / "firmware" / "vectors" / "facts.txt"
"""Path of the file with the numbers that firmware and package share."""
MARKS: Final = "MSCP"
"""Marks of a figure, the most certain first: measured (M), from a source (S), calculated (C),
proposed (P)."""


@dataclass(frozen=True)
class Figure:
    """A number with its unit, its mark (one of ``MARKS``), and its source."""

    value: float
    unit: str
    mark: str
    why: str


def read(file: Path) -> dict[str, Figure]:
    """Return every figure by its name. Raises ValueError if a field of a figure is missing, unknown
    or invalid."""
    found = {}
    for name, fields in tomllib.loads(file.read_text("utf-8")).items():
        if not isinstance(fields, dict) or set(fields) != {"value", "unit", "mark", "why"}:
            raise ValueError(f"{file.name}: {name} has to have value, unit, mark and why alone.")
        sure = fields["mark"] in [*MARKS] and str(fields["why"]).endswith(".")
        if not sure or not isinstance(fields["value"], int | float) or fields["value"] < 0:
            raise ValueError(f"{file.name}: {name} is no number with a mark and a reason.")
        found[name] = Figure(float(fields["value"]), fields["unit"], fields["mark"], fields["why"])
    return found


def fact(name: str, file: Path = FACTS) -> int:
    """Return a number that firmware and package share. Raises ValueError if the file does not have
    the number."""
    for line in file.read_text("utf-8").splitlines():
        if line.partition(" ")[0] == name:
            return int(line.split()[1], 0)
    raise ValueError(f"{file} has no {name}.")


def values(figures: Mapping[str, Figure]) -> dict[str, float]:
    """Return the number of each figure, without unit and source, by its name."""
    return {name: figure.value for name, figure in figures.items()}


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def lines_of(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    head = [*head]
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|"
