"""Somebody has taken over the process of the pages, and talks to the table in its stead."""

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
import pytest
from attacked import ADDRESS, Attacked, Relay, join, link, new_game, until
from needs_root import looks_inside
from sealed_phone import UP, Phone

from pi_table.lab.running_table import Console
from pi_table.protocols.ipc.messages import MAX_LINE_BYTES
from pi_table.protocols.ipc.sealed import MAX_RELAYED

pytestmark = pytest.mark.paced

DEALT: Final = '[table]\ncards = "dealt"\n'


@pytest.fixture
def console(running: Attacked) -> Iterator[Console]:
    """The hidden screen with a new game; the engine runs on, whatever is done to it."""
    console = running.console()
    new_game(console)
    yield console
    assert console.ask("clues")["ok"]
    assert console.table["public"]["phase"] == "clue"
    console.close()
    assert running.engine.process.poll() is None
    assert "Traceback" not in running.engine.log.read_text()


@contextmanager
def relay_of(table: Attacked) -> Iterator[Relay]:
    """A connection in the place of the pages; the table may have cut off the one before."""
    relay = table.relay()
    try:
        yield relay
    finally:
        relay.close()


def json(**fields: object) -> bytes:
    return msgspec.json.encode(fields) + b"\n"


FRAME: Final = base64.b64encode(os.urandom(UP)).decode()

NONSENSE: Final = {
    "no JSON": b"this is no JSON\n",
    "an empty line": b"\n",
    "zeros": b"\0" * 1000 + b"\n",
    "no UTF-8": b'{"kind":"relayed","id":1,"address":"\xff\xfe"}\n',
    "a list": b"[]\n",
    "null": b"null\n",
    "no kind": b'{"id":1}\n',
    "an unknown kind": json(kind="request", id=1),
    "what the console says": json(id=1, do={"act": "abandon", "seat": "operator"}),
    "what the console says, as a relayed one": json(
        kind="relayed", id=1, do={"act": "abandon", "seat": "operator"}
    ),
    "what the table says": json(kind="sealed", frames=[FRAME] * 6),
    "its own answer": json(kind="desk-reply", id=1, sealed=FRAME),
    "no id": json(kind="relayed", frames=[]),
    "an id of letters": json(kind="relayed", id="1", frames=[]),
    "an endless id": b'{"kind":"relayed","id":' + b"9" * 5000 + b',"frames":[]}\n',
    "half an id": json(kind="relayed", id=1.5, frames=[]),
    "frames that are none": json(kind="relayed", id=1, frames="x"),
    "frames of numbers": json(kind="relayed", id=1, frames=[1, 2]),
    "a frame that is no base64": json(kind="relayed", id=1, frames=["!!!"]),
    "frames too short": json(kind="relayed", id=1, frames=["AAAA"] * 40),
    "frames too long": json(kind="relayed", id=1, frames=["AAAA" * 1000] * 10),
    "too many frames": json(kind="relayed", id=1, frames=[FRAME] * (2 * MAX_RELAYED)),
    "two keys alike": b'{"kind":"relayed","kind":"desk","id":1,"id":2,"frames":[],"sealed":""}\n',
    "brackets without end": b'{"kind":"relayed","id":1,"frames":' + b"[" * 60_000 + b"\n",
    "objects without end": b'{"a":' * 12_000 + b"\n",
    "an empty question": json(kind="desk", id=1, sealed=""),
    "a short question": json(kind="desk", id=1, sealed="AAAA"),
    "a question without a seal": json(kind="desk", id=1, sealed=None),
    "a line without end": b"x" * (2 * MAX_LINE_BYTES),
    "a number where a text is due": json(kind="relayed", id=1, frames=[], address=7),
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_on_the_sealed_socket_leaves_the_table_playing(
    running: Attacked, console: Console, line: bytes
) -> None:
    before = console.table["public"]
    with relay_of(running) as relay, suppress(ConnectionError):
        relay.raw(line)
        relay.hears(relay.relay())
    with relay_of(running) as relay:
        phone = join(Phone(link(console, "red-spymaster")), relay.carry)
        assert phone.message["seat"] == "red-spymaster"
    assert console.table["public"] == before


NO_ADDRESSES: Final = (
    *("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.com", "x.org"),
    *("http://", "http://x y", "http://x\n.y", "http://x\x1b[31m", "http://x\0", " http://x"),
    *("http://x/#" + "A" * 43, "http://user:pass@x", "http://x/seat", "http://x?y", "http://x\u202e"),
    *("ftp://x", "HTTP://x\r\nHost: y", "http://" + "a" * 5000, "http://é", "http://<b>x</b>", ""),
)  # fmt: skip


def test_an_address_that_is_none_is_shown_nowhere(running: Attacked, console: Console) -> None:
    # It stands on the hidden screen, and in the QR code that a guest opens.
    with relay_of(running) as relay:
        console.until(lambda table: bool(table["pages"] and table["pages"]["address"]))
        assert console.table["pages"]["address"] == ADDRESS
        for address in NO_ADDRESSES:
            with suppress(ConnectionError):
                relay.hears(relay.relay(address=address))
            console.ask("clues")
            pages = console.table["pages"]
            assert pages is None or pages["address"] == ADDRESS, address


def test_a_flood_on_the_sealed_socket_keeps_nobody_waiting(
    running: Attacked, console: Console
) -> None:
    waits: list[float] = []
    with relay_of(running) as relay:
        join(Phone(link(console, "red-spymaster")), relay.carry)
        flood = json(kind="relayed", id=1, frames=[FRAME] * MAX_RELAYED)
        flood += json(kind="desk", id=2, sealed=base64.b64encode(os.urandom(6000)).decode())
        relay._socket.settimeout(0.0)
        asked = monotonic()
        end = asked + 3.0
        rest = b""
        while monotonic() < end:
            rest = rest or flood * 20
            with suppress(BlockingIOError):
                rest = rest[relay._socket.send(rest) :]
            with suppress(BlockingIOError):
                relay._socket.recv(2**20)
            if monotonic() - asked > 0.05:
                asked = monotonic()
                assert console.ask("clues")["ok"]
                waits.append(monotonic() - asked)
    assert len(waits) > 10
    assert sorted(waits)[len(waits) // 2] < 0.25
    assert max(waits) < 3.0


def test_whoever_takes_over_the_pages_can_do_nothing_for_a_seat(
    running: Attacked, console: Console
) -> None:
    # All that it hears is sent back in every way, and all that it could make up besides.
    turn = console.table["public"]["turn"]
    with relay_of(running) as relay:
        phone = Phone(link(console, f"{turn}-spymaster"))
        heard: list[bytes] = []

        def carry(frame: bytes) -> bytes:
            heard.append(frame)
            block = relay.carry(frame)
            heard.extend(block[start : start + UP] for start in range(0, len(block), UP))
            return block

        join(phone, carry)
        assert until(phone, carry, lambda phone: phone.message["key"] is not None, hold=True)
        cut = [one[:256] + other[256:] for one, other in pairwise(heard)]
        frames = [*heard, *cut, *(os.urandom(UP) for _ in range(64))]
        for start in range(0, len(frames), MAX_RELAYED):
            relay.relay(*frames[start : start + MAX_RELAYED])
        for frame in heard[:10]:
            assert relay.ask_desk(frame) == b""
        relay.block()
        # Held no more, and what it says it cannot say for the phone.
        assert until(phone, carry, lambda phone: phone.message["key"] is None)
    console.ask("clues")
    assert console.table["public"]["clue"] is None


def test_a_second_process_at_the_sealed_socket_does_not_push_out_the_first(
    running: Attacked, console: Console
) -> None:
    with relay_of(running) as relay:
        phone = join(Phone(link(console, "blue-spymaster")), relay.carry)
        for _ in range(20):
            with suppress(ConnectionError):
                Relay(running.folder).close()
        for _ in range(3):
            assert phone.hear(relay.carry(phone.say())) is not None


def test_the_table_plays_on_while_the_pages_are_killed(tmp_path: Path) -> None:
    table = Attacked(tmp_path, DEALT)
    try:
        console = table.console()
        console.do("start", profile="codenames")
        seat = f"{console.table['public']['turn']}-spymaster"
        console.until(lambda table: table["pages"] is not None)
        text = link(console, seat)
        socket = table.phones()
        phone = join(Phone(text), socket.carry)
        table.pages.process.kill()
        table.pages.process.wait()
        assert console.ask("clues")["ok"]
        assert console.within(10.0, lambda table: table["pages"] is None)
        table.start_pages()
        socket = table.phones()
        again = join(Phone(text, phone.device), socket.carry)  # the seat is kept
        assert again.message["seat"] == seat
        socket.close()
        console.close()
    finally:
        table.close()


@looks_inside
def test_nothing_secret_is_open_to_the_process_of_the_pages(table: Attacked) -> None:
    state = str(table.folder / "state")
    folder = Path(f"/proc/{table.pages.process.pid}/fd")
    files = []
    for number in folder.iterdir():
        with suppress(OSError):
            files.append(os.readlink(number))
    maps = Path(f"/proc/{table.pages.process.pid}/maps").read_text()
    assert files
    assert [file for file in files if file.startswith(state)] == []
    assert "journal" not in maps
    assert "console.sock" not in " ".join(files)
    peers = Path("/proc/net/unix").read_text()
    assert "public.sock" in peers
    for module in ("games/rules/word_games/decide", "table/store/journal", "table/engine/machine"):
        assert module not in maps
