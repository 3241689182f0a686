"""Every screen of a phone, in both languages and on small phones: axe-core finds nothing wrong, and
nothing is wider than the phone. Pictures of all lie in `build/pages`."""

from typing import Final

import pytest
from accessible import faults_of
from people import Open, Phone, Picture
from playwright.sync_api import Page, expect
from table_with_pages import TableWithPages, until
from typeset import LONGEST, faults_of_words

from pi_table.common.language import Lang

pytestmark = pytest.mark.pages

SIZES: Final = ((360, 640), (390, 844), (430, 932), (844, 390))
Look = Picture


@pytest.fixture
def look(picture: Picture) -> Look:
    """Judges a screen of a phone at every size, and keeps a picture of it at the smallest."""

    def judge(page: Page, name: str) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} wide on a phone of {width}"
            assert faults_of_words(page) == [], f"{name}, {width}×{height}"
            if (width, height) == SIZES[0]:
                picture(page, f"phone-{name}")
        # Upright: on its side, lines may lie half below the button that is held, until one scrolls.
        page.set_viewport_size({"width": SIZES[1][0], "height": SIZES[1][1]})
        assert faults_of(page) == [], name

    return judge


def bottom_of_the_grid(page: Page) -> float:
    """The share of the height above the buttons at which the grid ends."""
    share: float = page.evaluate(
        "document.querySelector('.grid').getBoundingClientRect().bottom"
        " / document.querySelector('footer').getBoundingClientRect().top"
    )
    return share


def a_phone(table: TableWithPages, opened: Open, seat: str, lang: str) -> Phone:
    link = table.console.do("phone", **{"for": seat})["link"]
    found = Phone(opened(table.url + link, SIZES[1], lang, has_touch=True, is_mobile=True))
    found.is_there()
    return found


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_word_games_phones(
    table: TableWithPages, opened: Open, look: Look, picture: Picture, lang: Lang
) -> None:
    nobody = opened(f"{table.url}/seat", SIZES[1], lang)
    expect(nobody.locator("main h2")).to_be_visible()
    look(nobody, f"{lang}-no-link")
    profile = "nome-in-codice" if lang == "it" else "codenames"
    table.console.do("start", profile=profile, blanks=LONGEST[lang])
    turn = table.public()["view"]["turn"]
    spymaster = a_phone(table, opened, f"{turn}-spymaster", lang)
    operatives = a_phone(table, opened, f"{turn}-operatives", lang)
    look(spymaster.page, f"{lang}-spymaster")
    assert bottom_of_the_grid(spymaster.page) > 0.9
    look(operatives.page, f"{lang}-operatives-waiting")
    spymaster.press("clue")
    spymaster.page.fill("#clue-word", table.public()["view"]["cells"]["A1"]["word"])
    spymaster.press("phone-more-words")
    expect(spymaster.page.locator(".opinion.invalid, .opinion.doubtful")).to_be_visible()
    look(spymaster.page, f"{lang}-clue-and-referee")
    spymaster.press("give")
    look(spymaster.page, f"{lang}-clue-all-the-same")
    spymaster.press("give-yes")
    expect(spymaster.page.locator("section.writing")).to_be_hidden()
    operatives.press("B3")
    until(lambda: table.public()["marks"])
    look(operatives.page, f"{lang}-operatives-marking")
    with spymaster.held({"en": "Let go, and it is hidden", "it": "Lascia, e si nasconde"}[lang]):
        picture(spymaster.page, f"phone-{lang}-key")
        assert faults_of(spymaster.page) == []


@pytest.mark.parametrize("lang", ["en", "it"])
def test_an_agents_phone(table: TableWithPages, opened: Open, look: Look, lang: str) -> None:
    options = {"lang": lang, "screens": "phones", "visit_seconds": 300}
    table.console.do("start", profile="codex", options=options)
    agent = a_phone(table, opened, "agent-1", lang)
    agent.offers("begin")
    look(agent.page, f"{lang}-visit-begins")
    agent.press("begin")
    agent.offers("digit-4")
    look(agent.page, f"{lang}-own-code")
    for digit in "47114711":
        agent.press(f"digit-{digit}")
    agent.offers("line-send")
    look(agent.page, f"{lang}-visit")
    for line in ("send", "agent-2"):
        agent.press(f"line-{line}")
    look(agent.page, f"{lang}-fact")
    agent.press("back")
    agent.press("back")
    agent.press("line-who")
    look(agent.page, f"{lang}-who")
