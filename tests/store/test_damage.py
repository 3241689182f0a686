"""No damage makes a journal another one in silence; and the harness would see it if one did."""

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from damage import DAMAGES, EVENINGS, damaged, images_of, judged, silent
from planted import parameters
from powercut import memory_folder
from powercut_recorder import NO_FLAW, Flaw
from powercut_surface import State

from pi_table.table.store import contents, journal
from pi_table.table.store.chain import Chain
from pi_table.table.store.contents import Contents
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.mark import Mark

DAMAGED, FOREIGN, MISSING = "JournalDamagedError", "JournalForeignError", "JournalMissingError"
OUTCOMES = {
    "unharmed",
    f"{DAMAGED} {DAMAGED}",  # to whoever reads, and to whoever writes
    DAMAGED,  # to one of them, or as it was played on
    f"{FOREIGN} {FOREIGN}",  # in the marks of the database's header
    MISSING,  # to whoever reads, where no game was stored yet
}


@pytest.mark.parametrize("evening", EVENINGS)
def test_a_damaged_journal_is_told_or_holds_what_was_stored(evening: str) -> None:
    outcomes, wrong = silent(evening, 0, 90)
    assert not wrong, wrong[0]
    assert outcomes.keys() <= OUTCOMES
    assert min(outcomes["unharmed"], outcomes[f"{DAMAGED} {DAMAGED}"]) > 10


@pytest.mark.torture
def test_of_more_than_ten_thousand_damaged_journals_none_is_another_in_silence() -> None:
    runs = [(evening, seed) for seed in range(100, 102) for evening in EVENINGS]
    spawning = multiprocessing.get_context("spawn")
    outcomes: Counter[str] = Counter()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawning) as pool:
        for found, wrong in pool.map(silent, *zip(*((*run, 1_000) for run in runs), strict=True)):
            assert not wrong, wrong[0]
            outcomes += found
    print(f"{outcomes.total()} damaged journals: {dict(outcomes)}")
    assert outcomes.keys() <= OUTCOMES
    assert outcomes.total() >= 10_000


# It can fail


class Trusting(Chain):
    """A chain that any link fits."""

    class Fitting(bytes):
        def __eq__(self, other: object) -> bool:
            return True

        def __ne__(self, other: object) -> bool:
            return False

        __hash__ = None  # type: ignore[assignment]

    def extend(self, at: float, wall: bytes, body: bytes) -> bytes:
        self.last = self.Fitting(super().extend(at, wall, body))
        return self.last


def no_comparison(self: Contents, mark: Mark) -> None:
    pass


def two_acts_of_grace(self: Contents, mark: Mark) -> None:
    """Takes last acts that are missing for such as were never finished. One is had from the mark
    anyway."""
    end = self.end()
    if (end.game, end.count) < (mark.game, mark.count - 6):
        raise JournalDamagedError(Path("journal"), "more is missing")


def no_look_before(path: object, disk: object) -> None:
    pass


CARELESS = {
    "no mark": (Contents, "compare", no_comparison, "one long game"),
    "two acts": (Contents, "compare", two_acts_of_grace, "one long game"),
    "no chain": (contents, "Chain", Trusting, "a whole evening"),
    "no look": (journal, "_refuse_damage", no_look_before, "one long game"),
}
Careless = tuple[object, str, Callable[..., object], str]


@pytest.mark.parametrize("careless", parameters(CARELESS, quick=("no look",)))
def test_the_harness_catches_a_journal_that_looks_less_closely(
    monkeypatch: pytest.MonkeyPatch, careless: Careless
) -> None:
    where, name, instead, evening = careless
    monkeypatch.setattr(where, name, instead)
    assert_caught(evening, 400, 5)


@pytest.mark.mutation
def test_the_harness_catches_a_mark_that_is_not_synced() -> None:
    assert_caught("many short games", 150, 20, Flaw(mark_synced=False))


def assert_caught(evening: str, count: int, seeds: int, flaw: Flaw = NO_FLAW) -> None:
    """Three journals are others in silence, of so many for each seed. How soon depends on what no
    seed decides, the salts of SQLite's log among it."""
    found = 0
    for seed in range(seeds):
        found += len(silent(evening, seed, count, flaw)[1])
        if found >= 3:
            return
    pytest.fail(f"{found} silent of {seeds * count}")


def test_each_damage_is_done_and_the_undamaged_images_open() -> None:
    with memory_folder() as folder:
        images = images_of(folder, "stopped now and then", 0)
        assert {image.kind for image in images} == {"running", "closed", "cut off"}
        for image in images:
            found = judged(folder, image, image.files)
            assert found.silent is None
            assert found.fault == "" or State() in image.allowed
        names = Counter(name for name, _, _ in damaged(images, 600, 0))
    assert names.keys() == DAMAGES.keys()
    assert min(names.values()) >= 10
