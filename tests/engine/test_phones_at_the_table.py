"""Codex at the table where agents have phones: what the table shows of a lap that some do together
(CX-20)."""

from collections.abc import Callable

import pytest
from virtual_table import VirtualTable

from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.devices.lights.colours import WHITE
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer.announcement import What
from pi_table.games.rules.codex.hidden import Attempted

MakeTable = Callable[..., VirtualTable]
PHONES = ("agent-2", "agent-3", "agent-6")


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table at which three have paired a phone, and said that they are there."""
    table = make_table()
    table.do("start", profile="codex", options={"screens": "phones"})
    for seat in PHONES:
        table.do("pair", seat)
    for seat in PHONES:
        table.do("ready", seat)
    return table


def send(table: VirtualTable, *seats: str) -> None:
    for seat in seats:
        table.do("send", seat, to="agent-1", facts=["role"])


def test_whom_the_table_calls_to_their_phones_their_cells_show(make_table: MakeTable) -> None:
    # CX-20
    table = make_table()
    table.do("start", profile="codex", options={"screens": "phones"})
    for seat in PHONES:
        table.do("pair", seat)
    assert table.view.awaited
    table.advance(1.0)
    assert len({table.light(name) for name in CELLS}) > 2  # all of the table calls
    for seat in PHONES:
        table.do("ready", seat)
    table.advance(SCENES[What.CALLED].seconds + 3.0)
    lit = [name for name in CELLS if table.light(name) == WHITE]
    assert lit == [CELLS[cell] for place, cell in enumerate(AGENT_CELLS) if place in (1, 2, 5)]


def test_the_hidden_screen_is_told_nothing_of_those_who_are_on_their_phones(
    table: VirtualTable,
) -> None:
    # CX-18, CX-20: neither what they may do, nor what came to them, whoever peeks
    for act in (None, "send", "done"):
        if act is not None:
            for seat in PHONES[:2]:
                table.do(
                    act, seat, **({"to": "agent-1", "facts": ["role"]} if act == "send" else {})
                )
        message = table.message
        assert (message.door, message.agent) == (None, None)
        assert {*message.may} & {*PHONES} == set()
        for seat in PHONES:
            assert table.ask("peek", seat).reason == "not-your-turn"


def test_what_an_agent_on_a_phone_is_told_does_not_go_to_the_hidden_screen(
    table: VirtualTable,
) -> None:
    # CX-6, CX-20
    send(table, *PHONES)
    for seat in PHONES:
        table.do("done", seat)
    for agent in (1, 4, 5):
        table.do("ready", f"agent-{agent}")
        table.do("send", f"agent-{agent}", to="agent-2", facts=["role"])
        table.advance(45.0)
    assert table.view.phase.value == "act"
    table.do("ready")
    before = table.view
    verdict = table.ask("attempt", "agent-2", code="2" * 12)
    assert (verdict.ok, verdict.told) == (True, None)
    assert table.game.state.secrets.dossiers[1].entered.attempt is Attempted.WRONG
    assert table.view == before


def test_a_power_cut_while_some_are_on_their_phones_costs_nothing(
    table: VirtualTable, make_table: MakeTable
) -> None:  # ALL-2, CX-20
    send(table, *PHONES)
    table.do("done", "agent-2")
    table.advance(5.0)
    before = table.view
    table.switch_off()
    again = make_table(table.path, now=5000.0)
    assert (again.view.together, again.view.phones) == (before.together, before.phones)
    for seat in PHONES[1:]:
        again.do("done", seat)
    assert again.view.at_screen.value == "agent-1"


def test_the_next_game_is_of_the_same_phones(table: VirtualTable) -> None:  # CX-20, CN-23
    table.do("abandon")
    table.do("next")
    assert [seat.value for seat in table.view.phones] == [*PHONES]
    assert [seat.value for seat in table.view.together] == [*PHONES]
