"""Whatever a phone says has its text."""

import re
from pathlib import Path
from typing import Final

import pi_table
from pi_table.screens.web.phone_texts import PHONE
from pi_table.screens.web.texts import TEXTS

PAGES: Final = Path(next(iter(pi_table.__path__))) / "screens" / "web" / "pages"
SOURCE: Final = "\n".join(path.read_text("utf-8") for path in sorted(PAGES.glob("phone*.js")))
WHOLE: Final = {*re.findall(r'"(phone-[a-z0-9-]+)"', SOURCE)}
BEGUN: Final = {*re.findall(r"`(phone-[a-z-]*)\$\{", SOURCE)} - {"phone-"}
"""The beginnings of names that the page puts together."""
SEATS: Final = {"phone-spymaster", "phone-operatives"}


def test_every_text_that_a_phone_asks_for_is_there() -> None:
    assert {*TEXTS} >= WHOLE | SEATS
    for begun in BEGUN:
        assert any(name.startswith(begun) for name in TEXTS), begun


def test_a_phone_asks_for_every_text_that_is_its_own() -> None:
    asked = WHOLE | SEATS
    assert [name for name in PHONE if name not in asked and not name.startswith((*BEGUN,))] == []
