"""The teams lay out the words of their hands, by fingers and by what the hidden screen is told."""

import io
import json
from pathlib import Path
from typing import Any

from pi_table.common.geometry import CELLS
from pi_table.games.rules.word_games.views import PublicView
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.shapes import Text, hit
from pi_table.simulator.cells import CARD_HEIGHT
from pi_table.simulator.headless import run
from pi_table.simulator.layout import BETWEEN_HANDS, HAND_WIDTH, WIDTH
from pi_table.simulator.scenario import Release, Start, Touch
from pi_table.simulator.stage import Stage
from pi_table.simulator.table_scene import table_scene

RED = [f"red {letter}" for letter in "abcdefghijklm"]
BLUE = [f"blue {letter}" for letter in "abcdefghijkl"]
KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"
GAME: dict[str, Any] = {
    "profile": "deep-undercover",
    "key": KEY,
    "hands": {"red": RED, "blue": BLUE},
}


def laid(at: float, cell: str, turns: int = 0) -> list[dict[str, Any]]:
    """Somebody turns the knob so often, and then a finger holds a cell."""
    turned = [{"at": at + place * 0.1, "console": "turn+1"} for place in range(turns)]
    return [*turned, {"at": at + 1, "touch": cell}, {"at": at + 1.5, "release": cell}]


def test_a_whole_grid_is_laid_out_by_turns_of_the_knob_and_by_fingers(tmp_path: Path) -> None:
    # DU-2
    lines: list[dict[str, Any]] = [{"game": GAME}, {"at": 1, "picture": "first.png"}]
    for number, cell in enumerate(CELLS):
        lines += laid(2.0 + 3 * number, cell, 1 if number < 20 else 0)
    lines.append({"at": 80, "picture": "last.png"})
    note = io.StringIO()
    run(map(json.dumps, lines), tmp_path, note)
    assert note.getvalue() == ""
    views = [
        json.loads(line)["view"] for line in (tmp_path / "public.jsonl").read_text().splitlines()
    ]
    hands = {"red": [*RED], "blue": [*BLUE]}
    expected = []
    for number in range(25):
        hand = hands[("red", "blue")[number % 2]]
        expected.append(hand.pop(1 if number < 20 else 0))
    last = views[-1]
    assert [last["cells"][cell]["word"] for cell in CELLS] == expected
    assert (last["phase"], last["turn"]) == ("clue", "red")
    assert "hands" not in last
    assert views[1]["next_word"] == "red b"
    assert all("key" not in view for view in views)
    for name in ("first.png", "last.png"):
        assert (tmp_path / name).stat().st_size > 5_000


def test_a_card_that_is_tapped_on_the_hidden_screen_is_laid(tmp_path: Path) -> None:
    # DU-2
    with Stage() as stage:
        stage.perform(Start(GAME))
        stage.advance(1.0)
        scene = stage.console.scene(stage.now)
        (at,) = (each for each in scene if isinstance(each, Text) and each.text == "RED K")
        target = hit(scene, at.x + at.w / 2, at.y + at.h / 2)
        stage.console.happen(Choose(target), stage.now)
        stage.perform(Touch(CELLS.index("D2")))
        stage.advance(2.0)
        stage.perform(Release(CELLS.index("D2")))
        view = stage.view
        assert isinstance(view, PublicView)
        assert view.cells["D2"].word == "red k"
        assert view.next_word == "blue a"


def test_the_hands_lie_beside_the_grid_for_everybody_to_see() -> None:
    # DU-2
    with Stage() as stage:
        stage.perform(Start(GAME))
        stage.advance(1.0)
        scene = table_scene(stage.screen.view(stage.now), stage.device.shown, "en")
        places = {str(shape.text): shape for shape in scene if isinstance(shape, Text)}
        left, right = BETWEEN_HANDS.left, BETWEEN_HANDS.corner(4)[0] + BETWEEN_HANDS.cell_width
        assert all(places[word].x + places[word].w < left for word in RED)
        assert all(right < places[word].x < WIDTH - HAND_WIDTH / 2 for word in BLUE)
        for place, cell in enumerate(CELLS):
            x, y = BETWEEN_HANDS.corner(place)
            assert hit(scene, x + 5, y + CARD_HEIGHT) == CELLS.index(cell)
