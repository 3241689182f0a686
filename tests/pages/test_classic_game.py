"""A whole classic game: a board on the wall, a phone for each spymaster, fingers on the table."""

import pytest
from accessible import faults_of
from old_chromium import in_old_and_new
from people import CELLS, Board, Open, Phone, Phones, Picture
from playwright.sync_api import expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

WORDS = ("saffron", "glacier", "monsoon", "cathedral", "tango", "vinegar", "lighthouse", "quilt")
TITLES = {"red": "Red", "blue": "Blue"}


@in_old_and_new
def test_a_whole_game(table: TableWithPages, opened: Open, phone: Phones, picture: Picture) -> None:
    board = Board(opened(table.url))
    expect(board.page.locator("#start")).to_be_visible()
    picture(board.page, "classic-before")
    table.console.do("start", profile="codenames")
    first = table.public()["view"]
    until(lambda: len(board.cells()) == 25)
    board.title_is(f"{TITLES[first['turn']]} waits for its clue")
    assert board.cells() == {name: (first["cells"][name]["word"], None) for name in CELLS}

    phones = {team: phone(f"{team}-spymaster") for team in ("red", "blue")}
    keys = {team: each.key() for team, each in phones.items()}
    assert keys["red"] == keys["blue"]
    key = keys["red"]
    counts = [*key.values()]
    assert {what: counts.count(what) for what in (first["turn"], "bystander", "assassin")} == {
        first["turn"]: 9,
        "bystander": 7,
        "assassin": 1,
    }
    for each in phones.values():
        expect(each.page.locator(".cell.key")).to_have_count(0)

    turns = 0
    while (view := table.public()["view"])["outcome"] is None:
        team, other = view["turn"], {"red": "blue", "blue": "red"}[view["turn"]]
        mine = [cell for cell in CELLS if key[cell] == team and not view["cells"][cell]["covered"]]
        meant = mine[:3]
        phones[team].give(WORDS[turns], len(meant))
        expect(board.page.locator("#clue .clue-word")).to_have_text(WORDS[turns])
        expect(board.page.locator("#clue .clue-number")).to_have_text(str(len(meant)))
        if turns == 0:
            challenged(phones[other], board, TITLES[team])
            picture(board.page, "classic-guess")
        for cell in meant:
            table.guess(cell)
            board.shows(cell, team)
        turns += 1
        if table.public()["view"]["outcome"] is None:
            end_of_turn(table)
    winner = view["outcome"]["winner"]
    board.title_is(f"{TITLES[winner]} wins")
    for each in phones.values():
        expect(each.page.locator("section.head")).to_contain_text(f"{TITLES[winner]} wins")
    phones[winner].press("reveal")
    phones[winner].press("yes")
    until(lambda: [what for _, what in board.cells().values()] == [key[cell] for cell in CELLS])
    picture(board.page, "classic-over")
    picture(phones[winner].page, "classic-over-phone")
    assert faults_of(board.page) == faults_of(phones["red"].page) == []


def challenged(phone: Phone, board: Board, guessers: str) -> None:
    """The other spymaster challenges the clue, thinks better of it, and lets it stand."""
    phone.press("challenge")
    phone.press("yes")
    board.title_is(f"{guessers}’s clue is challenged: the other spymaster judges")
    phone.press("allow")
    phone.press("yes")
    board.title_is(f"{guessers} guesses")


def end_of_turn(table: TableWithPages) -> None:
    table.hold("end-turn", lambda view, before: view["turn"] != before["turn"])
