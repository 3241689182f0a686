"""Counts the instructions of pi-table's programs, and estimates the time on a small machine.

QEMU runs the programs with the Python of Raspberry Pi OS 12. It counts what the programs execute,
but not what the kernel does for them. A busy machine hardly changes the counts.

The small machine is a Raspberry Pi Zero 2 W. Its cores are of the kind Cortex-A53.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import sleep
from typing import Final

from pi_table.lab.arm64.emulated_python import EmulatedPython
from pi_table.lab.bench.beside import process_beside
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.bench.table import (
    folder_on_disk,
    play_to_mid_game,
    table_with_a_finger,
    to_guess,
)
from pi_table.lab.bench.web import Looking, pages_running
from pi_table.lab.running_table import RunningTable
from pi_table.simulator.processes import free_port

CYCLES_PER_SECOND: Final = 1.0e9
INSTRUCTIONS_PER_CYCLE: Final = 0.5
"""Instructions of CPython in a cycle of a Cortex-A53. This is assumed: no measurement was found.
The core can execute two, but does not reorder them, and its caches are small."""
INSTRUCTIONS_PER_SECOND: Final = CYCLES_PER_SECOND * INSTRUCTIONS_PER_CYCLE
GUESSES: Final = 20
PICTURES: Final = 20
NEWS: Final = 8
VIEWERS: Final = 20
REST_SECONDS: Final = 20.0
SETTLE_SECONDS: Final = 3.0
"""Seconds after which an emulated program has finished what an act caused."""
BRIEF: Final = {"guesses": 5, "pictures": 5, "news": 3, "rest": 10.0}


def measure(
    guesses: int = GUESSES, pictures: int = PICTURES, news: int = NEWS, rest: float = REST_SECONDS
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench small`. Raises InputError if QEMU is missing."""
    yield from at_rest(rest)
    yield from guess(guesses)
    yield console_frame(pictures)
    yield from board_update(news)
    yield from ready()


def at_rest(seconds: float) -> Iterator[Measurement]:
    """Count the instructions a second of each program, in mid-game with a clock and one viewer."""
    with ExitStack() as stack:
        folder = stack.enter_context(folder_on_disk())
        pythons = {name: EmulatedPython(folder / f"{name}.count") for name in PROGRAMS}
        table = stack.enter_context(_engine(folder, pythons["engine"]))
        play_to_mid_game(stack, table).close()  # the table has one console: next comes the real one
        stack.enter_context(_console(folder, pythons["console"]))
        stack.enter_context(_viewer(stack.enter_context(_pages(folder, pythons["pages"]))))
        sleep(SETTLE_SECONDS)
        before = {name: python.count() for name, python in pythons.items()}
        sleep(seconds)
        rates = {name: (pythons[name].count() - before[name]) / seconds for name in pythons}
    for name, rate in rates.items():
        yield {
            "name": f"small/rest/{name}",
            "value": round(rate),
            "unit": "instructions/s",
            "core_percent": round(100 * rate / INSTRUCTIONS_PER_SECOND, 2),
            "instructions_per_cycle": INSTRUCTIONS_PER_CYCLE,
            "seconds": seconds,
        }


def guess(guesses: int) -> Iterator[Measurement]:
    """Count the engine's instructions for a guess: from the touch to its light, and in all."""
    random, light, everything = Random(1), list[int](), list[int]()
    with ExitStack() as stack:
        python = _python(stack)
        _, console, finger = stack.enter_context(table_with_a_finger(program=python.program))
        while len(light) < guesses:
            cell = random.choice(to_guess(console, random))
            sleep(SETTLE_SECONDS)
            before = python.count()
            took = finger.touch(cell)
            until_light = python.count()
            finger.release(cell)
            sleep(SETTLE_SECONDS)
            if took is not None:  # else the guess came too late for its light to be seen
                light.append(until_light - before)
                everything.append(python.count() - before)
            while console.waiting():
                console.read()
    yield _measured("small/guess", light)
    yield _measured("small/guess_in_all", everything)


def console_frame(pictures: int) -> Measurement:
    """Count the console's instructions for a picture of the key, drawn and painted."""
    with ExitStack() as stack:
        counter = stack.enter_context(folder_on_disk()) / "count"
        python = EmulatedPython(counter)
        program = ["-m", "pi_table.lab.bench.painted", str(counter), str(1 + pictures)]
        done = subprocess.run(
            [*python.command, *program], check=True, stdout=subprocess.PIPE, text=True
        )
    # The first picture also cuts the type, and pygame prints a greeting before it.
    return _measured("small/console_frame", [*map(int, done.stdout.split()[-pictures:])])


def board_update(news: int) -> Iterator[Measurement]:
    """Count the instructions of the web pages' program for a guess that viewers see. One part is
    needed for each viewer, the other part only once."""
    alone, together = (_update_for(viewers, news) for viewers in (1, VIEWERS))
    for_each = (together - alone) / (VIEWERS - 1)
    yield _measured("small/board_update", [alone])
    yield _measured("small/board_update_once", [alone - for_each])
    yield _measured("small/board_update_each_viewer", [for_each])


def _update_for(viewers: int, news: int) -> float:
    """Return the median number of instructions for a guess that this many viewers see."""
    random, counts = Random(1), list[int]()
    with ExitStack() as stack:
        folder, python = stack.enter_context(folder_on_disk()), _python(stack)
        table = stack.enter_context(RunningTable(folder))
        table.wait()
        port = stack.enter_context(_pages(folder, python))
        console = table.console()
        stack.callback(console.close)
        console.do("start", profile=PROFILE.id, cards="dealt")
        for _ in range(viewers):
            stack.enter_context(_viewer(port))
        while len(counts) < news:
            cell = random.choice(to_guess(console, random))
            sleep(SETTLE_SECONDS)
            before = python.count()
            console.do("guess", f"{console.table['public']['turn']}-operatives", cell=cell)
            sleep(SETTLE_SECONDS)
            counts.append(python.count() - before)
    return median(counts)


def ready() -> Iterator[Measurement]:
    """Count the instructions of each program from its start until it is ready. Its byte code is
    there, as on every table: the first of two starts writes it."""
    for name, start in PROGRAMS.items():
        for _ in range(2):
            with ExitStack() as stack:
                folder, python = stack.enter_context(folder_on_disk()), _python(stack)
                stack.enter_context(start(folder, python))
                counted = python.count()
        yield _measured(f"small/ready/{name}", [counted])


@contextmanager
def _engine(folder: Path, python: EmulatedPython) -> Iterator[RunningTable]:
    with RunningTable(folder, program=python.program) as table:
        table.wait()
        yield table


@contextmanager
def _console(folder: Path, python: EmulatedPython) -> Iterator[None]:
    """Run the console without a display. It paints as usual, but nobody sees it."""
    settings = "[console]\nfullscreen = false\n"
    with process_beside(
        "console", folder, settings, None, program=python.program, SDL_VIDEODRIVER="dummy"
    ):
        yield


@contextmanager
def _pages(folder: Path, python: EmulatedPython) -> Iterator[int]:
    """Run the web pages' program. Yield its port."""
    port = free_port()
    with pages_running(folder, port, program=python.program):
        yield port


PROGRAMS: Final[dict[str, Callable[[Path, EmulatedPython], AbstractContextManager[object]]]] = {
    "engine": _engine,
    "console": _console,
    "pages": _pages,
}
"""Functions that run a program until it is ready, and then for the rest of the context."""


@contextmanager
def _viewer(port: int) -> Iterator[None]:
    with closing(Looking(port, "127.0.0.1")) as viewer:
        viewer.is_shown()
        yield


def _python(stack: ExitStack) -> EmulatedPython:
    return EmulatedPython(stack.enter_context(folder_on_disk()) / "count")


def _measured(name: str, counts: Sequence[float]) -> Measurement:
    """Return a measurement of the median of ``counts``, with the time on a small machine."""
    value = median(counts)
    return {
        "name": name,
        "value": round(value),
        "unit": "instructions",
        "max": round(max(counts)),
        "ms": round(1000 * value / INSTRUCTIONS_PER_SECOND, 2),
        "instructions_per_cycle": INSTRUCTIONS_PER_CYCLE,
        "times": len(counts),
    }
