"""Notes when each step of a guess is done, inside the table's process.

The table's own code is not changed for this. A table that runs by this module notes the time before
or after some of its functions, and writes its notes into a file when it ends::

    python -m pi_table.lab.bench.stamps FILE run --config CONFIG
"""

import functools
import importlib
import runpy
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec

from pi_table.lab.bench.measurement import Measurement, percentiles

ENGINE: Final = "pi_table.table.engine"


class Step(NamedTuple):
    """A step of a guess."""

    name: str
    follows: str
    """Name of the step before; "touched" is the moment at which the finger's line is sent."""
    module: str
    function: str
    """The step is done when the program calls this function of the module."""
    at_the_end: bool = False
    """True if the step is done when the function returns."""


STEPS: Final = (
    Step("read", "touched", "pi_table.devices.hal.simulated_link", "drain", at_the_end=True),
    Step("felt", "read", f"{ENGINE}.table", "Table.on_touch_frame"),
    Step("judged", "felt", f"{ENGINE}.storage.workers", "OnThreads.give"),
    Step("handed", "judged", f"{ENGINE}.storage.orders", "Store.carry_out"),
    Step("written", "handed", "pi_table.table.store.disk", "OpenSmallFile.write", at_the_end=True),
    Step("settled", "written", f"{ENGINE}.game_queue", "GameQueue._on_stored"),
    Step("shown", "settled", f"{ENGINE}.presentation.light_player", "LightPlayer.show"),
    Step(
        "sent", "written", "pi_table.devices.hal.simulated_link", "_World._write", at_the_end=True
    ),
)

Notes = dict[str, list[float]]
"""For each step, by name, the times at which it was done, as `perf_counter` tells them. All
processes of a machine share its clock."""


def steps_of(notes: Notes, touches: list[float]) -> Iterator[Measurement]:
    """Yield a measurement for each step: the milliseconds from the touch until the step is done.
    ``alone`` are those of the step itself. ``touches`` has the time of each touch."""
    since: dict[str, list[float]] = {step.name: [] for step in STEPS}
    alone: dict[str, list[float]] = {step.name: [] for step in STEPS}
    for touched in touches:
        at = {"touched": touched}
        for step in STEPS:
            noted, before = notes[step.name], at[step.follows]
            at[step.name] = noted[bisect_left(noted, before)]
            since[step.name].append(at[step.name] - touched)
            alone[step.name].append(at[step.name] - before)
    for step in STEPS:
        yield {
            "name": f"table/stamps/{step.name}",
            **percentiles(since[step.name]),
            "least": _milliseconds(min(since[step.name])),
            "alone": _milliseconds(median(alone[step.name])),
            "least_alone": _milliseconds(min(alone[step.name])),
            "follows": step.follows,
        }


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 3)


def _watch(step: Step, notes: list[float]) -> None:
    """Make each call of the step's function note the time."""
    *owners, name = step.function.split(".")
    owner = functools.reduce(getattr, owners, importlib.import_module(step.module))
    function: Callable[..., Any] = getattr(owner, name)

    @functools.wraps(function)
    def noted(*arguments: Any, **named: Any) -> Any:
        if not step.at_the_end:
            notes.append(perf_counter())
        try:
            return function(*arguments, **named)
        finally:
            if step.at_the_end:
                notes.append(perf_counter())

    setattr(owner, name, noted)


def main(file: Path, arguments: list[str]) -> None:
    """Run pi-table with these arguments, and write its notes into the file."""
    notes: Notes = {step.name: [] for step in STEPS}
    for step in STEPS:
        _watch(step, notes[step.name])
    try:
        sys.argv[1:] = arguments
        runpy.run_module("pi_table")
    finally:
        file.write_bytes(msgspec.json.encode(notes))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
