"""No cut of the power loses what the journal promised; and the harness would see it if one did."""

import multiprocessing
import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import pytest
from powercut import fault_of, losses, losses_of
from powercut_recorder import Flaw, RecordedDisk, Recorder
from powercut_scribe import DATABASE, SHAPES, Recording, lay_out, record
from powercut_surface import (
    SECTOR,
    Fate,
    File,
    Name,
    Operation,
    Promised,
    State,
    Surface,
    Sync,
    SyncNames,
    Write,
)

from pi_table.table.store.set_aside import set_aside

UNSYNCED = {"PRAGMA synchronous=2": "PRAGMA synchronous=OFF", "PRAGMA synchronous": "SELECT 2"}
NORMAL = {"PRAGMA synchronous=2": "PRAGMA synchronous=NORMAL", "PRAGMA synchronous": "SELECT 2"}
EXTRA = {"PRAGMA synchronous=2": "PRAGMA synchronous=EXTRA", "PRAGMA synchronous": "SELECT 2"}
DELETE = {
    "PRAGMA journal_mode=wal": "PRAGMA journal_mode=DELETE",
    "PRAGMA journal_mode": "SELECT 'wal'",
}
NO_TRANSACTION = {"BEGIN IMMEDIATE": "SELECT 1", "BEGIN DEFERRED": "SELECT 1", "COMMIT": "SELECT 1"}
NO_CHECKPOINT = {"PRAGMA wal_checkpoint": "SELECT 0"}

NAMES = frozenset({"sqlite", "journal"})


def swapped(*swaps: dict[str, str]) -> Flaw:
    return Flaw(tuple(chain.from_iterable(swap.items() for swap in swaps)))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_power_cut_loses_what_was_promised(shape: str) -> None:
    found = [loss for seed in range(2) for loss in losses_of(shape, seed, 84)]
    assert not found, found[0]


@pytest.mark.torture
def test_no_power_cut_of_a_hundred_thousand_loses_what_was_promised() -> None:
    runs = [(shape, seed) for seed in range(100, 156) for shape in SHAPES]
    images = -(-100_000 // len(runs))
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawning) as pool:
        found = pool.map(losses_of, *zip(*((*run, images) for run in runs), strict=True))
        first = next(chain.from_iterable(found), None)
    assert first is None, first


@pytest.mark.parametrize(
    ("flaw", "shape"),
    [
        pytest.param(swapped(UNSYNCED), "many small appends", id="synchronous=OFF"),
        pytest.param(swapped(NORMAL), "many small appends", id="WAL with NORMAL"),
        pytest.param(swapped(DELETE), "many small appends", id="DELETE with FULL"),
        pytest.param(Flaw(unsynced=NAMES), "several games", id="no sync of the directory"),
        pytest.param(swapped(NO_TRANSACTION), "several games", id="no transaction"),
        pytest.param(
            replace(swapped(NO_CHECKPOINT), opening_synced=False), "killed", id="no sync on opening"
        ),
    ],
)
def test_the_harness_catches_a_journal_that_is_not_durable(
    tmp_memory: Path, flaw: Flaw, shape: str
) -> None:
    found = 0
    for seed in range(20):
        found += sum(1 for _ in losses(tmp_memory, record(tmp_memory, shape, seed, flaw), 20))
        if found >= 3:
            return
    pytest.fail(f"{found} losses in 400 images")


@pytest.mark.parametrize(
    "flaw",
    [
        pytest.param(swapped(DELETE, EXTRA), id="DELETE with EXTRA"),
        pytest.param(Flaw(unsynced=frozenset({"sqlite"})), id="the directory synced by us alone"),
        pytest.param(Flaw(unsynced=frozenset({"journal"})), id="the directory synced by SQLite"),
    ],
)
def test_the_harness_accuses_no_other_journal_that_is_durable(tmp_memory: Path, flaw: Flaw) -> None:
    label, operations, _ = record(tmp_memory, "several games", 0, flaw)
    opened = next(n for n, operation in enumerate(operations, 1) if type(operation) is Promised)
    assert not list(losses(tmp_memory, Recording(label, operations, opened), 150))


def test_the_same_seeds_find_the_same_losses(tmp_memory: Path) -> None:
    def found() -> list[str]:
        recording = record(tmp_memory, "several games", 5, swapped(NORMAL))
        return list(losses(tmp_memory, recording, 40))

    assert found() == found() != []


def test_an_image_that_holds_more_or_less_than_allowed_is_a_loss(tmp_memory: Path) -> None:
    operations = record(tmp_memory, "many small appends", 1).operations
    surface = Surface(operations)
    assert fault_of(tmp_memory, surface.seen(), surface.allowed) is None
    assert fault_of(tmp_memory, surface.seen(), [State()]) is not None
    assert fault_of(tmp_memory, {}, surface.allowed) is not None
    assert fault_of(tmp_memory, {DATABASE: b"no journal" * 99}, [State()]) is not None


def test_the_recorder_syncs_the_directory_where_the_unix_vfs_does(tmp_memory: Path) -> None:
    """As traced from a process: after the first sync of each new journal, and by EXTRA."""

    def recorded(*swaps: dict[str, str]) -> list[Operation]:
        flaw = Flaw(swapped(*swaps).swaps, unsynced=frozenset({"journal"}))
        return record(tmp_memory, "many small appends", 0, flaw).operations

    operations = recorded()
    made = [operation for operation in operations if isinstance(operation, Name)]
    wal = next(o.file for o in made if o.name.endswith("-wal") and o.file is not None)
    assert operations[operations.index(Sync(wal)) + 1] == SyncNames()
    assert list(pairwise(operations)).count((Sync(wal), SyncNames())) == 1
    deleted = (Name(f"{DATABASE}-journal", None), SyncNames())
    assert deleted not in pairwise(recorded(DELETE))
    assert deleted in pairwise(recorded(DELETE, EXTRA))


def test_an_unsynced_sector_is_old_or_new_and_a_synced_one_stays() -> None:
    file = File()
    file.write(1, 0, b"A" * 4 * SECTOR)
    file.sync()
    file.write(2, SECTOR - 1, b"B" * (2 * SECTOR))
    file.write(3, SECTOR, b"C" * SECTOR)
    seen = {file.left(Fate(random.Random(seed), 3)) for seed in range(400)}
    first = {image[:SECTOR] for image in seen}
    second = {image[SECTOR : 2 * SECTOR] for image in seen}
    third = {image[2 * SECTOR : 3 * SECTOR] for image in seen}
    assert first == {b"A" * SECTOR, b"A" * (SECTOR - 1) + b"B"}
    assert second == {b"A" * SECTOR, b"B" * SECTOR, b"C" * SECTOR}
    assert third == {b"A" * SECTOR, b"B" * (SECTOR - 1) + b"A"}
    assert {image[3 * SECTOR :] for image in seen} == {b"A" * SECTOR}
    assert len(seen) == 2 * 3 * 2  # in every mixture


def test_a_file_has_any_length_it_had_since_its_sync_and_grows_by_zeros() -> None:
    file = File()
    file.write(1, 0, b"A" * 600)
    file.sync()
    file.truncate(2, 100)
    file.write(3, 700, b"B" * 50)
    seen = {file.left(Fate(random.Random(seed), 3)) for seed in range(400)}
    assert {len(image) for image in seen} == {600, 100, 750}
    assert {image[:100] for image in seen} == {b"A" * 100}
    assert {image[100:512] for image in seen} == {b"", b"A" * 412, b"\0" * 412}
    assert {image[700:] for image in seen} == {b"", b"\0" * 50, b"B" * 50}


def test_a_name_is_sure_only_after_a_sync_of_the_directory() -> None:
    made: list[Operation] = [Name("a", 0), Write(0, 0, b"A"), Sync(0)]

    def left(operations: list[Operation]) -> set[tuple[str, ...]]:
        surface = Surface(operations)
        fates = [Fate(random.Random(seed), surface.time) for seed in range(100)]
        return {tuple(surface.left(fate)) for fate in fates}

    assert left(made) == {(), ("a",)}
    assert left([*made, SyncNames()]) == {("a",)}
    assert left([*made, SyncNames(), Name("a", None), Name("b", 0)]) == {
        ("a",),
        (),
        ("a", "b"),
        ("b",),
    }


@pytest.mark.parametrize("fates", [10, pytest.param(100, marks=pytest.mark.torture)])
def test_no_power_cut_loses_a_journal_that_is_being_set_aside(tmp_memory: Path, fates: int) -> None:
    operations = record(tmp_memory, "many small appends", 0).operations
    last = max(i for i, operation in enumerate(operations) if isinstance(operation, Promised))
    del operations[last + 1 :]  # it was not closed: much of it is in the -wal
    before = Surface(operations)
    lay_out(tmp_memory, before.seen())
    disk = RecordedDisk(recorder=Recorder(operations, names_synced=True))
    target = set_aside(tmp_memory / DATABASE, "2026-11-21T08:15:00Z", disk=disk)

    where = set()
    for cut in range(last + 1, len(operations) + 1):
        surface = Surface(operations[:cut])
        for seed in range(fates):
            files = surface.left(Fate(random.Random(seed), cut))
            here = {name: data for name, data in files.items() if name.startswith(DATABASE)}
            there = {
                name.replace(target.name, DATABASE): data
                for name, data in files.items()
                if name.startswith(target.name)
            }
            place = here if DATABASE in here else there
            assert fault_of(tmp_memory, place, before.allowed) is None
            if place is there:
                assert fault_of(tmp_memory, here, [State()]) is None
            where.add("here" if place is here else "there")
    assert where == {"here", "there"}
    assert fault_of(tmp_memory, there, before.allowed) is None
