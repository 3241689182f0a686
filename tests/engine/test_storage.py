"""The length of stored data reveals nothing; and a journal that cannot even be closed."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from shipped_packs import shipped_pack

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.table.engine.dealing import Dealer, Shelf
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage import storage as storage_module
from pi_table.table.engine.storage.orders import Open, Store
from pi_table.table.engine.storage.results import NotOpened, NotStored, Opened
from pi_table.table.engine.storage.storage import MIN_BODY_BYTES, Storage, pad_body, store
from pi_table.table.store.disk import Connection, Disk, SmallFile
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

NAMES = ["Ada", "Bo", "Cleo", "Dino", "Eva", "Fio"]
GAMES = {
    "a key": {"profile": "alias-24"},
    "six dossiers": {"profile": "codex", "nicknames": NAMES},
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_deals_that_look_alike_are_of_one_length(game: dict[str, object]) -> None:  # ALL-1
    """Public facts may tell them apart: the team that begins, or the roles in play."""
    deals = [games.read_opening(game, Chance()) for _ in range(300)]
    lengths: dict[str, set[int]] = {}
    for deal in deals:
        seen = repr(games.public_view(games.evolve(None, deal).board, 0.0))
        lengths.setdefault(seen, set()).add(len(pad_body(games.encode(deal))))
    assert len({*map(games.encode, deals)}) == 300
    assert len(lengths) <= 10, "Most of them look like others."
    assert {len(each) for each in lengths.values()} == {1}


@pytest.mark.parametrize("length", [1, 40, MIN_BODY_BYTES, MIN_BODY_BYTES + 1, 979, 1024, 1025])
def test_what_is_stored_is_read_again_and_is_no_longer_than_twice(length: int) -> None:
    body = b'"' + b"x" * (length - 2) + b'"'
    stored = pad_body(body)
    assert stored.rstrip(b" ") == body
    assert len(stored) in (MIN_BODY_BYTES, 512, 1024, 2048)
    assert len(stored) < max(2 * length, MIN_BODY_BYTES + 1)


def test_that_is_how_events_are_stored(tmp_path: Path) -> None:
    opening = games.read_opening({"profile": "codex"}, Chance())
    with closing(Journal.open(tmp_path / "journal.sqlite")) as journal:
        game = store(journal, None, [opening], "2026-11-22T12:00:00Z")
        (entry,) = journal.read(game).entries
    assert entry.body == pad_body(games.encode(opening))
    assert games.decode(entry.body) == opening


# A disk that fails


FAILED = OSError(errno.EIO, os.strerror(errno.EIO))


@dataclass(frozen=True)
class FailingDisk(Disk):
    """A disk that fails at what `fails` names: ``read``, ``write`` or ``close``."""

    fails: set[str] = field(default_factory=set)

    def hold_mark(self, path: Path) -> SmallFile | None:
        place = super().hold_mark(path)
        return None if place is None else FailingPlace(place, self.fails)

    def connect(self, path: Path, read_only: bool) -> Connection:
        return FailingConnection(super().connect(path, read_only), self.fails)


class FailingPlace:
    def __init__(self, place: SmallFile, fails: set[str]) -> None:
        self._place, self._fails = place, fails
        self.read = place.read

    def write(self, data: bytes, offset: int = 0) -> None:
        if "write" in self._fails:
            raise FAILED
        self._place.write(data, offset)

    def close(self) -> None:
        self._place.close()  # as Linux does, which lets go of a file even then
        if "close" in self._fails:
            raise FAILED


class FailingConnection:
    def __init__(self, connection: Connection, fails: set[str]) -> None:
        self._connection, self._fails = connection, fails
        self.close = connection.close

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> Any:
        if "read" in self._fails and "SELECT" in sql:
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql, parameters)


@contextmanager
def kept_on(
    disk: FailingDisk, path: Path, opened: Callable[[], None] = lambda: None
) -> Iterator[Storage]:
    """A storage of a journal on this disk; ``opened`` is called whenever that is open."""

    class Journals:
        open_to_read = Journal.open_to_read

        @staticmethod
        def open(path: Path) -> Journal:
            journal = Journal.open(path, disk=disk)
            opened()
            return journal

    dealer = Dealer(Shelf((shipped_pack("english"),)), Chance())
    with mock.patch.object(storage_module, "Journal", Journals):
        kept = Storage(path, dealer, lambda: "2026-11-22T12:00:00Z", try_replay)
        yield kept
        disk.fails.clear()
        kept.close()


def test_a_journal_that_cannot_be_closed_well_is_opened_again_all_the_same(tmp_path: Path) -> None:
    disk = FailingDisk()
    with kept_on(disk, tmp_path / "journal.sqlite") as kept:
        disk.fails.add("close")
        assert Open(aside=False).carry_out(kept) == Opened(None)


def test_a_disk_that_fails_to_store_and_to_close_is_told_as_what_failed_first(
    tmp_path: Path,
) -> None:
    opening = games.read_opening({"profile": "codex"}, Chance())
    disk = FailingDisk()
    with kept_on(disk, tmp_path / "journal.sqlite") as kept:
        disk.fails.update({"write", "close"})
        result = Store(None, (opening,)).carry_out(kept)
        assert isinstance(result, NotStored)
        assert "beginning a game" in str(result.why)
        assert result.closed


def test_a_disk_that_fails_to_read_and_to_close_is_told_as_what_failed_first(
    tmp_path: Path,
) -> None:
    disk = FailingDisk()
    with kept_on(
        disk, tmp_path / "journal.sqlite", lambda: disk.fails.update({"read", "close"})
    ) as kept:
        assert isinstance(kept.opened, NotOpened)
        assert "reading the latest game" in str(kept.opened.fault)


def test_events_of_another_version_are_told_though_their_journal_cannot_be_closed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(Journal.open(path)) as journal:
        journal.begin([Entry(0.0, b'{"event":"card-turned","at":0.0}')], "2026-11-22T12:00:00Z")
    disk = FailingDisk()
    with kept_on(disk, path, lambda: disk.fails.add("close")) as kept:
        assert isinstance(kept.opened, NotOpened)
        assert "this version of pi-table cannot read" in str(kept.opened.fault)
