"""The bridge beside the daemon, and a broker that everybody can look into.

It is the real process, on the loop of the world; only, a broker of the test's stands in the place
of the connection. Everything that is published is seen, with its topic and its time; so are the
figures that it writes. A game's id, which is chance, is the one thing that may differ.
"""

import asyncio
import re
from contextlib import ExitStack
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import msgspec
from game_scripts import Line
from virtual_loop import VirtualLoop

from pi_table.fleet.bridge import process
from pi_table.fleet.bridge.facts import LinkHealth, MachineHealth
from pi_table.fleet.bridge.outbox import Message

if TYPE_CHECKING:
    from daemon_world import World

SINCE_1970: Final = 1.0e9
"""Seconds since 1970 on the machine's clock at the beginning of an evening."""
_ID: Final = re.compile(rb'"game":"[0-9a-f]{32}"')


def without_ids(told: bytes) -> bytes:
    """Return the message without the ids of games."""
    return _ID.sub(b'"game":"?"', told)


class Bridged:
    """The process of the bridge, and its broker."""

    def __init__(self, world: "World", loop: VirtualLoop) -> None:
        self.world = world
        self.loop = loop
        self.stop = asyncio.Event()
        self.runs: asyncio.Task[None] | None = None
        self.link: BrokerOfWorlds | None = None
        self.patches = ExitStack()

    async def open(self) -> None:
        folder = self.world.folder
        bridge = msgspec.structs.replace(
            self.world.config.bridge,
            broker="mqtt://broker.lan",
            table="table",
            metrics=str(folder / "runtime" / "figures.prom"),
        )
        config = msgspec.structs.replace(self.world.config, bridge=bridge)
        (folder / "bridge").mkdir(exist_ok=True)

        def link(*given: Any) -> "BrokerOfWorlds":
            self.link = BrokerOfWorlds(self, *given)
            return self.link

        ready = asyncio.Event()
        health = MachineHealth(1000.0, 50.0, False, 1 << 30, 1)
        clock = SimpleNamespace(time=lambda: SINCE_1970 + self.loop.time())
        with mock.patch.object(process, "BrokerLink", link):
            self.patches.enter_context(
                mock.patch.object(process, "machine_health", return_value=health)
            )
            self.patches.enter_context(mock.patch.object(process, "time", clock))
            self.runs = self.loop.create_task(process.run(config, self.stop, ready.set))
            is_ready = self.loop.create_task(ready.wait())
            await asyncio.wait((self.runs, is_ready), return_when=asyncio.FIRST_COMPLETED)
            is_ready.cancel()
            if self.runs.done():
                await self.runs  # it raises what went wrong

    async def close(self) -> None:
        figures = self.world.folder / "runtime" / "figures.prom"
        if figures.exists():
            self.world.saw("figures", figures.read_bytes())
            figures.unlink()
        self.stop.set()
        assert self.runs is not None
        await self.runs
        self.patches.close()

    def happens(self, happening: Line) -> None:
        """The broker goes or comes, or somebody sends a command."""
        assert self.link is not None
        match happening:
            case {"broker": state}:
                self.link.goes(away=state == "away")
            case {"command": command, "payload": payload}:
                self.link.hears(command, msgspec.json.encode(payload))


class BrokerOfWorlds:
    """Stands in the place of the connection to a broker, which takes everything at once."""

    def __init__(
        self, bridged: Bridged, broker: Any, commands: Any, availability: str, hear: Any, serve: Any
    ) -> None:
        self.bridged = bridged
        self.hear = hear
        self.serve = serve
        self.flooded = asyncio.Event()
        self.health = LinkHealth()
        self.is_there = asyncio.Event()
        self.is_there.set()
        self.served: asyncio.Task[None] | None = None

    async def run(self) -> None:
        try:
            while True:
                await self.is_there.wait()
                self.served = asyncio.ensure_future(self.serve(self))
                await asyncio.wait((self.served,))
                if not self.served.cancelled():
                    self.served.result()
        finally:
            if self.served is not None:
                self.served.cancel()

    def goes(self, away: bool) -> None:
        if not away:
            self.is_there.set()
            return
        self.is_there.clear()
        if self.served is not None:
            self.served.cancel()

    def hears(self, command: str, payload: bytes) -> None:
        if self.is_there.is_set():
            self.hear(f"pi-table/table/do/{command}", payload, False)

    async def tell(self, message: Message) -> bool:
        told = without_ids(message.payload)
        how = (message.kept, message.expires, message.renewal)
        self.bridged.world.saw("published", (message.topic, told, *how))
        return True

    def say_once(self, what: str) -> None:
        self.bridged.world.saw("log of the bridge", what)

    def say_not_taken(self, topic: str) -> None:
        self.bridged.world.saw("log of the bridge", topic)
