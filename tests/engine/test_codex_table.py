"""Codex at the table: visits that time ends, votes by touch, lights, and going on after a cut."""

from collections.abc import Callable

import pytest
from known_deal import NAMES, RED_CODE, VISIT, begin_codex
from virtual_table import SEEN_OUT, VirtualTable

from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.devices.lights.colours import WHITE
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer.announcement import PART_ECHO, What
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity
from pi_table.protocols.ipc.messages import CodexMessage, CodexPublicMessage

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table at which a game of Codex has begun."""
    return begin_codex(make_table())


def send_all(table: VirtualTable) -> None:
    """The lap of messages: everybody tells the next one."""
    for agent in range(1, 7):
        assert table.view.at_screen.value == f"agent-{agent}"
        table.do("send", f"agent-{agent}", to=f"agent-{agent % 6 + 1}", facts=["position"])
        table.advance(VISIT)


def to_the_vote(table: VirtualTable) -> None:
    send_all(table)
    table.advance(6 * VISIT)
    assert table.view.phase.value == "discuss"
    table.hold("end-turn")
    assert table.view.phase.value == "vote"


def test_visits_end_by_time_alone(table: VirtualTable) -> None:  # CX-10, CX-18
    assert table.view.phase.value == "send"
    send_all(table)
    assert table.view.phase.value == "act"
    table.advance(6 * VISIT)
    assert table.view.phase.value == "discuss"
    table.advance(300.0)
    assert table.view.phase.value == "vote"


def test_a_game_that_is_begun_at_the_table_waits_for_each_agent(make_table: MakeTable) -> None:
    # CX-18: unless they chose otherwise; and so does the next game
    table = make_table()
    table.do("start", profile="codex")
    assert table.view.awaited
    table.advance(1000.0)
    assert table.view.timer.left == VISIT
    table.do("abandon")
    table.do("next")
    assert table.view.awaited
    table.do("abandon")
    table.do("start", profile="codex", options={"visit_starts": "at-once"})
    assert not table.view.awaited


def test_a_game_that_a_program_describes_is_played_as_it_says(table: VirtualTable) -> None:
    # CX-18: as `pi-table play` does
    assert not table.view.awaited


def test_while_an_agent_is_awaited_nobody_can_peek(make_table: MakeTable) -> None:
    # CX-18
    table = make_table()
    table.do("start", profile="codex")
    assert table.ask("peek", "agent-1").reason == "ready-first"
    table.do("ready", "agent-1")
    assert table.ask("peek", "agent-1").reason == "code-first"
    table.do("choose-code", "agent-1", code="1234")
    assert table.ask("peek", "agent-1").ok


def test_a_visit_that_waited_ends_after_its_time_and_not_before(make_table: MakeTable) -> None:
    # CX-18
    table = make_table()
    table.do("start", profile="codex")
    table.advance(100.0)
    table.do("ready", "agent-1")
    table.do("send", "agent-1", to="agent-2", facts=["role"])
    table.advance(VISIT - 0.5)
    assert table.view.at_screen.value == "agent-1"
    table.advance(0.5)
    assert (table.view.at_screen.value, table.view.awaited) == ("agent-2", True)


def test_the_discussion_is_ended_by_holding_the_pad(table: VirtualTable) -> None:  # CX-17
    to_the_vote(table)
    assert table.view.turn.value == "agent-1"


def test_votes_are_cast_by_touching_an_agent(table: VirtualTable) -> None:  # CX-7
    to_the_vote(table)
    cells = [CELLS[cell] for cell in AGENT_CELLS]
    table.hold(cells[2])
    assert [(vote.voter.value, vote.target.value) for vote in table.view.votes] == [
        ("agent-1", "agent-3")
    ]
    for refused in (cells[1], "B2", "hourglass", "end-turn"):  # oneself, and what is no agent
        table.touch(refused)
        table.advance(0.05)
        assert table.flashes(refused)
        table.release(refused)
        table.advance(2.0)
    assert table.view.turn.value == "agent-2"


def test_touches_mean_nothing_while_agents_are_at_the_screen(table: VirtualTable) -> None:
    # CX-18
    for place in (CELLS[AGENT_CELLS[1]], "C3", "end-turn", "hourglass"):
        table.touch(place)
        table.advance(0.05)
        assert table.flashes(place)
        table.release(place)
        table.advance(1.0)


def test_the_lights_say_who_steps_up(table: VirtualTable) -> None:  # CX-1, CX-10
    called = PART_ECHO + SCENES[What.CALLED].seconds + 0.1
    for agent in range(1, 7):
        table.advance(called)
        lit = [name for name in CELLS if table.light(name) == WHITE]
        assert lit == [CELLS[AGENT_CELLS[agent - 1]]]
        table.do("send", f"agent-{agent}", to=f"agent-{agent % 6 + 1}", facts=["role"])
        table.advance(VISIT - called)
    table.advance(called)
    dark = {CELLS[cell] for cell in range(25)} - {CELLS[cell] for cell in AGENT_CELLS}
    assert {table.light(cell) for cell in dark} == {0}


def test_only_the_one_who_is_in_is_shown_their_secrets(table: VirtualTable) -> None:  # CX-19
    message: CodexMessage = table.message
    assert message.door is not None
    assert (message.door.seat.value, message.door.code) == ("agent-1", "choose")
    assert message.agent is None
    table.do("choose-code", "agent-1", code="2468")
    assert not table.message.agent
    table.do("peek", "agent-1")
    agent = table.message.agent
    assert agent.identikit.fragment == "A2B2"
    assert "A2B2" not in repr(table.message)
    table.do("send", "agent-1", to="Ash", facts=["role"])
    table.advance(VISIT)
    assert table.message.agent is None
    assert table.message.door.seat.value == "agent-2"


def test_what_the_public_hears_holds_no_secret(table: VirtualTable) -> None:  # ALL-1
    table.do("choose-code", "agent-1", code="2468")
    table.do("send", "agent-1", to="Ash", facts=["role"])
    table.do("hack", "agent-1", target="Kite")
    message = table.table.public_message()
    assert isinstance(message, CodexPublicMessage)
    assert not {"A2B2", "2468"} & {*str(message).split("'")}


def test_what_an_agent_enters_is_no_news_for_others(table: VirtualTable) -> None:  # CX-18
    told = len(table.public)
    table.do("choose-code", "agent-1", code="2468")
    table.do("send", "agent-1", to="Ash", facts=["role"])
    table.do("hack", "agent-1", target="Kite")
    table.do("done", "agent-1")
    assert len(table.public) == told
    table.advance(VISIT)
    assert len(table.public) == told + 1


def test_the_first_right_code_ends_the_game(table: VirtualTable) -> None:  # CX-6, CX-10, ALL-5
    send_all(table)
    table.do("attempt", "agent-1", code=RED_CODE.lower())
    assert table.view.outcome.winner is Team.RED
    table.advance(SEEN_OUT)
    between = table.light("C3")
    assert between >> 16 > 5 * (between & 0xFF)  # of red
    assert len({table.light(CELLS[cell]) for cell in AGENT_CELLS}) == 1
    table.do("reveal")
    table.advance(SEEN_OUT)
    shown = [table.lit_as(CELLS[cell]) for cell in AGENT_CELLS]
    assert shown == [Identity.RED, Identity.BLUE] * 3


def test_a_power_cut_in_the_private_round_costs_nothing(
    table: VirtualTable, make_table: MakeTable
) -> None:  # ALL-2
    table.do("choose-code", "agent-1", code="2468")
    table.do("send", "agent-1", to="Ash", facts=["role"])
    table.advance(20.0)
    before = table.view
    table.switch_off()

    again = make_table(table.path, now=5000.0)
    assert again.message.door.code == "open"
    left = again.view.timer.left
    assert before.timer.left <= left <= before.timer.left + 5.0
    assert [*again.view.agents] == [*before.agents]
    again.do("peek", "agent-1")
    assert again.message.agent.entered.send.to.value == "agent-2"
    again.advance(left)
    assert again.view.at_screen.value == "agent-2"


def test_the_next_game_is_of_the_same_six(table: VirtualTable) -> None:  # CN-23
    table.do("abandon")
    table.do("next")
    assert [agent.nickname for agent in table.view.agents] == [*NAMES]
    assert {role.value for role in table.view.roles} == {"leader", "hacker", "profiler"}
    assert table.view.phase.value == "send"
