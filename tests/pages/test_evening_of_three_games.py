"""An evening of three games whose spymasters change: whose phone shows the key, and who is told."""

import pytest
from accessible import faults_of
from people import Board, Open, Phone, Phones, Picture
from playwright.sync_api import expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

RED, BLUE = "red-spymaster", "blue-spymaster"


def key_is_on_a_phone(board: Board, *teams: str) -> None:
    """See beside which teams the board says so."""
    for team in ("red", "blue"):
        sign = board.page.locator(f"#{team} .team-phone")
        if team in teams:
            expect(sign).to_have_text("Key on a phone")
        else:
            expect(sign).to_be_hidden()


def ends_a_game(table: TableWithPages) -> None:
    table.console.do("abandon")
    until(lambda: table.public()["view"]["outcome"] is not None)


def has_no_seat(phone: Phone) -> None:
    expect(phone.page.locator("#main")).to_contain_text("This link is not yours any more.")
    expect(phone.page.locator("#hold")).to_be_hidden()


def test_an_evening_in_which_the_spymasters_change_twice(
    table: TableWithPages, opened: Open, phone: Phones, picture: Picture
) -> None:
    board = Board(opened(table.url))
    table.console.do("start", profile="codenames")
    key_is_on_a_phone(board)
    first = {seat: phone(seat) for seat in (RED, BLUE)}
    for each in first.values():
        each.key()
    key_is_on_a_phone(board, "red", "blue")
    picture(board.page, "evening-1-board")
    assert faults_of(board.page) == []

    # Others give the clues: the phones of the first game have nothing to show any more.
    ends_a_game(table)
    table.console.do("next")
    for each in first.values():
        has_no_seat(each)
    key_is_on_a_phone(board)
    picture(first[RED].page, "evening-2-phone-of-game-1")
    second = {seat: phone(seat) for seat in (RED, BLUE)}
    key = second[RED].key()
    key_is_on_a_phone(board, "red", "blue")

    # Red's spymaster stays, and says so on the phone; blue's is an operative now.
    ends_a_game(table)
    table.console.do("next", keep_phones=True)
    for each in second.values():
        expect(each.page.locator("#main")).to_contain_text("Another game has begun")
        expect(each.page.locator(".cell.key")).to_have_count(0)
    key_is_on_a_phone(board)
    picture(second[RED].page, "evening-3-phone-that-is-asked")
    assert faults_of(second[RED].page) == []
    second[RED].press_hold()
    second[RED].shows_what_is_hidden()
    second[RED].page.mouse.up()
    key_is_on_a_phone(board, "red")
    picture(board.page, "evening-3-board")
    assert second[RED].key() != key
    second[BLUE].is_asked()
    table.console.do("let-go", **{"for": BLUE})
    has_no_seat(second[BLUE])
