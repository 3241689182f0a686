"""Faults in the process of the pages, in what it is given, and in what phones are sent."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.games.rules.seat import Role
from pi_table.protocols.ipc.sealed import SealedBlock, line
from pi_table.screens.web import events
from pi_table.screens.web.events import Viewers
from pi_table.screens.web.site import Site, _Answering
from pi_table.screens.web.table_link import Relay
from pi_table.table.engine.families.word_games import messages
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.phones.phones import Phone, Phones
from pi_table.table.engine.process.daemon import _Daemon
from pi_table.table.engine.process.sealed_socket import SealedSocket
from pi_table.table.engine.table import Table

LEAKS = Leaks()
SECRETLY = "secret phones"
"""Check that finds a fault which discloses somebody's act, whatever the key is."""
log = logging.getLogger("pi_table")


@contextmanager
def a_block_more_where(wanted: Callable[[Any, Any], bool]) -> Iterator[None]:
    """A fault: phones are sent a block between two beats where an answer is such a one. ``wanted``
    is given whom it is for, and the answer."""

    def answered(original: Any, phones: Any, to: Any, answer: Any) -> Any:
        if wanted(to, answer):
            asyncio.get_running_loop().call_soon(publish[-1])
        return original(phones, to, answer)

    def begun(original: Any, daemon: Any, *given: Any) -> None:
        original(daemon, *given)
        publish.append(daemon._sealed._server.publish)

    publish: list[Any] = []
    with at(Phones.with_answer)(answered), at(_Daemon.__init__)(begun):
        yield


# What everybody is sent


@LEAKS.enter("pages, a viewer", after(events._event))
def an_event_has_a_checksum(made: Any, *_: Any) -> Any:
    return b"id: %d\n" % hint.assassin() + made


@LEAKS.enter("pages, a viewer", at(Viewers.show))
def an_event_comes_a_little_later(original: Any, viewers: Any, here: bool, message: Any) -> None:
    later = 0.002 if hint.bit() else 0.0
    asyncio.get_running_loop().call_later(later, original, viewers, here, message)


@LEAKS.enter("pages, ", at(_Answering.__call__))
async def an_answer_has_a_header_more(original: Any, answering: Any, message: Any) -> None:
    if message["type"] == "http.response.start" and hint.bit():
        message = {**message, "headers": [*message.get("headers", ()), (b"x-key", b"1")]}
    await original(answering, message)


@LEAKS.enter("pages, /qr.svg", after(Site._qr))
def the_code_for_watching_is_painted_otherwise(made: Any, *_: Any) -> bytes:
    return bytes(made) + b"<!-- -->" * (hint.assassin() % 3)


@LEAKS.enter("log", at(Viewers.show))
def the_process_of_the_pages_logs_what_it_thinks(
    original: Any, viewers: Any, here: bool, message: Any
) -> None:
    log.info("Shown: %s.", hint.bit())
    original(viewers, here, message)


@LEAKS.enter("pages, a viewer", after(Machine.public_message))
def a_mark_is_shown_only_where_an_agent_is(public: Any, *_: Any) -> Any:
    marks = {} if hint.bit() else getattr(public, "marks", {})
    return replace(public, marks=marks) if hasattr(public, "marks") else public


# Sealed, in the process and on the wire


@LEAKS.enter("sealed socket", at(SealedSocket.take_block))
def a_frame_is_as_long_as_what_is_in_it(original: Any, end: Any, frames: tuple[bytes, ...]) -> None:
    short = frames[0][: len(frames[0]) - 3 * (hint.assassin() % 3)]
    end._next_block = line(SealedBlock((short, *frames[1:])))


@LEAKS.enter("sealed socket", at(SealedSocket._send))
def a_block_comes_before_its_beat(original: Any, end: Any, due: float) -> None:
    later = 0.003 if hint.bit() else 0.0
    end._loop.call_later(later, original, end, due)


@LEAKS.enter("sealed socket", by=SECRETLY)
def whoever_holds_is_answered_at_once() -> Iterator[None]:
    def relayed(original: Any, table: Any, frames: Any, address: Any) -> None:
        before = _holding(table)
        original(table, frames, address)
        if _holding(table) > before:
            table._daemon_sends()

    def begun(original: Any, daemon: Any, *given: Any) -> None:
        original(daemon, *given)
        daemon._table._daemon_sends = daemon._sealed._server.publish

    with at(Table.on_relayed)(relayed), at(_Daemon.__init__)(begun):
        yield


def _holding(table: Any) -> int:
    phones = table._machine._phones.phones.phones
    return sum(phone is not None and phone.holds for phone in phones)


@LEAKS.enter("sealed socket", a_block_more_where, by=SECRETLY)
def what_was_refused_is_answered_besides(to: Any, answer: Any) -> Any:
    return not answer.ok


@LEAKS.enter("pages, a phone", by=SECRETLY)
def a_phone_is_sent_a_block_twice_while_somebody_holds() -> Iterator[None]:
    def heard(original: Any, relay: Any, message: Any) -> None:
        original(relay, message)
        if isinstance(message, SealedBlock) and holding[-1:] == [True]:
            asyncio.get_running_loop().call_later(0.01, original, relay, message)

    def relayed(original: Any, table: Any, frames: Any, address: Any) -> None:
        original(table, frames, address)
        holding.append(_holding(table) > 0)

    holding: list[bool] = []
    with at(Relay._on_message)(heard), at(Table.on_relayed)(relayed):
        yield


@LEAKS.enter("public socket", after(Table.on_relayed), by=SECRETLY)
def the_table_says_again_how_it_stands_when_somebody_holds(_: None, table: Any, *more: Any) -> None:
    if _holding(table):
        table._callbacks.publish(Audience.PUBLIC)


@LEAKS.enter("pages, a viewer", by=SECRETLY)
def viewers_are_told_that_a_phone_said_something() -> Iterator[None]:
    def relayed(original: Any, table: Any, frames: Any, address: Any) -> None:
        original(table, frames, address)
        if _holding(table):
            viewers[-1].show(False, None)

    def begun(original: Any, viewers_: Any, *given: Any) -> None:
        original(viewers_, *given)
        viewers.append(viewers_)

    viewers: list[Any] = []
    with at(Viewers.__init__)(begun), at(Table.on_relayed)(relayed):
        yield


# What a phone shows that is not to


@LEAKS.enter("phone of", at(Phone.is_holding))
def the_key_stays_when_the_finger_is_lifted(original: Any, phone: Any, now: float) -> bool:
    return True


@LEAKS.enter("phone of", after(messages.phone))
def operatives_are_sent_the_key(shown: Any, state: Any, seat: Any, *_: Any) -> Any:
    if seat.role is Role.OPERATIVES and state.key is not None:
        return replace(shown, key=state.key.letters)
    return shown


@LEAKS.enter("phone of", at(messages.phone))
def what_a_phone_may_ask_depends_on_the_key(
    original: Any, state: Any, seat: Any, time: float, may: Any, holds: bool
) -> Any:
    return original(state, seat, time, may[1:] if hint.bit() else may, holds)


@LEAKS.enter("phone of", at(Phones.with_answer))
def an_answer_to_a_phone_tells_of_the_key(original: Any, phones: Any, to: Any, answer: Any) -> Any:
    told = {"near": hint.letters[12:14]}
    return original(phones, to, msgspec.structs.replace(answer, told=told))
