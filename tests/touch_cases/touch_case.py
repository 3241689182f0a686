"""A case of touch as text: what happens to a table, what is felt of it, and what that means.

The script of a case is played on the controller's firmware, in virtual time, and heard through the
link by the policy. Each folder here is a case; each line is an event, with the seconds since the
table was ready:

- script.txt: what is done, in the words of firmware/model/README.md; also ``stall SECONDS`` (the
  program stands still) and ``end``
- frames.txt: what the driver reports
- intents.txt: what the hands do, and each place that was ``meant``

For a new case add a folder with a script. To write the other files, also after a change of the
policy: ``pytest -n 0 tests/touch_cases -k host_build --new-touch-cases``. Then read ``git diff``:
each changed line is a touch that means something else now. drops-at-once shows a limit: a guess
that nobody meant.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.common.geometry import PLACES
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.simulator.emulated import Build, EmulatedTable
from pi_table.simulator.virtual_controller import VirtualController
from pi_table.table.engine.touches.intents import Hands, Intents

FOLDER: Final = Path(__file__).parent
CASES: Final = sorted(script.parent.name for script in FOLDER.glob("*/script.txt"))
SEED: Final = 1
"""Of the noise."""


class Event(NamedTuple):
    at: float
    """Seconds since the table was ready."""
    what: str


class Case(NamedTuple):
    """The results of a script."""

    frames: list[Event]
    """The driver's frames, at each change."""
    intents: list[Event]
    """The hands' actions, at each change, and the meant places."""


def events(text: str) -> list[Event]:
    """The events of a text, a line each: seconds, and what. Lines that begin with # say why."""
    found = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            at, what = line.split(maxsplit=1)
            found.append(Event(float(at), what))
    return found


def written(told: Iterable[Event]) -> str:
    return "".join(f"{event.at:7.3f}  {event.what}\n" for event in told)


def text_of(name: str, what: str) -> str:
    """``what``: script, frames or intents."""
    return (FOLDER / name / f"{what}.txt").read_text("utf-8")


def play(script: str, build: Build) -> Case:
    with EmulatedTable(build, seed=SEED) as table:
        return _Play(table).through(events(script))


class _Play:
    def __init__(self, table: EmulatedTable) -> None:
        self._table = table
        self._controller = VirtualController(table)
        self._intents = Intents()
        self._now = 0.0
        self._case = Case([], [])
        self._controller.start(self._felt)

    def through(self, script: list[Event]) -> Case:
        for event in script:
            self._run(event.at)
            match event.what.split():
                case ["end"]:
                    pass
                case ["stall", seconds]:
                    self._now = event.at + float(seconds)
                    self._controller.stand_still(self._now)
                case _:
                    self._table.tell(event.what)
        return self._case

    def _run(self, until: float) -> None:
        while self._now < until:
            wakes = self._intents.wakes
            due = until if wakes is None else max(self._now, min(until, wakes))
            self._controller.advance(due)
            self._now = max(self._now, min(due, self._controller.now))
            if wakes is not None and wakes <= self._controller.now:
                self._now = max(self._now, self._controller.now)
                self._pass()
            elif self._controller.now >= due:
                self._now = max(self._now, due)

    def _felt(self, frame: TouchFrame) -> None:
        now = max(self._now, self._controller.now)
        _note(self._case.frames, now, _frame(frame))
        assert self._intents.frame(frame, now) is None  # time alone completes a hold
        self._hands(now)

    def _pass(self) -> None:
        if (meant := self._intents.tick(self._now)) is not None:
            self._case.intents.append(Event(self._now, f"meant {PLACES[meant]}"))
        self._hands(self._now)

    def _hands(self, now: float) -> None:
        hands, hold = self._intents.hands, self._intents.hold
        where = "" if hold is None or hands is not Hands.HOLDING else f" {PLACES[hold.place]}"
        _note(self._case.intents, now, f"{hands.value}{where}")


def _note(told: list[Event], now: float, what: str) -> None:
    """Add what is another than the event before."""
    if not told or told[-1].what != what:
        told.append(Event(now, what))


def _frame(frame: TouchFrame) -> str:
    sets = {
        "touched": frame.touched,
        "heavy": frame.heavy,
        "noisy": frame.noisy,
        "deaf": frame.deaf,
    }
    parts = [
        f"{name} {' '.join(PLACES[place] for place in sorted(places))}"
        for name, places in sets.items()
        if places
    ]
    parts += ["blocked"] * frame.blocked + ["late"] * frame.late
    return " · ".join(parts) or "nothing"
