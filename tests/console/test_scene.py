"""How the screen is laid out: legible, and fit for a finger."""

import functools
import itertools

import pytest
from codex_paths import of_codex
from exploring import STATES, explore_all
from playing import KEY, Desk, RulesTable

from pi_table.console import style
from pi_table.console.console_events import Choose, Typed
from pi_table.console.painter import measure
from pi_table.console.scene import scene
from pi_table.console.shapes import Circle, Line, Polygon, Rect, Scene, Text, hit
from pi_table.console.symbols import sign
from pi_table.console.text_setting import set_text
from pi_table.console.word_games.grid import corner
from pi_table.geometry import cell_named
from pi_table.hal.contracts import Input
from pi_table.ipc.messages import Answer
from pi_table.language import LANGUAGES, Lang
from pi_table.rules.word_games.key import Identity

LONG_WORDS = (
    "CHRYSANTHEMUMS",
    "WATERMELONWOMB",
    "ROCK AND ROLLER",
    "SWIMMING POOLS",
    "GRAND MAMMOTHS",
)
FAULT = (
    "The touch controller on the second serial port has not answered for ten seconds. Check that "
    "its cable is plugged in at both ends, then switch the table off and on again.",
    "These places cannot feel a finger at the moment: A1, B1, C1, D1, E1, A2, B2, C2, D2, E2.",
)


class LongWords(RulesTable):
    """A table with the longest words on its cells."""

    def begin(self) -> "LongWords":
        self.words = tuple(f"{LONG_WORDS[cell % 5][:13]}{'ABCDE'[cell // 5]}" for cell in range(25))
        super().begin()
        return self


def _long(lang: Lang) -> list[Scene]:
    """Screens with the longest of everything."""
    scenes: list[Scene] = []
    desk = Desk(LongWords(timer="clock", lang=lang).begin())
    scenes.append(desk.scene)
    scenes.append(desk.happen(Input.PEEK).scene)
    for word in ("counterintelligence", "w" * 40, "incomprehensibilities and the other one"):
        desk = Desk(LongWords(timer="clock", lang=lang).begin()).happen(Input.PRESS)
        desk.happen(*map(Typed, word))
        scenes.append(desk.scene)
        for given in ("\n", "3", "\n", "\n"):
            scenes.append(desk.happen(Typed(given)).scene)
        desk.table.do("blue-spymaster", "challenge")
        scenes.append(desk.hear().scene)
        desk.happen(Input.RIGHT, Input.PRESS)
        scenes.append(desk.scene)
        desk.happen(Input.PRESS)
        for _ in range(10):
            scenes.append(desk.happen(Input.PRESS, Input.BACK, Input.RIGHT).scene)
    desk.table.faults = FAULT
    scenes.append(desk.hear().scene)
    sentence = "That cell is not one of your team’s uncovered agents."
    scenes.append(desk.happen(Input.BACK, Answer(99, False, "x", sentence)).scene)
    return scenes


@functools.cache
def all_scenes() -> tuple[Scene, ...]:
    explored = [scene(model, 0.0) for model in explore_all()]
    long = (each for lang in LANGUAGES for each in (*_long(lang), *of_codex(lang)))
    return (*explored, *long)


def test_every_text_fits_into_its_place() -> None:
    texts = {shape for each in all_scenes() for shape in each if isinstance(shape, Text)}
    assert len(texts) > 200
    assert [text.text for text in texts if set_text(text, measure).cut] == []


def test_no_text_is_smaller_than_can_be_read() -> None:
    texts = {shape for each in all_scenes() for shape in each if isinstance(shape, Text)}
    assert min(set_text(text, measure).size for text in texts) >= 14


def test_texts_do_not_lie_over_one_another() -> None:
    layouts: dict[object, list[Text]] = {}
    for each in all_scenes():
        texts = [shape for shape in each if isinstance(shape, Text)]
        layouts[tuple((text.x, text.y, text.w, text.h) for text in texts)] = texts
    for texts in layouts.values():
        for one, other in itertools.combinations(texts, 2):
            assert not _overlap(one, other), (one.text, other.text)


def test_everything_lies_on_the_screen() -> None:
    for each in all_scenes():
        for shape in each:
            if isinstance(shape, Rect | Text):
                assert shape.x >= 0
                assert shape.y >= 0
                assert shape.x + shape.w <= style.WIDTH
                assert shape.y + shape.h <= style.HEIGHT


def test_what_can_be_tapped_is_large_enough_and_apart() -> None:
    for each in all_scenes():
        targets = [shape for shape in each if isinstance(shape, Rect) and shape.target is not None]
        assert all(shape.h >= 40 and shape.w >= 36 for shape in targets)
        for one, other in itertools.combinations(targets, 2):
            assert not _overlap(one, other)


def test_texts_stand_out_from_what_is_behind_them() -> None:
    contrasts: dict[tuple[int, int], float] = {}
    for each in all_scenes():
        for place, shape in enumerate(each):
            if isinstance(shape, Text):
                behind = _behind(each[:place], shape)
                contrasts[shape.colour, behind] = _contrast(shape.colour, behind)
    faint = [value for (ink, _), value in contrasts.items() if ink == style.FAINT]
    clear = [value for (ink, _), value in contrasts.items() if ink != style.FAINT]
    assert min(clear) >= 5.5
    assert min(faint) >= 3.5


def test_the_grid_is_turned_to_the_spymasters() -> None:
    places = {name: corner(cell_named(name) or 0) for name in ("A1", "E1", "A5", "E5")}
    left, right = style.MARGIN, style.MARGIN + 4 * (style.CELL_WIDTH + style.GAP)
    top, bottom = style.MARGIN, style.MARGIN + 4 * (style.CELL_HEIGHT + style.GAP)
    assert places == {
        "E5": (left, top),
        "A5": (right, top),
        "E1": (left, bottom),
        "A1": (right, bottom),
    }


def test_each_cell_bears_its_own_name_and_word() -> None:
    shown = Desk(RulesTable().begin()).scene
    for name, word in (("A1", "ANCHOR"), ("E1", "EARTHQUAKE"), ("B3", "LOCK"), ("E5", "ZEBRA")):
        x, y = corner(cell_named(name) or 0)
        here = {
            shape.text
            for shape in shown
            if isinstance(shape, Text) and 0 <= shape.x - x < 96 and 0 <= shape.y - y < 89
        }
        assert here == {name, word}


def test_identities_differ_in_shape_and_not_in_colour_alone() -> None:
    outlines = [
        [(type(shape), getattr(shape, "fill", 1) is None) for shape in sign(identity, 0, 0, 11, 0)]
        for identity in Identity
    ]
    assert not any(one == other for one, other in itertools.combinations(outlines, 2))


def test_a_tap_finds_the_topmost_target_under_it() -> None:
    shapes: Scene = (
        Rect(0, 0, 100, 50, target="below"),
        Circle(50, 25, 10, target="above"),
        Rect(0, 0, 100, 50),
        Polygon(((0, 0), (100, 0), (0, 50)), 0),
        Line(((0, 0), (100, 50)), 0, 3),
        Text(0, 0, 100, 50, "text", 20, 0),
    )
    assert [hit(shapes, *at) for at in ((50, 25), (50, 34), (50, 36), (0, 0), (99, 49))] == [
        "above",
        "above",
        "below",
        "below",
        "below",
    ]
    assert [hit(shapes, *at) for at in ((100, 25), (50, 50), (-1, 0))] == [None] * 3


@pytest.mark.parametrize("cell", ["E3", "A5", "B1"])
def test_a_tap_on_a_cell_chooses_it_to_be_covered(cell: str) -> None:
    # CN-18
    desk = Desk(STATES["penalty"](KEY)).happen(Input.PRESS)
    x, y = corner(cell_named(cell) or 0)
    target = hit(desk.scene, x + 40, y + 40)
    desk.happen(Choose(target), Input.PRESS)
    assert desk.asked == [{"seat": "blue-spymaster", "act": "cover", "cell": cell}]


def _overlap(one: Rect | Text, other: Rect | Text) -> bool:
    across = one.x < other.x + other.w and other.x < one.x + one.w
    return across and one.y < other.y + other.h and other.y < one.y + one.h


def _behind(below: Scene, text: Text) -> int:
    """The fill of the topmost area under the middle of the text."""
    x, y = text.x + text.w / 2, text.y + text.h / 2
    for shape in reversed(below):
        if isinstance(shape, Rect) and shape.fill is not None:
            if 0 <= x - shape.x < shape.w and 0 <= y - shape.y < shape.h:
                return shape.fill
        elif isinstance(shape, Polygon):
            xs, ys = zip(*shape.points, strict=True)
            if min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys):
                return shape.fill
    raise AssertionError("a text on nothing")


def _contrast(one: int, other: int) -> float:
    """The contrast of two colours as WCAG 2 defines it, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: int) -> float:
    parts = [(colour >> shift & 0xFF) / 255 for shift in (16, 8, 0)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
