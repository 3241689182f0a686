"""The machine alone: what goes in, what comes out, what waits for the disk. No device, no file."""

from typing import Any

import pytest

from pi_table.common.errors import InputError, StorageError
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.games import read_opening
from pi_table.games.rules.word_games.events import ClueGiven, Guessed
from pi_table.games.rules.word_games.events import Dealt as DealtEvent
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.game_queue import RETRY_SECONDS
from pi_table.table.engine.idle import ASK_SECONDS
from pi_table.table.engine.inputs import Begin, Input, Request, ScreenLeft, TimePassed, TouchFelt
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Answer, Audience, Output, Publish, Show
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.storage.orders import (
    Deal,
    ListGames,
    MarkDealt,
    Note,
    Open,
    Settle,
    Store,
    TryPin,
)
from pi_table.table.engine.storage.results import (
    Dealt,
    Fetched,
    Found,
    NotFetched,
    NotOpened,
    NotSettled,
    NotStored,
    Opened,
    PinSet,
    Stored,
)
from pi_table.table.engine.touches.intents import Intents

KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"
GAME = {"profile": "codenames", "key": KEY}
CLOCK = {"timer": "clock", "clue_seconds": 10, "guess_seconds": 10, "clock_end": "end-turn"}
ORDERS = (Store, Note, Open, Deal, MarkDealt, ListGames)


class Bench:
    """A machine with the tap as its intent, and all that came out of it; ``now`` is in seconds."""

    def __init__(self, *, open: bool = True) -> None:
        self.machine = Machine(Intents("tap"), cards="own", chance=Chance(), packs=())
        self.now = 100.0
        self.take(TouchFelt(TouchFrame()))
        if open:
            self.take(Opened(None))

    def take(self, given: Input) -> list[Output]:
        return [*self.machine.take(given, self.now)]

    def ask(self, act: str, seat: str = "operator", **fields: Any) -> list[Output]:
        return self.take(Request(Asker.CONSOLE, act, {"act": act, "seat": seat, **fields}))

    def touch(self, place: int) -> list[Output]:
        self.now += 1.0
        outputs = self.take(TouchFelt(TouchFrame(touched=frozenset({place}))))
        self.now += 0.05
        return outputs + self.take(TouchFelt(TouchFrame()))

    def begun(self, options: dict[str, Any] | None = None) -> "Bench":
        """A game was begun, and its clue given."""
        opening = read_opening({**GAME, "options": options or {}}, Chance())
        self.take(Begin("begin", GAME, WordSource("own")))
        self.take(Dealt("begin", opening))
        self.take(Stored(1))
        self.ask("clue", "red-spymaster", number=2)
        self.take(Stored(1))
        return self


def kinds(outputs: list[Output]) -> list[type]:
    return [type(output) for output in outputs]


def seen(outputs: list[Output]) -> list[Output]:
    """Return the visible outputs, without the lights of a touch."""
    return [output for output in outputs if isinstance(output, Answer | Publish)]


def verdict(outputs: list[Output]) -> Any:
    (answer,) = (output for output in outputs if isinstance(output, Answer))
    return answer.verdict


def test_until_it_is_stored_nothing_of_a_guess_leaves_but_the_order_to_store_it() -> None:  # ALL-2
    bench = Bench().begun()
    before = bench.machine.public_message(bench.now), bench.machine.console_message(bench.now)
    outputs = bench.touch(0)
    (order,) = (output for output in outputs if isinstance(output, Store))
    assert order.game == 1
    assert isinstance(order.happened[0], Guessed)
    assert {*kinds(outputs)} == {Store, Show}  # and the light that says "felt you"
    for _ in range(3):
        bench.now += 1.0
        assert not seen(bench.take(TimePassed()))
    assert bench.machine.public_message(bench.now) == before[0]
    assert bench.machine.console_message(bench.now) == before[1]
    after = bench.take(Stored(1))
    assert {output.to for output in after if isinstance(output, Publish)} == {
        *(Audience.PUBLIC, Audience.CONSOLE),  # of a game the house is told nothing
    }
    assert bench.machine.public_message(bench.now) != before[0]


def test_an_act_is_answered_when_it_is_stored_and_not_before() -> None:  # ALL-2
    bench = Bench().begun()
    assert kinds(bench.ask("pause")) == [Store]
    outputs = bench.take(Stored(1))
    assert verdict(outputs).ok
    assert Publish(Audience.PUBLIC) in outputs


def test_what_is_asked_for_while_the_disk_is_busy_waits_and_is_judged_on_what_stands_then() -> None:
    bench = Bench().begun()
    bench.ask("pause")
    assert bench.ask("pause") == []
    assert bench.ask("resume") == []
    outputs = bench.take(Stored(1))
    assert [(one.to, one.verdict.reason) for one in outputs if isinstance(one, Answer)] == [
        ("pause", None),
        ("pause", "paused"),
    ]
    assert isinstance(next(one for one in outputs if isinstance(one, Store)), Store)
    assert verdict(bench.take(Stored(1))).ok


def test_what_could_not_be_stored_is_refused_told_and_changes_nothing() -> None:  # ALL-2
    bench = Bench().begun()
    before = bench.machine.game
    bench.ask("pause")
    outputs = bench.take(NotStored(StorageError("The disk is full.")))
    assert (verdict(outputs).reason, verdict(outputs).sentence) == (
        "cannot-store",
        "The disk is full.",
    )
    assert bench.machine.game == before
    assert bench.machine.public_message(bench.now).out_of_order
    assert kinds(bench.ask("pause")) == [Store]  # it is tried again, and may go well
    bench.take(Stored(1))
    assert bench.machine.fault is None


def test_what_is_stored_is_settled_and_where_that_fails_it_is_told_and_still_stored() -> None:
    bench = Bench().begun()
    bench.ask("pause")
    outputs = bench.take(Stored(1))
    assert [one for one in outputs if isinstance(one, Settle)] == [Settle()]
    after = bench.take(NotSettled(StorageError("The disk is full.")))
    assert Publish(Audience.CONSOLE) in after
    assert bench.machine.fault == "The disk is full."
    assert bench.machine.game is not None
    assert bench.machine.game.board.paused
    assert kinds(bench.ask("resume")) == [Store]  # it is tried, and may go well
    bench.take(Stored(1))
    assert bench.machine.fault is None
    bench.take(NotSettled(StorageError("The disk failed."), closed=True))
    for act in ("resume", "pause"):
        assert verdict(bench.ask(act)).reason == "out-of-order"
    assert bench.ask("try-again") == [Open(aside=False)]


def test_a_journal_that_was_closed_by_a_failing_disk_takes_nothing_until_it_is_opened() -> None:
    bench = Bench().begun()
    bench.ask("pause")
    bench.take(NotStored(StorageError("The disk failed."), closed=True))
    for act in ("resume", "pause"):  # whatever the rules would say
        assert verdict(bench.ask(act)).reason == "out-of-order"
    assert Store not in kinds(bench.touch(0))
    assert bench.ask("try-again") == [Open(aside=False)]
    assert bench.ask("pause") == []  # it waits for the journal
    outputs = bench.take(Opened(None))
    assert [one.verdict.reason for one in outputs if isinstance(one, Answer)] == [None, "no-game"]
    assert bench.machine.game is None


def test_the_console_is_told_at_once_what_its_operator_may_do_while_the_journal_is_closed() -> None:
    bench = Bench().begun()
    bench.ask("pause")
    bench.take(NotStored(StorageError("The disk is full.")))
    assert "set-aside" not in bench.machine.console_message(bench.now).may["operator"]
    assert bench.ask("try-again") == [
        *(Open(aside=False), Publish(Audience.CONSOLE), Publish(Audience.HOUSE)),
    ]
    assert "set-aside" in bench.machine.console_message(bench.now).may["operator"]


def test_a_journal_that_another_table_has_is_told_to_who_asked() -> None:
    bench = Bench(open=False)
    assert Open(aside=True) in bench.ask("set-aside")
    refused = StorageError("Another table has it.")
    assert verdict(bench.take(NotOpened(None, refused))).sentence == "Another table has it."
    bench.ask("try-again")
    assert verdict(bench.take(NotOpened("It is damaged."))).ok
    assert bench.machine.fault == "It is damaged."


def test_while_a_game_is_dealt_the_table_feels_and_what_is_asked_for_waits() -> None:
    bench = Bench()
    (order,) = bench.ask("start", profile="codenames", options={})
    assert isinstance(order, Deal)
    assert bench.ask("look") == []
    outputs = bench.take(NotFetched("start", InputError("There is no such pack.")))
    assert [(one.to, one.verdict.ok) for one in outputs if isinstance(one, Answer)] == [
        ("start", False),
        ("look", False),
    ]


def test_who_has_the_journal_opened_again_finds_the_table_awake_though_the_game_pauses() -> None:
    bench = Bench().begun()
    bench.ask("pause")
    bench.take(Stored(1))
    bench.take(NotSettled(StorageError("The disk failed."), closed=True))
    game = bench.machine.game
    assert game is not None
    found = Found(1, game.opening, game.state, game.time(bench.now))
    bench.ask("try-again")
    bench.take(Opened(found))
    assert bench.machine.public_message(bench.now).idle is Presence.PLAYING
    switched_on = Bench(open=False)
    switched_on.take(Opened(found))
    assert switched_on.machine.public_message(switched_on.now).idle is Presence.IDLE


def test_while_a_game_is_dealt_only_its_own_opening_begins_it() -> None:
    bench = Bench()
    opening = read_opening(GAME, Chance())
    bench.ask("record")
    bench.ask("start", profile="codenames", options={})
    outputs = bench.take(NotFetched("record", StorageError("It failed.")))
    assert [(one.to, one.verdict.ok) for one in outputs if isinstance(one, Answer)] == [
        ("record", False)
    ]
    with pytest.raises(AssertionError, match="Nothing waits"):
        bench.take(Dealt("record", opening))
    assert kinds(bench.take(Dealt("start", opening))) == [Store]


def test_who_reads_the_record_keeps_nobody_waiting() -> None:
    bench = Bench().begun()
    assert bench.ask("record") == [ListGames("record", 1)]
    assert verdict(bench.ask("look")).ok
    assert kinds(bench.ask("pause")) == [Store]
    assert verdict(bench.take(Fetched("record", ["a game"]))).told == ["a game"]
    assert verdict(bench.take(Stored(1))).ok


def test_while_a_pin_is_looked_at_no_other_is_whatever_else_fails() -> None:
    bench = Bench()
    bench.ask("set-pin", pin="4711")
    bench.take(PinSet("set-pin", True))
    bench.ask("lock")
    assert TryPin("unlock", "4711") in bench.ask("unlock", pin="4711")
    bench.ask("record")
    assert not verdict(bench.take(NotFetched("record", StorageError("It failed.")))).ok
    assert verdict(bench.ask("unlock", pin="0000")).reason == "wait"
    bench.take(NotFetched("unlock", StorageError("The disk is full.")))
    assert TryPin("unlock", "4711") in bench.ask("unlock", pin="4711")


def test_what_time_brought_about_is_stored_before_what_was_asked_for_afterwards() -> None:  # CN-24
    bench = Bench().begun(CLOCK)
    bench.now += 10.5
    (first,) = (one for one in bench.ask("pause") if isinstance(one, Store))
    assert [type(event).__name__ for event in first.happened] == ["TurnEnded"]
    (second,) = (one for one in bench.take(Stored(1)) if isinstance(one, Store))
    assert [type(event).__name__ for event in second.happened] == ["Paused"]


def test_while_the_journal_is_closed_time_brings_nothing_about() -> None:
    bench = Bench().begun(CLOCK)
    bench.ask("pause")
    bench.take(NotStored(StorageError("The disk failed."), closed=True))
    bench.now += 10.5
    for outputs in (
        bench.take(TimePassed()),
        bench.ask("look"),
        bench.take(TouchFelt(TouchFrame())),
    ):
        assert not {Store, Note} & {*kinds(outputs)}
    assert bench.machine.wakes is None


def test_while_the_journal_is_closed_no_game_that_was_set_apart_is_abandoned() -> None:
    bench = Bench().begun()
    house = bench.machine.house
    bench.now += 60.0 * house.idle_minutes + ASK_SECONDS
    assert Store in kinds(bench.take(TimePassed()))  # of the pause
    bench.take(Stored(1))
    bench.take(NotSettled(StorageError("The disk failed."), closed=True))
    bench.now += 60.0 * house.keep_minutes
    assert Store not in kinds(bench.take(TimePassed()))
    assert bench.machine.wakes is None


def test_what_time_comes_before_keeps_its_turn_all_the_same() -> None:  # CN-24
    bench = Bench().begun(CLOCK)
    bench.now += 10.5
    assert Store in kinds(bench.ask("pause"))  # of the end of the turn
    assert not seen(bench.ask("resume"))
    assert Answer not in kinds(bench.take(Stored(1)))
    assert [verdict([one]).ok for one in bench.take(Stored(1)) if isinstance(one, Answer)] == [True]


def test_what_time_brought_about_is_tried_again_after_a_second() -> None:  # CN-24
    bench = Bench().begun(CLOCK)
    bench.now += 10.5
    assert Store in kinds(bench.take(TimePassed()))
    bench.take(NotStored(StorageError("The disk is full.")))
    bench.now += RETRY_SECONDS / 2
    assert Store not in kinds(bench.take(TimePassed()))
    assert bench.machine.wakes is not None
    bench.now = bench.machine.wakes
    bench.now += RETRY_SECONDS
    assert Store in kinds(bench.take(TimePassed()))


def test_an_audience_is_told_of_what_is_new_to_it_and_of_nothing_else() -> None:
    bench = Bench().begun()
    assert not [one for one in bench.ask("look") if isinstance(one, Publish)]
    assert not [one for one in bench.ask("pause", "agent-1") if isinstance(one, Publish)]
    assert not [one for one in bench.ask("peek", "agent-1") if isinstance(one, Publish)]
    everybody = [Publish(Audience.PUBLIC), Publish(Audience.CONSOLE)]
    assert bench.ask("peek", "red-spymaster")[-2:] == everybody  # that, and no more (ALL-1)
    bench.now += 1.0
    assert bench.ask("peek", "red-spymaster")[1:] == [Publish(Audience.CONSOLE)]  # it was renewed
    assert kinds(bench.take(ScreenLeft())) == [Show, Publish]  # there is no key to be seen any more
    assert bench.take(ScreenLeft()) == []


def test_a_guess_goes_to_the_disk_before_its_light_is_ordered() -> None:
    bench = Bench().begun()
    bench.now += 1.0
    outputs = bench.take(TouchFelt(TouchFrame(touched=frozenset({3}))))
    assert kinds(outputs) == [Store, Show]


@pytest.mark.parametrize("what", [Stored(7), NotStored(StorageError("It failed."))])
def test_a_result_that_nobody_waits_for_is_a_mistake(what: Input) -> None:
    bench = Bench().begun()
    with pytest.raises(AssertionError, match="Nothing waits"):
        bench.take(what)


def test_the_clue_that_was_given_is_an_event_of_the_game_that_was_begun() -> None:
    bench = Bench()
    opening = read_opening(GAME, Chance())
    assert kinds(bench.take(Begin("me", GAME, WordSource("own")))) == [Deal]
    (order,) = bench.take(Dealt("me", opening))
    assert isinstance(order, Store)
    assert order.game is None
    assert isinstance(order.happened[0], DealtEvent)
    outputs = bench.take(Stored(4))
    assert MarkDealt(4, opening) in outputs
    (order,) = (o for o in bench.ask("clue", "red-spymaster", number=2) if isinstance(o, Store))
    assert (order.game, type(order.happened[0])) == (4, ClueGiven)
