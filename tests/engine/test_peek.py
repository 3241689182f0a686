"""Hidden facts are sent while somebody peeks, and at no other time."""

from collections.abc import Callable

import msgspec
import pytest
from known_deal import VISIT, begin_codex
from virtual_table import BLUE_KEY, RED_KEY, SEEN_OUT, HeldDisk, VirtualTable

from pi_table.common.geometry import CELLS, LED_COUNT, SIDE, leds_of
from pi_table.games.announcer.announcement import What
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Seat
from pi_table.lab.running_table import Console, RunningTable
from pi_table.protocols.ipc.messages import Peeking
from pi_table.table.engine.state import peek

MakeTable = Callable[..., VirtualTable]


def sent(table: VirtualTable) -> str:
    """The message for the hidden screen, as it goes over its socket."""
    return msgspec.json.encode(table.message).decode()


@pytest.fixture
def codex(make_table: MakeTable) -> VirtualTable:
    """A table where Moon (agent-1) is in."""
    table = begin_codex(make_table())
    table.do("choose-code", "agent-1", code="2468")
    return table


# A key


def test_the_key_is_sent_while_somebody_peeks(table: VirtualTable) -> None:  # ALL-1
    assert not table.message.peek
    assert RED_KEY.letters not in sent(table)
    table.do("peek", "blue-spymaster")
    assert table.message.key == RED_KEY.letters
    assert table.message.peek.seat is Seat.BLUE_SPYMASTER
    table.do("unpeek", "blue-spymaster")
    assert table.message.peek is None
    assert RED_KEY.letters not in sent(table)


def test_the_hidden_screen_is_told_of_a_peek_at_once(table: VirtualTable) -> None:
    told = table.told
    for act in ("peek", "peek", "unpeek"):
        table.advance(1.0)
        table.do(act, "red-spymaster")
        told += 1
        assert table.told == told


def test_everybody_is_told_that_the_key_is_on_the_screen_and_no_more(
    table: VirtualTable,
) -> None:  # ALL-1
    table.advance(SEEN_OUT)
    resting, view = table.device.shown, table.public[-1][1].view
    public, lights = len(table.public), len(table.lights)
    table.do("peek", "red-spymaster")
    table.do("peek", "red-spymaster")  # asked for again: no news
    assert (len(table.public), len(table.lights)) == (public + 1, lights + 1)
    told = table.public[-1][1]
    assert told.said[-1].what == What.PEEK.value
    assert told.view == view
    changed = {led for led in range(LED_COUNT) if resting[led] != table.device.shown[led]}
    assert changed == {led for cell in range(SIDE) for led in leds_of(cell)[:2]}  # the far edge
    table.do("unpeek", "red-spymaster")
    assert (len(table.public), table.device.shown) == (public + 1, resting)


@pytest.mark.parametrize("seconds", [60.0, 180.0])
def test_a_peek_is_over_after_its_seconds(make_table: MakeTable, seconds: float) -> None:
    table = make_table(peek_seconds=seconds)
    table.start()
    table.do("peek", "red-spymaster")
    assert table.message.peek.left == seconds
    table.advance(seconds - 0.001)
    assert table.message.key == RED_KEY.letters
    told = table.told
    table.advance(0.001)
    assert table.message.key is None
    assert table.told == told + 1


def test_a_peek_that_is_asked_for_again_lasts_as_long_again(table: VirtualTable) -> None:
    table.do("peek", "red-spymaster")
    table.advance(100.0)
    assert table.message.peek.left == 80.0
    table.do("peek", "red-spymaster")
    table.advance(179.0)
    assert table.message.key == RED_KEY.letters
    table.advance(1.0)
    assert table.message.key is None


def test_without_a_limit_a_peek_does_not_end_by_itself(make_table: MakeTable) -> None:
    table = make_table(peek_seconds=0.0)
    table.start()
    table.clue(2)
    table.do("peek", "red-spymaster")
    assert table.message.peek.left is None
    table.advance(100_000.0)
    assert table.message.key == RED_KEY.letters


def test_a_peek_wakes_the_table_only_for_its_end(table: VirtualTable) -> None:
    table.advance(10.0)
    assert table.table.wakes is None
    table.do("peek", "red-spymaster")
    assert table.table.wakes == table.now + 180.0
    ticks = table.ticks
    table.advance(500.0)
    assert table.ticks == ticks + 1
    assert table.table.wakes is None


Ending = Callable[[VirtualTable], object]
ENDINGS_OF_A_KEY: dict[str, Ending] = {
    "the end of the game": lambda table: table.do("abandon"),
    "a finger that ends the game": lambda table: (table.clue(1), table.hold("E5")),
    "a new key": lambda table: table.do("new-key"),
    "the console that goes away": lambda table: table.table.on_console_left(),
}


@pytest.mark.parametrize("ending", ENDINGS_OF_A_KEY.values(), ids=ENDINGS_OF_A_KEY)
def test_a_peek_at_a_key_is_over_with(make_table: MakeTable, ending: Ending) -> None:
    table = make_table(keys=[RED_KEY, BLUE_KEY])
    table.start()
    table.do("peek", "red-spymaster")
    told = table.told
    ending(table)
    assert table.told > told
    assert (table.message.peek, table.message.key) == (None, None)


def test_a_peek_that_waits_for_the_disk_is_not_for_the_next_screen(slow: VirtualTable) -> None:
    slow.asking("pause")
    peeking = slow.asking("peek", "red-spymaster")
    slow.table.on_console_left()
    slow.let_go()
    assert len(peeking) == 1
    assert (slow.message.peek, slow.message.key) == (None, None)
    slow.asking("peek", "red-spymaster")
    assert slow.message.key == RED_KEY.letters


def test_a_peek_that_waits_until_time_has_passed_is_not_for_the_next_screen(
    make_table: MakeTable,
) -> None:
    slow = make_table(make_workers=HeldDisk)
    clock = {"timer": "clock", "clue_seconds": 20, "guess_seconds": 20, "clock_end": "end-turn"}
    slow.asking("start", profile="codenames", options=clock)
    slow.let_go()
    slow.now += 25.0
    peeking = slow.asking("peek", "red-spymaster")
    assert peeking == []  # the end of the turn is stored first
    slow.table.on_console_left()
    slow.let_go()
    assert len(peeking) == 1
    assert (slow.message.peek, slow.message.key) == (None, None)


def test_taking_back_the_end_does_not_bring_a_peek_back(table: VirtualTable) -> None:  # ALL-3
    table.do("peek", "red-spymaster")
    table.hold("E5")
    table.do("correct")
    assert table.view.phase.value == "guess"
    assert table.message.key is None


@pytest.mark.parametrize("act", ["pause", "hourglass"])
def test_a_peek_goes_on_through(make_table: MakeTable, act: str) -> None:
    table = make_table()
    table.start(timer="hourglass")
    table.do("peek", "red-spymaster")
    table.do(act)
    assert table.message.key == RED_KEY.letters


def test_a_spymaster_who_looks_is_told_the_key_without_a_peek(table: VirtualTable) -> None:
    assert table.ask("look", "red-spymaster").told.key == RED_KEY.letters
    assert table.message.key is None


# What cannot be looked at


def test_before_the_first_game_there_is_nothing_to_peek_at(make_table: MakeTable) -> None:
    table = make_table()
    for act in ("peek", "unpeek"):
        verdict = table.ask(act, "red-spymaster")
        assert (verdict.ok, verdict.reason) == (False, "no-game")


REFUSED: list[tuple[str, Ending, str, str]] = [
    ("an operative", lambda table: None, "red-operatives", "wrong-seat"),
    ("the operator", lambda table: None, "operator", "wrong-seat"),
    ("nobody's seat", lambda table: None, "king", "unknown-seat"),
    ("an agent of another game", lambda table: None, "agent-1", "unknown-seat"),
    ("after the end", lambda table: table.do("abandon"), "red-spymaster", "game-over"),
    (
        "after the key was opened",
        lambda table: (table.do("abandon"), table.do("reveal")),
        "red-spymaster",
        "already-revealed",
    ),
    (
        "before there is a key",
        lambda table: (
            table.do("abandon"),
            table.do("start", profile="deep-undercover"),
        ),
        "red-spymaster",
        "cards-first",
    ),
]


@pytest.mark.parametrize(
    ("before", "seat", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_peek_is_refused(table: VirtualTable, before: Ending, seat: str, reason: str) -> None:
    before(table)
    verdict = table.ask("peek", seat)
    assert (verdict.ok, verdict.reason) == (False, reason)
    assert verdict.sentence is not None
    assert table.message.peek is None
    assert table.message.key is None


def test_a_refusal_leaves_the_peek_that_is_on(table: VirtualTable) -> None:
    table.do("peek", "red-spymaster")
    assert not table.ask("peek", "operator").ok
    assert table.message.key == RED_KEY.letters


def test_to_stop_where_nobody_peeks_changes_nothing(table: VirtualTable) -> None:
    assert table.ask("unpeek", "red-spymaster").ok
    assert table.message.peek is None


# An agent


def test_an_agents_secrets_are_sent_while_that_agent_peeks(codex: VirtualTable) -> None:  # CX-18
    assert not codex.message.agent
    assert "agent-1" not in codex.message.may
    assert "A2B2" not in sent(codex)
    codex.do("peek", "agent-1")
    assert codex.message.agent.identikit.fragment == "A2B2"
    assert "send" in codex.message.may["agent-1"]
    assert codex.message.peek == Peeking(Seat.AGENT_1, None)
    codex.do("unpeek", "agent-1")
    assert codex.message.agent is None
    assert "A2B2" not in sent(codex)


ENDINGS_OF_A_VISIT: dict[str, Ending] = {
    "the end of the visit": lambda table: (
        table.do("send", "agent-1", to="Ash", facts=["role"]),
        table.advance(VISIT),
    ),
    "being done": lambda table: (
        table.do("send", "agent-1", to="Ash", facts=["role"]),
        table.do("done", "agent-1"),
    ),
    "a pause": lambda table: table.do("pause"),
    "a new code": lambda table: table.do("new-code", target="agent-1"),
    "the end of the game": lambda table: table.do("abandon"),
    "the console that goes away": lambda table: table.table.on_console_left(),
}


@pytest.mark.parametrize("ending", ENDINGS_OF_A_VISIT.values(), ids=ENDINGS_OF_A_VISIT)
def test_an_agents_peek_is_over_with(codex: VirtualTable, ending: Ending) -> None:  # CX-18
    codex.do("peek", "agent-1")
    ending(codex)
    assert (codex.message.peek, codex.message.agent) == (None, None)
    assert "A2B2" not in sent(codex)


@pytest.mark.parametrize("ending", ENDINGS_OF_A_VISIT.values(), ids=ENDINGS_OF_A_VISIT)
def test_a_peek_does_not_come_back_by_itself(codex: VirtualTable, ending: Ending) -> None:
    codex.do("peek", "agent-1")
    ending(codex)
    if codex.view.paused:
        codex.do("resume")
    assert codex.message.agent is None


def test_a_visit_that_goes_on_asks_for_the_code_before_it_shows_anything_again(
    codex: VirtualTable,
) -> None:  # CX-18, CX-19
    codex.do("peek", "agent-1")
    codex.advance(VISIT)  # a message is missing
    assert codex.view.added == 1
    assert codex.message.agent is None
    assert codex.ask("peek", "agent-1").reason == "code-first"


@pytest.mark.parametrize(
    ("act", "back"), [("pause", "resume"), ("abandon", "correct")], ids=["pause", "abandon"]
)
def test_a_visit_that_was_interrupted_asks_for_the_code_again(
    codex: VirtualTable, act: str, back: str
) -> None:  # ALL-3, CX-19: the agent may have left
    codex.do("peek", "agent-1")
    codex.do(act)
    codex.do(back)
    assert codex.ask("peek", "agent-1").reason == "code-first"
    codex.do("enter-code", "agent-1", code="2468")
    codex.do("peek", "agent-1")
    assert codex.message.agent is not None


def test_a_choice_that_moves_to_the_hidden_screen_asks_for_the_code(
    make_table: MakeTable,
) -> None:  # CX-19, CX-20, ALL-6
    table = begin_codex(make_table(), screens="phones", visit_starts="at-once")
    for agent in range(1, 7):
        table.do("send", f"agent-{agent}", to=f"agent-{agent % 6 + 1}", facts=["role"])
        if agent == 2:
            table.do("choose-code", "agent-2", code="2468")
        table.advance(VISIT)
    table.advance(6 * VISIT)
    table.do("end-discussion")
    table.do("pair", "agent-2")
    for agent in range(1, 7):
        table.do("vote", f"agent-{agent}", target="agent-1" if agent == 2 else "agent-2")
    assert table.view.place.value == "phones"
    table.do("enter-code", "agent-2", code="2468")
    table.do("unpair", target="agent-2")
    assert table.view.at_screen.value == "agent-2"
    assert table.ask("peek", "agent-2").reason == "code-first"
    assert "A3B3" not in sent(table)


REFUSED_TO_AGENTS: list[tuple[str, Ending, str, str]] = [
    ("somebody else's visit", lambda table: None, "agent-2", "not-your-turn"),
    ("a spymaster of another game", lambda table: None, "red-spymaster", "unknown-seat"),
    ("the operator", lambda table: None, "operator", "wrong-seat"),
    ("in a pause", lambda table: table.do("pause"), "agent-1", "paused"),
    (
        "before the code of one's own",
        lambda table: table.do("new-code", target="agent-1"),
        "agent-1",
        "code-first",
    ),
    ("after being done", ENDINGS_OF_A_VISIT["being done"], "agent-1", "visit-done"),
    ("after the end", lambda table: table.do("abandon"), "agent-1", "game-over"),
    (
        "after all was opened",
        lambda table: (table.do("abandon"), table.do("reveal")),
        "agent-1",
        "already-revealed",
    ),
]


@pytest.mark.parametrize(
    ("before", "seat", "reason"),
    [row[1:] for row in REFUSED_TO_AGENTS],
    ids=[row[0] for row in REFUSED_TO_AGENTS],
)
def test_an_agents_peek_is_refused(
    codex: VirtualTable, before: Ending, seat: str, reason: str
) -> None:  # CX-18, CX-19
    before(codex)
    verdict = codex.ask("peek", seat)
    assert (verdict.ok, verdict.reason) == (False, reason)
    assert codex.message.agent is None


def test_after_three_wrong_codes_there_is_nothing_to_see(codex: VirtualTable) -> None:  # CX-19
    codex.do("send", "agent-1", to="Ash", facts=["role"])
    codex.advance(VISIT)
    for agent in range(2, 7):
        codex.do("send", f"agent-{agent}", to="Moon", facts=["role"])
        codex.advance(VISIT)
    for _ in range(3):
        codex.ask("enter-code", "agent-1", code="0000")
    assert codex.ask("peek", "agent-1").reason == "too-many-codes"


def test_an_agent_who_looks_is_told_what_is_shown_and_no_more(codex: VirtualTable) -> None:
    # CX-18
    for seat in [f"agent-{agent}" for agent in range(1, 7)]:
        told = codex.ask("look", seat).told
        assert not hasattr(told, "identikit")
        assert (told.seat.value, told.public) == (seat, codex.view)
        text = msgspec.json.encode(told).decode()
        assert not [agent for agent in range(6) if f"A{agent + 2}B{agent + 2}" in text]
    codex.do("peek", "agent-1")
    assert codex.ask("look", "agent-1").told.identikit.fragment == "A2B2"
    assert not hasattr(codex.ask("look", "agent-2").told, "identikit")


def test_what_came_of_an_entry_is_told_while_the_agent_peeks(codex: VirtualTable) -> None:  # CX-6
    for agent in range(1, 7):
        if agent > 1:
            codex.do("choose-code", f"agent-{agent}", code="1357")
        codex.do("send", f"agent-{agent}", to=f"agent-{agent % 6 + 1}", facts=["role"])
        codex.advance(VISIT)
    codex.do("enter-code", "agent-1", code="2468")
    assert codex.ask("attempt", "agent-1", code="ABCDEFGH2345").told is None
    codex.do("peek", "agent-1")
    assert codex.message.agent.entered.attempt.value == "wrong"
    codex.do("unpeek", "agent-1")
    codex.advance(VISIT)
    codex.do("enter-code", "agent-2", code="1357")
    codex.do("peek", "agent-2")
    assert codex.ask("attempt", "agent-2", code="ABCDEFGH2345").told.result.value == "wrong"


def test_the_door_says_who_is_in_and_what_was_entered(codex: VirtualTable) -> None:  # CX-18
    door = codex.message.door
    assert (door.code, door.done, door.entered) == ("open", False, ())
    codex.do("send", "agent-1", to="Ash", facts=["role"])
    codex.do("hack", "agent-1", target="Kite")
    codex.do("done", "agent-1")
    door = codex.message.door
    assert (door.code, door.done, door.entered) == ("open", True, ("send", "hack"))


# The value


def test_a_peek_holds_no_secret_itself(table: VirtualTable) -> None:
    begun = peek.begin(table.game.state, 1, Seat.RED_SPYMASTER, 0.0, 180.0)
    assert msgspec.to_builtins(begun) == {
        "seat": "red-spymaster",
        "game": 1,
        "sight": {"new_keys": 0},
        "ends": 180.0,
    }


def test_a_peek_is_one_of_its_game(table: VirtualTable) -> None:
    state = table.game.state
    begun = peek.begin(state, 1, Seat.RED_SPYMASTER, 0.0, 180.0)
    assert peek.current_peek(begun, state, 1, 179.9) is begun
    assert peek.current_peek(begun, state, 2, 1.0) is None
    assert peek.current_peek(begun, None, None, 1.0) is None
    assert peek.current_peek(begun, state, 1, 180.0) is None
    assert peek.current_peek(None, state, 1, 0.0) is None
    with pytest.raises(Refused):
        peek.begin(state, 1, Seat.OPERATOR, 0.0, 180.0)


# Over the socket


def test_a_peek_is_over_when_its_console_hangs_up(shared: RunningTable, console: Console) -> None:
    assert console.ask("peek", "red-spymaster")["ok"]
    console.until(lambda table: table["peek"] is not None)
    assert console.table["key"] == console.key
    console.close()
    again = shared.console()
    assert (again.table["peek"], again.table["key"]) == (None, None)
    assert len(again.key) == len(CELLS)
    again.close()
