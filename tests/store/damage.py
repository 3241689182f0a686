"""Damages journals, and tells which of them open as another state without a fault.

An evening is played into a journal; on the way images of its files are taken, as they are while the
table runs (somebody pulls the card, the power goes), as a power cut leaves them, and as a clean
stop leaves them. Each image is damaged: bits flip, sectors and pages are zeroed, scrambled, swapped
or fall back to what they held before, files are cut short, emptied, removed or replaced by what
they were before. What is then opened must be what was stored, or a StorageError must say that it
is not; and who is told so finds the files as they were.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from powercut import memory_folder, summary
from powercut_recorder import NO_FLAW, BareDisk, Flaw, RecordedDisk, Recorder
from powercut_scribe import DATABASE, content, lay_out, stored
from powercut_surface import SECTOR, Asked, Fate, Operation, Promised, State, Surface

from pi_table.common.errors import StorageError
from pi_table.table.store.entries import Entry, Listed
from pi_table.table.store.faults import JournalMissingError
from pi_table.table.store.journal import Journal

PAGE = 4096
FRAME = 24 + PAGE
"""A page in the -wal, with its header."""
NOW = "2026-11-21T08:15:00Z"
Files = dict[str, bytes]


@dataclass(frozen=True)
class Evening:
    """The course of an evening in a journal before the damage."""

    games: int
    acts: int
    """In each game."""
    batch: int = 3
    """Events of an act, at most."""
    body: tuple[int, int] = (256, 256)
    """Bytes of an event, from and to; the table pads its own to 256."""
    stops: float = 0.0
    """Probability of a stop and a start of the table after an act."""


EVENINGS = {
    "a first game": Evening(games=1, acts=6),
    "one long game": Evening(games=1, acts=60),
    "a whole evening": Evening(games=6, acts=25),
    "many short games": Evening(games=20, acts=2, batch=1),
    "stopped now and then": Evening(games=3, acts=15, stops=0.2),
    "long bodies": Evening(games=2, acts=8, body=(10, 9_000)),
}


class Image(NamedTuple):
    """The files of a journal at one moment, and the states that they may stand for."""

    kind: str
    moment: int
    """Number of disk operations before."""
    files: Files
    allowed: tuple[State, ...]


class Told(NamedTuple):
    """The result of a damaged image: ``fault`` is empty if it opened as stored."""

    fault: str
    silent: str | None
    """The error, if it opened as something else, or if files were changed."""


def images_of(folder: Path, name: str, seed: int, flaw: Flaw = NO_FLAW) -> list[Image]:
    """Plays an evening; images of it, running and after a power cut, the last one closed."""
    evening = EVENINGS[name]
    chance = random.Random(f"{name}/{seed}")
    lay_out(folder, {})
    operations: list[Operation] = []
    disk = RecordedDisk(recorder=Recorder(operations, names_synced=True), flaw=flaw)
    journal = Journal.open(folder / DATABASE, disk=disk)
    state = State()
    images = []

    def take(kind: str) -> None:
        files = {file.name: file.read_bytes() for file in folder.iterdir()}
        images.append(Image(kind, len(operations), files, (state,)))

    operations.append(Promised(state))
    for number in range(1, evening.games + 1):
        for act in range(evening.acts):
            entries = [
                Entry(10.0 * act + n, chance.randbytes(chance.randint(*evening.body)))
                for n in range(chance.randint(1, evening.batch))
            ]
            before = () if act == 0 else state.games[-1]
            games = state.games if act == 0 else state.games[:-1]
            noted = max(state.noted_at or 0.0, entries[-1].at) if act else entries[-1].at
            asked = State((*games, before + stored(entries, NOW)), noted)
            operations.append(Asked(asked))
            if act:
                journal.append(number, entries, NOW)
            else:
                journal.begin(entries, NOW)
            if chance.random() < 0.3:
                at = entries[-1].at + 5.0
                asked = State(asked.games, at)
                operations.append(Asked(asked))
                journal.note_time(number, at)
            state = asked
            operations.append(Promised(state))
            if chance.random() < 0.6:  # else it is done with what comes next
                journal.settle()
            if chance.random() < evening.stops:
                journal.close()
                take("closed")
                journal = Journal.open(folder / DATABASE, disk=disk)
                operations.append(Promised(state))
            take("running")
    journal.close()
    take("closed")
    return [*images, *_cuts(operations, chance, len(images) // 2 + 1)]


def _cuts(operations: list[Operation], chance: random.Random, count: int) -> Iterator[Image]:
    first = next(i for i, operation in enumerate(operations, 1) if type(operation) is Promised)
    surface = Surface()
    for cut in sorted(chance.randint(first, len(operations)) for _ in range(count)):
        surface.apply(operations[surface.time : cut])
        fate = Fate(chance, cut)
        yield Image("cut off", cut, surface.left(fate), tuple(surface.allowed))


Damage = Callable[[random.Random, Image, Image], Files]
"""Harms an image; the other one is of an earlier moment."""


def _one_file(harm: Callable[[random.Random, bytearray], None]) -> Damage:
    def damage(chance: random.Random, image: Image, earlier: Image) -> Files:
        name = chance.choice([name for name, data in sorted(image.files.items()) if data])
        data = bytearray(image.files[name])
        harm(chance, data)
        return image.files | {name: bytes(data)}

    return damage


def _in_use(chance: random.Random, data: bytearray, size: int) -> int:
    """Where a piece of that size begins that is not all zero, if one is found."""
    for _ in range(50):
        start = chance.randrange(0, len(data), size)
        if any(data[start : start + size]):
            break
    return start


def _flip(chance: random.Random, data: bytearray) -> None:
    data[_in_use(chance, data, 1)] ^= 1 << chance.randrange(8)


def _flips(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.randint(2, 40)):
        _flip(chance, data)


def _flip_at_the_end(chance: random.Random, data: bytearray) -> None:
    place = len(data) - 1 - chance.randrange(min(len(data), FRAME))
    data[place] ^= 1 << chance.randrange(8)


def _fill(size: int, by: Callable[[random.Random, int], bytes]) -> Damage:
    def harm(chance: random.Random, data: bytearray) -> None:
        start = _in_use(chance, data, size)
        length = min(size, len(data) - start)
        data[start : start + length] = by(chance, length)

    return _one_file(harm)


def _sectors_zeroed(chance: random.Random, data: bytearray) -> None:
    """A stretch of them, or some here and there."""
    if chance.random() < 0.5:
        start = chance.randrange(0, len(data), SECTOR)
        wiped = [*range(start, len(data), SECTOR)][: chance.randint(2, 32)]
    else:
        every = range(0, len(data), SECTOR)
        wiped = chance.sample(every, chance.randint(1, min(32, len(every))))
    for start in wiped:
        data[start : start + SECTOR] = bytes(len(data[start : start + SECTOR]))


def _zeros(_: random.Random, size: int) -> bytes:
    return bytes(size)


def _noise(chance: random.Random, size: int) -> bytes:
    return chance.randbytes(size)


def _swap(size: int) -> Damage:
    def harm(chance: random.Random, data: bytearray) -> None:
        offset = 32 if size == FRAME else 0
        one, other = (
            offset + size * chance.randrange(max(1, (len(data) - offset) // size)) for _ in "12"
        )
        first, second = data[one : one + size], data[other : other + size]
        if len(first) == len(second):
            data[one : one + size], data[other : other + size] = second, first

    return _one_file(harm)


def _shorten(chance: random.Random, data: bytearray) -> None:
    step = chance.choice((1, SECTOR, PAGE))
    del data[chance.randrange(0, len(data), step) :]


def _empty(chance: random.Random, data: bytearray) -> None:
    data.clear()


def _remove_one(chance: random.Random, image: Image, earlier: Image) -> Files:
    name = chance.choice(sorted(image.files))
    return {other: data for other, data in image.files.items() if other != name}


def _any_but_the_mark(chance: random.Random, image: Image) -> str:
    """A mark of before is a good mark: the journal is ahead of it, and the clock is as it was."""
    return chance.choice([name for name in sorted(image.files) if not name.endswith(".mark")])


def _fall_back(chance: random.Random, image: Image, earlier: Image) -> Files:
    """A file is again what it was at an earlier moment, or not yet there."""
    name = _any_but_the_mark(chance, image)
    others = {other: data for other, data in image.files.items() if other != name}
    return others | ({name: earlier.files[name]} if name in earlier.files else {})


def _lose_writes(chance: random.Random, image: Image, earlier: Image) -> Files:
    """Sectors of a file that had changed since an earlier moment hold what they held then."""
    name = _any_but_the_mark(chance, image)
    data, before = bytearray(image.files[name]), earlier.files.get(name, b"")
    changed = [
        start
        for start in range(0, min(len(data), len(before)), SECTOR)
        if data[start : start + SECTOR] != before[start : start + SECTOR]
    ]
    for start in chance.sample(changed, chance.randint(0, len(changed))):
        data[start : start + SECTOR] = before[start : start + SECTOR]
    return image.files | {name: bytes(data)}


DAMAGES: dict[str, Damage] = {
    "a bit flipped": _one_file(_flip),
    "bits flipped": _one_file(_flips),
    "a bit flipped at the end": _one_file(_flip_at_the_end),
    "a sector zeroed": _fill(SECTOR, _zeros),
    "a page zeroed": _fill(PAGE, _zeros),
    "sectors zeroed": _one_file(_sectors_zeroed),
    "a sector scrambled": _fill(SECTOR, _noise),
    "a page scrambled": _fill(PAGE, _noise),
    "two sectors swapped": _swap(SECTOR),
    "two pages swapped": _swap(PAGE),
    "two frames swapped": _swap(FRAME),
    "cut short": _one_file(_shorten),
    "emptied": _one_file(_empty),
    "removed": _remove_one,
    "a file of before": _fall_back,
    "writes lost": _lose_writes,
}


def judged(folder: Path, image: Image, files: Files, *, goes_on: bool = False) -> Told:
    """Opens damaged files, to read and to write, and looks what they hold."""
    lay_out(folder, files)
    faults = []
    for way in (Journal.open_to_read, Journal.open):
        try:
            journal = way(folder / DATABASE, disk=BareDisk())
        except StorageError as error:
            faults.append(type(error).__name__)
            if isinstance(error, JournalMissingError) and State() not in image.allowed:
                return Told(faults[-1], "it is said not to be there")
            if changed := _changed(folder, files):
                return Told(faults[-1], f"{faults[-1]} was told, and {changed} changed")
            continue
        try:
            with closing(journal):
                if wrong := _wrong(journal, image):
                    return Told("", wrong)
                if goes_on and way == Journal.open and image.allowed[0].games:
                    _go_on(folder, journal)
        except StorageError as error:
            faults.append(type(error).__name__)
    return Told(" ".join(faults), None)


def _wrong(journal: Journal, image: Image) -> str | None:
    """Return the difference between a journal and the stored state; None if there is none.

    Raises StorageError.
    """
    state = content(journal)
    if state not in image.allowed:
        return f"it holds {summary(state)}, and not {' or '.join(map(summary, image.allowed))}"
    lines = [Listed(n, game[0].wall, len(game)) for n, game in enumerate(state.games, 1)]
    if (listed := journal.games()) != lines:
        return f"it lists {listed}"
    return None


def _changed(folder: Path, files: Files) -> list[str]:
    """Which files of a journal that was not opened are no longer as they were."""
    kept = {name: data for name, data in files.items() if not name.endswith("-shm")}
    found = {each.name: each.read_bytes() for each in folder.iterdir()}
    return [name for name, data in kept.items() if found.get(name) != data]


def _go_on(folder: Path, journal: Journal) -> None:
    """Plays one act more and reads it again. Raises AssertionError if it is not there."""
    *others, game = content(journal).games
    entry = Entry(9_999.0, b"{}")
    journal.append(len(others) + 1, [entry], NOW)
    journal.close()
    expected = State((*others, game + stored([entry], NOW)), 9_999.0)
    with closing(Journal.open(folder / DATABASE, disk=BareDisk())) as again:
        assert content(again) == expected


def damaged(images: Sequence[Image], count: int, seed: int) -> Iterator[tuple[str, Image, Files]]:
    """So many damaged images, each with what was done to it; every damage as often."""
    chance = random.Random(f"damage/{seed}")
    kinds = [*DAMAGES]
    by_kind: dict[str, list[int]] = {}
    for place, image in enumerate(images):
        by_kind.setdefault(image.kind, []).append(place)
    for number in range(count):
        name = kinds[number % len(kinds)]
        place = chance.choice(by_kind[chance.choice([*by_kind])])
        image = images[place]
        earlier = chance.choice([one for one in images if one.moment <= image.moment])
        files = DAMAGES[name](chance, image, earlier)
        if files != image.files:
            yield name, image, files


def silent(
    evening: str, seed: int, count: int, flaw: Flaw = NO_FLAW
) -> tuple[Counter[str], list[str]]:
    """Damages an evening so many times: what was told how often, and what went wrong."""
    outcomes: Counter[str] = Counter()
    wrong = []
    with memory_folder() as folder:
        images = images_of(folder, evening, seed, flaw)
        for number, (name, image, files) in enumerate(damaged(images, count, seed)):
            found = judged(folder, image, files, goes_on=number % 8 == 0)
            outcomes[found.fault or "unharmed"] += 1
            if found.silent:
                touched = sorted(
                    n for n in {*image.files, *files} if image.files.get(n) != files.get(n)
                )
                wrong.append(
                    f"{evening!r}, seed {seed}, image {number}: {name} of {touched}, {image.kind}: "
                    f"{found.silent}"
                )
    return outcomes, wrong
