"""The lengths that the table's parts share, read from dimensions.toml beside this file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("dimensions.toml")
MARKS: Final = frozenset("MSCP")
"""Marks of a length: measured (M), from a source (S), calculated (C) or proposed (P)."""


@dataclass(frozen=True)
class Dimension:
    """A length in millimetres, its mark (one of ``MARKS``), and the reason for the length."""

    mm: float
    mark: str
    why: str


def read(file: Path = FILE) -> dict[str, Dimension]:
    """Return every dimension by its name. Raises ValueError if a field of a dimension is missing,
    unknown or invalid."""
    table = tomllib.loads(file.read_text("utf-8"))
    found = {}
    for name, fields in table.items():
        if set(fields) != {"mm", "mark", "why"}:
            raise ValueError(f"{file.name}: {name} has to have mm, mark and why, and nothing else.")
        if not fields["mm"] > 0 or fields["mark"] not in MARKS or not fields["why"].endswith("."):
            raise ValueError(f"{file.name}: {name} is no length with a mark and a reason.")
        found[name] = Dimension(float(fields["mm"]), fields["mark"], fields["why"])
    return found


MM: Final[Mapping[str, float]] = {name: each.mm for name, each in read().items()}
"""Each shared length in millimetres, by its name."""
