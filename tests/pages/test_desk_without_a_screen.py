"""A table without a hidden screen in Chromium: the operator's desk begins a game, two phones take
the spymasters' seats, and the game is played to its end."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import segno
from accessible import faults_of
from modules import Modules
from people import Open, Phone, Picture
from playwright.sync_api import Browser, Page, expect
from segno import encoder
from table_with_pages import Finger, Message, TableWithPages, until

from pi_table.table.engine.storage.card_link import make_card_link
from pi_table.table.engine.storage.pin import hash_pin
from pi_table.table.store.sealed_file import write_sealed

pytestmark = pytest.mark.pages

PIN = "4711"
MOBILE = (412, 915)


class NoConsole:
    """The console of a table that has none: nobody opens its socket."""

    def hang_up(self) -> None:
        pass

    def shows(self, wanted: Any) -> Message:
        return {}


class TableWithoutScreen(TableWithPages):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        text = self._config.read_text()
        self._config.write_text(f'[console]\nscreen = "none"\n{text}')
        (folder / "state").mkdir()
        write_sealed(folder / "state/pin.json", msgspec.json.encode(hash_pin(PIN)))
        card = make_card_link(folder / "state", None, is_new=False)
        self.link = f"{self.url}{card.page}"

    def start_engine(self) -> None:
        self._start("run", lambda: b"The table is ready" in self.log("run"))
        self.console = NoConsole()  # type: ignore[assignment]
        self.finger = Finger(self.folder / "link.sock")


@pytest.fixture
def table() -> Iterator[TableWithoutScreen]:
    with (
        tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp") as folder,
        TableWithoutScreen(Path(folder)) as running,
    ):
        yield running


@pytest.fixture
def desk(table: TableWithoutScreen, opened: Open) -> Page:
    """The operator's phone, with the link on the card, after the PIN was entered."""
    page = opened(table.link, MOBILE)
    page.fill("#pin", PIN)
    page.press("#pin", "Enter")
    return page


def code_of(desk: Page, seat: str) -> str:
    """Show the code of a seat; return its link."""
    desk.locator(f"[data-key={seat}] button", has_text="Show a code").click()
    expect(desk.locator(".qr")).to_be_visible()
    link: str = desk.locator(".code .address").inner_text()
    return link


def test_a_whole_game_is_played_by_two_phones_and_the_operators(
    table: TableWithoutScreen, desk: Page, opened: Open, picture: Picture
) -> None:
    expect(desk.get_by_text("The next game")).to_be_visible()
    assert faults_of(desk) == []
    picture(desk, "no-screen-next-game")
    desk.get_by_role("button", name="Start the game").click()
    phones = {}
    for team in ("red", "blue"):
        seat = f"{team}-spymaster"
        link = code_of(desk, seat)
        if team == "red":
            assert faults_of(desk) == []
            picture(desk, "no-screen-code")
        phones[team] = Phone(opened(link, (390, 844), has_touch=True, is_mobile=True))
        phones[team].is_there()
        expect(desk.locator(".code")).to_be_hidden()
        expect(desk.locator(f"[data-key={seat}]")).to_contain_text("here")
    picture(desk, "no-screen-seats")
    team = table.public()["view"]["turn"]
    key = phones[team].key()
    mine = [cell for cell, what in key.items() if what == team]
    assert key == phones[{"red": "blue", "blue": "red"}[team]].key()
    with phones[team].held():
        picture(phones[team].page, "no-screen-key")
    phones[team].give("saffron", len(mine) - 1)
    for cell in mine:
        table.guess(cell)
    assert table.public()["view"]["outcome"]["winner"] == team
    expect(desk.get_by_role("button", name="Once more", exact=True)).to_be_visible()
    desk.get_by_role("button", name="Show everybody the key").click()
    desk.locator("dialog .danger").click()
    until(lambda: table.public()["view"].get("key"))
    desk.get_by_role("button", name="Rematch, sides swapped").click()
    until(lambda: table.public()["view"]["outcome"] is None)
    assert table.public()["view"]["starts"] != team


def test_the_word_to_lay_is_chosen_at_the_desk(table: TableWithoutScreen, desk: Page) -> None:
    lines = desk.locator(".line select")
    lines.nth(0).select_option("deep-undercover")
    lines.nth(2).select_option("dealt")
    desk.get_by_role("button", name="Start the game").click()
    desk.get_by_role("button", name="Choose the word to lay next").click()
    choice = desk.locator("dialog select")
    word = choice.locator("option").nth(4).inner_text()
    choice.select_option(word)
    desk.locator("dialog button", has_text="Do it").click()
    until(lambda: table.public()["view"]["next_word"] == word)


def test_the_explanation_that_the_house_wants_can_be_switched_off(
    table: TableWithoutScreen, desk: Page
) -> None:
    box = desk.get_by_label("Explain the game")
    expect(box).not_to_be_checked()
    desk.get_by_role("button", name="Settings").click()
    desk.locator("summary").first.click()
    desk.get_by_label("Explain as we go").first.check()
    expect(desk.locator("#said")).to_contain_text("Explain as we go")
    desk.get_by_role("button", name="Play", exact=True).click()
    expect(box).to_be_checked()
    box.uncheck()
    desk.get_by_role("button", name="Start the game").click()
    until(lambda: table.public()["view"])
    assert [each["what"] for each in table.public()["said"]] == ["begins"]


def test_a_code_ends_when_the_operator_looks_elsewhere(
    table: TableWithoutScreen, desk: Page, opened: Open
) -> None:
    desk.get_by_role("button", name="Start the game").click()
    link = code_of(desk, "red-spymaster")
    desk.locator("#sections button").nth(1).click()
    desk.locator("#sections button").first.click()
    expect(desk.locator("[data-key=red-spymaster]")).to_contain_text("no phone")
    late = opened(link, (390, 844))
    expect(late.locator("#state")).to_be_visible()
    assert code_of(desk, "red-spymaster") != link


@pytest.fixture
def modules(chromium: Browser) -> Iterator[Page]:
    with Modules() as served:
        page = chromium.new_page()
        page.goto(served.url)
        yield page
        page.close()


@pytest.mark.parametrize(
    "length", [1, 14, 15, 26, 42, 62, 72, 84, 106, 122, 152, 180, 213, 287, 331]
)
def test_the_desk_draws_the_codes_that_a_library_draws(
    modules: Page, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    # The library adds a byte too many where a text ends with a byte. Readers ignore it.
    pad = lambda buffer, version, length: buffer.extend([0] * (-length % 8))  # noqa: E731
    monkeypatch.setattr(encoder, "write_padding_bits", pad)
    text = ("http://192.168.1.7:8080/seat#" + length * "aB3_-")[:length]
    drawn = modules.evaluate(
        "async text => (await import('/static/qr.js')).qrCode(text).map(row => row.map(Number))",
        text,
    )
    codes = [
        [
            [*row]
            for row in segno.make(
                text, error="m", micro=False, boost_error=False, mode="byte", mask=mask
            ).matrix
        ]
        for mask in range(8)
    ]
    assert drawn in codes
