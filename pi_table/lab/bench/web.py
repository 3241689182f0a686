"""Measures the speed of the web pages, the resources that they use, and whether they slow down the
table. The programs and sockets are real, and the journal is on a real disk.

A measurement ends when the data reaches the browser's socket. `tests/pages` measures how long a
real browser needs to paint.
"""

import os
import re
import select
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic, perf_counter, sleep
from typing import Any, BinaryIO, Final

from pi_table.lab.bench.beside import Beside, kill_after_block, process_beside
from pi_table.lab.bench.cost import cost_of, processor_seconds
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import folder_on_disk, table_with_a_finger
from pi_table.lab.running_table import PROGRAM, TIMEOUT_SECONDS, Console, RunningTable
from pi_table.simulator.processes import free_port

VIEWERS: Final = (1, 50, 500)
"""Numbers of viewers of the board. The pages have places for `MAX_VIEWERS`, and refuse the others.
"""
CROWD: Final = 200
ACTS: Final = 400
GUESSES: Final = 300
REST_SECONDS: Final = 20.0
BRIEF: Final[dict[str, Any]] = {"acts": 100, "guesses": 60, "rest": 5.0, "crowds": (50,)}
QUIET_SECONDS: Final = 0.03
"""Seconds without a message after which the next act begins. An act may cause several messages."""
GATHER_SECONDS: Final = 2.0
NICE: Final = 5
"""Niceness of the process of the web pages, as in its systemd unit."""
CORES: Final = frozenset(os.sched_getaffinity(0))


def measure(
    acts: int = ACTS,
    guesses: int = GUESSES,
    rest: float = REST_SECONDS,
    crowds: Iterable[int] = VIEWERS,
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench web`."""
    for viewers in crowds:
        yield from among_viewers(viewers, acts, rest)
    yield guess_beside_a_crowd("web/guess_to_light", guesses, {max(CORES)})
    yield guess_beside_a_crowd("web/guess_to_light_crammed", guesses, CORES)


def among_viewers(count: int, acts: int, rest: float) -> Iterator[Measurement]:
    """Open the board for ``count`` viewers, and count those whom the pages admit.

    Then measure the memory of the pages' program, its processor time at rest and for an act, and
    the time from an act's line on the public socket until each viewer has received it.
    """
    name = f"web/{count}_viewers"
    with ExitStack() as stack:
        folder = stack.enter_context(folder_on_disk())
        table = stack.enter_context(RunningTable(folder))
        port = free_port()
        pages = stack.enter_context(pages_running(folder, port))
        cost = stack.enter_context(cost_of(pages.pid))
        table.wait()
        console = table.console()
        stack.callback(console.close)
        console.do("start", profile=PROFILE.id, cards="dealt")
        viewers = list[Looking]()
        for number in range(count):
            viewer = Looking(port, _device(number))
            if viewer.is_shown():
                viewers.append(viewer)
                stack.callback(viewer.close)
            else:
                viewer.close()
        public = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stack.enter_context(public).connect(str(folder / "run" / "public.sock"))
        public.recv(1 << 20)
        yield {"name": f"{name}/admitted", "value": len(viewers), "unit": "viewers"}
        memory, at_rest = cost.at_rest(f"{name}/pss", f"{name}/rest_cpu", rest)
        yield from (memory, at_rest)
        used, begun, seconds = processor_seconds(pages.pid), monotonic(), list[float]()
        for act in islice(cycle(("pause", "resume")), acts):
            seconds += _news(console, public, viewers, act)
        used = processor_seconds(pages.pid) - used
        used -= (monotonic() - begun) * float(str(at_rest["value"])) / 100
        yield {"name": f"{name}/news_to_viewer", **percentiles(seconds)}
        each = round(1e6 * used / acts / len(viewers), 1)
        yield {"name": f"{name}/news_cpu", "value": each, "unit": "µs", "acts": acts}


def _device(number: int) -> str:
    """Return the address of a viewer's device. Each has its own, as in a local network."""
    return f"127.1.{number // 250}.{1 + number % 250}"


def guess_beside_a_crowd(name: str, guesses: int, cores: Set[int]) -> Measurement:
    """Measure `table/guess_to_light` beside two hundred viewers who come and go, and one device
    that floods the pages.

    The pages and the crowd run on ``cores``; the table may use all cores. On a real table, the
    pages use at most one core, because they have a single thread, and viewers use none. If
    ``cores`` has only the last core, the table has the other cores to itself, as on a real table
    with four cores. If ``cores`` has all cores, the crowd takes time that a real table would have.
    """
    port, random = free_port(), Random()
    with table_with_a_finger() as (table, console, finger), ExitStack() as stack:
        stack.enter_context(pages_running(table.folder, port, cores))
        program = [sys.executable, "-m", "pi_table.lab.bench.crowd", str(port), str(CROWD)]
        confined = partial(os.sched_setaffinity, 0, cores)
        stack.enter_context(kill_after_block(subprocess.Popen(program, preexec_fn=confined)))
        sleep(GATHER_SECONDS)
        seconds = [finger.guess(console, random) for _ in range(guesses)]
    return {"name": name, **percentiles(seconds), "viewers": CROWD, "cores_of_pages": len(cores)}


def _news(
    console: Console, public: socket.socket, viewers: "list[Looking]", act: str
) -> Iterator[float]:
    """Do an act. For each viewer, yield the seconds from the act's line on the public socket until
    the viewer has received it."""
    number = console.begin(act)
    select.select([public], [], [], TIMEOUT_SECONDS)
    begun = perf_counter()
    waiting = {viewer.socket: viewer for viewer in viewers}
    while waiting:
        ready, _, _ = select.select([*waiting], [], [], TIMEOUT_SECONDS)
        if not ready:
            raise TimeoutError("A viewer was not shown what happened.")
        now = perf_counter()
        for each in ready:
            if waiting[each].hear():
                del waiting[each]
                yield now - begun
    console.answer_to(number)
    everything = [public, *(viewer.socket for viewer in viewers)]
    while ready := select.select(everything, [], [], QUIET_SECONDS)[0]:
        for each in ready:
            each.recv(1 << 20)
    for viewer in viewers:
        viewer.forget()


class Looking:
    """A viewer who opens the board, as a browser would."""

    def __init__(self, port: int, device: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS, (device, 0))
        wish = f"GET /api/1/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n"
        self.socket.sendall(wish.encode())
        self._heard = b""

    def is_shown(self) -> bool:
        """Wait for the table's state. Return False if the pages have no place for the viewer."""
        while not re.search(rb'"here":true.*"phase".*\n\n', self._heard):
            self._heard += self.socket.recv(1 << 16)
            if self._heard.startswith(b"HTTP/1.1 503"):
                return False
        self.forget()
        return True

    def hear(self) -> bool:
        """Receive data. Return True once a complete event about the table has arrived."""
        self._heard += self.socket.recv(1 << 16)
        return re.search(rb"event: table\ndata: [^\n]*\n\n", self._heard) is not None

    def forget(self) -> None:
        self._heard = b""

    def close(self) -> None:
        self.socket.close()


def pages_running(
    folder: Path,
    port: int,
    cores: Set[int] = CORES,
    log: int | BinaryIO = subprocess.DEVNULL,
    program: Sequence[str] = PROGRAM,
    **environment: str,
) -> AbstractContextManager[Beside]:
    """Run `pi-table web` on these cores during the context. It uses the sockets of the table in
    ``folder``."""
    settings = f'[web]\nlisten = "127.0.0.1"\nport = {port}\n'
    stand_back = partial(_stand_back, cores)
    return process_beside("web", folder, settings, stand_back, log, program, **environment)


def _stand_back(cores: Set[int]) -> None:
    os.nice(NICE)
    os.sched_setaffinity(0, cores)
