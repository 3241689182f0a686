"""Measures the resources that a bridge uses, and whether it slows down the table: with a broker
that answers, with no broker, and with a broker that floods the bridge with commands.

The broker is Debian's Mosquitto on the loopback interface. Without Mosquitto, nothing is measured.
"""

import os
import re
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Final, Literal

from pi_table.common.errors import InputError
from pi_table.lab.bench.beside import Beside, kill_after_block, process_beside
from pi_table.lab.bench.cost import Cost, cost_of, memory_of
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import folder_on_disk, table_with_a_finger
from pi_table.lab.running_table import TIMEOUT_SECONDS, Console, RunningTable
from pi_table.simulator.processes import free_port

Broker = Literal["none", "there", "away", "floods"]
PROGRAM: Final = Path("/usr/sbin/mosquitto")
GUESSES: Final = 600
REST_SECONDS: Final = 30.0
MESSAGES: Final = 10_000
RECONNECTS: Final = 110
"""Number of reconnects in an hour, if the broker closes each connection as soon as it counts as a
good one (`broker_link.LASTING_SECONDS`)."""
BRIEF: Final = {"guesses": 100, "rest": 5.0, "messages": 1000, "reconnects": 20}
WARM_UP: Final = 10
"""Memory is first measured after a tenth of the messages, or of the reconnects."""
HASTY: Final = "pi_table.lab.bench.hasty_bridge"
METRICS: Final = "bridge.prom"
"""Name of the file of the bridge's metrics."""
A_SECOND: Final = 10_000
"""Number of commands per second that the broker sends when it floods the bridge."""
NICE: Final = 10
"""Niceness of the bridge's process, as in its systemd unit."""
QUIET_SECONDS: Final = 0.2
"""Seconds without data, after which a connection to the broker is cut."""
GATHER_SECONDS: Final = 3.0
"""Seconds that a bridge, or a flood of commands, runs before the measurement begins."""


def measure(
    guesses: int = GUESSES,
    rest: float = REST_SECONDS,
    messages: int = MESSAGES,
    reconnects: int = RECONNECTS,
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench bridge`. Raises InputError if Mosquitto is
    missing."""
    if not PROGRAM.exists():
        raise InputError(f"There is no {PROGRAM}: install Debian's package mosquitto.")
    yield from at_rest(rest)
    yield after_messages(messages)
    yield after_reconnects(reconnects)
    brokers: tuple[Broker, ...] = ("none", "there", "away", "floods")
    for broker in brokers:
        yield guess_to_light(broker, guesses)


def at_rest(seconds: float) -> Iterator[Measurement]:
    with (
        _table_in_play() as (folder, _),
        mosquitto_running(folder) as port,
        bridge_running(folder, port) as bridge,
        cost_of(bridge.pid) as cost,
    ):
        sleep(GATHER_SECONDS)
        yield from cost.at_rest("bridge/pss", "bridge/rest_cpu", seconds)


def after_messages(most: int) -> Measurement:
    """Measure how the memory of a bridge grows with the messages that its broker takes. Most of
    them are states of the game."""
    sizes = list[float]()
    with (
        _table_in_play() as (folder, console),
        mosquitto_running(folder) as port,
        bridge_running(folder, port) as bridge,
        cost_of(bridge.pid) as cost,
    ):
        for wanted in (most // WARM_UP, most):
            while (taken := _published(folder / METRICS)) < wanted:
                for act in ("pause", "resume"):
                    console.do(act)
            sizes.append(_own_memory(cost))
    return _growth("bridge/growth_by_messages", sizes, messages=taken)


def after_reconnects(times: int) -> Measurement:
    """Measure how the memory of a bridge grows if its connection is cut again and again."""
    sizes = list[float]()
    with (
        _table_in_play() as (folder, _),
        mosquitto_running(folder) as port,
        socket.create_server(("127.0.0.1", 0)) as listener,
        bridge_running(folder, listener.getsockname()[1], HASTY) as bridge,
        cost_of(bridge.pid) as cost,
    ):
        for number in range(1, times + 1):
            _pass_on(listener, port)
            if number in (times // WARM_UP, times):
                sizes.append(_own_memory(cost))
    return _growth("bridge/growth_by_reconnects", sizes, reconnects=times)


@contextmanager
def _table_in_play() -> Iterator[tuple[Path, Console]]:
    """Yield the folder of a running table with a game, and a client for its hidden screen."""
    with folder_on_disk() as folder, RunningTable(folder) as table:
        table.wait()
        with closing(table.console()) as console:
            console.do("start", profile=PROFILE.id, cards="dealt")
            yield folder, console


def _pass_on(listener: socket.socket, port: int) -> None:
    """Accept a connection, and pass its data to the broker and back, until nothing more comes."""
    line, _ = listener.accept()
    with line, socket.create_connection(("127.0.0.1", port)) as broker:
        other = {line: broker, broker: line}
        while ready := select.select([*other], [], [], QUIET_SECONDS)[0]:
            for each in ready:
                data = each.recv(1 << 16)
                if not data:
                    return
                other[each].sendall(data)


def _published(figures: Path) -> int:
    """Return the number of messages that the broker has taken, from the bridge's metrics."""
    text = figures.read_text() if figures.exists() else ""
    found = re.search(r"^pi_table_published_total\S* (\d+)", text, re.MULTILINE)
    return 0 if found is None else int(found[1])


def _own_memory(cost: Cost) -> float:
    """Return the size in MiB of the memory that belongs to the process alone, as a later size of
    shared files would count as growth."""
    cost.counted.seek(0)
    return memory_of(cost.counted.read())["Pss_Anon"]


def _growth(name: str, sizes: list[float], **more: object) -> Measurement:
    first, last = sizes
    grown = round(last - first, 2)
    return {"name": name, "value": grown, "unit": "MiB", "before": round(first, 2), **more}


def guess_to_light(broker: Broker, guesses: int) -> Measurement:
    """Measure `table/guess_to_light` while a bridge runs with this kind of broker; "none" means
    that no bridge runs."""
    with ExitStack() as stack:
        table, console, finger = stack.enter_context(table_with_a_finger())
        if broker in ("there", "floods"):
            port = stack.enter_context(mosquitto_running(table.folder))
        else:
            port = free_port()
        if broker != "none":
            stack.enter_context(bridge_running(table.folder, port))
        if broker == "floods":
            program = [sys.executable, "-m", "pi_table.lab.bench.flood", str(port), str(A_SECOND)]
            stack.enter_context(kill_after_block(subprocess.Popen(program)))
            sleep(GATHER_SECONDS)
        random = Random()
        seconds = [finger.guess(console, random) for _ in range(guesses)]
    return {"name": f"bridge/guess_to_light_{broker}", **percentiles(seconds)}


@contextmanager
def mosquitto_running(folder: Path) -> Iterator[int]:
    """Yield the port of a running broker that accepts every client on this machine."""
    port, settings = free_port(), folder / "mosquitto.conf"
    before = "user root\n" if os.geteuid() == 0 else ""
    settings.write_text(f"{before}listener {port} 127.0.0.1\nallow_anonymous true\n")
    program = subprocess.Popen(
        [str(PROGRAM), "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with kill_after_block(program):
        until = monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                if monotonic() > until:
                    raise
                sleep(0.01)
            else:
                break
        yield port


def bridge_running(
    folder: Path, port: int, module: str = "pi_table"
) -> AbstractContextManager[Beside]:
    settings = f'[bridge]\nbroker = "mqtt://127.0.0.1:{port}"\ntable = "bench"\n'
    settings += f'metrics = "{folder / METRICS}"\n'
    stand_back = partial(os.nice, NICE)
    program = (sys.executable, "-m", module)
    return process_beside("bridge", folder, settings, stand_back, subprocess.DEVNULL, program)
