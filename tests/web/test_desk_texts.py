"""Whatever the desk says has its text, and nothing is said that nobody asks for."""

import re
from pathlib import Path
from typing import Final

import pi_table
from pi_table.screens.web.desk_texts import DESK
from pi_table.screens.web.texts import TEXTS

PAGES: Final = Path(next(iter(pi_table.__path__))) / "screens" / "web" / "pages"
SOURCE: Final = "\n".join(path.read_text("utf-8") for path in sorted(PAGES.glob("desk*.*")))
WHOLE: Final = {*re.findall(r'"(desk-[a-z0-9-]+)"', SOURCE)}
BEGUN: Final = ("desk-do-", "desk-seat-", "desk-rim-", "desk-pad-", "desk-won-", "desk-guess-")
"""The beginnings of names that the page puts together."""
SECTIONS: Final = ("play", "now", "settings", "packs", "records", "statistics", "doctor", "backup")


def test_every_text_that_the_desk_asks_for_is_there() -> None:
    assert {*TEXTS} >= WHOLE | {f"desk-{name}" for name in SECTIONS}
    for begun in BEGUN:
        assert f"`{begun}${{" in SOURCE
        assert any(name.startswith(begun) for name in TEXTS)


def test_the_desk_asks_for_every_text_that_is_its_own() -> None:
    asked = WHOLE | {f"desk-{name}" for name in SECTIONS}
    assert [name for name in DESK if name not in asked and not name.startswith(BEGUN)] == []


def test_every_act_that_the_page_asks_for_is_one_of_a_desk() -> None:
    from pi_table.table.engine.requests.acts import DESK, names_at

    asked = {*re.findall(r'desk\.ask\(\s*"([a-z-]+)"', SOURCE)}
    assert asked <= {*names_at(DESK)}
    assert {*names_at(DESK)} - asked <= {"tally"}
