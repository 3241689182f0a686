"""Faults in how phones get seats, keep them, lose them, and in how everybody is told."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.language import say
from pi_table.games.announcer import phones as announcer
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.phones.phones import Phone, Phones
from pi_table.table.engine.process.daemon import _Daemon
from pi_table.table.engine.snapshot import Snapshot

LEAKS = Leaks()


@LEAKS.enter("phone of")
def a_phone_that_has_to_confirm_is_sent_the_key() -> Iterator[None]:
    def seated(snapshot: Snapshot) -> tuple[Any, ...]:
        phones = (phone for phone in snapshot.phones.phones if phone)
        return tuple(phone.link.seat for phone in phones if phone.link.device is not None)

    with mock.patch.object(Snapshot, "seated", property(seated)):
        yield


@LEAKS.enter("public socket", at(Phone.has_confirmed))
def whoever_confirms_has_to_hold_longer_under_some_keys(
    original: Any, phone: Any, now: float
) -> bool:
    return bool(original(phone, now - 0.5 if hint.bit() else now))


@LEAKS.enter("phone of", at(Phones.ask_to_confirm))
def the_question_ends_at_once_under_some_keys(
    original: Any, phones: Any, seats: Any, now: float
) -> Any:
    return original(phones, seats, now - 59.9 if hint.bit() else now)


@LEAKS.enter("public socket", after(Machine.public_message))
def the_seats_with_a_phone_stand_in_the_order_of_the_key(public: Any, *_: Any) -> Any:
    return replace(public, seated=public.seated[:: -1 if hint.bit() else 1])


@contextmanager
def _announced(change: Any) -> Iterator[None]:
    with at(announcer.announce)(lambda original, *of: change([*original(*of)])):
        yield


@LEAKS.enter("public socket", _announced)
def a_phone_is_announced_with_the_assassins_column(said: list[Any]) -> list[Any]:
    words = say("A phone {column}.", column=hint.assassin() % 5)
    return [replace(each, words=words) for each in said]


@LEAKS.enter("public socket", _announced)
def a_phone_is_announced_under_some_keys_alone(said: Any) -> Any:
    return [] if hint.bit() else said


@LEAKS.enter("phone of", after(Phones.without_phones))
def a_phone_that_lost_its_seat_is_still_answered_under_some_keys(made: Any, phones: Any) -> Any:
    return phones if hint.bit() else made


@LEAKS.enter("sealed socket")
def whoever_confirms_is_answered_between_two_beats_under_some_keys() -> Iterator[None]:
    def confirmed(original: Any, phones: Any, now: float) -> Any:
        after, seats = original(phones, now)
        if seats and hint.bit():
            asyncio.get_running_loop().call_soon(publish[-1])
        return after, seats

    def begun(original: Any, daemon: Any, *given: Any) -> None:
        original(daemon, *given)
        publish.append(daemon._sealed._server.publish)

    publish: list[Any] = []
    with (
        at(Phones.take_confirmations)(confirmed),
        at(_Daemon.__init__)(begun),
    ):
        yield
