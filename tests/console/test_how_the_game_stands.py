"""The head of the panel: the counts of both teams, the time, and the next act."""

from typing import Any

import pytest
from playing import Desk, RulesTable

from pi_table.screens.console import style
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.shapes import Circle, Polygon, Rect, Scene, Shape, Text

DISC, DIAMOND = "red’s disc", "blue’s diamond"


def table(**options: Any) -> RulesTable:
    return RulesTable(**options).begin()


def sign_of(shape: Shape) -> tuple[str, float, float] | None:
    """Which team's sign a shape is, and its middle."""
    if isinstance(shape, Circle) and shape.fill == style.RED:
        return DISC, shape.x, shape.y
    if isinstance(shape, Polygon) and shape.fill == style.BLUE:
        xs, ys = zip(*shape.points, strict=True)
        return DIAMOND, sum(xs) / len(xs), sum(ys) / len(ys)
    return None


def sign_before(scene: Scene, text: str) -> str:
    """The sign that stands just before a text, on its line."""
    (box,) = (shape for shape in scene if isinstance(shape, Text) and shape.text == text)
    signs = filter(None, map(sign_of, scene))
    near = [name for name, x, y in signs if 0 < box.x - x < 40 and box.y < y < box.y + box.h]
    assert len(near) == 1, f"before {text!r} stand {near}"
    return near[0]


COUNTS = [
    ((), "9", "8"),
    (("A1", "D1"), "7", "8"),
    (("B1",), "9", "7"),
]


@pytest.mark.parametrize(("cells", "red", "blue"), COUNTS)
def test_each_count_stands_beside_the_sign_of_its_team(
    cells: tuple[str, ...], red: str, blue: str
) -> None:  # CN-22
    given = table().do("red-spymaster", "clue", number="unlimited")
    for cell in cells:
        given.do("red-operatives", "guess", cell=cell)
    scene = Desk(given).scene
    assert sign_before(scene, red) == DISC
    assert sign_before(scene, blue) == DIAMOND


def time_bar(desk: Desk) -> float:
    """The width of the bar under the headline; 0 if there is none."""
    bars = [shape.w for shape in desk.scene if isinstance(shape, Rect) and shape.h == 3]
    assert len(bars) <= 1
    return sum(bars)


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({"timer": "clock", "clue_seconds": 120}, 120),
        ({"timer": "clock", "clue_seconds": 60}, 60),
    ],
)
def test_a_bar_grows_shorter_as_the_time_runs_out(
    options: dict[str, object], seconds: int
) -> None:  # CN-24
    desk = Desk(table(**options))
    whole = time_bar(desk)
    assert whole > 0.9 * Layout().panel_w
    for share in (0.75, 0.5, 0.25):
        desk.table.now = seconds * (1 - share)
        assert time_bar(desk) == pytest.approx(whole * share, abs=1)
    desk.table.now = seconds
    assert time_bar(desk) == 0


def test_the_bar_of_the_guesses_begins_whole_again() -> None:  # CN-24
    given = table(timer="clock", clue_seconds=120, guess_seconds=180)
    whole = time_bar(Desk(given))
    given.tick(100.0)
    given.do("red-spymaster", "clue", number=2)
    desk = Desk(given)
    assert time_bar(desk) == whole > 0
    desk.table.now = 190.0
    assert time_bar(desk) == pytest.approx(whole / 2, abs=1)


def test_without_a_timer_there_is_no_bar() -> None:
    assert time_bar(Desk(table())) == 0


def test_a_penalty_is_told_with_its_reason() -> None:  # CN-11
    given = table().do("red-spymaster", "clue", word="flight", number=3)
    given.do("blue-spymaster", "challenge").do("blue-spymaster", "uphold")
    desk = Desk(given)
    assert sign_before(desk.scene, "Blue may cover") == DIAMOND
    assert desk.texts[desk.texts.index("Blue may cover") - 1] == "The clue was invalid"
