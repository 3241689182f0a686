"""Codex from its choice on the hidden screen to its end, by fingers and the knob alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_table import Hands

from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.common.language import LANGUAGES
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.codex.views import AgentView, CodexView
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.simulator.stage import Stage

VISIT = 45.0


class Six(Hands):
    """Six agents at a table."""

    @property
    def codex(self) -> CodexView:
        assert isinstance(self.stage.view, CodexView)
        return self.stage.view

    @property
    def name(self) -> str:
        """Return the nickname of the agent whose visit, vote or choice it is."""
        seat = self.codex.at_screen or self.codex.turn
        assert seat is not None
        return self.codex.agents[AGENTS.index(seat)].nickname

    @property
    def others(self) -> list[str]:
        """The nicknames of all others, the next one first."""
        names = [agent.nickname for agent in self.codex.agents]
        place = names.index(self.name)
        return names[place + 1 :] + names[:place]

    @property
    def agent(self) -> AgentView:
        """Return the facts of the visiting agent, who reads them while PEEK is held."""
        self.knob(Input.PEEK)
        table = self.stage.console.model.table
        assert isinstance(table, CodexMessage)
        self.knob(Input.UNPEEK)
        assert table.agent is not None
        return table.agent

    def step_in(self, code: str = "2468") -> None:
        """Choose the code of one's own at the first visit; enter it at every later one."""
        self.choose(f"I am {self.name}")
        choosing = self.stage.console.model.table.door.code == "choose"  # type: ignore[union-attr]
        for digit in code * (1 + choosing):
            self.choose(digit)

    def send(self, to: str, fact: str = "Role") -> None:
        self.choose("Send a message", to, fact, "No second fact", "Yes, send it")

    def until(self, what: str) -> None:
        """Let the rest of the visit pass."""
        before = self.name
        for _ in range(300):
            if self.codex.phase.value == what or (self.codex.at_screen and self.name != before):
                return
            self.wait(1.0)
        raise AssertionError(f"It never comes to {what}.")

    def try_code(self, code: str) -> None:
        self.choose("Enter a code")
        for sign in code:
            self.choose(sign)
        self.choose("Enter", "Yes, enter it")

    def peek(self, name: str) -> None:
        """Hold PEEK, take a picture, and let go."""
        self.knob(Input.PEEK)
        self.picture(name, "console")
        self.knob(Input.UNPEEK)


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Six]:
    with Stage() as stage:
        stage.advance(0.5)
        yield Six(stage, tmp_path)


def test_six_agents_and_two_codes(hands: Six) -> None:
    # CX-1, CX-4 to CX-10, CX-17 to CX-19
    hands.choose("Six agents, two codes")
    hands.choose_until("Language", LANGUAGES["it"])
    hands.choose("House rules…")
    hands.choose_until("Roles beside the Leader", "Hacker, Informer")
    hands.knob(Input.BACK)
    hands.picture("setup", "console")
    hands.choose("Start: we know it")
    hands.picture("first")

    fragments: dict[str, AgentView] = {}
    for visitor in range(6):
        hands.step_in()
        if visitor == 0:
            hands.picture("inside", "console")
            hands.choose("Who you are")
            hands.picture("veiled", "console")
            hands.peek("who-you-are")
            hands.knob(Input.BACK)
        fragments[hands.name] = hands.agent
        hands.send(hands.others[0])
        hands.choose("Name a target", hands.others[1])
        hands.choose("I am done", "Yes, I am done")
        hands.until("act")
    assert hands.codex.phase.value == "act"
    for visitor in range(6):
        hands.step_in()
        assert len(hands.agent.received[0].messages) == 1
        hands.choose("Messages so far")
        if visitor == 0:
            hands.picture("messages-veiled", "console")
            hands.peek("messages")
        hands.knob(Input.BACK)
        if visitor == 1:
            hands.choose("Enter a code")
            hands.picture("code", "console")
            hands.knob(Input.BACK)
        if hands.agent.identikit.role.value == "leader":
            hands.try_code("ABCD" * 3)
        hands.until("discuss")
    assert hands.codex.phase.value == "discuss"
    hands.picture("discussion")
    hands.hold("end-turn")
    for _ in range(6):
        assert hands.codex.phase.value == "vote"
        place = 0 if hands.codex.turn is not AGENTS[0] else 1
        hands.hold(CELLS[AGENT_CELLS[place]])
        hands.picture(f"vote-{len(hands.codex.votes)}")
    assert hands.codex.phase.value == "machine"
    hands.picture("machine")
    hands.step_in()
    hands.choose("Choose what is revealed", "Faction", "Yes, this")
    assert [*hands.codex.agents[0].revealed] == ["faction"]
    assert hands.codex.number == 2

    for _ in range(6):
        hands.step_in()
        hands.send(hands.others[2], "Position")
        hands.until("act")
    hands.picture("second-phase")
    while hands.codex.outcome is None:
        hands.step_in()
        belongs = hands.agent.belongs
        if not hands.agent.blocked and hands.agent.attempt_left:
            known = [each.identikit for each in fragments.values() if each.belongs is belongs]
            known.sort(key=lambda each: each.position)
            hands.try_code("".join(each.fragment for each in known))
            assert hands.codex.outcome is not None
            assert hands.codex.outcome.winner is belongs
            break
        hands.until("discuss")
    hands.picture("over")
    hands.choose("Show all identikits", "Yes, show them")
    hands.picture("identikits")
    hands.choose("Next game", "Yes, next game")
    assert hands.codex.phase.value == "send"


def test_three_wrong_codes_pass_the_visit_on(hands: Six) -> None:  # CX-19
    hands.choose("Six agents, two codes")
    hands.choose_until("Language", LANGUAGES["en"])
    hands.choose("House rules…")
    hands.choose_until("Time of a visit", "1:30")
    hands.knob(Input.BACK)
    hands.choose("Start: we know it")
    for _ in range(6):
        hands.step_in()
        hands.send(hands.others[0])
        hands.until("act")
    first = hands.codex.at_screen
    for wrong in ("1111", "2222", "3333"):
        hands.choose(f"I am {hands.name}")
        for digit in wrong:
            hands.choose(digit)
    hands.picture("passes", "console")
    hands.until("discuss")
    assert hands.codex.at_screen is not first
    assert hands.codex.order[-1] is first


def test_an_inquisitor_names_a_fact_and_by_the_vote_of_whom(hands: Six) -> None:
    # CX-14, CX-19: the agent who goes to the machine is asked for their own code, and chooses; what
    # the Inquisitors named is revealed
    hands.choose("Six agents, two codes")
    hands.choose_until("Language", LANGUAGES["en"])
    hands.choose("House rules…")
    hands.choose_until("Roles beside the Leader", "Hacker, Inquisitor")
    hands.knob(Input.BACK)
    hands.choose("Start: we know it")
    for _ in range(6):
        hands.step_in()
        hands.send(hands.others[0])
        hands.until("act")
    inquisitors = []
    for _ in range(6):
        hands.step_in()
        role, seat = hands.agent.identikit.role.value, hands.codex.at_screen
        hands.choose("Demand a fact")
        hands.picture(f"demand-{seat and seat.value}", "console")
        assert hands.labels == ["Faction", "Role", "Position", "Fragment"]
        hands.choose("Fragment" if role == "inquisitor" else "Position")
        assert hands.value("Demand a fact") == "entered"
        if role == "inquisitor":
            inquisitors.append(seat)
        hands.until("discuss")
    hands.hold("end-turn")
    suspect = next(seat for seat in AGENTS if seat not in inquisitors)
    other = next(seat for seat in AGENTS if seat is not suspect)
    for _ in range(6):
        chosen = other if hands.codex.turn is suspect else suspect
        hands.hold(CELLS[AGENT_CELLS[AGENTS.index(chosen)]])
    assert hands.codex.at_screen is suspect
    hands.choose(f"I am {hands.name}")
    hands.picture("code-at-the-machine", "console")
    for digit in "2468":
        hands.choose(digit)
    hands.choose("Choose what is revealed", "Role", "Yes, this")
    hands.picture("revealed")
    assert [*hands.codex.agents[AGENTS.index(suspect)].revealed] == ["fragment"]
