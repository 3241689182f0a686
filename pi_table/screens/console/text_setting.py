"""The setting of text into its box: its size and its lines. Pure; the caller measures the type."""

from collections.abc import Callable, Iterator
from math import ceil
from typing import Final

import msgspec

from pi_table.screens.console.shapes import Face, Text

Measure = Callable[[str, int, Face], float]
"""A function that returns the width in pixels of a text at a size in a face."""

MIN_WIDTH_SHARE: Final = 0.66
"""Minimum share of its width to which a line is squeezed before the text is made smaller."""
LINE_HEIGHT: Final = 1.2
"""Distance of baselines as a share of the size."""


class Setting(msgspec.Struct, frozen=True):
    """A text set into its box; ``squeezed`` (0.66 … 1) is a line's share of its natural width."""

    size: int
    face: Face
    lines: tuple[str, ...]
    squeezed: float = 1.0
    cut: bool = False
    """True if some text did not fit and was left out."""


def set_text(text: Text, measure: Measure) -> Setting:
    """Set a text into its box, as large as possible.

    Before the text is made smaller, it is set in the narrow face, then in more lines, then
    squeezed. If nothing else helps, words are broken, and the end of a text that still does not fit
    is cut with "…". The text must be translated already (`shapes.in_language`).
    """
    words = text.text
    assert isinstance(words, str), "a text that nobody has written in a language"
    for size in range(text.size, min(text.size, text.least) - 1, -1):
        for face, narrowest, one_line in _WAYS:
            given = face or text.face
            setting = _set(words, text, size, given, text.w / narrowest, one_line, measure)
            if setting is not None:
                return setting
    return _force(words, text, measure)


_WAYS: Final = (
    (None, 1.0, True),
    (Face.NARROW, 1.0, True),
    (None, 1.0, False),
    (Face.NARROW, 1.0, False),
    (Face.NARROW, MIN_WIDTH_SHARE, False),
)
"""The ways to set a text at a size, the best first. Each has the face (None: the text's own), the
share to which a line may be squeezed, and True if the text must be one line."""


def _set(
    words: str, text: Text, size: int, face: Face, room: float, one_line: bool, measure: Measure
) -> Setting | None:
    """Return the text in lines of at most ``room``, squeezed; None if it does not fit its box."""
    lines = tuple(_wrap(words, lambda line: measure(line, size, face), room))
    if _tall(len(lines), size) > text.h + 0.01 or (one_line and len(lines) > 1):
        return None
    widest = max(measure(line, size, face) for line in lines)
    if widest > room:
        return None
    return Setting(size, face, lines, min(1.0, text.w / max(widest, 1.0)))


def _tall(lines: int, size: int) -> float:
    return size + (lines - 1) * size * LINE_HEIGHT


def _wrap(text: str, width: Callable[[str], float], w: float) -> Iterator[str]:
    """Yield lines at most ``w`` wide, except for longer words."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer) > w:
            yield line
            line = word
        else:
            line = longer
    yield line


def _break_words(text: str, width: Callable[[str], float], w: float) -> Iterator[str]:
    """Yield lines at most ``w`` wide; longer words are broken into equal parts."""
    for line in _wrap(text, width, w):
        rest = line
        while len(rest) > 1 and width(rest) > w:
            alike = ceil(len(rest) / ceil(width(rest) / w))
            end = next((n for n in range(alike, 1, -1) if width(rest[:n]) <= w), 1)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _force(words: str, text: Text, measure: Measure) -> Setting:
    def width(line: str) -> float:
        return measure(line, size, Face.NARROW)

    size, room = min(text.size, text.least), text.w / MIN_WIDTH_SHARE
    most = max(1, int((text.h + 0.01 - size) / (size * LINE_HEIGHT)) + 1)
    lines = tuple(_break_words(words, width, room))
    cut = len(lines) > most
    if cut:
        last = lines[most - 1]
        while last and width(f"{last}…") > room:
            last = last[:-1]
        lines = (*lines[: most - 1], f"{last}…")
    squeezed = min(1.0, text.w / max(1.0, *map(width, lines)))
    return Setting(size, Face.NARROW, lines, squeezed, cut)
