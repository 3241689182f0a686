"""How a text is set into its box: which size, which lines. Pure; who calls measures the type."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from pi_table.console.shapes import Text

Measure = Callable[[str, int], float]
"""The width in pixels of a text at a size."""

NARROWEST: Final = 0.65
"""How far a line may be squeezed before its size goes down: like a condensed face, it reads
better than the same line in smaller type."""
LINE_HEIGHT: Final = 1.15
"""From one baseline to the next, as a share of the font's size."""


class Setting(msgspec.Struct, frozen=True):
    """A text as it is set: ``narrow`` (0.65 … 1) is the share of its width that a line takes."""

    size: int
    lines: tuple[str, ...]
    narrow: float
    cut: bool = False
    """Did something have to be left out?"""


def set_text(text: Text, measure: Measure) -> Setting:
    """Set a text into its box: as large as it goes in, squeezed before it is made smaller, broken
    within words if nothing else helps, and with "…" at the end of what does not fit even so.

    The text must be written in a language already (`shapes.in_language`).
    """
    words = text.text
    assert isinstance(words, str), "a text that nobody has written in a language"
    for size in range(text.size, text.least - 1, -1):
        for room in (text.w, text.w / NARROWEST):
            lines = tuple(_wrapped(words, size, room, measure))
            widest = max(measure(line, size) for line in lines)
            if widest <= room and _tall(len(lines), size) <= text.h:
                return Setting(size, lines, min(1.0, text.w / max(widest, 1.0)))
    return _forced(words, text, measure)


def _tall(lines: int, size: int) -> float:
    return size + (lines - 1) * size * LINE_HEIGHT


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


def _broken(text: str, size: int, w: float, measure: Measure) -> Iterator[str]:
    """Lines at most ``w`` wide; words that are wider go on in the next."""
    for line in _wrapped(text, size, w, measure):
        rest = line
        while len(rest) > 1 and measure(rest, size) > w:
            end = next((n for n in range(len(rest) - 1, 1, -1) if measure(rest[:n], size) <= w), 1)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _forced(words: str, text: Text, measure: Measure) -> Setting:
    size = text.least
    room = text.w / NARROWEST
    most = max(1, int((text.h - size) / (size * LINE_HEIGHT)) + 1)
    lines = tuple(_broken(words, size, room, measure))
    if len(lines) <= most:
        return Setting(size, lines, NARROWEST)
    last = lines[most - 1]
    while last and measure(f"{last}…", size) > room:
        last = last[:-1]
    return Setting(size, (*lines[: most - 1], f"{last}…"), NARROWEST, cut=True)
