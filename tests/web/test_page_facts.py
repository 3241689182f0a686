"""The pages are JavaScript, so some facts stand there once more: they are those of Python."""

import ast
import math
import re
from pathlib import Path
from typing import Any

import pytest

import pi_table
from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.common.language import LANGUAGES
from pi_table.games.announcer import announcement
from pi_table.games.announcer.word_games import LAST_SECONDS
from pi_table.games.rules.codex import board as codex
from pi_table.games.rules.codex import identikit
from pi_table.games.rules.codex.identikit import Fact
from pi_table.games.rules.seat import AGENTS
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import NUMBERS, WORD_LENGTH
from pi_table.games.rules.word_games.key import ALIAS, CLASSIC, Layout
from pi_table.games.words.pack import MAX_BYTES
from pi_table.protocols.ipc import sealed
from pi_table.protocols.sealing import frames, handshake, seal
from pi_table.screens.web.desk_texts import DESK
from pi_table.table.engine.requests.desk import MAX_STORIES
from pi_table.table.engine.storage import statistics, transfer

PAGES = Path(next(iter(pi_table.__path__))) / "screens" / "web/pages"
LAP = [phase.value for phase in codex.Phase if phase is not codex.Phase.OVER]


def _letters(layout: Layout) -> dict[str, str]:
    return {letter: identity.value for letter, identity in layout.by_letter.items()}


def _uses(knock: bytes, up: bytes, down: bytes) -> dict[str, str]:
    return {"knock": knock.decode(), "up": up.decode(), "down": down.decode()}


PHONE_SEALING = {
    "BEAT": 1000 * sealed.BEAT_SECONDS,
    "PLACES": sealed.PLACES_FOR_PHONES,
    "UP_BYTES": sealed.UP_BYTES,
    "DOWN_BYTES": sealed.DOWN_BYTES,
}
HANDSHAKE = {
    "HELLO_BYTES": handshake.HELLO_BYTES,
    "PHONE": _uses(frames.KNOCK, frames.UP, frames.DOWN),
    "DESK": _uses(frames.DESK_KNOCK, frames.DESK_UP, frames.DESK_DOWN),
}
FACTS: dict[str, dict[str, Any]] = {
    "describe.js": {"STEPS": LAP, "HURRY_SECONDS": LAST_SECONDS},
    "desk-line.js": {"PIECE": transfer.PIECE_BYTES},
    "handshake.js": HANDSHAKE,
    "desk-packs.js": {"MAX_BYTES": MAX_BYTES},
    "desk-records.js": {"MAX_STORIES": MAX_STORIES},
    "desk-statistics.js": {
        name: getattr(statistics, name) for name in ("LENGTH_STEP", "CLUE_STEP", "LAST_STEP")
    },
    "game.js": {
        "TEAMS": [team.value for team in Team],
        "AGENTS": [seat.value for seat in AGENTS],
        "NUKE_CELL": CELLS[ALIAS.without_card or 0],
        "IDENTITIES": _letters(CLASSIC),
        "OF_HOSTILE": _letters(ALIAS),
        "AGENT_CELLS": [CELLS[cell] for cell in AGENT_CELLS],
    },
    "screen.js": {
        "AFRESH": [what.value for what in announcement.What if what in announcement.CANCEL_OTHERS],
        "CAPTION_SECONDS": announcement.CAPTION_SECONDS,
    },
    "scenes.js": {"FLOOD_SECONDS": announcement.FATAL_ECHO},
    "phone-clue.js": {"MAX_LENGTH": WORD_LENGTH, "MAX_NUMBER": max(NUMBERS)},
    "phone-codes.js": {
        "OWN": identikit.OWN_CODE_LENGTH,
        "CODE": identikit.CODE_LENGTH,
        "FRAGMENT": identikit.FRAGMENT_LENGTH,
        "TILES": len(AGENTS),
    },
    "phone-terms.js": {
        "FACTS": [fact.value for fact in Fact],
        "TELLABLE": [fact.value for fact in identikit.TELLABLE],
        "REVEALABLE": [fact.value for fact in identikit.REVEALABLE],
        "ALPHABET": identikit.ALPHABET,
    },
    "phone-visit.js": {"SLOTS": len(AGENTS) - 1},
    "seal.js": {name: getattr(seal, name) for name in ("KEY_BYTES", "NONCE_BYTES", "TAG_BYTES")},
    "sealed.js": PHONE_SEALING,
    "texts.js": {"LANGUAGES": LANGUAGES},
}


@pytest.mark.parametrize(
    ("file", "name"), [(file, name) for file, names in FACTS.items() for name in names]
)
def test_a_page_knows_it_as_python_does(file: str, name: str) -> None:
    assert _constant(file, name) == FACTS[file][name]


def test_a_page_names_the_cells_as_the_table_does() -> None:
    columns, rows = (_constant("game.js", name) for name in ("COLUMNS", "ROWS"))
    assert tuple(column + row for row in rows for column in columns) == CELLS


def test_the_desk_says_how_long_a_pack_may_be() -> None:
    assert f" {MAX_BYTES // 1024} KiB " in DESK["desk-pack-too-long"].msgid


def _constant(file: str, name: str) -> Any:
    """A constant of a module: text, or a number, a sum or a product of some, or a list or object of
    such."""
    source = (PAGES / file).read_text("utf-8")
    found = re.search(rf"^(?:export )?const {name} =\s*([^;]+);", source, re.M)
    assert found, f"{file} has no constant {name}"
    written = re.sub(r"^new Set\((.*)\)$", r"\1", found[1])
    if re.fullmatch(r"[\d *+]+", written):
        terms = [map(int, term.split("*")) for term in written.split("+")]
        return sum(map(math.prod, terms))
    if spread := re.search(r"\.\.\.(\w+), ", written):
        more = ast.literal_eval(_quoted(written.replace(spread[0], "")))
        return {**_constant(file, spread[1]), **more}
    return ast.literal_eval(_quoted(written))


def _quoted(written: str) -> str:
    """With the names of an object's fields as text."""
    return re.sub(r"(\w+): ", r'"\1": ', written)


# --- what moves on the board

CHEAP = {"transform", "opacity", "visibility"}
"""What a browser moves without painting it again."""


def _moved(css: str) -> set[str]:
    """Return the properties that keyframes and transitions change."""
    frames = re.findall(r"@keyframes [\w-]+ \{\n((?:.*\n)*?) *\}\n(?=\S| *@| *\}|$)", css)
    moved = {name for each in frames for name in re.findall(r"^\s+([\w-]+):", each, re.MULTILINE)}
    for each in re.findall(r"transition:([^;]+);", css):
        moved |= {part.split()[0] for part in each.split(",")}
    return moved


@pytest.mark.parametrize("file", sorted(path.name for path in PAGES.glob("board*.css")))
def test_only_transform_and_opacity_move_on_the_board(file: str) -> None:
    css = (PAGES / file).read_text()
    assert _moved(css) <= CHEAP
    names = set(re.findall(r"animation: ([\w-]+)", css)) - {"none"}
    assert names == set(re.findall(r"@keyframes ([\w-]+)", css))


def test_a_property_that_must_be_painted_is_found_where_it_moves() -> None:
    glow = "  @keyframes glow {\n    to {\n      border-color: red;\n    }\n  }\n"
    css = f"@media print {{\n{glow}  .a {{\n    transition: color 1s, opacity 2s;\n  }}\n}}\n"
    assert _moved(css) == {"border-color", "color", "opacity"}
