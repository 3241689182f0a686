"""Plays games of many shapes into a recorded journal, and marks what was asked and promised."""

import itertools
import math
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from powercut_recorder import NO_FLAW, Flaw, RecordedDisk, Recorder
from powercut_surface import (
    Asked,
    Fate,
    Name,
    Operation,
    Promised,
    State,
    Surface,
    Sync,
    SyncNames,
    Write,
)

from pi_table.table.store.entries import Entry, StoredEntry
from pi_table.table.store.faults import JournalFailingError, JournalFullError
from pi_table.table.store.journal import Journal

DATABASE = "journal.sqlite"


@dataclass(frozen=True)
class Shape:
    """The kind of game that a recording plays."""

    acts: int = 14
    body: tuple[int, int] = (20, 300)
    """Bytes of a body, from and to."""
    batch: int = 3
    """Events stored together, at most."""
    begin: float = 0.05
    """Probability that an act begins another game; the next fields work alike. The rest is for
    appending."""
    note: float = 0.15
    fail: float = 0.0
    reopen: float = 0.0
    die: float = 0.0
    lose_power: float = 0.0
    pragmas: tuple[str, ...] = ()
    """Settings of the recorded connection."""


SHAPES = {
    "many small appends": Shape(acts=20, begin=0, batch=1),
    "long bodies": Shape(acts=6, body=(1_000, 20_000), batch=1),
    "several games": Shape(begin=0.4),
    "reopened": Shape(reopen=0.3),
    "checkpoints": Shape(acts=18, pragmas=("wal_autocheckpoint=6",)),
    "checkpoints of long bodies": Shape(
        acts=9, body=(10, 9_000), pragmas=("wal_autocheckpoint=3",)
    ),
    "a small cache": Shape(acts=6, body=(1_000, 9_000), pragmas=("cache_size=3",)),
    "full and failing": Shape(fail=0.4, die=0.1),
    "killed": Shape(die=0.25, pragmas=("wal_autocheckpoint=8",)),
    "power lost before": Shape(lose_power=0.25, reopen=0.1, pragmas=("wal_autocheckpoint=8",)),
}


class Recording(NamedTuple):
    """One run: what made it, all it asked of the disk, and the first place to cut it at."""

    label: str
    operations: list[Operation]
    first_cut: int


class Scribe:
    """Plays acts into a recorded journal in ``folder``, and marks what is asked and promised."""

    def __init__(
        self, folder: Path, chance: random.Random, shape: Shape, flaw: Flaw = NO_FLAW
    ) -> None:
        self.folder = folder
        self.chance = chance
        self.shape = shape
        self.flaw = flaw
        self.clock = itertools.count()
        self.state = State()
        self.first_cut = 0
        self._start_up([], {})

    def open(self) -> None:
        """Opens the journal, which must hold what it may; what it shows is then promised."""
        self.journal = Journal.open(self.folder / DATABASE, disk=self.disk)
        state = content(self.journal)
        assert self.flaw != NO_FLAW or state in Surface(self.operations).allowed
        self._promise(state)

    def close(self) -> None:
        self.journal.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def begin(self) -> None:
        entries, wall = self._entries()
        self._ask(State((*self.state.games, stored(entries, wall)), entries[-1].at))
        self.journal.begin(entries, wall)
        self._promise(self.asked)
        self._settle()

    def append(self) -> None:
        entries, wall = self._entries()
        *others, game = self.state.games
        self._ask(State((*others, game + stored(entries, wall)), entries[-1].at))
        self.journal.append(len(self.state.games), entries, wall)
        self._promise(self.asked)
        self._settle()

    def _settle(self) -> None:
        """Mostly, as the table does; else it is done with what comes next."""
        if self.chance.random() < 0.8:
            self.journal.settle()

    def note_time(self) -> None:
        at = float(next(self.clock))
        self._ask(State(self.state.games, at))
        self.journal.note_time(len(self.state.games), at)
        self._promise(self.asked)

    def fail(self) -> None:
        """The disk gets full or fails while the journal appends."""
        self.recorder.until_trouble = self.chance.randint(0, 9)
        try:
            self.append()
        except JournalFullError:  # what it had stays, for more
            self.recorder.until_trouble = math.inf
            assert content(self.journal) == self.state
        except JournalFailingError:  # what it has now is to be seen
            self.recorder.until_trouble = math.inf
            self.reopen()
        self.recorder.until_trouble = math.inf

    def die(self) -> None:
        """The process is killed somewhere in the latest act; the machine and its memory live on.

        What was not synced then is still not synced when the next process opens the journal.
        """
        surface = self._interrupt()
        self._start_up(self.operations, surface.seen())
        self.open()

    def lose_power(self) -> None:
        """The power is cut somewhere in the latest act. What that leaves is safe from then on."""
        surface = self._interrupt()
        files = surface.left(Fate(self.chance, surface.time))
        operations: list[Operation] = [Promised(surface.allowed[0])]
        operations += map(Asked, surface.allowed[1:])
        for file, (name, data) in enumerate(files.items()):
            operations += [Name(name, file), Write(file, 0, data), Sync(file)]
        self._start_up([*operations, SyncNames()], files)
        self.first_cut = len(self.operations)
        self.open()

    def _start_up(self, operations: list[Operation], files: dict[str, bytes]) -> None:
        """A process starts on these files, which these operations have made."""
        lay_out(self.folder, files)
        self.operations = operations
        synced = "sqlite" not in self.flaw.unsynced
        self.recorder = Recorder(operations, names_synced=synced)
        self.disk = RecordedDisk(recorder=self.recorder, flaw=self.flaw, pragmas=self.shape.pragmas)

    def _interrupt(self) -> Surface:
        """Takes back what followed a moment in the latest act, often the one before a sync."""
        moments = len(self.operations)
        self.close()
        asked = [i for i in range(moments) if type(self.operations[i]) is Asked]
        first = max([*asked, self.first_cut])
        syncs = [i for i in range(first, moments) if type(self.operations[i]) is Sync]
        del self.operations[self.chance.choice([*syncs, self.chance.randint(first, moments)]) :]
        return Surface(self.operations)

    def _entries(self) -> tuple[list[Entry], str]:
        entries = [
            Entry(
                float(next(self.clock)),
                self.chance.randbytes(self.chance.randint(*self.shape.body)),
            )
            for _ in range(self.chance.randint(1, self.shape.batch))
        ]
        return entries, f"2026-11-21T08:15:{next(self.clock) % 60:02}Z"

    def _ask(self, state: State) -> None:
        self.asked = state
        self.operations.append(Asked(state))

    def _promise(self, state: State) -> None:
        self.state = state
        self.operations.append(Promised(state))


def record(folder: Path, name: str, seed: int, flaw: Flaw = NO_FLAW) -> Recording:
    """Plays one run of a shape; the same seed plays the same."""
    shape = SHAPES[name]
    chance = random.Random(f"{name}/{seed}")
    scribe = Scribe(folder, chance, shape, flaw)
    likely: dict[Callable[[], None], float] = {
        scribe.begin: shape.begin,
        scribe.note_time: shape.note,
        scribe.fail: shape.fail,
        scribe.reopen: shape.reopen,
        scribe.die: shape.die,
        scribe.lose_power: shape.lose_power,
    }
    likely[scribe.append] = 1 - sum(likely.values())
    scribe.open()
    scribe.begin()
    for act in chance.choices(list(likely), list(likely.values()), k=shape.acts):
        act()
        if not scribe.state.games:  # a cut took the only one, which was still to be promised
            scribe.begin()
    scribe.close()
    return Recording(f"{name!r}, seed {seed}", scribe.operations, scribe.first_cut)


def stored(entries: Sequence[Entry], wall: str) -> tuple[StoredEntry, ...]:
    """The entries as the journal gives them back."""
    return tuple(StoredEntry(entry.at, entry.body, wall) for entry in entries)


def content(journal: Journal) -> State:
    """All that a journal holds, verified."""
    latest = journal.latest()
    if latest is None:
        return State()
    earlier = [journal.read(number).entries for number in range(1, latest.number)]
    return State((*earlier, latest.entries), latest.noted_at)


def lay_out(folder: Path, files: dict[str, bytes]) -> None:
    """Puts these files into a folder, and no others."""
    for name in os.listdir(folder):
        os.unlink(folder / name)
    for name, data in files.items():
        with open(folder / name, "wb", buffering=0) as file:
            file.write(data)
