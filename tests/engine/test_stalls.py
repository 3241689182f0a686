"""The whole daemon stands still, and a finger does not: what was lifted in time is no guess.

Time is virtual, the sockets are real: what a finger did lies unread while the loop is held up.
"""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from virtual_loop import VirtualLoop

from pi_table.common import config
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.hal.simulated_link import LinkedTable
from pi_table.table.engine.dealing import Dealer, Shelf
from pi_table.table.engine.process import daemon
from pi_table.table.engine.storage.workers import AtOnce

HOLD = 0.4
STALLS = 300
MANY_STALLS = 1000
MAX_STALL_SECONDS = 3.0
CONFIG = """\
[simulated]
link = "{folder}/link.sock"
[paths]
state = "{folder}/state"
runtime = "{folder}/run"
"""


class Daemon:
    """A daemon with a game, the hand at its link, and the hidden screen."""

    def __init__(self, folder: Path, loop: VirtualLoop) -> None:
        file = folder / "table.toml"
        file.write_text(CONFIG.format(folder=folder))
        self.config = config.load(file)
        self.loop = loop
        self.messages: list[dict[str, Any]] = []
        self.number = self.games = 0

    async def open(self) -> None:
        self.stop, ready = asyncio.Event(), asyncio.Event()
        self.runs = self.loop.create_task(
            daemon.run(self.config, self.stop, ready.set, AtOnce, Dealer(Shelf(())))
        )
        await ready.wait()
        reader, self.console = await asyncio.open_unix_connection(
            self.config.paths.console_socket, limit=2**20
        )
        self.hears = self.loop.create_task(self._hear(reader))
        _, self.hand = await asyncio.open_unix_connection(self.config.simulated.link)
        await self.let_time_pass(0.1)

    async def close(self) -> None:
        self.stop.set()
        await self.runs
        self.hears.cancel()
        for writer in (self.console, self.hand):
            writer.transport.abort()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            self.messages.append(msgspec.json.decode(line))

    async def let_time_pass(self, seconds: float) -> None:
        await self.loop.until(self.loop.time() + seconds)

    async def ask(self, act: str, seat: str = "operator", **fields: Any) -> dict[str, Any]:
        self.number += 1
        do = {"act": act, "seat": seat, **fields}
        self.console.write(msgspec.json.encode({"id": self.number, "do": do}) + b"\n")
        while not (answers := [one for one in self.messages if one.get("id") == self.number]):
            await asyncio.sleep(0)
        return answers[0]

    async def uncovered(self) -> list[str]:
        """The cells that can be guessed; a game is begun, and a clue given, where that is due."""
        while True:
            look = await self.ask("look")
            view = look["told"]["public"] if look["ok"] else {"phase": "over"}
            if view["phase"] == "guess":
                return [name for name, cell in view["cells"].items() if cell["covered"] is None]
            if view["phase"] == "clue":
                await self.ask("clue", f"{view['turn']}-spymaster", number="unlimited")
            else:
                await self.ask("start", profile="codenames")
                self.games += 1

    def says(self, act: str, cell: str) -> None:
        """The world side's line lies at the link from now on."""
        self.hand.write(msgspec.json.encode({act: cell}) + b"\n")

    async def stalled(self, random: Random, lifts: bool) -> bool:
        """Hold a place, and stall the daemon near the end of the hold; return True if it was a
        guess.

        ``lifts``: the finger is lifted during the stall.
        """
        before = await self.uncovered(), self.games
        cell = random.choice(before[0])
        self.says("touch", cell)
        await self.let_time_pass(random.uniform(0.05, HOLD - 0.01))
        if lifts:
            self.says("release", cell)
        hold_up = random.choice((self.loop.advance, self.loop.freeze))
        hold_up(random.uniform(0.0, MAX_STALL_SECONDS))
        await self.let_time_pass(2 * HOLD)
        guessed = (await self.uncovered(), self.games) != before
        self.says("release", cell)
        await self.let_time_pass(1.0)
        return guessed


def guesses(folder: Path, seed: str, stalls: int, lifts: bool) -> int:
    """Return the number of these fingers that became guesses."""
    random = Random(seed)
    count = 0

    async def play(loop: VirtualLoop) -> None:
        nonlocal count
        table = Daemon(folder, loop)
        await table.open()
        for _ in range(stalls):
            count += await table.stalled(random, lifts)
        await table.close()

    loop = VirtualLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play(loop))
    return count


def test_a_finger_lifted_while_the_daemon_stood_still_guesses_nothing(tmp_path: Path) -> None:
    assert guesses(tmp_path, "lifted", STALLS, lifts=True) == 0


def test_a_finger_that_held_on_meanwhile_guesses(tmp_path: Path) -> None:
    assert guesses(tmp_path, "held", 40, lifts=False) == 40


@pytest.mark.torture
def test_a_thousand_fingers_lifted_while_the_daemon_stood_still_guess_nothing(
    tmp_path: Path,
) -> None:
    assert guesses(tmp_path, "many", MANY_STALLS, lifts=True) == 0


@pytest.fixture
def old_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that only the selector has read, as the controller's is, and a hold that is completed
    on a frame of any age: all depends on what the daemon reads before time may pass."""
    monkeypatch.setattr(LinkedTable, "read", SimulatedTable.read)
    monkeypatch.setattr("pi_table.table.engine.touches.intents.EVIDENCE_SECONDS", 10.0)


@pytest.mark.usefixtures("old_frames")
def test_all_that_lies_there_is_read_before_time_may_pass(tmp_path: Path) -> None:
    assert guesses(tmp_path, "caught", 60, lifts=True) == 0


@pytest.mark.usefixtures("old_frames")
@pytest.mark.parametrize("rounds", [0, 1])
def test_a_daemon_that_looks_too_seldom_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """It lets time pass too early, and completes a hold on what it knew last."""
    monkeypatch.setattr(daemon, "READ_ROUNDS", rounds)
    assert guesses(tmp_path, "caught", 60, lifts=True) > 0
