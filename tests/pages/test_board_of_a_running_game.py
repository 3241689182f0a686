"""The board's texts about a refused touch and about a correction, during a game."""

import pytest
from people import CELLS, Board, Open, Phones, Picture
from playwright.sync_api import expect
from table_with_pages import HELD_AT_MOST, TRIES, TableWithPages, until

pytestmark = pytest.mark.pages

REFUSED = "That cell is covered already: choose another."
CORRECTED = "Correction: the latest guess is taken back."


def test_a_touch_that_is_refused_and_a_guess_that_is_taken_back(
    table: TableWithPages, opened: Open, phone: Phones, picture: Picture
) -> None:
    board = Board(opened(table.url))
    table.console.do("start", profile="codenames")
    team = table.public()["view"]["turn"]
    spymaster = phone(f"{team}-spymaster")
    key = spymaster.key()
    cell = next(name for name in CELLS if key[name] == team)
    spymaster.give("saffron", 3)
    table.guess(cell)
    board.shows(cell, team)
    shown = board.page.locator(f"[data-name={cell}]")
    expect(shown).to_have_attribute("data-kind", "covered")

    assert refused(table, board, cell), "nobody was told why"
    expect(shown).to_have_attribute("data-kind", "covered")
    picture(board.page, "board-refused")

    table.console.do("correct")
    expect(board.page.locator("#caption")).to_have_text(CORRECTED)
    expect(shown).to_have_attribute("data-kind", "shown")  # open, with the mark of what it was
    expect(shown).to_have_attribute("data-what", team)
    expect(shown.locator(f".signs [data-sign={team}]")).to_be_visible()
    word = table.public()["view"]["cells"][cell]["word"]
    expect(shown.locator(".spoken")).to_have_text(
        f"{cell}: {word}, taken back, was seen: agent of {team.capitalize()}"
    )
    board.title_is(f"{team.capitalize()} guesses")
    picture(board.page, "board-corrected")

    table.guess(cell)  # open indeed
    expect(shown).to_have_attribute("data-kind", "covered")


def refused(table: TableWithPages, board: Board, cell: str) -> bool:
    """Holds a finger on a cell until the board says why it is refused; tries again as people do."""
    before = table.public()["view"]
    caption = board.page.locator("#caption")
    for _ in range(TRIES):
        table.finger.touch(cell)
        try:
            until(lambda: caption.inner_text() == REFUSED, HELD_AT_MOST)
        except TimeoutError:
            continue
        finally:
            table.finger.release(cell)
        assert table.public()["view"] == before
        return True
    return False
