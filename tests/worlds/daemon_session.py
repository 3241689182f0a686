"""The daemon from its start to its stop, among clients that listen, ask, touch, speak and sleep."""

import asyncio
import socket
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from bridge_session import Bridged
from game_scripts import Line
from pages_session import Ear, Pages
from shipped_packs import shipped_pack
from virtual_loop import VirtualLoop

from pi_table.games.rules.games import Opening
from pi_table.table.engine.dealing import Dealer, Shelf, WordSource
from pi_table.table.engine.process import daemon
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear, Workers

if TYPE_CHECKING:
    from daemon_world import World

WALL: Final = "2001-02-03T04:05:06.789+00:00"
"""Time that the wall clock always shows."""
AFTERWARDS: Final = 3.0
"""Seconds for what is still going on at the end."""


class Session:
    """The daemon from its start to its stop, and the clients that come and go."""

    def __init__(self, world: "World", loop: VirtualLoop) -> None:
        self.world = world
        self.loop = loop
        self.paths = world.config.paths
        self.sleepers: list[socket.socket] = []
        self.storage: Storage | None = None

    async def spend(self, happenings: Sequence[Line]) -> None:
        try:
            await self.run(happenings)
        finally:
            for sleeper in self.sleepers:
                sleeper.close()

    async def run(self, happenings: Sequence[Line]) -> None:
        world, loop = self.world, self.loop
        stop, ready = asyncio.Event(), asyncio.Event()
        dealer = DealerOfWorlds(world)
        daemon_runs = loop.create_task(
            daemon.run(world.config, stop, ready.set, self.workers, dealer)
        )
        is_ready = loop.create_task(ready.wait())
        await asyncio.wait((daemon_runs, is_ready), return_when=asyncio.FIRST_COMPLETED)
        if not is_ready.done():
            is_ready.cancel()
            await daemon_runs
        await self.public("listens")
        await self.public("sleeps")
        if world.desk is None:
            self.console = await self.connect(
                self.paths.console_socket, _by_line(world.heard_console)
            )
        else:
            await self.connect(self.paths.public_socket, _by_line(world.heard_public))
        self.link = await self.connect(
            Path(world.config.simulated.link), _by_line(lambda line: world.saw("lights", line))
        )
        await self.connect(self.paths.house_socket, _by_line(world.heard_house))
        if world.evening.pages:
            world.pages = Pages(world, loop)
            await world.pages.open()
        if world.desk is not None:
            await world.desk.open()
        if world.evening.bridge:
            world.bridged = Bridged(world, loop)
            await world.bridged.open()
        for happening in happenings:
            await loop.until(happening["at"])
            world.look_around()
            await self.happens(happening)
        await self.public("speaks")
        await loop.until(loop.time() + AFTERWARDS)
        world.look_around()
        self.wake_sleepers()
        if world.desk is not None:
            await world.desk.close()
        if world.pages is not None:
            await world.pages.close()
            world.pages = None
        if world.bridged is not None:
            await world.bridged.close()
            world.bridged = None
        stop.set()
        await daemon_runs
        await loop.until(loop.time() + AFTERWARDS)
        world.look_around()
        world.command("journal", "check")

    def workers(self, storage: Storage) -> Workers:
        self.storage = storage
        stall = self.world.evening.stall
        return StallingDisk(storage, self.loop, stall) if stall else AtOnce(storage)

    async def connect(self, path: Path, heard: Callable[[bytes], None]) -> asyncio.WriteTransport:
        while not path.exists():
            await asyncio.sleep(0.001)
        transport, _ = await self.loop.create_unix_connection(lambda: Ear(heard), str(path))
        return transport

    async def happens(self, happening: Line) -> None:
        match happening:
            case {"ask": act}:
                if act.get("act") == "cover":  # which key is in force then, for the test to know
                    self.say({"id": -1, "do": {"act": "look", "seat": act.get("seat")}})
                if act.get("act") == "choose":
                    act = self.world.chosen(act)
                self.world.asked.append(act)
                self.say({"id": len(self.world.asked), "do": act})
            case {"say": line}:
                self.console.write(line.encode() + b"\n")
            case {"desk": act}:
                assert self.world.desk is not None
                self.world.desk.happens(act)
            case {"phone": _}:
                assert self.world.pages is not None
                await self.world.pages.happens(happening)
            case {"broker": _} | {"command": _}:
                assert self.world.bridged is not None
                self.world.bridged.happens(happening)
            case {"public": kind}:
                await self.public(kind)
            case {"disk": state}:
                self.disk(full=state == "full")
            case {"read": numbers}:
                self.world.read_records(numbers)
            case {"at": _, **felt} if felt:
                self.link.write(msgspec.json.encode(felt) + b"\n")

    def say(self, request: Line) -> None:
        self.console.write(msgspec.json.encode(request) + b"\n")

    def disk(self, full: bool) -> None:
        """Let every insertion into the journal fail in SQLite, or succeed again."""
        assert self.storage is not None
        if self.storage._journal is None:
            return  # it failed, and was closed: the next one that is opened has room
        connection = self.storage._journal._connection
        assert isinstance(connection, sqlite3.Connection)
        connection.set_authorizer(_no_insertion if full else None)

    # Who looks

    async def public(self, kind: str) -> None:
        path = self.paths.public_socket
        if kind == "sleeps":
            sleeper = socket.socket(socket.AF_UNIX)
            sleeper.connect(str(path))
            self.sleepers.append(sleeper)
            return
        name = f"public socket, one that {kind}"
        transport = await self.connect(path, lambda data: self.world.saw(name, data))
        if kind == "speaks":
            transport.write(b"give me the key\n")

    def wake_sleepers(self) -> None:
        for sleeper in self.sleepers:
            data = b""
            sleeper.setblocking(False)
            while True:
                try:
                    read = sleeper.recv(65536)
                except BlockingIOError:
                    break
                if not read:
                    break
                data += read
            sleeper.close()
            self.world.saw("public socket, one that sleeps", data)


class StallingDisk(AtOnce):
    """Carries out orders later and in sequence, like a separate thread on a slow card."""

    def __init__(self, storage: Storage, loop: asyncio.AbstractEventLoop, stall: float) -> None:
        super().__init__(storage)
        self.loop = loop
        self.stall = stall
        self.orders: deque[tuple[Order, Hear]] = deque()

    def give(self, order: Order, hear: Hear) -> None:
        self.orders.append((order, hear))
        self.loop.call_later(self.stall, self.work)

    def work(self) -> None:
        if self.orders:
            super().give(*self.orders.popleft())

    def close(self) -> None:
        while self.orders:
            self.work()
        super().close()


class DealerOfWorlds(Dealer):
    """Deals what is drawn in a world: its keys, and its deals of Codex."""

    def __init__(self, world: "World") -> None:
        super().__init__(_shelf(), world.draw, world.chooser)
        self.world = world

    def deal(self, game: object, source: WordSource) -> Opening:
        if isinstance(game, dict) and game.get("profile") == "codex" and self.world.deals:
            game = {"profile": "codex", "options": game["options"], "deal": self.world.next_deal()}
        return super().deal(game, source)


def _by_line(heard: Callable[[bytes], None]) -> Callable[[bytes], None]:
    rest = b""

    def heard_data(data: bytes) -> None:
        nonlocal rest
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            heard(line)

    return heard_data


def _no_insertion(action: int, *_: object) -> int:
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_INSERT else sqlite3.SQLITE_OK


@cache
def _shelf() -> Shelf:
    return Shelf((shipped_pack("english"), shipped_pack("italiano")))
