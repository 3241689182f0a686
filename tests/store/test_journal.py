"""The journal keeps what it is given, in order, and gives it back unchanged."""

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from filled import assert_refused, contents
from listening import ListeningDisk

from pi_table.common.errors import InputError
from pi_table.table.store.disk import Disk
from pi_table.table.store.entries import Entry, Listed, StoredEntry, StoredGame
from pi_table.table.store.faults import (
    JournalInUseError,
    JournalMissingError,
    JournalUnwritableError,
)
from pi_table.table.store.journal import Journal

BEGUN = "2026-11-21T08:15:00Z"
LATER = "2026-11-21T08:16:30Z"
OPENING = Entry(0.0, b'{"event":"dealt"}')
GUESS = Entry(12.5, b'{"event":"guessed"}')
STOP = Entry(14.0, b'{"event":"stopped"}')


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_a_new_journal_holds_no_game(journal: Journal) -> None:
    assert journal.latest() is None
    assert journal.games() == []
    assert list(journal.openings()) == []
    journal.check()


def test_a_game_comes_back_as_it_was_stored(path: Path, journal: Journal) -> None:
    number = journal.begin([OPENING], BEGUN)
    journal.append(number, [GUESS, STOP], LATER)
    expected = StoredGame(
        number=1,
        begun=BEGUN,
        entries=(
            StoredEntry(OPENING.at, OPENING.body, BEGUN),
            StoredEntry(GUESS.at, GUESS.body, LATER),
            StoredEntry(STOP.at, STOP.body, LATER),
        ),
        noted_at=STOP.at,
    )
    assert journal.latest() == journal.read(1) == expected
    journal.close()
    again = Journal.open(path)
    assert again.latest() == again.read(1) == expected
    again.check()
    again.close()


@pytest.mark.parametrize(
    "body",
    [b"", b"\0", bytes(range(256)), '{"word":"Bär ☂"}'.encode(), b"\xff\xfe", b"x" * 1_000_000],
    ids=["empty", "nul", "every byte", "words", "no text", "a megabyte"],
)
def test_any_body_comes_back_byte_for_byte(path: Path, journal: Journal, body: bytes) -> None:
    journal.append(journal.begin([OPENING], BEGUN), [Entry(1.5, body)], LATER)
    journal.close()
    reader = Journal.open_to_read(path)
    assert reader.read(1).entries[1].body == body
    reader.check()
    reader.close()


def test_games_are_numbered_from_one_and_the_last_begun_is_the_latest(journal: Journal) -> None:
    assert [journal.begin([OPENING], BEGUN), journal.begin([OPENING, GUESS], LATER)] == [1, 2]
    latest = journal.latest()
    assert latest is not None
    assert latest.number == 2
    assert journal.games() == [Listed(1, BEGUN, 1), Listed(2, LATER, 2)]
    assert [entry.body for entry in journal.read(1).entries] == [OPENING.body]


def test_openings_are_the_first_bodies_from_the_newest_game_back(journal: Journal) -> None:
    for number in range(3):
        journal.begin([Entry(0.0, b"%d" % number), GUESS], BEGUN)
    openings = journal.openings()
    assert next(openings) == b"2"
    journal.append(3, [STOP], LATER)  # the table goes on while somebody still reads them
    assert list(openings) == [b"1", b"0"]


def test_games_are_listed_and_read_by_another_thread_while_one_is_stored(
    path: Path, journal: Journal
) -> None:
    for _ in range(3):
        journal.append(journal.begin([OPENING], BEGUN), [GUESS] * 50, LATER)
    seen: list[tuple[int, int]] = []

    def read() -> None:
        for _ in range(20):
            with closing(Journal.open_to_read(path)) as reader:
                for number in range(reader.latest_number(), 0, -1):
                    entries = reader.read(number).entries
                    seen.append((number, len(entries)))
                    assert entries[-1].body == GUESS.body

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        stored = 51
        while not reading.done() and stored < 1000:  # else a slow reader never catches up
            journal.append(3, [GUESS], LATER)
            stored += 1
        reading.result()
    assert {number for number, _ in seen} == {1, 2, 3}
    of_the_latest = [count for number, count in seen if number == 3]
    assert of_the_latest == sorted(of_the_latest)
    assert 51 <= of_the_latest[0] <= of_the_latest[-1] <= stored


def test_the_clock_goes_on_from_the_last_reading_noted(path: Path, journal: Journal) -> None:
    game = journal.begin([OPENING], BEGUN)
    journal.append(game, [GUESS], LATER)
    journal.note_time(game, 20.25)
    journal.note_time(game, 22.5)
    journal.close()
    journal = Journal.open(path)
    assert journal.read(game).noted_at == 22.5
    journal.append(game, [Entry(30.0, b"{}")], LATER)
    assert journal.read(game).noted_at == 30.0  # an event after the note counts for more
    assert journal.read(journal.begin([OPENING], LATER)).noted_at == OPENING.at
    journal.check()
    journal.close()


def test_only_the_latest_game_takes_events_and_time(journal: Journal) -> None:
    journal.begin([OPENING], BEGUN)
    journal.begin([OPENING], LATER)
    for refused in (-1, 0, 1, 3):
        with pytest.raises(InputError, match="not the latest"):
            journal.append(refused, [GUESS], LATER)
        with pytest.raises(InputError, match="not the latest game"):
            journal.note_time(refused, 9.0)
    assert [line.count for line in journal.games()] == [1, 1]


def test_a_game_needs_an_opening(journal: Journal) -> None:
    with pytest.raises(InputError, match="at least one event"):
        journal.begin([], BEGUN)
    assert journal.games() == []


@pytest.mark.parametrize("at", [float("nan"), float("inf"), float("-inf")])
def test_a_time_that_is_no_number_is_refused_with_all_that_came_with_it(
    journal: Journal, at: float
) -> None:
    game = journal.begin([OPENING], BEGUN)
    for act in (
        lambda: journal.begin([OPENING, Entry(at, b"{}")], LATER),
        lambda: journal.append(game, [GUESS, Entry(at, b"{}")], LATER),
        lambda: journal.note_time(game, at),
    ):
        with pytest.raises(InputError, match="number of seconds"):
            act()
    assert journal.games() == [Listed(1, BEGUN, 1)]
    assert journal.read(1).noted_at == OPENING.at
    journal.append(game, [GUESS], LATER)
    journal.check()


def test_a_game_that_is_not_there_is_said_to_be_missing(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalMissingError, match=f"no game 7 in the journal {path}"):
        journal.read(7)


def test_a_reader_sees_what_is_committed_while_the_table_writes(
    journal: Journal, path: Path
) -> None:
    game = journal.begin([OPENING], BEGUN)
    reader = Journal.open_to_read(path)
    assert len(reader.read(game).entries) == 1
    journal.append(game, [GUESS], LATER)
    assert len(reader.read(game).entries) == 2
    reader.close()
    journal.append(game, [STOP], LATER)
    assert len(journal.read(game).entries) == 3


def test_a_reader_sees_one_moment_of_a_game_that_goes_on(journal: Journal, path: Path) -> None:
    game = journal.begin([OPENING], BEGUN)

    def go_on(sql: str) -> str:
        if (
            "body, link FROM events WHERE game" in sql
        ):  # the reader has just read how many there are
            journal.append(game, [GUESS], LATER)
        return sql

    reader = Journal.open_to_read(path, disk=ListeningDisk(hear=go_on))
    assert [len(reader.read(game).entries) for _ in range(3)] == [1, 2, 3]
    reader.close()


def test_a_reader_creates_and_changes_nothing(path: Path, journal: Journal) -> None:
    journal.begin([OPENING], BEGUN)
    journal.close()
    before = contents(path.parent)
    reader = Journal.open_to_read(path)
    assert_refused(reader, 1, JournalUnwritableError, "opened to be read only")
    assert len(reader.read(1).entries) == 1
    reader.close()
    assert contents(path.parent) == before


def test_a_reader_after_a_crash_reads_the_wal_and_leaves_it(path: Path, tmp_path: Path) -> None:
    writer = Journal.open(path)
    writer.begin([OPENING, GUESS], BEGUN)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for ending in ("", "-wal", ".mark"):
        (crashed / f"{path.name}{ending}").write_bytes(Path(f"{path}{ending}").read_bytes())
    writer.close()
    before = contents(crashed)
    reader = Journal.open_to_read(crashed / path.name)
    assert len(reader.read(1).entries) == 2
    reader.close()
    assert contents(crashed).items() >= before.items()


@pytest.mark.parametrize("exists", [False, True])
def test_there_is_nothing_to_read_before_the_first_game(path: Path, exists: bool) -> None:
    if exists:
        path.touch()
    before = contents(path.parent)
    with pytest.raises(JournalMissingError, match="Begin a game"):
        Journal.open_to_read(path)
    assert contents(path.parent) == before


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    journal = Journal.open(path)
    journal.begin([OPENING], BEGUN)
    journal.close()


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_its_files_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    folder = tmp_path / "made for it"
    with umask(mask):
        journal = Journal.open(folder / "journal.sqlite")
        journal.begin([OPENING], BEGUN)
        found = modes(folder)
        journal.close()
    assert found == {
        "journal.sqlite": 0o600,
        "journal.sqlite-wal": 0o600,
        "journal.sqlite-shm": 0o600,
        "journal.sqlite.lock": 0o600,
        "journal.sqlite.mark": 0o600,
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_journal_that_others_could_read_is_closed_to_them(path: Path, journal: Journal) -> None:
    journal.begin([OPENING], BEGUN)
    journal.close()
    path.chmod(0o644)
    journal = Journal.open(path)
    journal.begin([OPENING], BEGUN)
    assert set(modes(path.parent).values()) == {0o600}
    journal.close()


@pytest.mark.parametrize("name", ["a b.sqlite", "50%.sqlite", "what?#1.sqlite", "tisch-ü.sqlite"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    journal = Journal.open(tmp_path / name)
    journal.begin([OPENING], BEGUN)
    journal.close()
    reader = Journal.open_to_read(tmp_path / name)
    assert reader.games() == [Listed(1, BEGUN, 1)]
    reader.close()
    assert {file.name for file in tmp_path.iterdir()} == {name, f"{name}.lock", f"{name}.mark"}


def test_a_symbolic_link_leads_to_the_same_journal_and_the_same_lock(
    path: Path, journal: Journal, tmp_path: Path
) -> None:
    journal.begin([OPENING], BEGUN)
    link = tmp_path / "elsewhere" / "table.sqlite"
    link.parent.mkdir()
    link.symlink_to(path)
    with pytest.raises(JournalInUseError, match=f"using the journal {path}"):
        Journal.open(link)
    reader = Journal.open_to_read(link)
    assert len(reader.games()) == 1
    reader.close()
    assert list(link.parent.iterdir()) == [link]


def test_the_names_of_a_new_folder_and_a_new_journal_are_synced(tmp_path: Path) -> None:
    synced: list[Path] = []

    class NotedDisk(Disk):
        def sync_directory(self, folder: Path) -> None:
            super().sync_directory(folder)
            synced.append(folder)

    Journal.open(tmp_path / "new" / "journal.sqlite", disk=NotedDisk()).close()
    assert synced == [tmp_path, tmp_path / "new"]


def test_its_patience_with_another_program_is_what_the_disk_says(path: Path) -> None:
    path.touch()
    connection = Disk(patience=0.25).connect(path, read_only=False)
    assert connection.execute("PRAGMA busy_timeout").fetchone() == (250,)
    connection.close()


def test_it_may_be_used_by_another_thread(journal: Journal) -> None:
    games: list[int] = []
    thread = threading.Thread(target=lambda: games.append(journal.begin([OPENING], BEGUN)))
    thread.start()
    thread.join()
    assert games == [1]
    assert journal.read(1).begun == BEGUN


def test_it_may_be_closed_twice_and_opened_again(path: Path) -> None:
    for _ in range(2):
        journal = Journal.open(path)
        journal.close()
        journal.close()


def test_it_is_a_wal_file_of_ours(path: Path, journal: Journal) -> None:
    other = sqlite3.connect(path)
    pragmas = ("journal_mode", "application_id", "user_version")
    found = [other.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in pragmas]
    other.close()
    assert found == ["wal", 0x70695462, 2]


@pytest.mark.parametrize("new", [True, False], ids=["new", "reopened"])
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("PRAGMA synchronous=2", "PRAGMA synchronous=NORMAL"),
        ("PRAGMA journal_mode=wal", "PRAGMA journal_mode=DELETE"),
    ],
)
def test_a_journal_that_would_not_be_durable_does_not_open(
    path: Path, said: str, heard: str, new: bool
) -> None:
    if not new:
        Journal.open(path).close()
    with pytest.raises(JournalUnwritableError, match="survives a power cut"):
        Journal.open(path, disk=ListeningDisk(hear=lambda sql: heard if sql == said else sql))


def test_no_repr_shows_a_body() -> None:
    entry = StoredEntry(at=1.5, body=b"rrbnSECRET", wall=BEGUN)
    game = StoredGame(number=1, begun=BEGUN, entries=(entry,), noted_at=2.0)
    for shown in (Entry(1.5, entry.body), entry, game):
        assert "at=1.5" in repr(shown)
        assert "SECRET" not in f"{shown!r} {shown}"
    assert "SECRET" not in repr(entry.__rich_repr__())
