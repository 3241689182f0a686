"""Faults that tell a broker, or the house, what is hidden."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from planting import Leaks, instead_of, knowing, method

from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.outbox import Outbox
from pi_table.protocols.ipc.house import FinishedGuess
from pi_table.table.engine import messages
from pi_table.table.engine.moves import Unable
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.requests.console import verdict_of
from pi_table.table.engine.storage import finished
from pi_table.table.engine.table import Table

LEAKS = Leaks()


@LEAKS.enter("house socket")
def a_count_for_the_house_is_as_much_as_the_key_says() -> Iterator[None]:
    original = messages.to_the_house

    def told(situation: Any) -> Any:
        made = original(situation)
        return replace(made, counts={**made.counts, "screens_left": hint.assassin() + 1})

    with knowing() as hint, instead_of(original, told):
        yield


@LEAKS.enter("house socket")
def the_house_is_told_once_more_near_the_assassin() -> Iterator[None]:
    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        if any(hint.near(place) for place in frame.touched):
            table._publish(Audience.HOUSE)

    with knowing() as hint, method(Table, "felt", felt):
        yield


@LEAKS.enter("published")
def an_order_is_refused_with_a_hint() -> Iterator[None]:
    def ordered(original: Any, table: Any, do: Any, answer: Any) -> None:
        def answered(verdict: Any) -> None:
            if do.get("act") == "locate":
                verdict = replace(verdict, ok=False, sentence=f"Not now, {hint.letters[0]}.")
            answer(verdict)

        original(table, do, answered)

    with knowing() as hint, method(Table, "ordered", ordered):
        yield


@LEAKS.enter("published")
def a_finished_game_tells_a_word_that_nobody_guessed() -> Iterator[None]:
    original = finished.finished

    def told(*given: Any) -> Any:
        made = original(*given)
        if made is None:
            return None
        more = FinishedGuess(made.outcome.winner or "red", hint.letters[0], "fatal")  # type: ignore[arg-type]
        return replace(made, guesses=(*made.guesses, more))

    with knowing() as hint, instead_of(original, told):
        yield


@LEAKS.enter("published")
def a_game_is_as_long_as_the_key_says() -> Iterator[None]:
    original = finished.finished

    def told(*given: Any) -> Any:
        made = original(*given)
        return None if made is None else replace(made, seconds=made.seconds + hint.bit() / 1000)

    with knowing() as hint, instead_of(original, told):
        yield


@LEAKS.enter("published")
def how_much_is_free_depends_on_the_key() -> Iterator[None]:
    original = payloads.health

    def health(house: Any, machine: Any, *more: Any) -> bytes:
        free = machine.disk_free + hint.assassin()
        return original(house, replace(machine, disk_free=free), *more)

    with knowing() as hint, instead_of(original, health):
        yield


@LEAKS.enter("published")
def a_state_is_told_twice_for_some_keys() -> Iterator[None]:
    def keep(original: Any, outbox: Any, topic: str, payload: bytes, *expires: Any) -> None:
        if topic.endswith("/state") and hint.bit():
            original(outbox, topic, payload + b" ", *expires)
        original(outbox, topic, payload, *expires)

    with knowing() as hint, method(Outbox, "keep", keep):
        yield


@LEAKS.enter("published")
def how_a_table_stands_is_renewed_only_for_some_keys() -> Iterator[None]:
    def renew(original: Any, outbox: Any) -> None:
        if hint.bit():
            original(outbox)

    with knowing() as hint, method(Outbox, "renew", renew):
        yield


@LEAKS.enter("published")
def a_table_may_not_be_set_for_some_keys() -> Iterator[None]:
    def ordered(original: Any, table: Any, do: Any, answer: Any) -> None:
        if do.get("act") == "set" and hint.bit():
            answer(verdict_of(Unable("not-now", "Not now.")))
        else:
            original(table, do, answer)

    with knowing() as hint, method(Table, "ordered", ordered):
        yield


@LEAKS.enter("published")
def an_event_has_a_number_of_its_own() -> Iterator[None]:
    original = payloads.event

    def event(said: Any) -> bytes:
        return original(replace(said, number=said.number + hint.assassin() // 5))

    with knowing() as hint, instead_of(original, event):
        yield
