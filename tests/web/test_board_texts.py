"""The board's texts: each name that the board asks for is there, and no other."""

import re
from pathlib import Path

import pytest

import pi_table.screens.web
from pi_table.common.language import LANGUAGES
from pi_table.games.rules.codex.identikit import Fact, Role
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.profile import PROFILES
from pi_table.screens.web.board_texts import BOARD
from pi_table.screens.web.common_texts import COMMON
from pi_table.screens.web.texts import HOW_TO_PLAY, TEXTS, Plural, texts_in

WEB = Path(next(iter(pi_table.screens.web.__path__)))
PAGES = WEB / "pages"
SHARED = ("game.js", "standing.js", "time.js")
FILES = (
    *("board.html", "board.js", "describe.js", "how-to-play.js", "paint.js", "scenes.js"),
    *SHARED,
)
SOURCE = "\n".join((PAGES / name).read_text("utf-8") for name in FILES)
WHOLE = "\n".join(path.read_text("utf-8") for path in sorted(PAGES.glob("*.[hj]*")))
"""Every page and module."""
ASKED: set[str] = {*re.findall(r"""\bt\(\s*"([a-z-]+)\"""", SOURCE)} | {
    *re.findall(r'data-t(?:-label)?="([a-z-]+)"', SOURCE)
}
LISTED = re.compile(r'^    "([a-z0-9-]+)": say', re.MULTILINE)
"""A name, where the source of a page's texts gives it."""
MADE = re.compile(r"^(cell|form|nuke|time|why)-|^(codex-open|key-open)$")
"""Names that the board puts together, or chooses between."""


def test_every_text_that_is_asked_for_is_there() -> None:
    assert ASKED - TEXTS.keys() == set()


def test_every_text_of_the_board_is_asked_for() -> None:
    quoted = {*re.findall(r'"([a-z-]+)"', SOURCE)}
    assert {name for name in BOARD if name not in quoted and not MADE.match(name)} == set()


def test_every_text_that_pages_share_is_asked_for() -> None:
    quoted = {*re.findall(r'"([a-z-]+)"', WHOLE)}
    begun = tuple({*re.findall(r"`([a-z]+-)\$\{", WHOLE)})
    unasked = {name for name in COMMON if name not in quoted and not name.startswith(begun)}
    assert unasked - {"red", "blue"} == set()


@pytest.mark.parametrize("why", Why)
def test_there_is_a_text_for_every_end(why: Why) -> None:
    assert f"why-{why.value}" in TEXTS


def test_there_is_a_name_for_every_role_fact_and_game() -> None:
    assert {f"role-{role.value}" for role in Role} <= TEXTS.keys()
    told = {*Fact} - {Fact.NICKNAME}  # which is on the card
    assert {f"fact-{fact.value}" for fact in told} <= TEXTS.keys()
    assert {f"profile-{profile}" for profile in PROFILES} <= TEXTS.keys()


def test_a_text_has_the_same_fields_in_every_language() -> None:
    english = {name: _fields(text) for name, text in texts_in("en").items()}
    for lang in LANGUAGES:
        assert {name: _fields(text) for name, text in texts_in(lang).items()} == english


def _fields(text: str | Plural) -> set[str]:
    whole = text if isinstance(text, str) else text.one + text.many
    return {*re.findall(r"\{(\w+)\}", whole)}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_game_is_explained_with_drawings_that_there_are(profile: str) -> None:
    names = [name for name in HOW_TO_PLAY if name.startswith(f"how-{profile}-")]
    pictures = [HOW_TO_PLAY[name].msgid for name in names if name.endswith("-picture")]
    assert 4 <= len(pictures) <= 18
    for lang in LANGUAGES:
        assert all((PAGES / "how" / lang / picture).is_file() for picture in pictures)


def test_the_forms_of_each_game_are_those_that_the_board_offers() -> None:
    offered = re.search(r"const GAMES = \{(.*?)\};", SOURCE, re.S)
    assert offered
    board = {
        game: re.findall(r'"([a-z-]+)"', forms)
        for game, forms in re.findall(r'"?([a-z0-9-]+)"?: \[(.*?)\]', offered[1])
    }
    told: dict[str, list[str]] = {profile: [] for profile in PROFILES}
    for name in HOW_TO_PLAY:
        if name.endswith("-1-title"):
            profile = next(each for each in PROFILES if name.startswith(f"how-{each}-"))
            told[profile].append(name.removeprefix(f"how-{profile}-").removesuffix("-1-title"))
    assert board == told


@pytest.mark.parametrize("texts", ["board", "common", "desk", "phone"])
def test_no_name_of_a_page_has_two_texts(texts: str) -> None:
    names = LISTED.findall((WEB / f"{texts}_texts.py").read_text("utf-8"))
    assert len(names) == len({*names})
