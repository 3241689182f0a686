"""Checks that two exports of the same parts give the same files, and that these equal the committed
files.

Pictures are compared by colour, because their bytes depend on the machine's OpenGL.
"""

from pathlib import Path

import numpy as np
from PIL import Image

from enclosure.checks.report import Report

RENDERED = Path("pictures/evening.png")
"""A picture that takes minutes to make. `checks/evening.py` checks it."""
UNSEEN = 1.0
"""Largest mean colour difference, on a scale of 0 to 255, at which two pictures count as equal."""


def check(first: Path, second: Path, committed: Path) -> Report:
    """Return the report. ``first`` is the folder of a full export, ``second`` the folder of an
    export without pictures. Both exports must be made from the present sources."""
    report = Report("Exported files")
    again = _files(second)
    for name in again:
        report.demand(
            _same(first / name, second / name), f"{name} is other bytes each time it is exported."
        )
    report.figures.append(f"{len(again)} files exported twice, the same bytes")
    made = [name for name in _files(first) if name.parts[0] != "step"]
    there = [name for name in _files(committed) if name != RENDERED]
    for name in sorted({*made, *there}):
        if name not in there or name not in made:
            where = "is not committed" if name in made else "is committed, and no part's"
            report.findings.append(f"{name} {where}: run `make -C enclosure`.")
        elif not _same(first / name, committed / name):
            _other(report, name, first, committed)
    report.figures.append(f"{len(there)} files as committed")
    return report


def _other(report: Report, name: Path, first: Path, committed: Path) -> None:
    if name.suffix != ".png":
        report.findings.append(f"{name} is committed otherwise: run `make -C enclosure`.")
        return
    now, then = (
        np.asarray(Image.open(folder / name).convert("RGB"), float) for folder in (first, committed)
    )
    off = float(np.abs(now - then).mean()) if now.shape == then.shape else 255.0
    report.demand(
        off <= UNSEEN,
        f"{name} is committed with other colours, {off:.1f} of 255 off: run `make -C enclosure`.",
    )


def _files(folder: Path) -> list[Path]:
    return sorted(each.relative_to(folder) for each in folder.rglob("*") if each.is_file())


def _same(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()
