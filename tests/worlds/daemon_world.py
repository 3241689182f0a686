"""An evening at the whole daemon, with everything that can be seen of it by no spymaster.

The daemon is the real one, with its journal, its sockets and the simulated table's link; only the
time, the wall clock and the chance are the test's.
"""

import asyncio
import itertools
import os
import shutil
import socket
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

import msgspec
import virtual_loop
from evenings import Evening
from game_scripts import Line, keys_drawn
from seen import Seen, told_by_error
from surroundings import Printed, files, listening_to_logs, listening_to_warnings, process
from twin_keys import KeySource, Told, told_by

from pi_table import cli, config
from pi_table.engine import daemon
from pi_table.engine.dealing import Dealer
from pi_table.engine.recorder import DirectRecorder, Recorder, Stored
from pi_table.geometry import CELL_COUNT, CELLS
from pi_table.rules import events
from pi_table.rules.key import Team
from pi_table.rules.seat import Seat
from pi_table.store.journal import Journal
from pi_table.words.pack import Pack, pack_named

FOLDER: Final = Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
"""Where worlds are built, in memory if that is possible."""
WALL: Final = "2001-02-03T04:05:06.789+00:00"
AFTERWARDS: Final = 3.0
"""Seconds for what is still going on at the end."""

CONFIG: Final = """\
[table]
cards = "{cards}"
[touch]
intent = "{intent}"
[simulated]
link = "{folder}/runtime/link.sock"
[paths]
state = "{folder}/state"
runtime = "{folder}/runtime"
"""


class Watched(NamedTuple):
    """What an evening showed, and what it disclosed of the keys that were drawn for it."""

    seen: list[Seen]
    drawn: tuple[str, ...]
    told: dict[str, Told]
    wrong_covers: tuple[int, ...]
    """The numbers of the requests, from 1, for covers that were refused."""


def watch(evening: Evening, keys: Sequence[str] = ()) -> Watched:
    """Spend the evening in the world in which these keys are drawn, or else those of its seed.

    A fault that ends it is seen, as ``fault``.
    """
    spare = keys_drawn(f"{evening.seed}/spare")
    draw = KeySource(itertools.chain(keys, spare) if keys else keys_drawn(evening.seed))
    with ExitStack() as stack:
        world = _World(evening, draw, stack)
        try:
            virtual_loop.run(world.spend)
        except Exception as fault:
            world.saw("fault", told_by_error(fault))
        world.saw("output", world.printed.text())
        told = world.told()
        wrong_covers = tuple(cover.number for cover in world.wrong_covers)
    # Clients that are served in the same instant are served in no order that is promised.
    seen = sorted(world.seen, key=lambda seen: (seen.at, seen.what))
    return Watched(seen, tuple(draw.drawn), told, wrong_covers)


class _WrongCover(NamedTuple):
    number: int
    letters: str
    cell: int
    team: Team
    covered: bool


class _World:
    """A daemon, everything that it can be seen by, and everybody who looks."""

    def __init__(self, evening: Evening, draw: KeySource, stack: ExitStack) -> None:
        self.evening = evening
        self.draw = draw
        self.chooser = Random(f"{evening.seed}/words")
        self.loop: virtual_loop.VirtualLoop | None = None
        self.seen: list[Seen] = []
        self.asked: list[Line] = []
        self.table: dict[str, Any] = {}
        """The newest message about the table on the console, with the key."""
        self.wrong_covers: list[_WrongCover] = []
        self.keys_read: set[int] = set()
        """The games whose whole key was told."""
        self.folder = FOLDER / f"worlds-{os.getpid()}"
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "runtime").mkdir(parents=True)
        stack.callback(shutil.rmtree, self.folder)
        self.file = self.folder / "config.toml"
        self.file.write_text(
            CONFIG.format(folder=self.folder, cards=evening.cards, intent=evening.intent)
        )
        self.config = config.load(self.file)
        self.printed = stack.enter_context(Printed(self.folder))
        stack.enter_context(listening_to_logs(lambda text: self.saw("log", text)))
        stack.enter_context(listening_to_warnings(lambda text: self.saw("warning", text)))
        stack.enter_context(mock.patch("time.sleep", self.sleep))
        stack.enter_context(mock.patch.object(daemon, "utc_now", return_value=WALL))

    def saw(self, what: str, value: object) -> None:
        self.seen.append(Seen(what, value, 0.0 if self.loop is None else self.loop.time()))

    def sleep(self, seconds: float) -> None:
        assert self.loop is not None
        self.loop.advance(seconds)

    async def spend(self, loop: virtual_loop.VirtualLoop) -> None:
        self.loop = loop
        loop.set_exception_handler(self.went_wrong)
        for happenings in _between_restarts(self.evening.happenings):
            await _Session(self, loop).spend(happenings)

    def went_wrong(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Where the real program would stop, this one goes on, to show more."""
        self.saw("fault", (context["message"], told_by_error(context.get("exception"))))

    def look_around(self) -> None:
        self.saw("files", files(self.folder))
        self.saw("process", process())
        self.saw("output's length", self.printed.length())

    def read_records(self, numbers: Sequence[int]) -> None:
        self.command("record")
        for number in numbers:
            self.command("record", str(number))
            self.note_key_read(number)

    def note_key_read(self, number: int) -> None:
        """The key of a game that another has followed is told with its record (ALL-4)."""
        if number < (self.table.get("game") or 0):
            self.keys_read.add(number)

    def command(self, *words: str) -> None:
        """What `pi-table` prints when it is asked this."""
        before = self.printed.length()
        status = cli.main([*words, "--config", str(self.file)])
        self.saw(f"pi-table {' '.join(words)}", (status, self.printed.text()[before:]))

    def told(self) -> dict[str, Told]:
        """What was disclosed, by the journal, and by covers that were refused."""
        told: dict[str, Told] = {}
        path = self.config.paths.journal
        if not path.exists():
            return told
        journal = Journal.open_to_read(path)
        try:
            for game in journal.games():
                entries = journal.read(game.number).entries
                of_game = told_by(events.decode(entry.body) for entry in entries)
                if game.number in self.keys_read:
                    [*of_game.values()][-1].cells.update(range(CELL_COUNT))
                told |= of_game
        finally:
            journal.close()
        for cover in self.wrong_covers:
            if not cover.covered:
                told[cover.letters].refused(cover.cell, cover.team)
        return told


def _between_restarts(happenings: Sequence[Line]) -> Iterator[list[Line]]:
    """The evening in pieces: in each the table runs without a break."""
    piece: list[Line] = []
    for happening in happenings:
        if "restart" in happening:
            yield piece
            piece = []
        else:
            piece.append(happening)
    yield piece


class _Session:
    """The daemon from its start to its stop, and the clients that come and go."""

    def __init__(self, world: _World, loop: virtual_loop.VirtualLoop) -> None:
        self.world = world
        self.loop = loop
        self.paths = world.config.paths
        self.sleepers: list[socket.socket] = []
        self.journal: Journal | None = None

    async def spend(self, happenings: Sequence[Line]) -> None:
        world, loop = self.world, self.loop
        stop, ready = asyncio.Event(), asyncio.Event()
        dealer = Dealer(_pack(), world.draw, world.chooser)
        daemon_runs = loop.create_task(
            daemon.run(world.config, stop, ready.set, self.recorder, dealer)
        )
        is_ready = loop.create_task(ready.wait())
        await asyncio.wait((daemon_runs, is_ready), return_when=asyncio.FIRST_COMPLETED)
        if not is_ready.done():
            is_ready.cancel()
            await daemon_runs
        await self.public("listens")
        await self.public("sleeps")
        self.console = await self.connect(self.paths.console_socket, _by_line(self.heard_console))
        self.link = await self.connect(
            Path(world.config.simulated.link), lambda data: world.saw("lights", data)
        )
        for happening in happenings:
            await loop.until(happening["at"])
            world.look_around()
            await self.happens(happening)
        await self.public("speaks")
        await loop.until(loop.time() + AFTERWARDS)
        world.look_around()
        self.wake_sleepers()
        stop.set()
        await daemon_runs
        await loop.until(loop.time() + AFTERWARDS)
        world.look_around()
        world.command("journal", "check")

    def recorder(self, journal: Journal) -> Recorder:
        self.journal = journal
        direct = DirectRecorder(journal, lambda: WALL)
        stall = self.world.evening.stall
        return StallingRecorder(direct, self.loop, stall) if stall else direct

    async def connect(self, path: Path, heard: Callable[[bytes], None]) -> asyncio.WriteTransport:
        while not path.exists():
            await asyncio.sleep(0.001)
        transport, _ = await self.loop.create_unix_connection(lambda: _Ear(heard), str(path))
        return transport

    async def happens(self, happening: Line) -> None:
        match happening:
            case {"ask": act}:
                self.world.asked.append(act)
                self.say({"id": len(self.world.asked), "do": act})
            case {"say": line}:
                self.console.write(line.encode() + b"\n")
            case {"public": kind}:
                await self.public(kind)
            case {"disk": state}:
                self.disk(full=state == "full")
            case {"read": numbers}:
                self.world.read_records(numbers)
            case {"touch": _} | {"release": _} | {"fail": _} | {"mend": _}:
                finger = {name: value for name, value in happening.items() if name != "at"}
                self.link.write(msgspec.json.encode(finger) + b"\n")

    def say(self, request: Line) -> None:
        self.console.write(msgspec.json.encode(request) + b"\n")

    def disk(self, full: bool) -> None:
        """Let every insertion into the journal fail in SQLite, or succeed again."""
        assert self.journal is not None
        connection = self.journal._connection
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

    def heard_console(self, line: bytes) -> None:
        """A line for the spymasters' screen: all but the key must be the same in both worlds."""
        message = msgspec.json.decode(line) if line else {}
        match message:
            case {"kind": "table"}:
                self.world.table = message.copy()
                message["key"] = None
            case {"kind": "answer", "id": number} if number > 0:
                act = self.world.asked[number - 1]
                if message["reason"] == "not-own-agent":
                    self.note_wrong_cover(number, act)
                if act.get("act") == "record" and message["ok"]:
                    self.world.note_key_read(act["game"])
                if act.get("act") == "look" and "spymaster" in act["seat"] and message["told"]:
                    del message["told"]["key"]  # theirs
        self.world.saw("console", (len(line), msgspec.json.encode(message)))

    def note_wrong_cover(self, number: int, act: Line) -> None:
        table, cell, team = self.world.table, act["cell"], Seat(act["seat"]).team
        assert team is not None
        covered = table["public"]["cells"][cell]["covered"] is not None
        cover = _WrongCover(number, table["key"], CELLS.index(cell), team, covered)
        self.world.wrong_covers.append(cover)


class _Ear(asyncio.Protocol):
    """Somebody at the other end of a socket."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard

    def data_received(self, data: bytes) -> None:
        self.heard(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.heard(b"")


class StallingRecorder:
    """Stores a while later, as from a thread of its own on a slow card, and in order."""

    def __init__(
        self, direct: DirectRecorder, loop: asyncio.AbstractEventLoop, stall: float
    ) -> None:
        self.direct = direct
        self.loop = loop
        self.stall = stall
        self.jobs: deque[Callable[[], None]] = deque()

    def record(
        self, game: int | None, happened: Sequence[events.Event], now: float, stored: Stored
    ) -> None:
        self.add(lambda: self.direct.record(game, happened, self.loop.time(), stored))

    def note_time(self, game: int, at: float) -> None:
        self.add(lambda: self.direct.note_time(game, at))

    def add(self, job: Callable[[], None]) -> None:
        self.jobs.append(job)
        self.loop.call_later(self.stall, self.work)

    def work(self) -> None:
        if self.jobs:
            self.jobs.popleft()()

    def close(self) -> None:
        while self.jobs:
            self.work()
        self.direct.close()


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


def _pack(known: list[Pack] = []) -> Pack:  # noqa: B006 - it is read once
    if not known:
        known.append(pack_named("english"))
    return known[0]
