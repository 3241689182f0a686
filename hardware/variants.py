"""A table with the hidden screen, and a plain one, on which phones carry the key: what each needs.

The numbers of the box are those of enclosure/figures.txt, the chapters those of BUILD.md.
"""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from hardware import parts
from hardware.parts import Part

FOLDER: Final = Path(__file__).parent
BUILD: Final = FOLDER / "BUILD.md"
CHAPTERS: Final = FOLDER / "chapters.csv"
FIGURES: Final = FOLDER.parent / "enclosure" / "figures.txt"
WITH, WITHOUT = "with the screen", "without the screen"


@dataclass(frozen=True)
class Box:
    """What enclosure/figures.txt says of the box, with the hidden screen or without it."""

    hours: float
    """Hours of printing."""
    printed: int
    tabs: int
    sheets: Mapping[str, int]
    """Number of whole sheets by the id of their material."""
    pieces: Mapping[str, int]
    """Number of pieces of plywood by name."""
    area: float
    """Area of all sheets in dm²."""


@cache
def box(has_screen: bool) -> Box:
    """Return the box's numbers. Raises ValueError if figures.txt does not have one."""
    text = FIGURES.read_text("utf-8")
    plain = "" if has_screen else "plain-"
    lines = re.findall(rf"^  {plain}(plywood(?:-thin)?)-\d+ of .*?: (.+)$", text, re.MULTILINE)
    pieces: Counter[str] = Counter()
    for _, names in lines:
        for number, name in re.findall(r"(?:(\d+) x )?([a-z-]+)", names):
            pieces[name] += int(number or 1)
    printed, hours = _numbers(text, r"(\d+) pieces together: (\d+) h")
    tabs = _numbers(text, r"(\d+) tabs, each", 0 if has_screen else 1)
    variant = "with" if has_screen else "without"
    area = _numbers(text, rf"  {variant} it: .* of (\d+) dm² together")
    return Box(
        hours, int(printed), int(tabs[0]), Counter(kind for kind, _ in lines), pieces, area[0]
    )


def _numbers(text: str, pattern: str, at: int = 0) -> tuple[float, ...]:
    found = [each.groups() for each in re.finditer(pattern, text)]
    if at >= len(found):
        raise ValueError(f"{FIGURES.name} has no {pattern}.")
    return tuple(map(float, found[at]))


@cache
def chapters() -> dict[str, tuple[int, ...]]:
    """Return the steps of the box that each chapter of BUILD.md shows, by the chapter's name."""
    _, *texts = re.split(r"\n## \d+\. ", BUILD.read_text("utf-8"))
    return {
        text.partition("\n")[0]: tuple(map(int, re.findall(r"/step-(\d+)\.png", text)))
        for text in texts
    }


@cache
def rows() -> tuple[dict[str, str], ...]:
    """Return the rows of chapters.csv."""
    with CHAPTERS.open(newline="", encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def options(has_screen: bool) -> set[str]:
    """Return the options of a table with all extras, as chapters.csv has them."""
    return {row["for"] for row in rows()} - {WITHOUT if has_screen else WITH}


def bought(has_screen: bool, without: str = "") -> list[Part]:
    """Return the parts to buy, but those that only the option ``without`` needs. What chapters.csv
    does not have, such as filament, every table needs."""
    wanted = options(has_screen) - {without} | {""}
    left_out = {row["part"] for row in rows()} - {
        row["part"] for row in rows() if row["for"] in wanted
    }
    sheets = box(has_screen).sheets
    return [
        replace(part, quantity=sheets.get(part.id, part.quantity))
        for part in parts.read()
        if part.id not in left_out
    ]
