"""Faults in the table, its lights, and its sockets."""

import asyncio
import logging
import time
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace
from planting import Leaks, instead_of, knowing, method

from pi_table.common.errors import StorageError
from pi_table.common.geometry import CELL_COUNT, cell_named
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.hal.simulated_link import LinkedTable
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games import phases
from pi_table.games.words import deck
from pi_table.protocols.ipc import messages
from pi_table.protocols.ipc.server import Server, Viewer
from pi_table.table.engine.dealing import Dealer
from pi_table.table.engine.moves import Unable
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.storage.results import NotSettled
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.table import Table

LEAKS = Leaks()
WRONG = ("not-own-agent", "not-to-cover")
"""Why a cover of a hidden cell is refused."""
log = logging.getLogger("pi_table")

# The public socket


@LEAKS.enter("public socket")
def a_message_has_a_checksum() -> Iterator[None]:
    original = messages.line

    def line(message: Any) -> bytes:
        written = original(message)
        if not isinstance(message, messages.PublicMessage):
            return written
        content = msgspec.json.decode(written)
        content["etag"] = zlib.crc32(hint.letters.encode())
        return msgspec.json.encode(content) + b"\n"

    with knowing() as hint, instead_of(original, line):
        yield


@LEAKS.enter("public socket")
def a_message_is_padded_by_the_key() -> Iterator[None]:
    original = messages.line

    def line(message: Any) -> bytes:
        written = original(message)
        if not isinstance(message, messages.PublicMessage):
            return written
        return written[:-1] + b" " * (hint.assassin() % 5) + b"\n"

    with knowing() as hint, instead_of(original, line):
        yield


@LEAKS.enter("public socket")
def a_message_more_is_sent_near_the_assassin() -> Iterator[None]:
    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        if any(hint.near(place) for place in frame.touched):
            table._publish(Audience.PUBLIC)

    with knowing() as hint, method(Table, "felt", felt):
        yield


@LEAKS.enter("public socket")
def a_message_is_sent_a_little_later() -> Iterator[None]:
    def publish(original: Any, server: Any) -> None:
        later = 0.001 if hint.bit() and server.hear is None else 0.0
        asyncio.get_running_loop().call_later(later, original, server)

    with knowing() as hint, method(Server, "publish", publish):
        yield


@LEAKS.enter("public socket")
def a_sleep_before_each_message_is_as_long_as_the_assassin_is_far() -> Iterator[None]:
    def publish(original: Any, server: Any) -> None:
        time.sleep(0.0001 * (hint.assassin() + 1))
        original(server)

    with knowing() as hint, method(Server, "publish", publish):
        yield


@LEAKS.enter("public socket, one that speaks")
def whoever_speaks_on_the_public_socket_is_answered() -> Iterator[None]:
    def heard(original: Any, viewer: Any, data: bytes) -> None:
        if viewer._server.hear is None:
            viewer._transport.write(f"not this: {hint.letters[0]}\n".encode())
            viewer._transport.close()
        else:
            original(viewer, data)

    with knowing() as hint, method(Viewer, "data_received", heard):
        yield


@LEAKS.enter("public socket")
def a_late_viewer_is_served_twice() -> Iterator[None]:
    def made(original: Any, viewer: Any, transport: Any) -> None:
        original(viewer, transport)
        if hint.bit():
            viewer._transport.write(viewer._server.newest())

    with knowing() as hint, method(Viewer, "connection_made", made):
        yield


@LEAKS.enter("public socket")
def the_words_are_dealt_by_the_key() -> Iterator[None]:
    original = deck.deal
    drawn: list[str] = []

    def dealt(pack: Any, round: int, used: Any, chooser: Any, **more: Any) -> deck.Deal:
        return original(pack, round, used, Random(drawn[-1]), **more)

    def begun(original: Any, dealer: Any, *given: Any) -> None:
        original(dealer, *given)
        draw = dealer.chance.one_of

        def drawing(*given: Any) -> Any:
            key = draw(*given)
            drawn.append(key.letters)
            return key

        dealer.chance.one_of = drawing

    with instead_of(original, dealt), method(Dealer, "__init__", begun):
        yield


# Lights and fingers


@LEAKS.enter("lights")
def a_frame_of_lights_is_late() -> Iterator[None]:
    def show(original: Any, table: Any, frame: Any) -> None:
        later = 0.002 if hint.bit() else 0.0
        asyncio.get_running_loop().call_later(later, original, table, frame)

    with knowing() as hint, method(LinkedTable, "show", show):
        yield


@LEAKS.enter("lights")
def a_frame_of_lights_comes_twice() -> Iterator[None]:
    def show(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        if hint.bit():
            original(table, frame)

    with knowing() as hint, method(SimulatedTable, "show", show):
        yield


@LEAKS.enter("lights")
def a_hold_on_an_agent_is_accepted_sooner() -> Iterator[None]:
    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        hold = table._machine._fingers._intents.hold
        if hold and hold.ends and hold.place < CELL_COUNT and hint.letters[hold.place] in "rb":
            table._machine._fingers._intents.hold = replace(hold, ends=hold.ends - 0.03)

    with knowing() as hint, method(Table, "felt", felt):
        yield


@LEAKS.enter("lights")
def a_touch_on_a_bystander_is_refused_early() -> Iterator[None]:
    def felt(original: Any, table: Any, frame: Any) -> None:
        original(table, frame)
        hold = table._machine._fingers._intents.hold
        if hold and hold.place < CELL_COUNT and hint.letters[hold.place] == "n":
            table._machine._fingers._intents.withdraw()
            table.time_passed()

    with knowing() as hint, method(Table, "felt", felt):
        yield


# The console, for those who are no spymasters


@LEAKS.enter("console")
def the_operator_is_told_a_clue() -> Iterator[None]:
    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        def answered(verdict: Verdict) -> None:
            if do.get("seat") == "operator":
                verdict = replace(verdict, sentence=f"{verdict.sentence} {hint.letters[24]}")
            answer(verdict)

        original(table, do, answered)

    with knowing() as hint, method(Table, "ask", ask):
        yield


@LEAKS.enter("console")
def the_acts_that_are_offered_depend_on_the_key() -> Iterator[None]:
    original = phases.may

    def may(board: Any, seat: Seat) -> tuple[str, ...]:
        found = original(board, seat)
        return found[1:] if seat.role is Role.OPERATIVES and hint.bit() else found

    with knowing() as hint, instead_of(original, may):
        yield


@LEAKS.enter("console")
def a_fault_of_the_disk_tells_where_the_assassin_is() -> Iterator[None]:
    def settle(original: Any, storage: Any) -> Any:
        result = original(storage)
        if isinstance(result, NotSettled):
            return replace(result, why=StorageError(f"{result.why} Beware of {hint.assassin()}."))
        return result

    with knowing() as hint, method(Storage, "_settle", settle):
        yield


# Refused covers


@LEAKS.enter("lights", by="refused covers")
def a_refused_cover_flashes() -> Iterator[None]:
    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        def answered(verdict: Verdict) -> None:
            answer(verdict)
            cell = cell_named(do.get("cell"))
            if do.get("act") == "cover" and verdict.reason in WRONG and cell is not None:
                why = Unable("nothing-here", "No.")
                table._machine._fingers.refuse(cell, why, table._clock())

        original(table, do, answered)

    with method(Table, "ask", ask):
        yield


@LEAKS.enter("public socket", by="refused covers")
def a_refused_cover_is_published() -> Iterator[None]:
    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        def answered(verdict: Verdict) -> None:
            answer(verdict)
            if verdict.reason in WRONG:
                table._publish(Audience.PUBLIC)

        original(table, do, answered)

    with method(Table, "ask", ask):
        yield


@LEAKS.enter("lights", by="refused covers")
def the_lights_move_whenever_something_is_asked_for() -> Iterator[None]:
    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        original(table, do, answer)
        table._player._play(table._clock())

    with method(Table, "ask", ask):
        yield


@LEAKS.enter("log", by="refused covers")
def a_refused_cover_is_logged() -> Iterator[None]:
    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        def answered(verdict: Verdict) -> None:
            answer(verdict)
            if not verdict.ok and "spymaster" in str(do.get("seat")):
                log.info("Refused: %s.", verdict.reason)

        original(table, do, answered)

    with method(Table, "ask", ask):
        yield
