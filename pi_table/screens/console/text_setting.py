"""The setting of texts into boxes: it chooses typeface, size and lines.

The caller supplies the function that measures texts, so this module needs no typeface.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from typing import Final

import msgspec

from pi_table.screens.console.shapes import Face, Shape, Text

Measure = Callable[[str, int, Face], float]
"""A function that returns the width in pixels of a text at a size in a face."""

MIN_WIDTH_SHARE: Final = 0.85
"""Minimum width of a squeezed line, as a share of its natural width. If a text still does not fit,
a smaller size is tried."""
LINE_HEIGHT: Final = 1.2
"""Distance from one baseline to the next, as a multiple of the type size."""


class Setting(msgspec.Struct, frozen=True):
    """A text that was set into its box. ``squeezed`` is the width of its lines as a share of their
    natural width (0.85 … 1)."""

    size: int
    face: Face
    lines: tuple[str, ...]
    squeezed: float = 1.0
    cut: bool = False
    """True if some text did not fit and was left out."""


def groups_of(scene: Iterable[Shape]) -> Iterator[tuple[Text, ...]]:
    """Yield the texts of a scene by group. A text without a group is a group by itself."""
    groups: dict[object, list[Text]] = {}
    for shape in scene:
        if isinstance(shape, Text):
            groups.setdefault(shape if shape.group is None else shape.group, []).append(shape)
    return map(tuple, groups.values())


def set_text(text: Text, measure: Measure) -> Setting:
    """Set a single text into its box, as `set_group` sets several."""
    return set_group((text,), measure)[0]


def set_group(texts: Sequence[Text], measure: Measure) -> tuple[Setting, ...]:
    """Set texts into their boxes, in one typeface and one size, as large as possible.

    At each size, these ways are tried in order: one line in the text's own typeface, one line in
    the narrow typeface, several lines, squeezed lines. A text that does not fit at the least size
    is set by itself, in a smaller size. If nothing else helps, its words are broken, and its end is
    cut with "…". The texts must be translated already (`shapes.in_language`).
    """
    least = min(min(text.size, text.least) for text in texts)
    largest = min(text.size for text in texts)
    for size in range(largest, least - 1, -1):
        for face, narrowest, one_line in _WAYS:
            settings = [
                _set(text, size, face or text.face, narrowest, one_line, measure) for text in texts
            ]
            if None not in settings:
                return tuple(filter(None, settings))
    return tuple(_set_alone(text, least, measure) for text in texts)


_WAYS: Final = (
    (None, 1.0, True),
    (Face.NARROW, 1.0, True),
    (None, 1.0, False),
    (Face.NARROW, 1.0, False),
    (Face.NARROW, MIN_WIDTH_SHARE, False),
)
"""The ways to set texts at a size, the best first. Each has the typeface (None: the text's own),
the share to which a line may be squeezed, and True if a text must be one line."""


def _set_alone(text: Text, least: int, measure: Measure) -> Setting:
    for size in range(least, min(least, text.last) - 1, -1):
        setting = _set(text, size, Face.NARROW, MIN_WIDTH_SHARE, False, measure)
        if setting is not None:
            return setting
    return _force(text, min(least, text.last), measure)


def _set(
    text: Text, size: int, face: Face, narrowest: float, one_line: bool, measure: Measure
) -> Setting | None:
    """Return the text in lines, squeezed no further than ``narrowest``; None if it does not fit."""
    room = text.w / narrowest
    lines = tuple(_wrap(_words(text), lambda line: measure(line, size, face), room))
    if _tall(len(lines), size) > text.h + 0.01 or (one_line and len(lines) > 1):
        return None
    widest = max(measure(line, size, face) for line in lines)
    if widest > room:
        return None
    return Setting(size, face, lines, min(1.0, text.w / max(widest, 1.0)))


def _words(text: Text) -> str:
    assert isinstance(text.text, str), "a text that nobody has written in a language"
    return text.text


def _tall(lines: int, size: int) -> float:
    return size + (lines - 1) * size * LINE_HEIGHT


def _wrap(text: str, width: Callable[[str], float], w: float) -> Iterator[str]:
    """Yield lines that are at most ``w`` wide. A word that is wider gets its own line."""
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
    """Yield lines that are at most ``w`` wide. A word that is wider is broken into equal parts."""
    for line in _wrap(text, width, w):
        rest = line
        while len(rest) > 1 and width(rest) > w:
            alike = ceil(len(rest) / ceil(width(rest) / w))
            end = next((n for n in range(alike, 1, -1) if width(rest[:n]) <= w), 1)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _force(text: Text, size: int, measure: Measure) -> Setting:
    def width(line: str) -> float:
        return measure(line, size, Face.NARROW)

    room = text.w / MIN_WIDTH_SHARE
    most = max(1, int((text.h + 0.01 - size) / (size * LINE_HEIGHT)) + 1)
    lines = tuple(_break_words(_words(text), width, room))
    cut = len(lines) > most
    if cut:
        last = lines[most - 1]
        while last and width(f"{last}…") > room:
            last = last[:-1]
        lines = (*lines[: most - 1], f"{last}…")
    squeezed = min(1.0, text.w / max(1.0, *map(width, lines)))
    return Setting(size, Face.NARROW, lines, squeezed, cut)
