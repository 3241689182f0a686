"""Measures the resources that a bridge uses, and whether it slows down the table: with a broker
that answers, with no broker, and with a broker that floods the bridge with commands.

The broker is Debian's Mosquitto on the loopback interface. Without Mosquitto, nothing is measured.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Final, Literal

from pi_table.common.errors import InputError
from pi_table.lab.bench.beside import Beside, kill_after_block, process_beside
from pi_table.lab.bench.cost import cost_of
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import folder_on_disk, table_with_a_finger
from pi_table.lab.running_table import TIMEOUT_SECONDS, RunningTable
from pi_table.simulator.processes import free_port

Broker = Literal["none", "there", "away", "floods"]
PROGRAM: Final = Path("/usr/sbin/mosquitto")
GUESSES: Final = 600
REST_SECONDS: Final = 30.0
BRIEF: Final = {"guesses": 100, "rest": 5.0}
A_SECOND: Final = 10_000
"""Number of commands per second that the broker sends when it floods the bridge."""
NICE: Final = 10
"""Niceness of the bridge's process, as in its systemd unit."""
GATHER_SECONDS: Final = 3.0
"""Seconds that a bridge, or a flood of commands, runs before the measurement begins."""


def measure(guesses: int = GUESSES, rest: float = REST_SECONDS) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench bridge`. Raises InputError if Mosquitto is
    missing."""
    if not PROGRAM.exists():
        raise InputError(f"There is no {PROGRAM}: install Debian's package mosquitto.")
    yield from at_rest(rest)
    brokers: tuple[Broker, ...] = ("none", "there", "away", "floods")
    for broker in brokers:
        yield guess_to_light(broker, guesses)


def at_rest(seconds: float) -> Iterator[Measurement]:
    with ExitStack() as stack:
        folder = stack.enter_context(folder_on_disk())
        table = stack.enter_context(RunningTable(folder))
        table.wait()
        console = table.console()
        stack.callback(console.close)
        console.do("start", profile=PROFILE.id, cards="dealt")
        port = stack.enter_context(mosquitto_running(folder))
        bridge = stack.enter_context(bridge_running(folder, port))
        cost = stack.enter_context(cost_of(bridge.pid))
        sleep(GATHER_SECONDS)
        yield from cost.at_rest("bridge/pss", "bridge/rest_cpu", seconds)


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


def bridge_running(folder: Path, port: int) -> AbstractContextManager[Beside]:
    settings = f'[bridge]\nbroker = "mqtt://127.0.0.1:{port}"\ntable = "bench"\n'
    return process_beside("bridge", folder, settings, partial(os.nice, NICE))
