"""The simulated table speaks its console's language, in texts that are translated and that fit."""

from collections.abc import Iterator

import pytest
from marked import marked, unmarked

from pi_table.common.language import LANGUAGES, Lang
from pi_table.screens.console.painter import measure
from pi_table.screens.console.shapes import Scene, Text
from pi_table.screens.console.text_setting import set_text
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage
from pi_table.simulator.table_scene import table_scene
from pi_table.simulator.whole import whole

__all__ = ["marked"]

WORDS = [f"{25 - n} SESQUIPEDALIAN"[:14].strip() for n in range(25)]
KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"
RED, BLUE = "red-spymaster", "blue-spymaster"
WORDY = "counterintelligence"
CLASSIC: dict[str, object] = {"profile": "codenames", "options": {}, "words": WORDS, "key": KEY}
ALIAS: dict[str, object] = {
    "profile": "alias-24",
    "options": {"nuke": "mad"},
    "words": [*WORDS[:12], None, *WORDS[13:]],
    "key": "rrrrrrrrrbbb-bbbbbnnnnnna",
}
SHARED: dict[str, object] = {"profile": "deep-undercover", "options": {}, "words": None, "key": KEY}
GROUP: dict[str, object] = {**CLASSIC, "options": {"players": "cooperative"}}
GAME: list[dict[str, object]] = [
    {"act": "clue", "seat": RED, "word": WORDY, "number": 2},
    {"act": "challenge", "seat": BLUE},
    {"act": "allow", "seat": BLUE},
    {"act": "guess", "seat": "red-operatives", "cell": "A1"},
    {"act": "guess", "seat": "red-operatives", "cell": "B1"},
    {"act": "stop", "seat": "red-operatives"},
    {"act": "clue", "seat": BLUE, "number": "unlimited"},
    {"act": "pause", "seat": "operator"},
    {"act": "resume", "seat": "operator"},
    {"act": "challenge", "seat": RED},
    {"act": "uphold", "seat": RED},
    {"act": "decline", "seat": RED},
    {"act": "clue", "seat": RED, "number": 1},
    {"act": "guess", "seat": "red-operatives", "cell": "E5"},
]


GAMES: list[tuple[dict[str, object], list[dict[str, object]]]] = [
    (CLASSIC, GAME),
    (CLASSIC, [{"act": "abandon", "seat": "operator"}]),
    (ALIAS, [{"act": "clue", "seat": BLUE, "word": WORDY, "number": 0}]),
    (SHARED, [{"act": "place", "seat": "red-operatives", "cell": "C3"}]),
    (
        GROUP,
        [
            {"act": "clue", "seat": RED, "number": 1},
            {"act": "guess", "seat": "red-operatives", "cell": "C4"},
        ],
    ),
]


def stages(game: dict[str, object], acts: list[dict[str, object]]) -> Iterator[Stage]:
    """A table before its first game, as this begins, and as it stands after each of its acts."""
    with Stage() as stage:
        yield stage
        assert stage.perform(scenario.Start(game)) is None
        yield stage
        for act in acts:
            assert stage.perform(scenario.Act(act)) is None
            yield stage


def scenes(lang: Lang) -> Iterator[Scene]:
    """All that the window shows but for the hidden screen, through these games."""
    for game, acts in GAMES:
        for stage in stages(game, acts):
            yield whole(table_scene(stage.view, stage.device.shown, lang), (), lang)


def texts(scene: Scene) -> list[Text]:
    return [shape for shape in scene if isinstance(shape, Text)]


@pytest.mark.usefixtures("marked")
def test_every_text_of_the_window_comes_through_the_catalogues() -> None:
    for scene in scenes("en"):
        for text in texts(scene):
            assert isinstance(text.text, str)
            assert text.text in (*WORDS, *"ABCDE12345") or unmarked(text.text) == "", text.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_of_the_window_fits_into_its_place(lang: Lang) -> None:
    for scene in scenes(lang):
        for text in texts(scene):
            assert not set_text(text, measure).cut, text.text


def test_the_table_speaks_the_language_of_its_game() -> None:
    with Stage() as stage:
        game = {"profile": "codenames", "options": {"lang": "it"}, "words": WORDS, "key": KEY}
        assert stage.perform(scenario.Start(game)) is None
        shown = table_scene(stage.view, stage.device.shown, stage.console.lang)
        said = "I Rossi aspettano l’indizio   ·   rossi 9, blu 8 da trovare"
        assert said in [text.text for text in texts(shown)]
