"""How a text is set into its box: which size, which lines. Pure; who calls measures the type."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from pi_table.console.shapes import Text

Measure = Callable[[str, int], float]
"""The width in pixels of a text at a size."""

NARROWEST: Final = 0.7
"""How far a line may be squeezed before its size goes down: like a condensed face, it reads
better than the same line in smaller type."""
LINE_HEIGHT: Final = 1.15
"""From one baseline to the next, in sizes."""


class Setting(msgspec.Struct, frozen=True):
    """A text as it is set: ``narrow`` (0.7 … 1) is the share of its width that a line takes."""

    size: int
    lines: tuple[str, ...]
    narrow: float
    cut: bool = False
    """Did something have to be left out?"""


def set_text(text: Text, measure: Measure) -> Setting:
    """Set a text into its box, with "…" at the end of what cannot be made to fit."""
    for size in range(text.size, text.least - 1, -1):
        lines = tuple(_wrapped(text.text, size, text.w / NARROWEST, measure))
        if _tall(lines, size) <= text.h:
            widest = max(measure(line, size) for line in lines)
            if widest * NARROWEST <= text.w:
                return Setting(size, lines, min(1.0, text.w / max(widest, 1)))
    return _cut(text, measure)


def _tall(lines: tuple[str, ...], size: int) -> float:
    return size + (len(lines) - 1) * size * LINE_HEIGHT


def _wrapped(text: str, size: int, w: float, measure: Measure) -> Iterator[str]:
    """Lines at most ``w`` wide, but for words that are wider themselves."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and measure(longer, size) > w:
            yield line
            line = word
        else:
            line = longer
    yield line


def _cut(text: Text, measure: Measure) -> Setting:
    size = text.least
    room = text.w / NARROWEST
    most = max(1, int((text.h - size) / (size * LINE_HEIGHT)) + 1)
    lines = list(_wrapped(text.text, size, room, measure))
    kept = lines[:most]
    if len(lines) > most:
        kept[-1] += "…"
    kept = [_shortened(line, size, room, measure) for line in kept]
    return Setting(size, tuple(kept), NARROWEST, cut=True)


def _shortened(line: str, size: int, w: float, measure: Measure) -> str:
    while len(line) > 1 and measure(line, size) > w:
        line = line.rstrip("…")[:-1] + "…"
    return line
