"""The painter of shapes on a pygame surface. It does not know what a shape means.

The painter runs with pygame-ce and with pygame, with a display or without one. The typefaces are
files in `typefaces`, so that every machine shows the same text. Round and slanted edges are drawn
four times as large and scaled down, which smooths them; the results are cached.
"""

import io
from functools import lru_cache
from itertools import pairwise
from math import ceil, hypot
from pathlib import Path
from typing import Final

import pygame

from pi_table.screens.console.shapes import (
    Blend,
    Circle,
    Colour,
    Face,
    Point,
    Polygon,
    Rect,
    Scene,
    Shadow,
    Text,
)
from pi_table.screens.console.style import CAPITAL
from pi_table.screens.console.text_setting import LINE_HEIGHT, Setting, groups_of, set_group

_FINE: Final = 4
_SOFT: Final = 3
"""Pixels over which the edge of a `Blend` with round corners fades."""
_row_by_row: Final = getattr(pygame.image, "tobytes", None) or pygame.image.tostring
"""The function that returns the pixels of a surface as bytes.

Debian bookworm has a pygame before 2.1.3, in which this function is called `tostring`.
"""
TYPEFACES: Final = {
    # Unchanged, from npm's @expo-google-fonts/atkinson-hyperlegible-next and PyPI's
    # fontpkg-barlow-condensed; their licences are beside them.
    Face.PLAIN: (Path(__file__).parent / "typefaces/AtkinsonHyperlegibleNext-Medium.ttf", 0.668),
    Face.BOLD: (Path(__file__).parent / "typefaces/AtkinsonHyperlegibleNext-Bold.ttf", 0.668),
    Face.NARROW: (Path(__file__).parent / "typefaces/BarlowCondensed-SemiBold.ttf", 0.7),
}
"""The file of each face, and the height of its capitals as a share of the em (from the file)."""
_OF_PYGAME: Final = 0.729
"""Height of capitals as a share of the em in pygame's own font, which replaces a missing file."""


def paint(surface: pygame.Surface, scene: Scene, offset: tuple[int, int] = (0, 0)) -> None:
    """Paint the shapes in order, with their origin at ``offset``."""
    settings = {text: each for group in groups_of(scene) for text, each in _settings(group)}
    for shape in scene:
        if isinstance(shape, Text):
            _text(surface, shape, settings[shape], offset)
        elif isinstance(shape, Rect) and shape.radius == 0:
            _plain(surface, shape, offset)
        elif isinstance(shape, Rect):
            stencil = _rect(shape.w, shape.h, shape.fill, shape.line, shape.thick, shape.radius)
            _blit(surface, stencil, shape.x, shape.y, offset)
        elif isinstance(shape, Blend):
            blended = _blend(shape.w, shape.h, shape.columns, shape.colours, shape.radius)
            _blit(surface, blended, shape.x, shape.y, offset)
        elif isinstance(shape, Shadow):
            shadow = _soft(shape.w, shape.h, shape.blur, shape.blur, 0, round(255 * shape.depth))
            _blit(surface, shadow, shape.x, shape.y, offset)
        elif isinstance(shape, Circle):
            stencil = _circle(shape.r, shape.fill, shape.line, shape.thick)
            _blit(surface, stencil, shape.x - shape.r, shape.y - shape.r, offset)
        elif isinstance(shape, Polygon):
            _points(surface, shape.points, shape.fill, None, offset)
        else:
            _points(surface, shape.points, shape.colour, shape.thick, offset)


def picture(scene: Scene, size: tuple[int, int]) -> pygame.Surface:
    """Return the scene as a surface of ``size`` (width, height), on black."""
    surface = pygame.Surface(size)
    paint(surface, scene)
    return surface


def png(scene: Scene, size: tuple[int, int]) -> bytes:
    """Return the scene as a PNG file of ``size`` (width, height)."""
    file = io.BytesIO()
    pygame.image.save(picture(scene, size), file, "picture.png")
    return file.getvalue()


def pixels(scene: Scene, size: tuple[int, int], shrunk: tuple[int, int]) -> bytes:
    """Return the scene scaled from ``size`` to ``shrunk``, as RGB bytes row by row."""
    small = pygame.transform.smoothscale(picture(scene, size), shrunk)
    return _row_by_row(small, "RGB")


def missing_typefaces() -> tuple[Path, ...]:
    """Return the typeface files that cannot be used. pygame's own font is used instead of them."""
    return tuple(path for path, _ in TYPEFACES.values() if _open(path, 12) is None)


def forget() -> None:
    """Clear the caches of fonts and texts."""
    for kept in (_font, _settings, _render):
        kept.cache_clear()


def measure(text: str, size: int, face: Face = Face.PLAIN) -> float:
    """Return the width of a text in pixels. ``size`` is a type size, as in `shapes.Text`."""
    return float(_font(size, face).size(text)[0])


@lru_cache(maxsize=256)
def _font(size: int, face: Face) -> pygame.font.Font:
    path, capital = TYPEFACES[face]
    font = _open(path, ceil(round(size * CAPITAL / capital, 3)))
    if font is not None:
        return font
    return pygame.font.Font(None, ceil(round(size * CAPITAL / _OF_PYGAME, 3)))


def _open(path: Path, pixels: int) -> pygame.font.Font | None:
    """Return a typeface with this many pixels to the em; None if its file is missing or damaged."""
    pygame.font.init()
    try:
        return pygame.font.Font(path, pixels)
    except (OSError, pygame.error):
        return None


def _text(surface: pygame.Surface, text: Text, setting: Setting, offset: tuple[int, int]) -> None:
    font = _font(setting.size, setting.face)
    step = setting.size * LINE_HEIGHT
    tall = setting.size * CAPITAL + (len(setting.lines) - 1) * step
    baseline = text.y + (text.h - tall) / 2 + setting.size * CAPITAL
    for line in setting.lines:
        written = _render(line, setting.size, setting.face, setting.squeezed, text.colour)
        spare = text.w - written.get_width()
        x = text.x + {"left": 0.0, "centre": spare / 2, "right": spare}[text.align]
        _blit(surface, written, x, baseline - font.get_ascent(), offset)
        baseline += step


@lru_cache(maxsize=2048)
def _settings(group: tuple[Text, ...]) -> tuple[tuple[Text, Setting], ...]:
    return tuple(zip(group, set_group(group, measure), strict=True))


@lru_cache(maxsize=1024)
def _render(line: str, size: int, face: Face, squeezed: float, colour: Colour) -> pygame.Surface:
    if squeezed >= 1.0:
        return _font(size, face).render(line, True, _rgb(colour))
    large = _font(2 * size, face).render(line, True, _rgb(colour))
    w = max(1, int(measure(line, size, face) * squeezed))
    return pygame.transform.smoothscale(large, (w, round(large.get_height() / 2)))


def _plain(surface: pygame.Surface, rect: Rect, offset: tuple[int, int]) -> None:
    box = pygame.Rect(round(rect.x), round(rect.y), round(rect.w), round(rect.h)).move(offset)
    if rect.fill is not None:
        pygame.draw.rect(surface, _rgb(rect.fill), box)
    if rect.line is not None:
        pygame.draw.rect(surface, _rgb(rect.line), box, rect.thick)


@lru_cache(maxsize=256)
def _blend(w: float, h: float, columns: int, colours: bytes, radius: int) -> pygame.Surface:
    given = pygame.image.frombuffer(colours, (columns, len(colours) // 3 // columns), "RGB")
    small = pygame.Surface(given.get_size(), pygame.SRCALPHA if radius else 0, 32)
    small.blit(given, (0, 0))
    large = pygame.transform.smoothscale(small, (round(w), round(h)))
    if radius:
        mask = _soft(w, h, radius, _SOFT, 0xFFFFFF, 255)
        large.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return large


@lru_cache(maxsize=64)
def _soft(
    w: float, h: float, radius: int, blur: int, colour: Colour, opacity: int
) -> pygame.Surface:
    size = (round(w), round(h))
    shape = pygame.Surface(size, pygame.SRCALPHA)
    shape.fill((*_rgb(colour), 0))
    inside = shape.get_rect().inflate(-blur, -blur)
    pygame.draw.rect(shape, (*_rgb(colour), opacity), inside, 0, radius)
    coarse = (max(2, size[0] // blur), max(2, size[1] // blur))
    return pygame.transform.smoothscale(pygame.transform.smoothscale(shape, coarse), size)


@lru_cache(maxsize=256)
def _rect(
    w: float, h: float, fill: Colour | None, line: Colour | None, thick: int, radius: int
) -> pygame.Surface:
    large = _canvas(w, h, line if fill is None else fill)
    box = large.get_rect()
    if fill is not None:
        pygame.draw.rect(large, _rgb(fill), box, 0, radius * _FINE)
    if line is not None:
        pygame.draw.rect(large, _rgb(line), box, thick * _FINE, radius * _FINE)
    return _shrink(large)


@lru_cache(maxsize=256)
def _circle(r: float, fill: Colour | None, line: Colour | None, thick: int) -> pygame.Surface:
    large = _canvas(2 * r, 2 * r, line if fill is None else fill)
    middle = large.get_rect().center
    if fill is not None:
        pygame.draw.circle(large, _rgb(fill), middle, r * _FINE)
    if line is not None:
        pygame.draw.circle(large, _rgb(line), middle, r * _FINE, thick * _FINE)
    return _shrink(large)


def _points(
    surface: pygame.Surface,
    points: tuple[Point, ...],
    colour: Colour,
    thick: float | None,
    offset: tuple[int, int],
) -> None:
    edge = 0.0 if thick is None else thick / 2 + 1
    left = min(x for x, _ in points) - edge
    top = min(y for _, y in points) - edge
    moved = tuple((x - left, y - top) for x, y in points)
    _blit(surface, _stencil(moved, colour, thick, edge), left, top, offset)


@lru_cache(maxsize=256)
def _stencil(
    points: tuple[Point, ...], colour: Colour, thick: float | None, edge: float
) -> pygame.Surface:
    w, h = (max(axis) + edge for axis in zip(*points, strict=True))
    large = _canvas(w, h, colour)
    fine = [(x * _FINE, y * _FINE) for x, y in points]
    if thick is None:
        pygame.draw.polygon(large, _rgb(colour), fine)
    else:
        half = thick * _FINE / 2
        for one, other in pairwise(fine):
            pygame.draw.polygon(large, _rgb(colour), _stroke(one, other, half))
        for point in fine:
            pygame.draw.circle(large, _rgb(colour), point, half)
    return _shrink(large)


def _stroke(one: Point, other: Point, half: float) -> list[Point]:
    """Return the corners of a straight stroke. pygame itself would draw slanted lines too thin."""
    along = (other[0] - one[0], other[1] - one[1])
    length = hypot(*along) or 1.0
    across = (-along[1] / length * half, along[0] / length * half)
    return [
        (x + side * across[0], y + side * across[1])
        for side, ends in ((1, (one, other)), (-1, (other, one)))
        for x, y in ends
    ]


def _canvas(w: float, h: float, colour: Colour | None) -> pygame.Surface:
    """Return a transparent surface whose invisible pixels have ``colour``, because scaling mixes
    this colour into the edges."""
    size = (max(1, round(w)) * _FINE, max(1, round(h)) * _FINE)
    canvas = pygame.Surface(size, pygame.SRCALPHA)
    canvas.fill((*_rgb(colour or 0), 0))
    return canvas


def _shrink(large: pygame.Surface) -> pygame.Surface:
    w, h = large.get_size()
    return pygame.transform.smoothscale(large, (w // _FINE, h // _FINE))


def _blit(
    surface: pygame.Surface, what: pygame.Surface, x: float, y: float, offset: tuple[int, int]
) -> None:
    surface.blit(what, (round(x) + offset[0], round(y) + offset[1]))


def _rgb(colour: Colour) -> tuple[int, int, int]:
    return colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF
