"""Six phones, on which the agents of a game of Codex have their visits at the same time (CX-20)."""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import pytest
from accessible import faults_of
from people import Phone, Phones, Picture
from playwright.sync_api import Page, expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

SEATS: Final = tuple(f"agent-{place}" for place in range(1, 7))
ROLES: Final = ("Hacker", "Infiltrator", "Informer", "Inquisitor", "Leader", "Profiler")
SETTINGS: Final = {
    "lang": "en",
    "screens": "phones",
    "visit_seconds": 600,
    "visit_starts": "ready",
    "discussion_seconds": 600,
}


class Table:
    """Six agents with their phones."""

    def __init__(self, table: TableWithPages, phones: Iterable[Phone]) -> None:
        self.table = table
        self.phones = dict(zip(SEATS, phones, strict=True))
        self.first = self.phones[SEATS[0]]

    def all_press(self, *keys: str) -> None:
        """Everybody presses these, one after the other."""
        for phone in self.phones.values():
            for key in keys:
                phone.press(key)

    def go_in_after(self, first: Phone) -> None:
        """Everybody else is there, too."""
        for phone in self.phones.values():
            if phone is not first:
                phone.press("begin")

    def go_in(self) -> None:
        """Everybody is there, and enters, or chooses, the code of their own."""
        self.all_press("begin")
        for place, phone in enumerate(self.phones.values()):
            chooses = phone.page.locator("section.visit h2")
            expect(chooses).to_be_visible()
            times = 2 if chooses.inner_text() == "Choose a code" else 1
            for digit in f"204{place}" * times:
                phone.press(f"digit-{digit}")
            phone.offers("line-who")

    def alike(self) -> str:
        """Return the text of each phone while nobody holds: the same, except names and seats
        (CX-18)."""
        seen: dict[str, str] = {}

        def are_alike() -> bool:
            seen.update({seat: self._nameless(phone.page) for seat, phone in self.phones.items()})
            return len({*seen.values()}) == 1

        with suppress(TimeoutError):  # a phone that was not heard for a moment has dim buttons
            until(are_alike, 10.0)
        assert len({*seen.values()}) == 1, seen
        return seen[SEATS[0]]

    def _nameless(self, page: Page) -> str:
        text: str = page.locator("main section.visit").evaluate("visit => visit.outerHTML")
        for agent in self.table.public()["view"]["agents"]:
            text = re.sub(rf"\b{re.escape(agent['nickname'])}\b", "Name", text)
        return re.sub(r"agent-\d", "agent", text)


@pytest.fixture
def agents(table: TableWithPages, phone: Phones) -> Table:
    table.console.do("start", profile="codex", options=SETTINGS)
    return Table(table, [phone(seat) for seat in SEATS])


def shows_who_they_are(phone: Phone) -> str:
    """The agent's role, as a finger that holds shows it; it is gone when the finger is."""
    page = phone.page
    phone.press("line-who")
    visit = page.locator("section.visit")
    bare = visit.inner_html()
    with phone.held():
        role: str = page.locator(".power strong").inner_text()
        fragment = page.locator(".papers dd").nth(4).inner_text()
    assert role in ROLES
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}", fragment)
    assert visit.inner_html() == bare
    for secret in (role, fragment):
        assert secret not in visit.inner_html()
        assert secret not in visit.aria_snapshot()
    phone.press("back")
    return str(role)


def opens_with_the_role(phone: Phone) -> None:
    """See the role above the tasks while a finger holds, and only then."""
    role, facts = phone.page.locator(".power strong"), phone.page.locator(".own-facts dd")
    for where in (role, *facts.all()):
        expect(where).to_have_text("• • •")
    with phone.held():
        expect(role).to_have_text(re.compile("|".join(ROLES)))
        assert re.fullmatch(r"(Red|Blue)[123][2-9A-HJ-NP-Z]{4}", "".join(facts.all_inner_texts()))
    for where in (role, *facts.all()):
        expect(where).to_have_text("• • •")


def test_no_visit_is_spoken_of_after_the_end(table: TableWithPages, phone: Phones) -> None:
    table.console.do("start", profile="codex", options=SETTINGS)
    table.console.do("ready")  # an agent without a phone is at the hidden screen
    page = phone(SEATS[1]).page
    visit = page.locator("section.visit")
    expect(visit).to_have_text("It is not your visit now.")
    table.console.do("abandon")
    expect(page.locator(".head h2")).to_have_text("Nobody wins")
    expect(visit).to_be_empty()


def test_an_agent_who_waits_sees_the_table(agents: Table) -> None:
    second = agents.phones[SEATS[1]].page
    button = second.locator("[data-key=begin]").element_handle()
    agents.first.press("begin")
    page = agents.first.page
    expect(second.locator(".agents [data-icon=tick]")).to_have_count(1)
    assert button is not None
    assert button.evaluate("each => each.isConnected"), "it went from under a finger"
    expect(page.locator("section.visit .question")).to_contain_text("✓")
    expect(page.locator(".agents li.turn")).to_have_count(6)
    expect(page.locator(".agents [data-icon=tick]")).to_have_count(1)
    expect(page.locator(".agents li.own")).to_have_attribute("data-stand", "there")
    missing = [each["nickname"] for each in agents.table.public()["view"]["agents"][1:]]
    expect(page.locator("section.visit .hint")).to_have_text(f"Still missing: {', '.join(missing)}")
    agents.go_in_after(agents.first)
    expect(page.locator(".agents")).to_be_hidden()


def test_a_phase_on_six_phones_that_all_look_alike(agents: Table, picture: Picture) -> None:
    first, page, table = agents.first, agents.first.page, agents.table
    expect(page.locator("[data-key=begin]")).to_be_enabled()
    until(lambda: table.public()["view"]["together"] == [*SEATS])
    agents.alike()
    assert faults_of(page) == []
    agents.go_in()
    menu = agents.alike()
    assert re.findall(r'data-key="line-(\w+)"', menu) == ["send", "hack", "who", "done"]
    assert re.findall("[✓○]", menu) == ["○", "○"]
    opens_with_the_role(first)
    expect(page.locator("[data-key=line-done]")).to_be_disabled()
    expect(page.locator("[data-key=line-done]")).to_contain_text("Send a message first.")
    roles = [shows_who_they_are(phone) for phone in agents.phones.values()]
    assert sorted(roles.count(role) for role in {*roles}) == [2, 2, 2]
    agents.alike()

    # Everybody can send two facts, and name a target; only some have the power.
    agents.all_press("line-send")
    agents.alike()
    expect(page.locator("#hold")).to_be_hidden()  # nothing is covered
    for seat, phone in agents.phones.items():
        phone.press(f"line-{SEATS[SEATS.index(seat) - 1]}")
    agents.alike()
    agents.all_press("line-role")
    assert "line-nickname" in agents.alike()
    expect(page.locator("#hold")).to_be_visible()
    agents.all_press("line-position")
    agents.alike()
    agents.all_press("line-yes")
    for phone in agents.phones.values():
        expect(phone.page.locator("[data-key=line-send]")).to_contain_text("entered")
    agents.alike()
    assert re.findall("[✓○]", agents.alike()) == ["✓", "○"]
    with first.held():
        expect(page.locator("[data-key=line-send]")).to_contain_text("Role")
    picture(page, "phone-codex-menu")
    agents.all_press("line-hack")
    agents.alike()
    agents.all_press("line-nobody", "line-done", "line-yes")
    until(lambda: table.public()["view"]["phase"] == "act")

    agents.go_in()
    assert re.findall(r'data-key="line-(\w+)"', agents.alike()) == [
        *("messages", "ask", "extort", "attempt", "who", "done")
    ]
    agents.all_press("line-messages")
    agents.alike()
    with first.held():
        expect(page.locator(".came strong").first).to_have_text(re.compile(r"\w{4}"))
        picture(page, "phone-codex-messages")
        assert faults_of(page) == []
    agents.all_press("back", "line-ask")
    agents.alike()
    agents.all_press("line-1")
    agents.alike()
    agents.all_press("line-faction")
    asked = [phone.page.locator("[data-key=line-ask]") for phone in agents.phones.values()]
    for line in asked:
        expect(line).to_contain_text("entered")
    agents.alike()
    for (_, phone), role, line in zip(agents.phones.items(), roles, asked, strict=True):
        with phone.held():
            expect(line).to_contain_text(
                re.compile("Red|Blue" if role == "Profiler" else "no effect")
            )
    agents.all_press("line-extort")
    agents.alike()
    agents.all_press("line-role", "line-attempt", *["sign-A"] * 12)
    assert "line-" not in agents.alike()
    assert faults_of(page) == []
    with first.held():
        expect(page.locator(".fields")).to_have_text("A" * 12)
        picture(page, "phone-codex-code")
    agents.all_press("enter")
    agents.alike()
    agents.all_press("line-yes")
    tried = [phone.page.locator("[data-key=line-attempt]") for phone in agents.phones.values()]
    for line in tried:
        expect(line).to_contain_text("entered")
    agents.alike()
    with first.held():
        expect(tried[0]).to_contain_text(re.compile("Wrong code|A Hacker prevented it"))
    agents.all_press("line-done", "line-yes")
    until(lambda: table.public()["view"]["phase"] == "discuss")
    expect(page.locator("section.head h2")).to_have_text("Discussion")
    assert faults_of(page) == []


def test_a_code_of_ones_own_that_is_wrong_says_how_often_it_may_be(agents: Table) -> None:
    agents.go_in()
    for seat, phone in agents.phones.items():
        phone.press("line-send")
        phone.press(f"line-{SEATS[SEATS.index(seat) - 1]}")
        for key in ("line-role", "line-none", "line-yes", "line-done", "line-yes"):
            phone.press(key)
    until(lambda: agents.table.public()["view"]["phase"] == "act")
    agents.all_press("begin")
    page = agents.first.page
    for left in ("2 attempts left", "1 attempt left"):
        for digit in "9999":
            agents.first.press(f"digit-{digit}")
        expect(page.locator(".notice")).to_have_text(f"Wrong code: {left}")
    for digit in "9999":
        agents.first.press(f"digit-{digit}")
    expect(page.locator(".notice")).to_contain_text("Three wrong codes")
    expect(page.locator("#hold")).to_be_hidden()
