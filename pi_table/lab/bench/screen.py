"""Measures the time to paint the spymasters' screen, and the memory and processor time of its
process at rest.

The picture is that of a game half played, with its key and a clock. No other picture takes longer
to paint. The picture is painted in memory, by SDL's driver without a display. The time of a real
display is not measured.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from msgspec.structs import replace

from pi_table.common import config
from pi_table.common.errors import DeviceError
from pi_table.common.geometry import CELLS
from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import Input
from pi_table.lab.bench.beside import process_beside
from pi_table.lab.bench.cost import cost_of, processor_seconds
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.running_table import RunningTable
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console import painter
from pi_table.screens.console.console import Console
from pi_table.screens.console.look import Look, look_for
from pi_table.screens.console.model import Model
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage

SCREENS: Final = ((800, 480, 7.0), (1024, 600, 7.0), (480, 320, 3.5))
FRAMES: Final = 300
REST_SECONDS: Final = 30.0
BEGINS: Final = 3.0
"""Seconds in which the console connects and paints before its process is measured."""
STARTS: Final = 7
BRIEF: Final = {"frames": 100, "rest_seconds": 8.0, "starts": 2}
IMPORT: Final = (
    "from time import process_time as now; begun = now(); "
    "import pi_table.screens.console.app; print(now() - begun)"
)
"""A program that prints the processor time in seconds to import the console."""


def measure(
    frames: int = FRAMES, rest_seconds: float = REST_SECONDS, starts: int = STARTS
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench screen`."""
    model = mid_game()
    for w, h, inches in SCREENS:
        changes = {"width": w, "height": h, "inches": inches}
        look = look_for(config.load(changes={"console": changes}).console, House())
        yield from _of_screen(f"screen/{w}x{h}", look, model, frames)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
        table = stack.enter_context(RunningTable(folder, "[console]\nfullscreen = false\n"))
        table.wait()
        operator = table.console()
        operator.do("start", profile="codenames")
        operator.close()
        yield from _starts(folder, starts)
        yield from _at_rest(table, rest_seconds)


def mid_game() -> Model:
    """Return a screen of a game with covered cells and a running clock, on which the key is
    shown."""
    with Stage() as stage:
        game = {"profile": "codenames", "options": {"timer": "clock", "clue_seconds": 300}}
        stage.perform(scenario.Start(game))
        stage.perform(scenario.Console(Input.PEEK))
        console = stage.console.model
        assert isinstance(console.table, TableMessage)
        assert console.table.public is not None
        team = console.table.public.turn
        assert team is not None
        stage.perform(scenario.Act({"seat": f"{team.value}-spymaster", "act": "clue", "number": 9}))
        key = console.table.key or ""
        for cell in [cell for cell, of in zip(CELLS, key, strict=True) if of == team.value[0]][:5]:
            guess = {"seat": f"{team.value}-operatives", "act": "guess", "cell": cell}
            stage.perform(scenario.Act(guess))
        return stage.console.model


def _of_screen(name: str, look: Look, model: Model, frames: int) -> Iterator[Measurement]:
    console, full = console_and_painter(look, model)
    start = model.arrived

    began = perf_counter()
    full()
    first = round(1000 * (perf_counter() - began), 3)
    yield {"name": f"{name}/first", "value": first, "unit": "ms"}
    yield {"name": f"{name}/full"} | percentiles(_measure_seconds(full, frames))

    painted = console.scene(start)
    ticks = _measure_seconds(lambda: console.scene(start) == painted, frames)
    yield {"name": f"{name}/clock_ticks"} | percentiles(ticks)

    console.model = _without_clock(console.model)
    kept = console.scene(start)
    unchanged = _measure_seconds(lambda: console.scene(start) is kept, frames)
    yield {"name": f"{name}/unchanged"} | percentiles(unchanged)


def console_and_painter(look: Look, model: Model) -> tuple[Console, Callable[[], None]]:
    """Return a console that shows ``model``, and a function that draws and paints its picture. Each
    call paints the picture of one second later."""
    console = Console(lambda request: None, look=lambda house: look)
    console.model = replace(model, layout=look.layout)
    surface = pygame.Surface((look.width, look.height))
    seconds = count()

    def paint() -> None:
        painter.paint(surface, console.scene(model.arrived + next(seconds)))

    return console, paint


def _without_clock(model: Model) -> Model:
    """Return the same screen without a clock, and with a key that stays: nothing on it changes."""
    assert isinstance(model.table, TableMessage)
    assert model.table.public is not None
    public = replace(model.table.public, timer=None)
    return replace(model, table=replace(model.table, public=public, peek=None))


def _measure_seconds(do: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _ in range(times):
        began = perf_counter()
        do()
        taken.append(perf_counter() - began)
    return taken


def _starts(folder: Path, times: int) -> Iterator[Measurement]:
    """Measure the processor time to import the console, and the time from its start until its first
    picture is painted: only then it tells systemd that it is ready.

    Its modules are compiled before, as a package's are. The game of the table in ``folder`` shows.
    """
    environment = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "SDL_VIDEODRIVER": "dummy",
    }
    settings = f'[console]\nfullscreen = false\n[simulated]\nlink = "{folder / "link.sock"}"\n'
    imports, first, used = list[float](), list[float](), list[float]()
    for _ in range(1 + times):
        program = [sys.executable, "-c", IMPORT]
        imports.append(float(subprocess.check_output(program, env=os.environ | environment)))
        begun = perf_counter()
        with process_beside(
            "console", folder, settings, None, subprocess.DEVNULL, **environment
        ) as console:
            first.append(perf_counter() - begun)
            used.append(processor_seconds(console.pid))
    for name, unit, seconds in (
        ("screen/import", "s of a core", imports),
        ("screen/start_to_first_frame", "s", first),
        ("screen/start_cpu", "s of a core", used),
    ):
        _, *counted = seconds  # the first run compiled the modules
        value = round(median(counted), 3)
        worst = round(max(counted), 3)
        yield {"name": name, "value": value, "unit": unit, "max": worst, "starts": times}


def _at_rest(table: RunningTable, seconds: float) -> Iterator[Measurement]:
    """Measure the memory and processor time of the console's process during a game in which nothing
    happens."""
    with ExitStack() as stack:
        command = [sys.executable, "-m", "pi_table", "console", "--config", str(table.config)]
        process = subprocess.Popen(
            command,
            env=os.environ | {"SDL_VIDEODRIVER": "dummy"},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(process.wait)
        stack.callback(process.terminate)
        cost = stack.enter_context(cost_of(process.pid))
        sleep(BEGINS)
        if process.poll() is not None:
            raise DeviceError("The console ended by itself; `pi-table console` says why.")
        yield from cost.at_rest("screen/rest_pss", "screen/rest_cpu", seconds)
