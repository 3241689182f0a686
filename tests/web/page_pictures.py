"""The pictures of the pages: the icon, drawings and emblems of the games, the table in play.

``PYTHONPATH=tests:. python tests/web/page_pictures.py`` makes them anew in
`pi_table/screens/web/pages`. The drawings are those of the hidden screen, as SVG, in each language.
"""

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont

import pi_table
from pi_table.common.language import LANGUAGES, Lang
from pi_table.lab.scenario_lines import KEY, clue, guess
from pi_table.lab.scenario_lines import Line as Step
from pi_table.lab.walks import WORDS
from pi_table.screens.console import style
from pi_table.screens.console.game_tiles import EMBLEMS
from pi_table.screens.console.how_to_play.codex_drawings import DRAWINGS as OF_CODEX
from pi_table.screens.console.how_to_play.screens import DRAWING_HEIGHT, DRAWING_WIDTH
from pi_table.screens.console.how_to_play.word_game_drawings import DRAWINGS as OF_WORD_GAMES
from pi_table.screens.console.shapes import (
    Circle,
    Face,
    Line,
    Polygon,
    Rect,
    Scene,
    Shape,
    Text,
    in_language,
)
from pi_table.screens.console.text_setting import LINE_HEIGHT, set_text
from pi_table.simulator import headless

PACKAGE: Final = Path(next(iter(pi_table.__path__)))
PAGES: Final = PACKAGE / "screens" / "web" / "pages"
FACES: Final = {
    Face.PLAIN: ("AtkinsonHyperlegibleNext-Medium.ttf", 0.668, "sans-serif"),
    Face.BOLD: ("AtkinsonHyperlegibleNext-Bold.ttf", 0.668, "sans-serif"),
    Face.NARROW: ("BarlowCondensed-SemiBold.ttf", 0.7, "sans-serif"),
}
"""Each face: its file, the height of its capitals, and what stands in for it where it is not."""
EMBLEM_SIZE: Final = 96
TABLE_COLOURS: Final = 128
HEADER_HEIGHT: Final = 56
"""Pixels of the simulated table's line of text, which a real table lacks."""
TURNS: Final = (
    *(("red", "A1 D1 C1"), ("blue", "B1 E1 B2"), ("red", "D2 E2"), ("blue", "C2 A3 A4")),
    ("red", "B3"),
)
"""Cells that teams guess before the picture of the table."""


def pictures() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield every picture's name in the folder of the pages, and what draws it."""
    for lang in LANGUAGES:
        for name, scene in sorted({**OF_WORD_GAMES, **OF_CODEX}.items()):
            yield f"how/{lang}/{name}.svg", partial(_drawing_of, scene, lang)
        yield f"how/{lang}/table.png", partial(table_in_play, lang)
    for game in EMBLEMS:
        yield f"how/{game}.svg", partial(_emblem_of, game)
    yield "icon.svg", icon_svg
    for size in (180, 192, 512):
        yield f"icon-{size}.png", partial(icon_png, size)


# Drawings


def _drawing_of(scene: Scene, lang: Lang) -> bytes:
    return drawing(in_language(scene, lang)).encode()


def _emblem_of(game: str) -> bytes:
    half = EMBLEM_SIZE / 2
    return drawing(EMBLEMS[game](half, half, half), EMBLEM_SIZE, EMBLEM_SIZE).encode()


def drawing(scene: Scene, width: int = DRAWING_WIDTH, height: int = DRAWING_HEIGHT) -> str:
    """A scene as an SVG."""
    shapes = "\n".join(line for shape in scene for line in _svg(shape))
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n{shapes}\n</svg>\n'


def _svg(shape: Shape) -> Iterator[str]:
    match shape:
        case Rect(x=x, y=y, w=w, h=h, fill=fill, line=line, thick=thick, radius=radius):
            half = thick / 2 if line is not None else 0
            at = f'x="{n(x + half)}" y="{n(y + half)}"'
            size = f'width="{n(w - 2 * half)}" height="{n(h - 2 * half)}"'
            yield f'<rect {at} {size} rx="{radius}"{_paint(fill, line, thick)}/>'
        case Circle(x=x, y=y, r=r, fill=fill, line=line, thick=thick):
            half = thick / 2 if line is not None else 0
            yield f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r - half)}"{_paint(fill, line, thick)}/>'
        case Polygon(points=points, fill=fill):
            yield f'<polygon points="{_points(points)}"{_paint(fill, None, 0)}/>'
        case Line(points=points, colour=colour, thick=thick):
            round_ends = ' stroke-linecap="round" stroke-linejoin="round"'
            yield f'<polyline points="{_points(points)}"{_paint(None, colour, thick)}{round_ends}/>'
        case Text():
            yield from _text(shape)
        case _:
            raise AssertionError(f"no drawing has a {type(shape).__name__}")


def _text(text: Text) -> Iterator[str]:
    """The lines of a text, each exactly as wide as the hidden screen sets it."""
    setting = set_text(text, _width)
    _, capital, family = FACES[setting.face]
    size = setting.size * style.CAPITAL / capital
    pitch = setting.size * LINE_HEIGHT
    first = text.y + text.h / 2 - pitch * (len(setting.lines) - 1) / 2
    for number, line in enumerate(setting.lines):
        width = _width(line, setting.size, setting.face) * setting.squeezed
        left = {"left": text.x, "centre": text.x + (text.w - width) / 2}.get(text.align, text.x)
        base = first + number * pitch + setting.size * style.CAPITAL / 2
        yield (
            f'<text x="{n(left)}" y="{n(base)}" font-size="{n(size)}" font-family="{family}" '
            f'font-weight="600" textLength="{n(width)}" lengthAdjust="spacingAndGlyphs" '
            f'fill="#{text.colour:06x}">{escape(line)}</text>'
        )


@cache
def _face(face: Face) -> ImageFont.FreeTypeFont:
    """The typeface, measured without Raqm: Pillow uses that only on machines that have FriBidi."""
    file = PACKAGE / "screens/console/typefaces" / FACES[face][0]
    return ImageFont.truetype(str(file), 100, layout_engine=ImageFont.Layout.BASIC)


def _width(words: str, size: int, face: Face) -> float:
    return _face(face).getlength(words) / 100 * size * style.CAPITAL / FACES[face][1]


def _paint(fill: int | None, line: int | None, thick: float) -> str:
    inside = "none" if fill is None else f"#{fill:06x}"
    outline = "" if line is None else f' stroke="#{line:06x}" stroke-width="{n(thick)}"'
    return f' fill="{inside}"{outline}'


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{n(x)},{n(y)}" for x, y in points)


def n(number: float) -> str:
    """A number, in tenths."""
    return f"{number:.1f}".removesuffix(".0")


# The table in play


def table_in_play(lang: Lang) -> bytes:
    """The simulated table in a turn of Red with a finger on a card, as a PNG of few colours."""
    words = WORDS[lang].split()
    lines: list[Step] = [
        {"game": {"profile": "codenames", "options": {"lang": lang}, "words": words, "key": KEY}},
        *(guess_of for team, cells in TURNS for guess_of in _turn(team, cells)),
        {"at": 90.0, "touch": "C5"},
        {"at": 90.3, "picture": "table.png", "of": "table"},
    ]
    with tempfile.TemporaryDirectory() as folder:
        headless.run(map(json.dumps, lines), Path(folder))
        with Image.open(Path(folder) / "table.png") as image:
            below = image.convert("RGB").crop((0, HEADER_HEIGHT, *image.size))
    few = below.quantize(TABLE_COLOURS, dither=Image.Dither.NONE)
    into = io.BytesIO()
    few.save(into, "PNG", optimize=True)
    return into.getvalue()


def _turn(team: str, cells: str) -> Iterator[Step]:
    at = 10.0 * TURNS.index((team, cells))
    yield clue(at + 1.0, team)
    for number, cell in enumerate(cells.split()):
        yield guess(at + 3.0 + 2 * number, cell, team)


# The icon: a table of five by five lights, some of them lit

_LIT: Final = {
    **dict.fromkeys((0, 6, 18, 24), style.RED),
    **dict.fromkeys((4, 8, 16, 20), style.BLUE),
    12: style.ACCENT,
}
_FIELD: Final = 512
_FIRST, _PITCH, _R = 120, 68, 24
"""Far enough from the edge for launchers that cut a circle out of an icon."""


def _dots() -> Iterator[tuple[int, int, int]]:
    for cell in range(25):
        row, column = divmod(cell, 5)
        yield _FIRST + column * _PITCH, _FIRST + row * _PITCH, _LIT.get(cell, style.EDGE)


def icon_svg() -> bytes:
    dots = "\n".join(
        f'<circle cx="{x}" cy="{y}" r="{_R}" fill="#{colour:06x}"/>' for x, y, colour in _dots()
    )
    ground = f'<rect width="{_FIELD}" height="{_FIELD}" rx="96" fill="#{style.GROUND:06x}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_FIELD} {_FIELD}">'
    return f"{head}\n{ground}\n{dots}\n</svg>\n".encode()


def icon_png(size: int) -> bytes:
    """The icon in pixels; drawn four times as large, so that its dots are round."""
    large = Image.new("RGB", (4 * size, 4 * size), f"#{style.GROUND:06x}")
    draw = ImageDraw.Draw(large)
    scale = 4 * size / _FIELD
    for x, y, colour in _dots():
        box = [(at - sign * _R) * scale for sign in (1, -1) for at in (x, y)]
        draw.ellipse(box, fill=f"#{colour:06x}")
    into = io.BytesIO()
    large.resize((size, size), Image.Resampling.LANCZOS).save(into, "PNG", optimize=True)
    return into.getvalue()


if __name__ == "__main__":
    for name, draw in pictures():
        path = PAGES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(draw())
