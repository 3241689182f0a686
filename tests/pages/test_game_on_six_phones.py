"""A whole game of Codex: six agents, each with a phone, and a board that everybody sees."""

from typing import Final

import pytest
from accessible import faults_of
from people import Board, Open, Phone, Phones, Picture
from playwright.sync_api import expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

SEATS: Final = tuple(f"agent-{place}" for place in range(1, 7))
CELLS: Final = ("A1", "C1", "E1", "A5", "C5", "E5")
PIN: Final = "4711"


class AgentsPhone:
    """An agent's actions on a phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self._has_code = False

    def arrive(self) -> None:
        """Say that one is there: the time begins when all are."""
        self.phone.press("begin")

    def come_in(self) -> None:
        """Enter the code of one's own; the first time, choose it."""
        for _ in range(1 if self._has_code else 2):
            for digit in PIN:
                self.phone.press(f"digit-{digit}")
        self._has_code = True
        self.phone.offers("line-who")

    def do(self, *lines: str) -> None:
        for line in lines:
            self.phone.press(f"line-{line}")

    def papers(self) -> dict[str, str]:
        """Return the agent's own facts, read while a finger holds."""
        self.do("who")
        rows = self.phone.page.locator(".papers > div")
        with self.phone.held():
            read = [tuple(row.split("\n", 1)) for row in rows.all_inner_texts()]
        hidden = [row.split("\n")[1] for row in rows.all_inner_texts()]
        assert {*hidden} == {"• • •"}, "what is hidden stays when the finger has let go"
        self.phone.press("back")
        return dict(read)

    def finish(self) -> None:
        self.do("done", "yes")


def test_a_whole_game(table: TableWithPages, opened: Open, phone: Phones, picture: Picture) -> None:
    board = Board(opened(table.url))
    options = {"lang": "en", "screens": "phones", "visit_seconds": 300}
    table.console.do("start", profile="codex", options=options)
    agents = [AgentsPhone(phone(seat)) for seat in SEATS]
    until(lambda: [*phones_of(table)] == [*SEATS])
    nicknames = [each["nickname"] for each in table.public()["view"]["agents"]]

    # The first phase: a message each, a vote, and the truth machine.
    all_come_in(agents)
    papers = [agent.papers() for agent in agents]
    assert [each["Nickname"] for each in papers] == nicknames
    for place, agent in enumerate(agents):
        agent.do("send", SEATS[place - 1], "position", "none", "yes")
    picture(agents[0].phone.page, "codex-visit")
    picture(board.page, "codex-send")
    for agent in agents:
        agent.finish()
    until(lambda: table.public()["view"]["phase"] == "act")
    all_come_in(agents)
    assert faults_of(agents[2].phone.page) == []
    for agent in agents:
        agent.finish()
    until(lambda: table.public()["view"]["phase"] == "discuss")
    table.hold("end-turn", lambda view, _: view["phase"] == "vote")
    for _ in SEATS:
        voter = table.public()["view"]["turn"]
        meant = CELLS[1] if voter == SEATS[0] else CELLS[0]
        table.hold(meant, lambda view, before: view["votes"] != before["votes"])
    until(lambda: table.public()["view"]["phase"] == "machine")
    picture(board.page, "codex-machine")
    agents[0].arrive()
    agents[0].come_in()
    agents[0].do("reveal", "position")
    agents[0].do("yes")
    until(lambda: table.public()["view"]["number"] == 2)
    expect(board.page.locator("#agents")).to_contain_text(f"position {papers[0]['Position']}")

    # The second: one of them has found out the code, and enters it.
    all_come_in(agents)
    for agent in agents:
        agent.do("send", SEATS[1 if agent is agents[0] else 0], "role", "none", "yes")
        agent.finish()
    until(lambda: table.public()["view"]["phase"] == "act")
    finder = agents[3]
    faction = papers[3]["You belong to"]
    members = sorted(
        (each for each in papers if each["You belong to"] == faction),
        key=lambda each: each["Position"],
    )
    all_come_in(agents)
    finder.do("attempt")
    for sign in "".join(each["Fragment"] for each in members):
        finder.phone.press(f"sign-{sign}")
    finder.phone.press("enter")
    finder.do("yes")
    outcome = until(lambda: table.public()["view"]["outcome"])
    assert outcome["winner"] == faction.lower()
    assert outcome["why"] == "code"
    board.title_is(f"{faction} wins")
    for agent in agents:
        expect(agent.phone.page.locator(".head")).to_contain_text(f"{faction} wins")
    picture(board.page, "codex-over")
    picture(agents[0].phone.page, "codex-over-phone")
    assert faults_of(board.page) == faults_of(agents[0].phone.page) == []


def all_come_in(agents: list[AgentsPhone]) -> None:
    for agent in agents:
        agent.arrive()
    for agent in agents:
        agent.come_in()


def phones_of(table: TableWithPages) -> list[str]:
    phones: list[str] = table.public()["view"]["phones"]
    return phones
