"""Faults that tell a broker, or the house, what is hidden."""

from typing import Any

from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.outbox import Outbox
from pi_table.protocols.ipc.house import FinishedGuess
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.presentation import messages
from pi_table.table.engine.requests.console import verdict_of
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.storage import finished
from pi_table.table.engine.table import Table

LEAKS = Leaks()


@LEAKS.enter("house socket", after(messages.to_the_house))
def a_count_for_the_house_is_as_much_as_the_key_says(made: Any, *_: Any) -> Any:
    return replace(made, counts={**made.counts, "screens_left": hint.assassin() + 1})


@LEAKS.enter("house socket", after(Table.on_touch_frame))
def the_house_is_told_once_more_near_the_assassin(_: None, table: Any, frame: Any) -> None:
    if any(hint.near(place) for place in frame.touched):
        table._callbacks.publish(Audience.HOUSE)


@LEAKS.enter("published", at(Table.on_house_order))
def an_order_is_refused_with_a_hint(original: Any, table: Any, do: Any, answer: Any) -> None:
    def answered(verdict: Any) -> None:
        if do.get("act") == "locate":
            verdict = replace(verdict, ok=False, sentence=f"Not now, {hint.letters[0]}.")
        answer(verdict)

    original(table, do, answered)


@LEAKS.enter("published", after(finished.build_finished_game))
def a_finished_game_tells_a_word_that_nobody_guessed(made: Any, *_: Any) -> Any:
    if made is None:
        return None
    more = FinishedGuess(made.outcome.winner or "red", hint.letters[0], "fatal")  # type: ignore[arg-type]
    return replace(made, guesses=(*made.guesses, more))


@LEAKS.enter("published", after(finished.build_finished_game))
def a_game_is_as_long_as_the_key_says(made: Any, *_: Any) -> Any:
    return None if made is None else replace(made, seconds=made.seconds + hint.bit() / 1000)


@LEAKS.enter("published", at(payloads.health))
def how_much_is_free_depends_on_the_key(original: Any, house: Any, machine: Any, *more: Any) -> Any:
    free = machine.disk_free + hint.assassin()
    return original(house, replace(machine, disk_free=free), *more)


@LEAKS.enter("published", at(Outbox.keep))
def a_state_is_told_twice_for_some_keys(
    original: Any, outbox: Any, topic: str, payload: bytes, *expires: Any
) -> None:
    if topic.endswith("/state") and hint.bit():
        original(outbox, topic, payload + b" ", *expires)
    original(outbox, topic, payload, *expires)


@LEAKS.enter("published", at(Outbox.renew))
def how_a_table_stands_is_renewed_only_for_some_keys(original: Any, outbox: Any) -> None:
    if hint.bit():
        original(outbox)


@LEAKS.enter("published", at(Table.on_house_order))
def a_table_may_not_be_set_for_some_keys(original: Any, table: Any, do: Any, answer: Any) -> None:
    if do.get("act") == "set" and hint.bit():
        answer(verdict_of(Unable("not-now", "Not now.")))
    else:
        original(table, do, answer)


@LEAKS.enter("published", at(payloads.event))
def an_event_has_a_number_of_its_own(original: Any, said: Any) -> Any:
    return original(replace(said, number=said.number + hint.assassin() // 5))
