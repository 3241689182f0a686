"""The sealed socket of the real daemon, in virtual time: beats, and what a relay may say."""

import asyncio
import itertools
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
import virtual_loop
from phone import Phone

from pi_table.common import config
from pi_table.protocols.ipc import sealed
from pi_table.protocols.ipc.messages import Request, line
from pi_table.protocols.ipc.sealed import (
    BEAT_SECONDS,
    MARK_BYTES,
    MAX_RELAYED,
    UP_BYTES,
    DeskCall,
    DeskReply,
    Heard,
    Relayed,
    SealedBlock,
    read_to_relay,
)
from pi_table.table.engine.process import daemon
from pi_table.table.engine.storage.workers import AtOnce

ADDRESS = "http://127.0.0.1:8080"
CONFIG = """\
[table]
cards = "dealt"
[sound]
driver = "none"
[paths]
state = "{folder}/state"
runtime = "{folder}/runtime"
"""


class End(asyncio.Protocol):
    """The other end of a socket of the daemon."""

    def __init__(self, loop: virtual_loop.VirtualLoop) -> None:
        self.loop = loop
        self.lines: list[tuple[float, bytes]] = []
        """The lines received, each with its time."""
        self.is_open = True
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += [(self.loop.time(), each) for each in lines]

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False


class Around:
    """The daemon, and who is at its sockets."""

    def __init__(self, loop: virtual_loop.VirtualLoop, folder: Path) -> None:
        self.loop = loop
        self.folder = folder
        self.asked = self.relayed = 0

    async def connected(self, name: str) -> End:
        path = str(self.folder / "runtime" / f"{name}.sock")
        _, end = await self.loop.create_unix_connection(lambda: End(self.loop), path)
        return end

    async def ask(self, console: End, act: str, **fields: Any) -> Any:
        """Ask at the hidden screen, and have what is told."""
        self.asked += 1
        request = Request(self.asked, {"act": act, "seat": "operator", **fields})
        console.transport.write(line(request))
        while True:
            await asyncio.sleep(0.01)
            for _, text in console.lines:
                said = msgspec.json.decode(text)
                if said["kind"] == "answer" and said["id"] == self.asked:
                    assert said["ok"], said
                    return said["told"]

    def relay(self, end: End, *frames: bytes) -> None:
        self.relayed += 1
        end.transport.write(sealed.line(Relayed(self.relayed, frames, ADDRESS)))

    async def beat(self, end: End, *phones: Phone) -> None:
        """Relay what the phones send, and to them what comes in a beat."""
        self.relay(end, *(phone.next() for phone in phones))
        before = len(end.lines)
        await asyncio.sleep(BEAT_SECONDS)
        for _, text in end.lines[before:]:
            said = read_to_relay(text)
            if isinstance(said, SealedBlock):
                for phone in phones:
                    phone.hear(said.frames)


def run(tmp_path: Path, meanwhile: Callable[[Around], Coroutine[Any, Any, None]]) -> None:
    """Run the daemon with a game of word cards that are dealt, and something meanwhile."""
    (tmp_path / "runtime").mkdir()
    file = tmp_path / "config.toml"
    file.write_text(CONFIG.format(folder=tmp_path))

    async def main(loop: virtual_loop.VirtualLoop) -> None:
        stop, ready = asyncio.Event(), asyncio.Event()
        runs = loop.create_task(daemon.run(config.load(file), stop, ready.set, AtOnce))
        await ready.wait()
        around = Around(loop, tmp_path)
        await meanwhile(around)
        stop.set()
        await runs

    virtual_loop.run(main)


def blocks(end: End) -> list[tuple[float, SealedBlock]]:
    found = [(at, read_to_relay(text)) for at, text in end.lines]
    return [(at, said) for at, said in found if isinstance(said, SealedBlock)]


def test_a_spymaster_gives_a_clue_over_the_sealed_socket(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames", starts="red")
        told = await around.ask(console, "phone", **{"for": "red-spymaster"})
        phone = Phone(told["link"])
        for _ in range(4):
            await around.beat(end, phone)
        assert phone.message["seat"] == "red-spymaster"
        phone.ask("clue", word="FLIGHT", number=2)
        for _ in range(4):
            await around.beat(end, phone)
        assert phone.answer["ok"]

    run(tmp_path, meanwhile)


def test_blocks_come_at_beats_while_somebody_relays_and_there_is_a_link(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames")
        await asyncio.sleep(3.0)
        assert not blocks(end)  # nobody has a link
        await around.ask(console, "phone", **{"for": "red-spymaster"})
        await asyncio.sleep(3.0)
        found = blocks(end)
        assert len(found) >= 11
        for (before, _), (after, _) in itertools.pairwise(found):
            assert abs(after - before - BEAT_SECONDS) < 1e-3
        assert len({len(text) for _, text in end.lines if b"sealed" in text}) == 1
        end.transport.close()
        await asyncio.sleep(1.0)
        end = await around.connected("sealed")
        await asyncio.sleep(1.0)
        assert not end.lines  # it has not said yet that it relays

    run(tmp_path, meanwhile)


def test_every_line_of_a_relay_is_heard_and_no_more_is_said_of_it(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        end = await around.connected("sealed")
        around.relay(end, b"rubbish", bytes(512))
        await asyncio.sleep(0.001)
        assert [text for _, text in end.lines] == [b'{"kind":"heard","id":1}']
        assert read_to_relay(end.lines[0][1]) == Heard(1)

    run(tmp_path, meanwhile)


def test_another_connection_to_the_sealed_socket_does_not_stop_the_beats(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames")
        await around.ask(console, "phone", **{"for": "red-spymaster"})
        other = await around.connected("sealed")
        other.transport.write(sealed.line(DeskCall(7, b"?")))
        await asyncio.sleep(BEAT_SECONDS)
        assert DeskReply(7, b"") in [read_to_relay(text) for _, text in other.lines]
        other.transport.close()
        before = len(blocks(end))
        await asyncio.sleep(4 * BEAT_SECONDS)
        assert len(blocks(end)) >= before + 3
        end.transport.close()
        await asyncio.sleep(BEAT_SECONDS)
        assert msgspec.json.decode(console.lines[-1][1])["pages"] is None

    run(tmp_path, meanwhile)


def test_the_sealed_socket_has_four_connections_and_who_comes_later_is_turned_away(
    tmp_path: Path,
) -> None:
    async def meanwhile(around: Around) -> None:
        ends = [await around.connected("sealed") for _ in range(6)]
        await asyncio.sleep(BEAT_SECONDS)
        assert [end.is_open for end in ends] == [True] * 4 + [False] * 2

    run(tmp_path, meanwhile)


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish",
        b"{}",
        b'{"kind":"sealed","frames":[]}',
        b'{"kind":"relayed","id":1,"frames":["?"]}',
        b'{"kind":"relayed","id":1,"frames":' + b"[" * 9999,
        b"x" * 70_000,
    ],
    ids=["rubbish", "nothing", "of the engine", "no base64", "deep", "long"],
)
def test_who_talks_rubbish_at_the_sealed_socket_is_cut_off_and_the_table_goes_on(
    tmp_path: Path, line: bytes
) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        end.transport.write(line + b"\n")
        await asyncio.sleep(0.1)
        assert not end.is_open
        await around.ask(console, "start", profile="codenames")

    run(tmp_path, meanwhile)


def test_a_relay_that_floods_waits_and_costs_no_more_than_one_that_does_not(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        for _ in range(200):
            around.relay(end, *(bytes(UP_BYTES) for _ in range(MAX_RELAYED)))
        await asyncio.sleep(10 * BEAT_SECONDS)
        assert 10 <= len(end.lines) <= 14
        await around.ask(console, "start", profile="codenames")

    run(tmp_path, meanwhile)


def test_a_phone_among_as_many_forged_ones_as_are_opened_is_heard(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames", starts="red")
        told = await around.ask(console, "phone", **{"for": "red-spymaster"})
        phone = Phone(told["link"])
        for _ in range(4):
            before = len(end.lines)
            forged = [os.urandom(UP_BYTES) for _ in range(MAX_RELAYED - 1)]
            around.relay(end, *forged, phone.next(), *forged)
            await asyncio.sleep(BEAT_SECONDS)
            for _, text in end.lines[before:]:
                said = read_to_relay(text)
                if isinstance(said, SealedBlock):
                    phone.hear(said.frames)
        assert phone.message["seat"] == "red-spymaster"

    run(tmp_path, meanwhile)


def test_when_a_relay_is_answered_does_not_depend_on_what_it_brings(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames", starts="red")
        told = await around.ask(console, "phone", **{"for": "red-spymaster"})
        phone = Phone(told["link"])
        for _ in range(4):
            await around.beat(end, phone)
        phone.ask("clue", word="FLIGHT", number=2)
        at, before = around.loop.time(), len(end.lines)
        around.relay(end, phone.next())
        await asyncio.sleep(0.1)
        answer = next((when, text) for when, text in end.lines[before:] if b"heard" in text)
        assert answer[0] - at < 0.001
        assert answer[1] == sealed.line(Heard(around.relayed)).strip()

    run(tmp_path, meanwhile)


def test_the_relay_is_told_which_frames_were_of_a_phone_with_a_seat(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        await around.ask(console, "start", profile="codenames", starts="red")
        told = await around.ask(console, "phone", **{"for": "red-spymaster"})
        phone, own = Phone(told["link"]), list[bytes]()
        for _ in range(6):
            before = len(end.lines)
            own.append(phone.next())
            around.relay(end, os.urandom(UP_BYTES), own[-1], own[0], os.urandom(UP_BYTES))
            await asyncio.sleep(BEAT_SECONDS)
            blocks = [read_to_relay(text) for _, text in end.lines[before:]]
            for block in blocks:
                if isinstance(block, SealedBlock):
                    phone.hear(block.frames)
        blocks = [read_to_relay(text) for _, text in end.lines]
        opened = [
            each for block in blocks if isinstance(block, SealedBlock) for each in block.opened
        ]
        marks = [each[:MARK_BYTES] for each in own]
        # The second is the same knock again, and the last may wait for the next block.
        assert [marks.index(each) for each in opened][:4] == [0, 2, 3, 4]

    run(tmp_path, meanwhile)


def test_a_relay_that_goes_while_it_is_kept_waiting_is_gone(tmp_path: Path) -> None:
    async def meanwhile(around: Around) -> None:
        console, end = await around.connected("console"), await around.connected("sealed")
        around.relay(end)
        around.relay(end)
        await asyncio.sleep(0.01)
        end.transport.abort()
        await asyncio.sleep(2 * BEAT_SECONDS)
        assert msgspec.json.decode(console.lines[-1][1])["pages"] is None

    run(tmp_path, meanwhile)
