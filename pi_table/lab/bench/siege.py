"""Simulates an attack on the web pages. Eight hostile addresses open many connections to every
endpoint.

Four things are measured: how long other guests wait, how long the watchdog gets no message, how
many files are open, and how long a finger waits for its light. The attackers are a separate
program: ``python -m pi_table.lab.bench.siege PORT``.
"""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from random import Random
from time import monotonic, sleep
from typing import Final

from pi_table.lab.bench.beside import Beside, kill_after_block
from pi_table.lab.bench.cost import cost_of, memory_of
from pi_table.lab.bench.crowd import UPGRADE, again, connect, look_on, say
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import table_with_a_finger
from pi_table.lab.bench.web import CORES, pages_running
from pi_table.protocols.ipc.sealed import MAX_DESK_BYTES
from pi_table.simulator.processes import free_port

SECONDS: Final = 60.0
DEVICES: Final = 8
CONNECTIONS: Final = 64
"""Number of connections from each hostile address."""
ASKED_FOR: Final = (
    *("/", "/seat", "/desk", "/static/board.js", "/static/phone.js", "/texts/en.json", "/qr.svg"),
    *("/api/1/table", "/api/1/about", "/api/1/schema.json", "/nowhere"),
)
BOARDS: Final = 20
PHONES: Final = 6
"""Number of phones of honest guests. They share an address with an attacker, as the boards do, and
connect before the attack."""
GATHER_SECONDS: Final = 2.0
ASKS_EVERY_SECONDS: Final = 0.1
"""Pause in seconds between two requests of an honest guest."""
MAX_ANSWER_SECONDS: Final = 60.0
"""Timeout in seconds for the answer to an honest guest."""
SWITCH_SECONDS: Final = 0.0002
"""Python's switch interval in seconds. It is short, so the finger's thread hardly waits for
others."""
WATCHDOG_SECONDS: Final = 10
"""Watchdog timeout in seconds, as in the systemd unit of the web pages."""


def measure(seconds: float = SECONDS) -> Iterator[Measurement]:
    cores = {max(CORES)}
    with ExitStack() as stack:
        stack.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(SWITCH_SECONDS)
        table, console, finger = stack.enter_context(table_with_a_finger())
        port, log = free_port(), table.folder / "web.log"
        watchdog = {"WATCHDOG_USEC": str(WATCHDOG_SECONDS * 1_000_000)}
        said = stack.enter_context(log.open("wb"))
        pages = stack.enter_context(pages_running(table.folder, port, cores, said, **watchdog))
        cost = stack.enter_context(cost_of(pages.pid))
        here: list[_Board] = [_Board(port) for _ in range(BOARDS)]
        here += [_Phone(port) for _ in range(PHONES)]
        for each in here:
            stack.callback(each.close)
        program = [sys.executable, "-m", "pi_table.lab.bench.siege", str(port)]
        stack.enter_context(kill_after_block(subprocess.Popen(program)))
        sleep(GATHER_SECONDS)
        guest, witness = _Guest(port), _Witness(pages)
        random, fingers = Random(), list[float]()
        until = monotonic() + seconds

        def read() -> None:
            sleep(ASKS_EVERY_SECONDS)
            for each in here:
                each.stays()

        with _again_and_again(guest.step), _again_and_again(witness.step), _again_and_again(read):
            while monotonic() < until or min(len(fingers), len(guest.waits)) < 2:
                fingers.append(finger.guess(console, random))
        stay = [each.stays() for each in here]
        took = memory_of(cost.counted.read())
        lines = len(log.read_bytes().splitlines())
    of = {"devices": DEVICES, "connections": CONNECTIONS, "seconds": seconds}
    yield {"name": "siege/other_guest_waits", **percentiles(guest.waits), "lost": guest.lost, **of}
    yield {"name": "siege/watchdog_gap", "value": witness.gap, "unit": "s", **of}
    yield {"name": "siege/open_files", "value": witness.files, "unit": "files", **of}
    yield {"name": "siege/log", "value": lines, "unit": "lines", **of}
    yield {"name": "siege/pss", "value": round(took["Pss"], 1), "unit": "MiB", **of}
    yield {"name": "siege/boards_that_stay", "value": sum(stay[:BOARDS]), "unit": "of 20", **of}
    yield {"name": "siege/phones_that_stay", "value": sum(stay[BOARDS:]), "unit": "of 6", **of}
    yield {"name": "siege/guess_to_light", **percentiles(fingers), **of}


class _Board:
    """A board (a page that shows the table). It has a hostile address, but connects before the
    attack."""

    ASKS = "GET /api/1/events HTTP/1.1\r\n"

    def __init__(self, port: int) -> None:
        self._line = socket.create_connection(
            ("127.0.0.1", port), MAX_ANSWER_SECONDS, (device(0), 0)
        )
        self._line.sendall(f"{self.ASKS}host: 127.0.0.1:{port}\r\n\r\n".encode())
        came = b""
        while b"\r\n\r\n" not in came:
            came += self._line.recv(1 << 16)
        self._line.setblocking(False)
        self.hear(came.partition(b"\r\n\r\n")[2])

    def stays(self) -> bool:
        """Read all data that has arrived; return True if the board is still connected."""
        try:
            while came := self._line.recv(1 << 16):
                self.hear(came)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def hear(self, came: bytes) -> None:
        """Take data that has arrived. A board ignores it."""

    def close(self) -> None:
        self._line.close()


class _Phone(_Board):
    """A phone without a seat. It has a hostile address, and answers pings as a browser does."""

    ASKS = f"GET /api/1/phones HTTP/1.1\r\n{UPGRADE}"
    _rest = b""

    def hear(self, came: bytes) -> None:
        self._rest += came
        while len(self._rest) >= 4:  # RFC 6455, 5.2
            length, begins = self._rest[1], 2
            if length == 126:
                length, begins = int.from_bytes(self._rest[2:4], "big"), 4
            if len(self._rest) < begins + length:
                return
            if self._rest[0] == 0x89:
                said = self._rest[begins : begins + length]
                self._line.send(bytes([0x8A, 0x80 | length]) + bytes(4) + said)
            self._rest = self._rest[begins + length :]


class _Guest:
    """An honest guest at another address, who opens the board again and again."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.waits: list[float] = []
        self.lost = 0

    def step(self) -> None:
        begun, came = monotonic(), b""
        with (
            suppress(OSError),
            socket.create_connection(
                ("127.0.0.1", self._port), MAX_ANSWER_SECONDS, ("127.0.3.1", 0)
            ) as line,
        ):
            line.sendall(f"GET / HTTP/1.0\r\nhost: 127.0.0.1:{self._port}\r\n\r\n".encode())
            while more := line.recv(1 << 16):
                came += more
        self.waits.append(monotonic() - begun)
        self.lost += not (came.startswith(b"HTTP/1.1 200") and came.rstrip().endswith(b"</html>"))
        sleep(ASKS_EVERY_SECONDS)


class _Witness:
    """Receives the watchdog messages of the web pages' process, and counts the open files of that
    process."""

    def __init__(self, pages: Beside) -> None:
        self._pages = pages
        self._pages.manager.settimeout(ASKS_EVERY_SECONDS)
        self._heard_at = monotonic()
        self.gap = 0.0
        """Longest time in seconds between two watchdog messages."""
        self.files = 0

    def step(self) -> None:
        with suppress(TimeoutError):
            self._pages.manager.recv(4096)
            self.gap, self._heard_at = max(self.gap, monotonic() - self._heard_at), monotonic()
        self.gap = max(self.gap, monotonic() - self._heard_at)
        self.files = max(self.files, len(os.listdir(f"/proc/{self._pages.pid}/fd")))


@contextmanager
def _again_and_again(step: Callable[[], None]) -> Iterator[None]:
    is_over = threading.Event()

    def run() -> None:
        while not is_over.is_set():
            step()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def device(number: int) -> str:
    return f"127.0.0.{2 + number}"


async def siege(port: int) -> None:
    kinds: list[Callable[[int, str], Awaitable[None]]]
    kinds = [*(partial(_ask, path) for path in ASKED_FOR), _ask_as_desk, _come_and_go, look_on, say]
    async with asyncio.TaskGroup() as everybody:
        for number in range(DEVICES):
            for kind in islice(cycle(kinds), CONNECTIONS):
                everybody.create_task(again(kind, port, device(number)))


async def _ask(path: str, port: int, source: str) -> None:
    reader, writer = await connect(port, source, path)
    while await reader.read(1 << 16):
        writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
    writer.transport.abort()


async def _ask_as_desk(port: int, source: str) -> None:
    """Send the longest request that a desk may send, again and again. Nobody can decrypt its
    contents."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    head = f"POST /api/1/desk HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
    head += f"content-type: application/octet-stream\r\ncontent-length: {MAX_DESK_BYTES}\r\n\r\n"
    wish = head.encode() + os.urandom(MAX_DESK_BYTES)
    writer.write(wish)
    while await reader.read(1 << 16):
        writer.write(wish)
        await writer.drain()
    writer.transport.abort()


async def _come_and_go(port: int, source: str) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.transport.abort()


if __name__ == "__main__":
    # Real attackers have their own machines, so these get only spare processor time.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(siege(int(sys.argv[1])))
