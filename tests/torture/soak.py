"""An endless evening: games one after another through the whole daemon, in virtual time.

``python soak.py GAMES`` prints one JSON object: the memory that the process holds after the first
fifty games, at the most since then and after the last, its open files, and what the journal has
grown by a game.
"""

import asyncio
import ctypes
import gc
import json
import os
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "worlds")]

from virtual_loop import VirtualLoop  # noqa: E402

from pi_table.common import config  # noqa: E402
from pi_table.table.engine.process import daemon  # noqa: E402
from pi_table.table.engine.storage.workers import AtOnce  # noqa: E402

WARM = 50
"""Games after which nothing may grow any more."""
LOOK = 25
"""Games from one look at the memory to the next."""
STEP = 0.7
"""Seconds from one act to the next."""
PROFILES = ("codenames", "nome-in-codice", "alias-24")


class Guest:
    """Somebody at the console who plays at random, and somebody who looks on."""

    def __init__(self, loop: VirtualLoop, paths: config.PathsSection) -> None:
        self.loop = loop
        self.paths = paths
        self.random = Random(7)
        self.table: dict[str, Any] = {}
        self.number = 0
        self.answer: dict[str, Any] = {}

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_unix_connection(
            str(self.paths.console_socket), limit=1 << 24
        )
        _, self.looker = await asyncio.open_unix_connection(str(self.paths.public_socket))
        self.hears = self.loop.create_task(self.hear())

    async def hear(self) -> None:
        while line := await self.reader.readline():
            message = json.loads(line)
            if message["kind"] == "answer":
                self.answer = message
            else:
                self.table = message

    async def do(self, seat: str, act: str, **fields: Any) -> bool:
        self.number += 1
        self.writer.write(
            json.dumps({"id": self.number, "do": {"seat": seat, "act": act, **fields}}).encode()
            + b"\n"
        )
        await asyncio.sleep(STEP)
        assert self.answer["id"] == self.number, self.answer
        return bool(self.answer["ok"])

    async def play(self, number: int) -> None:
        """One game, from its beginning to its end."""
        profile = PROFILES[number % len(PROFILES)]
        assert await self.do("operator", "start", profile=profile, cards="dealt"), self.answer
        while True:
            public = self.table["public"]
            team = public["turn"]
            match public["phase"]:
                case "over":
                    return
                case "clue":
                    await self.do(
                        f"{team}-spymaster",
                        "clue",
                        word=f"clue{self.number}",
                        number=self.random.randint(1, 3),
                    )
                case "guess":
                    free = [
                        name for name, cell in public["cells"].items() if cell["covered"] is None
                    ]
                    await self.do(f"{team}-operatives", "guess", cell=self.random.choice(free))
                case other:
                    raise AssertionError(f"This game came to {other}.")

    async def leave(self) -> None:
        self.hears.cancel()
        for writer in (self.writer, self.looker):
            writer.close()


def held() -> dict[str, int]:
    """Return the process's present resources: bytes that belong to no file, and open files."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what was given back is not held
    own = 0
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == "Anonymous":  # of libraries others may have a share, now and then
            own += int(rest.split()[0]) * 1024
    return {"bytes": own, "files": len(os.listdir("/proc/self/fd"))}


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def soak(loop: VirtualLoop, folder: Path, games: int) -> dict[str, Any]:
    changes: dict[str, dict[str, Any]] = {
        "paths": {"state": str(folder / "state"), "runtime": str(folder / "run")},
        "lights": {"frames_per_second": 1},
    }
    settings = config.load(None, changes)
    (folder / "state").mkdir()
    (folder / "run").mkdir()
    stop, ready = asyncio.Event(), asyncio.Event()
    runs = loop.create_task(daemon.run(settings, stop, ready.set, AtOnce))
    await ready.wait()
    guest = Guest(loop, settings.paths)
    await guest.connect()
    await asyncio.sleep(STEP)
    for number in range(WARM):
        await guest.play(number)
    begun, journal, most = held(), size(folder / "state"), 0
    for number in range(WARM, games):
        await guest.play(number)
        if number % LOOK == 0:
            most = max(most, held()["bytes"])
    ended = held()
    grown = size(folder / "state") - journal
    await guest.leave()
    stop.set()
    await runs
    return {
        "games": games,
        "grown_bytes": ended["bytes"] - begun["bytes"],
        "most_grown_bytes": most - begun["bytes"],
        "held_bytes": ended["bytes"],
        "files_before": begun["files"],
        "files_after": ended["files"],
        "journal_bytes_a_game": round(grown / (games - WARM)),
        "virtual_seconds": round(loop.time()),
    }


def main(games: int) -> None:
    with TemporaryDirectory(prefix="pi-table-soak-", dir="/dev/shm") as folder:
        loop = VirtualLoop()
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            print(json.dumps(runner.run(soak(loop, Path(folder), games))))


if __name__ == "__main__":
    main(int(sys.argv[1]))
