"""A phone that is reloaded, asleep, without a network, lost, or one too many; a table whose power
goes: the game goes on, and everybody is back by themselves."""

import time

import pytest
from people import Board, Open, Phone, Phones
from playwright.sync_api import Browser, expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

REFUSED = "This link is not yours any more."
BACK_SECONDS = 15.0
"""A phone is to be back within a second; these tests share two cores with a browser."""

HIDE = """
hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}
"""
"""Make a page believe that its phone is in a pocket. A browser without a screen has no option for
it."""
SILENCE = """
window.isSilent = false;
for (const name of ["WebSocket", "EventSource"]) {
    window[name] = class extends window[name] {
        constructor(address) {
            super(address);
            const stop = (event) => isSilent && event.stopImmediatePropagation();
            for (const kind of ["message", "table", "here"]) this.addEventListener(kind, stop);
        }
    };
}
"""
"""Let a test keep open connections silent."""


@pytest.fixture
def spymaster(table: TableWithPages, phone: Phones) -> Phone:
    """The phone of the spymaster whose clue is awaited."""
    table.console.do("start", profile="codenames")
    return phone(seat_of(table))


def seat_of(table: TableWithPages) -> str:
    return f"{table.public()['view']['turn']}-spymaster"


def state_of(table: TableWithPages, seat: str) -> str | None:
    """Return the state of a seat's phone at the hidden screen; None if there is none."""
    phones = (table.console.newest()["pages"] or {"phones": []})["phones"]
    return next((each["state"] for each in phones if each["seat"] == seat), None)


def test_a_reload_brings_the_seat_back_at_once(spymaster: Phone) -> None:
    key = spymaster.key()
    address = spymaster.page.url
    begun = time.monotonic()
    spymaster.page.reload()
    spymaster.is_there()
    assert time.monotonic() - begun < BACK_SECONDS
    assert spymaster.page.url == address
    assert spymaster.key() == key


@pytest.mark.parametrize(
    "away",
    [
        "window.dispatchEvent(new Event('blur'))",
        "window.dispatchEvent(new Event('pagehide'))",
        f"({HIDE.strip()})(true)",
    ],
)
def test_the_key_is_nowhere_on_a_page_whose_finger_is_called_away(
    spymaster: Phone, away: str
) -> None:
    with spymaster.held():
        expect(spymaster.page.locator(".cell.key")).to_have_count(25)
        spymaster.page.evaluate(away)
        expect(spymaster.page.locator(".cell.key")).to_have_count(0)
        expect(spymaster.page.locator("[aria-pressed=true].held")).to_have_count(0)


def test_a_phone_asleep_is_away_and_is_back_when_it_wakes(
    table: TableWithPages, spymaster: Phone
) -> None:
    seat = seat_of(table)
    until(lambda: state_of(table, seat) == "here")
    spymaster.page.evaluate(HIDE, True)
    until(lambda: state_of(table, seat) == "away")
    begun = time.monotonic()
    spymaster.page.evaluate(HIDE, False)
    spymaster.is_there()
    assert time.monotonic() - begun < BACK_SECONDS
    until(lambda: state_of(table, seat) == "here")
    assert {*spymaster.key().values()} >= {"red", "blue", "assassin"}


def test_a_phone_without_a_network_says_so_and_comes_back(spymaster: Phone) -> None:
    spymaster.page.context.set_offline(True)
    expect(spymaster.page.locator("#state")).to_be_visible(timeout=30_000)
    spymaster.page.context.set_offline(False)
    expect(spymaster.page.locator("#state")).to_be_hidden(timeout=30_000)
    assert {*spymaster.key().values()} >= {"red", "blue", "assassin"}


def test_a_clue_that_is_being_typed_outlasts_a_silent_network(
    table: TableWithPages, chromium: Browser
) -> None:
    table.console.do("start", profile="codenames")
    page = chromium.new_page()
    page.clock.install()
    page.add_init_script(SILENCE)
    page.goto(table.url + table.console.do("phone", **{"for": seat_of(table)})["link"])
    phone = Phone(page)
    phone.is_there()
    phone.press("clue")
    page.fill("#clue-word", "saffron")
    page.evaluate("isSilent = true")
    page.clock.run_for(4_900)
    expect(page.locator("#state")).to_be_visible()
    assert REFUSED not in page.locator("main").inner_text()
    assert page.input_value("#clue-word") == "saffron"
    page.evaluate("isSilent = false")
    phone.is_there()
    assert page.input_value("#clue-word") == "saffron"
    page.close()


def test_a_lost_phone_is_let_go_of_and_the_game_goes_on_without_it(
    table: TableWithPages, phone: Phones, spymaster: Phone
) -> None:
    seat = seat_of(table)
    table.console.do("let-go", **{"for": seat})
    # With nobody to be heard no frames come any more, so the phone cannot know why.
    expect(spymaster.page.locator("#state")).to_be_visible(timeout=30_000)
    table.console.do("clue", seat, word="saffron", number=1)
    another = phone(seat)
    expect(spymaster.page.locator("main")).to_contain_text(REFUSED, timeout=30_000)
    expect(spymaster.page.locator("#hold")).to_be_hidden()
    spymaster.page.reload()
    expect(spymaster.page.locator("main")).to_contain_text(REFUSED, timeout=30_000)
    assert {*another.key().values()} >= {"red", "blue", "assassin"}


def test_a_second_phone_sees_nothing_and_the_first_is_told(
    table: TableWithPages, opened: Open, phone: Phones
) -> None:
    table.console.do("start", profile="codenames")
    seat = seat_of(table)
    link = table.console.do("phone", **{"for": seat})["link"]
    first = Phone(opened(table.url + link, (390, 844)))
    first.is_there()
    second = opened(table.url + link, (390, 844))
    expect(second.locator("main")).to_contain_text(REFUSED, timeout=30_000)
    expect(second.locator("#hold")).to_be_hidden()
    expect(first.page.locator("#tried")).to_contain_text("Another phone has tried")
    table.console.shows(lambda message: any(each["tried"] for each in message["pages"]["phones"]))
    assert {*first.key().values()} >= {"red", "blue", "assassin"}


@pytest.mark.parametrize("lost", ["run", "web"])
def test_after_a_power_cut_board_and_phone_are_back_where_they_were(
    table: TableWithPages, opened: Open, spymaster: Phone, lost: str
) -> None:
    board = Board(opened(table.url))
    until(lambda: len(board.cells()) == 25)
    cells, key = board.cells(), spymaster.key()
    table.kill(lost)
    expect(board.page.locator("#away")).to_be_visible(timeout=30_000)
    expect(spymaster.page.locator("#state")).to_be_visible(timeout=30_000)
    if lost == "run":
        table.start_engine()
    else:
        table.start_web()
    expect(board.page.locator("#away")).to_be_hidden(timeout=30_000)
    expect(spymaster.page.locator("#state")).to_be_hidden(timeout=30_000)
    assert board.cells() == cells
    assert spymaster.key() == key
    spymaster.give("saffron", 2)
    expect(board.page.locator("#clue .clue-word")).to_have_text("saffron")


def test_a_table_that_was_switched_off_in_the_middle_stands_where_it_stood(
    table: TableWithPages, opened: Open, spymaster: Phone
) -> None:
    """Both processes end as by a pulled plug, after a clue and a guess."""
    board = Board(opened(table.url))
    seat = seat_of(table)
    key = spymaster.key()
    spymaster.give("saffron", 2)
    mine = next(cell for cell, what in key.items() if what == seat.partition("-")[0])
    table.guess(mine)
    board.shows(mine, seat.partition("-")[0])
    table.kill("web")
    table.kill("run")
    table.start_engine()
    table.start_web()
    expect(board.page.locator("#away")).to_be_hidden(timeout=30_000)
    board.shows(mine, seat.partition("-")[0])
    expect(spymaster.page.locator("#state")).to_be_hidden(timeout=30_000)
    assert {**spymaster.key(), mine: None} == {**key, mine: None}
