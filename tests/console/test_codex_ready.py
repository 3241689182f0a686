"""A visit that waits for its agent, at the hidden screen (CX-18)."""

from typing import Any

from codex_table import BACK, PEEK, PRESS, CodexTable, desk, digits
from msgspec.structs import replace
from playing import Desk, choose

from pi_table.protocols.ipc.messages import line
from pi_table.screens.console.codex.own_code import OwnCode
from pi_table.screens.console.codex.public_menu import Public

READY = {"seat": "agent-1", "act": "ready", "lang": "en"}


def waiting() -> Desk:
    """The table waits for Moon."""
    return desk(CodexTable(visit_starts="ready"))


def test_the_screen_is_passed_on_and_says_what_to_press() -> None:
    at = waiting()
    assert "comes to this screen" in at.texts
    assert any("who presses “I am Moon”" in text for text in at.texts)
    assert at.labels[0] == "I am Moon"


def test_to_come_in_is_to_be_there() -> None:
    at = waiting().happen(PRESS)
    assert at.asked == [READY]
    assert isinstance(at.model.screen, OwnCode)
    assert at.table.message().public.awaited is False  # type: ignore[union-attr]
    at.happen(*digits("12341234"))
    assert at.asked[-1] == {"seat": "agent-1", "act": "choose-code", "code": "1234"}
    assert "Send a message" in at.labels


def test_who_steps_back_from_the_code_need_not_say_again_that_they_are_there() -> None:
    at = waiting().happen(PRESS, BACK, PRESS)
    assert at.asked == [READY]
    assert isinstance(at.model.screen, OwnCode)


def test_a_pause_that_comes_first_closes_the_code_and_says_why() -> None:
    at = waiting()
    at.table.do("operator", "pause")
    at.happen(PRESS)  # the screen has not heard of the pause yet
    assert isinstance(at.model.screen, Public)


def test_nothing_can_be_peeked_at_before_somebody_is_there() -> None:
    at = waiting().happen(PEEK)
    assert at.peeked == []
    assert not at.model.can_peek


def test_the_operator_can_go_on_without_the_agent() -> None:
    at = choose(waiting(), "More…", "Do not wait for Moon")
    assert at.labels[at.model.selected] == "No, go back"
    choose(at, "Yes, start it")
    assert at.asked == [{"seat": "operator", "act": "ready"}]
    assert "Do not wait for Moon" not in choose(at, "More…").labels


def test_what_the_screen_is_sent_while_it_waits_is_the_same_in_any_deal() -> None:
    # ALL-1: another deal altogether, drawn, with the same names and roles
    one, other = CodexTable(visit_starts="ready"), CodexTable(None, visit_starts="ready")
    other.options["roles"] = ["hacker", "profiler"]
    names = [agent.nickname for agent in one.message().public.agents]
    for _ in range(5):
        other.nicknames = [*names]
        other.game = 0
        other.begin()
        other.state = _with_settings_of(other.state, one.state)
        assert line(one.message()) == line(other.message())


def _with_settings_of(state: Any, other: Any) -> Any:
    """The state with the settings of another: only they say which roles were chosen."""
    return replace(state, board=replace(state.board, settings=other.board.settings))


def test_those_who_are_on_their_phones_are_named_and_the_operator_need_not_wait_for_them() -> None:
    # CX-20
    table = CodexTable(visit_starts="ready", screens="phones")
    for seat in ("agent-2", "agent-3"):
        table.do(seat, "pair")
    at = desk(table)
    assert {"On the phones", "Vega, Puma"} <= {*at.texts}
    table.do("agent-3", "ready")
    assert "Still missing: Vega" in at.hear().texts
    assert "The time starts when all of them are there." in at.texts
    assert not [label for label in at.labels if label.startswith("I am")]
    choose(at, "More…", "Do not wait any longer", "Yes, start it")
    assert at.asked == [{"seat": "operator", "act": "ready"}]
    assert "Then: Moon, Koala, Tango, Mistral" in at.texts
    assert "The time starts when all of them are there." not in at.texts
