"""Tests fingers while the table is stopped. A finger that is lifted in that time must not make a
guess, but a finger that stays must make one.

SIGSTOP stops the real program for up to three seconds, in the middle of a hold. The finger is
simulated in three ways: at the link of the simulated table, at the firmware built for this machine,
and at the emulated touch chips. In the last two, the table reads a serial device.
"""

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final, get_args

from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.running_table import Console, RunningTable, cover_of
from pi_table.simulator.emulated import Build, running
from pi_table.simulator.hands import FINGER_COUNTS, FINGER_MS

TIMES: Final = 40
HOLD: Final = 0.4
LIFTED_BY: Final = 0.34
"""Latest time of a lift, in seconds after the touch. The touch chips add their delay to it."""
TOO_LATE: Final = 0.37
"""Seconds after the touch. A later lift does not count, because this program was delayed."""
MAX_STALL_SECONDS: Final = 3.0
ELSEWHERE: Final = 0.8
"""Seconds without a finger before the touch of the next cell. The table would treat faster touches
as a single movement."""
WAYS: Final = ("link", *get_args(Build))

Finger = Callable[[str, bool], None]
"""Function that puts a finger on a cell (True) or lifts it (False)."""


def measure(times: int = TIMES) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench stalls`."""
    for way in WAYS:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
            table, finger = _table(stack, folder, way)
            console = table.console()
            stack.callback(console.close)
            hand, random = _Hand(table, console, finger), Random()
            guesses = sum(islice(hand.lift_fingers(random), times))
            yield {
                "name": f"stalls/{way}/lifted_fingers_that_guessed",
                "value": guesses,
                "unit": f"of {times}",
            }
            few = max(1, times // 4)
            yield {
                "name": f"stalls/{way}/held_fingers_that_guessed",
                "value": sum(islice(hand.hold_fingers(random), few)),
                "unit": f"of {few}",
            }


def _table(stack: ExitStack, folder: Path, way: str) -> tuple[RunningTable, Finger]:
    if way == "link":
        table = stack.enter_context(RunningTable(folder))
        table.wait()
        link = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        link.connect(str(table.link))

        def at_link(cell: str, down: bool) -> None:
            link.sendall(json.dumps({"touch" if down else "release": cell}).encode() + b"\n")

        return table, at_link
    port, control = folder / "port", folder / "control"
    (build,) = (build for build in get_args(Build) if build == way)
    stack.enter_context(running(build, port, control))
    world = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
    world.connect(str(control))

    def at_chips(cell: str, down: bool) -> None:
        world.sendall(f"shape 0 {cell} {FINGER_MS}:{FINGER_COUNTS if down else 0}\n".encode())
        world.recv(4096)

    named = '[touch]\ndriver = "controller"\n[lights]\ndriver = "controller"\n'
    settings = f'{named}[controller]\nport = "{port}"\n'
    table = stack.enter_context(RunningTable(folder, settings))
    table.wait()
    return table, at_chips


class _Hand:
    def __init__(self, table: RunningTable, console: Console, finger: Finger) -> None:
        self._table = table
        self._console = console
        self._finger = finger

    def lift_fingers(self, random: Random) -> Iterator[bool]:
        """Lift fingers while the table is stopped. For each finger, yield True if it made a guess.

        If this program lifted a finger too late, the finger does not count, because it proves
        nothing.
        """
        while True:
            in_time, guessed = self._touch_while_stopped(random, lifts=True)
            if in_time:
                yield guessed

    def hold_fingers(self, random: Random) -> Iterator[bool]:
        """Hold fingers until the table continues after its stop. For each finger, yield True if it
        made a guess."""
        while True:
            yield self._touch_while_stopped(random, lifts=False)[1]

    def _touch_while_stopped(self, random: Random, lifts: bool) -> tuple[bool, bool]:
        """Touch a cell, and stop the table in the middle of the hold.

        Return two booleans: whether the finger was lifted in time, and whether it made a guess.
        """
        cell = random.choice(self._free_cells())
        down = monotonic()
        self._finger(cell, True)
        sleep(random.uniform(0.02, LIFTED_BY - 0.05))
        os.kill(self._table.process.pid, signal.SIGSTOP)
        end = monotonic() + random.uniform(0.0, MAX_STALL_SECONDS)
        in_time = True
        if lifts:
            lift = down + random.uniform(monotonic() - down, LIFTED_BY)
            sleep(max(0.0, lift - monotonic()))
            self._finger(cell, False)
            in_time = monotonic() < down + TOO_LATE
        sleep(max(0.0, end - monotonic()))
        os.kill(self._table.process.pid, signal.SIGCONT)
        guessed = self._console.within(2 * HOLD, lambda table: cover_of(table, cell) is not None)
        if not lifts:
            self._finger(cell, False)
        sleep(ELSEWHERE)
        return in_time, guessed

    def _free_cells(self) -> list[str]:
        while True:
            public = self._console.table["public"]
            if public is None or public["phase"] == "over":
                self._console.do("start", profile=PROFILE.id)
            elif public["phase"] == "clue":
                self._console.do("clue", f"{public['turn']}-spymaster", number="unlimited")
            else:
                return [name for name, cell in public["cells"].items() if cell["covered"] is None]
