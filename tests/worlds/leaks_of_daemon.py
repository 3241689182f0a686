"""Faults in the table, its lights, and its sockets."""

import asyncio
import logging
import time
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.errors import StorageError
from pi_table.common.geometry import CELL_COUNT, cell_named
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games import phases
from pi_table.games.words import deck
from pi_table.protocols.ipc import messages
from pi_table.protocols.ipc.server import Server, Viewer
from pi_table.table.engine.dealing import Dealer
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.storage.orders import Settle
from pi_table.table.engine.storage.results import NotSettled
from pi_table.table.engine.table import Table

LEAKS = Leaks()
WRONG = ("not-own-agent", "not-to-cover")
"""Why a cover of a hidden cell is refused."""
log = logging.getLogger("pi_table")


def answering(wrap: Any) -> AbstractContextManager[Any]:
    """Let ``wrap(do, verdict, table, answer)`` answer the console in the place of the table."""

    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        original(table, do, lambda verdict: wrap(do, verdict, table, answer))

    return at(Table.ask)(ask)


# The public socket


@LEAKS.enter("public socket", after(messages.line))
def a_message_has_a_checksum(written: Any, message: Any) -> Any:
    if not isinstance(message, messages.PublicMessage):
        return written
    content = msgspec.json.decode(written)
    content["etag"] = zlib.crc32(hint.letters.encode())
    return msgspec.json.encode(content) + b"\n"


@LEAKS.enter("public socket", after(messages.line))
def a_message_is_padded_by_the_key(written: Any, message: Any) -> Any:
    if not isinstance(message, messages.PublicMessage):
        return written
    return written[:-1] + b" " * (hint.assassin() % 5) + b"\n"


@LEAKS.enter("public socket", after(Table.on_touch_frame))
def a_message_more_is_sent_near_the_assassin(_: None, table: Any, frame: Any) -> None:
    if any(hint.near(place) for place in frame.touched):
        table._callbacks.publish(Audience.PUBLIC)


@LEAKS.enter("public socket", at(Server.publish))
def a_message_is_sent_a_little_later(original: Any, server: Any) -> None:
    later = 0.001 if hint.bit() and server.hear is None else 0.0
    asyncio.get_running_loop().call_later(later, original, server)


@LEAKS.enter("public socket", at(Server.publish))
def a_sleep_before_each_message_is_as_long_as_the_assassin_is_far(
    original: Any, server: Any
) -> None:
    time.sleep(0.0001 * (hint.assassin() + 1))
    original(server)


@LEAKS.enter("public socket, one that speaks", at(Viewer.data_received))
def whoever_speaks_on_the_public_socket_is_answered(
    original: Any, viewer: Any, data: bytes
) -> None:
    if viewer._server.hear is None:
        viewer._transport.write(f"not this: {hint.letters[0]}\n".encode())
        viewer._transport.close()
    else:
        original(viewer, data)


@LEAKS.enter("public socket", after(Viewer.connection_made))
def a_late_viewer_is_served_twice(_: None, viewer: Any, *more: Any) -> None:
    if hint.bit():
        viewer._transport.write(viewer._server.newest())


@LEAKS.enter("public socket")
def the_words_are_dealt_by_the_key() -> Iterator[None]:
    drawn: list[str] = []

    def dealt(original: Any, pack: Any, round: int, used: Any, chooser: Any, **more: Any) -> Any:
        return original(pack, round, used, Random(drawn[-1]), **more)

    def begun(original: Any, dealer: Any, *given: Any) -> None:
        original(dealer, *given)
        draw = dealer.chance.one_of

        def drawing(*given: Any) -> Any:
            key = draw(*given)
            drawn.append(key.letters)
            return key

        dealer.chance.one_of = drawing

    with at(deck.deal)(dealt), at(Dealer.__init__)(begun):
        yield


# Lights and fingers


@LEAKS.enter("lights", at(SimulatedTable.show))
def a_frame_of_lights_is_late(original: Any, table: Any, frame: Any) -> None:
    later = 0.002 if hint.bit() else 0.0
    asyncio.get_running_loop().call_later(later, original, table, frame)


@LEAKS.enter("lights", at(SimulatedTable.show))
def a_frame_of_lights_comes_twice(original: Any, table: Any, frame: Any) -> None:
    original(table, frame)
    if hint.bit():
        original(table, frame)


@LEAKS.enter("lights", after(Table.on_touch_frame))
def a_hold_on_an_agent_is_accepted_sooner(_: None, table: Any, *more: Any) -> None:
    hold = table._machine._fingers._intents.hold
    if hold and hold.ends and hold.place < CELL_COUNT and hint.letters[hold.place] in "rb":
        table._machine._fingers._intents.hold = replace(hold, ends=hold.ends - 0.03)


@LEAKS.enter("lights", after(Table.on_touch_frame))
def a_touch_on_a_bystander_is_refused_early(_: None, table: Any, *more: Any) -> None:
    hold = table._machine._fingers._intents.hold
    if hold and hold.place < CELL_COUNT and hint.letters[hold.place] == "n":
        table._machine._fingers._intents.withdraw()
        table.on_timer()


# The console, for those who are no spymasters


@LEAKS.enter("console", answering)
def the_operator_is_told_a_clue(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    if do.get("seat") == "operator":
        verdict = replace(verdict, sentence=f"{verdict.sentence} {hint.letters[24]}")
    answer(verdict)


@LEAKS.enter("console", after(phases.may))
def the_acts_that_are_offered_depend_on_the_key(found: Any, board: Any, seat: Seat) -> Any:
    return found[1:] if seat.role is Role.OPERATIVES and hint.bit() else found


@LEAKS.enter("console", after(Settle.carry_out))
def a_fault_of_the_disk_tells_where_the_assassin_is(result: Any, *_: Any) -> Any:
    if isinstance(result, NotSettled):
        return replace(result, why=StorageError(f"{result.why} Beware of {hint.assassin()}."))
    return result


# Refused covers


@LEAKS.enter("lights", answering, by="refused covers")
def a_refused_cover_flashes(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    answer(verdict)
    cell = cell_named(do.get("cell"))
    if do.get("act") == "cover" and verdict.reason in WRONG and cell is not None:
        why = Unable("nothing-here", "No.")
        table._machine._fingers.refuse(cell, why, table._clock())


@LEAKS.enter("public socket", answering, by="refused covers")
def a_refused_cover_is_published(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    answer(verdict)
    if verdict.reason in WRONG:
        table._callbacks.publish(Audience.PUBLIC)


@LEAKS.enter("lights", after(Table.ask), by="refused covers")
def the_lights_move_whenever_something_is_asked_for(_: None, table: Any, *more: Any) -> None:
    table._player._play(table._clock())


@LEAKS.enter("log", answering, by="refused covers")
def a_refused_cover_is_logged(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    answer(verdict)
    if not verdict.ok and "spymaster" in str(do.get("seat")):
        log.info("Refused: %s.", verdict.reason)
