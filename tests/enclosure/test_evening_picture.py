"""The picture of an evening shows the game that the simulator plays."""

import json
from pathlib import Path

import pytest
from PIL import Image

from enclosure.played import HELD, MOMENT, SCENARIO, read_game
from pi_table.simulator import headless

PICTURE = Path(__file__).parents[2] / "enclosure" / "files" / "pictures" / "evening.png"


@pytest.fixture(scope="module")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    lines = SCENARIO.read_text("utf-8").splitlines()
    headless.run([line for line in lines if '"picture"' not in line], folder)
    return folder / "lights.jsonl"


def test_the_picture_shows_the_words_and_lights_of_the_simulator(lights: Path) -> None:
    with Image.open(PICTURE) as image:
        assert image.info["Game"] == read_game(lights).digest(), "run `make -C enclosure evening`"


def test_a_picture_of_another_moment_would_be_noticed(
    lights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_game(lights).digest()
    monkeypatch.setattr("enclosure.played.MOMENT", 26.5)
    assert read_game(lights).digest() != before


def test_a_finger_is_held_in_that_moment() -> None:
    steps = map(json.loads, SCENARIO.read_text("utf-8").splitlines())
    (touched,) = (step["at"] for step in steps if step.get("touch") == HELD)
    assert 0 < MOMENT - touched < 0.4


def test_the_picture_is_large_enough_to_be_looked_at_and_small_enough_to_be_sent() -> None:
    with Image.open(PICTURE) as image:
        assert image.width == 1600
    assert PICTURE.stat().st_size <= 600_000
