"""The pages of hardware show what its programs reckon."""

import pytest

from hardware.pages import FOLDER, PAGES, TABLES, update


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_the_tables_as_they_are_made(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    assert update(text) == text, "Write them anew: python -m hardware.pages"


def test_every_table_stands_on_a_page() -> None:
    text = "".join((FOLDER / name).read_text("utf-8") for name in PAGES)
    assert [name for name in TABLES if text.count(f"<!-- {name} -->") != 1] == []


def test_a_table_that_is_not_what_was_made_is_made_anew() -> None:
    old = "A\n<!-- power-draws -->\nstale\n<!-- end -->\nB\n"
    new = update(old)
    assert "stale" not in new
    assert new.startswith("A\n<!-- power-draws -->\n\n| amperes,")
    assert new.endswith("|\n\n<!-- end -->\nB\n")
    assert update(new) == new


def test_a_table_that_nothing_makes_is_refused() -> None:
    with pytest.raises(ValueError, match="Nothing makes a table 'nonsense'"):
        update("<!-- nonsense -->\n<!-- end -->\n")
