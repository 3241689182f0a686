"""Contents of a disk after a power cut, computed from the operations before it."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from pi_table.table.store.entries import StoredEntry

SECTOR = 512


class State(NamedTuple):
    """Contents of a journal: the entries of each game, and the latest game's ``noted_at``."""

    games: tuple[tuple[StoredEntry, ...], ...] = ()
    noted_at: float | None = None


class Write(NamedTuple):
    file: int
    offset: int
    data: bytes


class Truncate(NamedTuple):
    file: int
    size: int


class Sync(NamedTuple):
    file: int


class Name(NamedTuple):
    """From now on a name in the directory stands for this file, or for none."""

    name: str
    file: int | None


class SyncNames(NamedTuple):
    """The directory was synced."""


class Asked(NamedTuple):
    """The journal was asked for something; with that done, it holds this."""

    state: State


class Promised(NamedTuple):
    """The journal has returned: it holds this."""

    state: State


Operation = Write | Truncate | Sync | Name | SyncNames | Asked | Promised


class Fate:
    """Decides for each sector, length and name which of its unsynced changes has arrived."""

    MOODS = ("nothing", "everything", "in order", "few", "any", "most")

    def __init__(self, chance: random.Random, cut: int) -> None:
        self.chance = chance
        self.mood = chance.choice(self.MOODS)
        self.moment = chance.randint(max(0, cut - 24), cut)

    def arrived(self, times: Sequence[int]) -> int:
        """Return the number of changes of these times that are on the disk: the first so many."""
        match self.mood:
            case "nothing":
                return 0
            case "everything":
                return len(times)
            case "in order":
                return bisect_right(times, self.moment)
            case "few" if self.chance.random() < 0.9:
                return 0
            case "most" if self.chance.random() < 0.9:
                return len(times)
            case _:
                return self.chance.randint(0, len(times))


class File:
    """The content of one file, as programs see it and as the disk may hold it."""

    def __init__(self) -> None:
        self.seen = bytearray()
        self.sync()

    def sync(self) -> None:
        self.safe = bytes(self.seen)
        self.sectors: dict[int, list[tuple[int, int, bytes]]] = {}  # time, offset, data of each
        self.lengths: list[tuple[int, int]] = []  # time, length

    def write(self, time: int, offset: int, data: bytes) -> None:
        end = offset + len(data)
        if end > len(self.seen):
            self.truncate(time, end)
        self.seen[offset:end] = data
        for sector in range(offset // SECTOR, (end - 1) // SECTOR + 1):
            first, last = max(offset, sector * SECTOR), min(end, (sector + 1) * SECTOR)
            piece = (time, first, data[first - offset : last - offset])
            self.sectors.setdefault(sector, []).append(piece)

    def truncate(self, time: int, size: int) -> None:
        if size < len(self.seen):  # should it grow again, it grows by zeros
            self.write(time, size, bytes(len(self.seen) - size))
            del self.seen[size:]
        else:
            self.seen.extend(bytes(size - len(self.seen)))
        self.lengths.append((time, size))

    def left(self, fate: Fate) -> bytes:
        """The content after a cut."""
        if fate.mood == "everything":
            return bytes(self.seen)
        if fate.mood == "nothing" or not (self.sectors or self.lengths):
            return self.safe
        arrived = fate.arrived([time for time, _ in self.lengths])
        length = self.lengths[arrived - 1][1] if arrived else len(self.safe)
        left = bytearray(self.safe[:length])
        left.extend(bytes(length - len(left)))
        for pieces in self.sectors.values():
            for _, offset, data in pieces[: fate.arrived([time for time, _, _ in pieces])]:
                if offset < length:
                    left[offset : offset + len(data)] = data
        return bytes(left[:length])


class Surface:
    """A disk with one directory, and what was promised about it."""

    def __init__(self, operations: Sequence[Operation] = ()) -> None:
        self.files: dict[int, File] = {}
        self.safe_names: dict[str, int | None] = {}
        self.names: dict[str, list[tuple[int, int | None]]] = {}  # time and file of each change
        self.allowed = [State()]  # what was promised, then what it and each act since would make
        self.time = 0
        self.apply(operations)

    def apply(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            self.time += 1
            match operation:
                case Write(file, offset, data):
                    self.files[file].write(self.time, offset, data)
                case Truncate(file, size):
                    self.files[file].truncate(self.time, size)
                case Sync(file):
                    self.files[file].sync()
                case Name(name, file):
                    self.names.setdefault(name, []).append((self.time, file))
                    if file is not None:
                        self.files.setdefault(file, File())
                case SyncNames():
                    self.safe_names = self.seen_names()
                    self.names.clear()
                case Asked(state):
                    self.allowed.append(state)
                case Promised(state):
                    self.allowed = [state]

    def seen_names(self) -> dict[str, int | None]:
        """The names as programs see them."""
        return self.safe_names | {name: changes[-1][1] for name, changes in self.names.items()}

    def seen(self) -> dict[str, bytes]:
        """The files by name, as programs see them."""
        names = self.seen_names().items()
        return {name: bytes(self.files[file].seen) for name, file in names if file is not None}

    def left(self, fate: Fate) -> dict[str, bytes]:
        """The files by name, after a cut."""
        names = dict(self.safe_names)
        for name, changes in self.names.items():
            if arrived := fate.arrived([time for time, _ in changes]):
                names[name] = changes[arrived - 1][1]
        return {
            name: self.files[file].left(fate) for name, file in names.items() if file is not None
        }
