"""Journals that released versions wrote are opened, read as they were written, and gone on with.

Each folder under ``released`` is named for a version and holds what that version wrote: a game of
each profile, ended or stopped, and one that is being played; as a clean stop left it (``closed``)
and as it stood while the table ran (``running``). ``expected.json`` is what the same version read.
``release.py`` writes one.
"""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import release
from powercut import fault_of
from powercut_recorder import RecordedDisk, Recorder
from powercut_scribe import DATABASE, content, lay_out
from powercut_surface import Fate, Name, Operation, Promised, Surface, Sync, SyncNames, Write
from random_player import GAMES

from pi_table.table.store.disk import companions, mark_of
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.journal import Journal
from pi_table.table.store.mark import decode
from pi_table.table.store.schema import FORMAT, FORMAT_WITHOUT_MARK
from pi_table.table.store.set_aside import set_aside

RELEASED = Path(__file__).parent / "released"
VERSIONS = sorted(folder.name for folder in RELEASED.iterdir())
IMAGES = [(version, kind) for version in VERSIONS for kind in ("closed", "running")]
SHOWN = frozenset(
    name
    for version in VERSIONS
    for game in json.loads((RELEASED / version / "expected.json").read_text())
    for name in game["public"]
)
NOW = "2026-11-21T08:15:00Z"
GUESS = Entry(9_999.0, b'{"event":"guessed"}')


@pytest.fixture(params=IMAGES, ids=lambda image: f"{image[0]}-{image[1]}")
def expected(request: pytest.FixtureRequest, path: Path) -> Any:
    """Put a released journal at ``path``, and return what that version read from it."""
    version, kind = request.param
    for file in (RELEASED / version / kind).iterdir():
        shutil.copyfile(file, path.with_name(file.name))
    return json.loads((RELEASED / version / "expected.json").read_text())


def told(journal: Journal) -> Any:
    """Return a journal's contents and the meaning of its events, as the first version did."""
    found = [release.told(journal, listed.number) for listed in journal.games()]
    for game in found:
        game["public"] = {name: game["public"][name] for name in game["public"] if name in SHOWN}
    return found


def test_there_is_a_journal_of_the_version_before_the_mark() -> None:
    assert "0.1.0" in VERSIONS


def test_this_version_can_leave_a_journal_to_later_ones(tmp_path: Path) -> None:
    release.write(tmp_path / "new")
    expected = json.loads((tmp_path / "new" / "expected.json").read_text())
    assert {game["public"]["profile"] for game in expected} == {name for name, _ in GAMES}
    assert expected[-1]["noted_at"] > expected[-1]["last_at"]
    for kind in ("closed", "running"):
        assert release.read(tmp_path / "new" / kind / DATABASE) == expected


def test_it_is_read_without_being_changed(path: Path, expected: Any) -> None:
    before = path.read_bytes()
    with closing(Journal.open_to_read(path)) as reader:
        reader.check()
        assert told(reader) == expected
    assert path.read_bytes() == before
    assert not mark_of(path).exists()


def test_it_is_opened_and_gone_on_with(path: Path, expected: Any) -> None:
    with closing(Journal.open(path)) as journal:
        assert told(journal) == expected
        journal.check()
        mark = decode(mark_of(path).read_bytes())
        assert mark is not None
        latest = expected[-1]
        assert (mark.game, mark.count) == (len(expected), latest["events"])
        assert mark.noted_at == latest["noted_at"] > latest["last_at"]
    with closing(Journal.open(path)) as journal:
        assert told(journal) == expected
        journal.append(len(expected), [GUESS], NOW)
        assert journal.begin([Entry(0.0, b"{}")], NOW) == len(expected) + 1
    with closing(Journal.open(path)) as journal:
        assert journal.read(len(expected)).entries[-1].body == GUESS.body
        assert journal.latest_number() == len(expected) + 1
        journal.check()


def test_from_its_first_opening_on_its_end_is_marked(path: Path, expected: Any) -> None:
    Journal.open(path).close()
    with closing(sqlite3.connect(path)) as journal:
        assert journal.execute("PRAGMA user_version").fetchone() == (2,)
    mark_of(path).unlink()
    with pytest.raises(JournalDamagedError, match="is missing or empty"):
        Journal.open(path)


def test_what_is_noted_after_it_was_brought_up_outlives_the_wal(path: Path, expected: Any) -> None:
    with closing(Journal.open(path)) as journal:
        journal.note_time(len(expected), 77.5)
        kept = {name: name.read_bytes() for name in (path, mark_of(path))}
    for name in path.parent.iterdir():
        name.unlink()
    for name, data in kept.items():
        name.write_bytes(data)
    with closing(Journal.open(path)) as journal:
        assert journal.read(len(expected)).noted_at == 77.5


def test_it_can_be_set_aside_without_a_mark(path: Path, expected: Any) -> None:
    target = set_aside(path, NOW)
    with closing(Journal.open_to_read(target)) as reader:
        assert told(reader) == expected
    assert not path.exists()
    Journal.open(path).close()


@pytest.mark.parametrize("at", ["9e999", "-9e999", "-1.0", "86500.0", "'soon'"])
def test_a_clock_of_no_sense_is_told_before_anything_is_changed(
    path: Path, expected: Any, at: str
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '/**/')")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"UPDATE clock SET at = {at}")
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = replace(sql, '/**/', 'STRICT')")
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(JournalDamagedError, match=r"clock (says|holds)"):
            Journal.open(path)
    assert path.read_bytes() == before
    assert not mark_of(path).exists()


def test_it_is_brought_up_whole_or_not_at_all(path: Path, expected: Any) -> None:
    """Cut off after the mark, before the database: as it is when the mark is there already."""
    Journal.open(path).close()
    mark = mark_of(path).read_bytes()
    for part in (path, *companions(path), mark_of(path)):
        part.unlink(missing_ok=True)
    for file in (RELEASED / VERSIONS[0] / "running").iterdir():
        shutil.copyfile(file, path.with_name(file.name))
    mark_of(path).write_bytes(mark)
    with closing(Journal.open(path)) as journal:
        assert told(journal) == expected


@pytest.mark.parametrize(("version", "kind"), IMAGES)
def test_no_power_cut_loses_a_journal_that_is_being_brought_up(
    tmp_memory: Path, version: str, kind: str
) -> None:
    files = {file.name: file.read_bytes() for file in (RELEASED / version / kind).iterdir()}
    lay_out(tmp_memory, files)
    with closing(Journal.open_to_read(tmp_memory / DATABASE)) as reader:
        state = content(reader)
    lay_out(tmp_memory, files)
    operations: list[Operation] = []
    for number, (name, data) in enumerate(files.items()):
        operations += [Name(name, number), Write(number, 0, data), Sync(number)]
    operations += [SyncNames(), Promised(state)]
    before = len(operations)
    disk = RecordedDisk(recorder=Recorder(operations, names_synced=True))
    Journal.open(tmp_memory / DATABASE, disk=disk).close()
    formats = set()
    surface = Surface()
    for cut in range(before, len(operations) + 1):
        surface.apply(operations[surface.time : cut])
        for seed in range(8):
            image = surface.left(Fate(random.Random(f"{cut}/{seed}"), cut))
            formats.add(image[DATABASE][60:64])  # where a database keeps its user_version
            assert fault_of(tmp_memory, image, [state]) is None
    assert formats == {FORMAT_WITHOUT_MARK.to_bytes(4), FORMAT.to_bytes(4)}
