"""The layout of the screen: the grid, and the target of a tap."""

import pytest
from exploring import STATES
from playing import KEY, Desk, RulesTable

from pi_table.common.geometry import CELLS, cell_named
from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.shapes import Circle, Line, Polygon, Rect, Scene, Text, hit


def corner(name: str) -> tuple[float, float]:
    box = Layout().cell(CELLS.index(name))
    return box.x, box.y


def test_the_grid_is_turned_to_the_spymasters() -> None:
    (left, top), (right, bottom) = corner("E5"), corner("A1")
    assert left < right
    assert top < bottom
    assert corner("A5") == (right, top)
    assert corner("E1") == (left, bottom)


def test_each_cell_bears_its_own_name_and_word() -> None:
    shown = Desk(RulesTable().begin()).scene
    for name, word in (("A1", "ANCHOR"), ("E1", "EARTHQUAKE"), ("B3", "LOCK"), ("E5", "ZEBRA")):
        box = Layout().cell(cell_named(name) or 0)
        here = {
            shape.text
            for shape in shown
            if isinstance(shape, Text)
            and 0 <= shape.x - box.x < box.w
            and 0 <= shape.y - box.y < box.h
        }
        assert here == {name, word}


def test_a_tap_finds_the_topmost_target_under_it() -> None:
    shapes: Scene = (
        Rect(0, 0, 100, 50, target="below"),
        Rect(40, 15, 20, 20, target="above"),
        Circle(50, 25, 10),
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
    x, y = corner(cell)
    target = hit(desk.scene, x + 40, y + 40)
    desk.happen(Choose(target), Input.PRESS)
    assert desk.asked == [{"seat": "blue-spymaster", "act": "cover", "cell": cell}]
