"""A bridge as a process of its own, between a table by a script and a real broker."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

import aiomqtt
import msgspec
from paho.mqtt.subscribeoptions import SubscribeOptions
from patience import PATIENCE

TABLE = "near-door"
PI_TABLE = ("-m", "pi_table")


class Bridged:
    """A bridge that can be started, ended and killed; ``folder`` is where its table's sockets, its
    own folder and its log lie."""

    def __init__(self, folder: Path, broker: str, **settings: Any) -> None:
        self.folder = folder
        self.log = folder / "bridge.log"
        self.process: subprocess.Popen[bytes] | None = None
        self._config = folder / "table.toml"
        given = {"broker": broker, "table": TABLE, "home_assistant": "", **settings}
        lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in given.items()]
        paths = f'[paths]\nruntime = "{folder}"\nstate = "{folder}"\nbridge = "{folder}/bridge"'
        self._config.write_text("\n".join(["[bridge]", *lines, paths]) + "\n")

    def start(self, program: tuple[str, ...] = PI_TABLE, **environment: str) -> None:
        """Start it; it is not waited for. ``program``: what Python is told to run."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *program, "bridge", "--config", str(self._config)],
                stdout=log,
                stderr=log,
                env={**os.environ, **environment},
            )

    @contextmanager
    def running(self, program: tuple[str, ...] = PI_TABLE, **environment: str) -> Iterator[Self]:
        """Start it, and end it at last."""
        self.start(program, **environment)
        try:
            yield self
        finally:
            self.end()

    def tell_again(self) -> None:
        """Ask it for all finished games once more, as its page says."""
        program = [sys.executable, "-m", "pi_table", "bridge", "--tell-again"]
        subprocess.run([*program, "--config", str(self._config)], check=True)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, or kill it; its exit status. May be called again, with no effect."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        process.send_signal(signal.SIGCONT)
        process.send_signal(how)
        try:
            return process.wait(PATIENCE)
        finally:
            process.kill()

    def seconds(self) -> float:
        """Seconds of a processor that it has taken so far."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kib(self) -> int:
        """KiB of memory that are its own, and its share of what it has together with others."""
        assert self.process is not None
        rollup = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        (line,) = [each for each in rollup.splitlines() if each.startswith("Pss:")]
        return int(line.split()[1])

    def said(self) -> str:
        """Return its log."""
        return self.log.read_text()


class Ear:
    """Somebody who is connected to the broker, and keeps what is told there."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client
        self.heard: list[aiomqtt.Message] = []

    def of(self, what: str) -> list[Any]:
        """Return the decoded payloads in a topic of the table."""
        texts = [
            each.payload for each in self.heard if str(each.topic) == f"pi-table/{TABLE}/{what}"
        ]
        return [
            text.decode() if what == "availability" else msgspec.json.decode(text)
            for text in texts
            if isinstance(text, bytes)
        ]

    async def until(self, what: str, so: Callable[[Any], bool] = lambda _: True) -> Any:
        """The first thing told in a topic of the table that is so."""
        found: list[Any] = []

        def there() -> bool:
            found[:] = [each for each in self.of(what) if so(each)]
            return bool(found)

        await until(there)
        return found[0]

    async def command(self, name: str, payload: bytes, table: str = TABLE, **how: Any) -> None:
        """Send a command."""
        await self.client.publish(f"pi-table/{table}/do/{name}", payload, qos=1, **how)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so. Raises TimeoutError if it never is."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def listening(port: int, *topics: str, **settings: Any) -> AsyncIterator[Ear]:
    """Somebody who has asked the broker for topics (of all, where none is named)."""
    client = aiomqtt.Client(
        "127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5, clean_start=True, **settings
    )
    async with client:
        ear = Ear(client)
        options = SubscribeOptions(qos=1, retainAsPublished=True)
        await client.subscribe([(each, options) for each in topics or ("#",)])

        async def hear() -> None:
            async for message in client.messages:
                ear.heard.append(message)

        hearing = asyncio.create_task(hear())
        try:
            yield ear
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
