"""A journal that this user may not have is told in sentences, and gives nothing away."""

import errno
import os
import urllib.parse  # noqa: F401 - Path.as_uri does it late, where nobody may not read it
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filled import NOW, filled

from pi_table.common.errors import StorageError
from pi_table.table.store.disk import Disk
from pi_table.table.store.faults import (
    JournalFailingError,
    JournalFullError,
    JournalUnwritableError,
)
from pi_table.table.store.journal import Journal, read_progress
from pi_table.table.store.set_aside import set_aside

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """The kernel does not let the superuser feel a permission: be somebody else for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def open_folder(tmp_memory: Path) -> Path:
    """A folder that anybody may enter, and whoever runs as nobody may write in."""
    tmp_memory.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(tmp_memory, NOBODY, -1)
    return tmp_memory


def test_a_folder_that_may_not_be_written_is_named(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody():
        for path in (open_folder / "journal.sqlite", open_folder / "new" / "journal.sqlite"):
            with pytest.raises(JournalUnwritableError, match=r"Run as|Create it"):
                Journal.open(path)
    assert list(open_folder.iterdir()) == []


def test_a_folder_that_may_not_be_entered_is_no_secret(open_folder: Path) -> None:
    path = open_folder / "journal.sqlite"
    with as_nobody():
        filled(path)
        open_folder.chmod(0o000)
        for opening in (Journal.open, Journal.open_to_read):
            with pytest.raises(JournalUnwritableError, match=f"may not write in {open_folder}"):
                opening(path)


@pytest.mark.parametrize("mode", [0o400, 0o000])
def test_a_file_that_may_not_be_written_is_told_when_it_is_opened(
    open_folder: Path, mode: int
) -> None:
    path = open_folder / "journal.sqlite"
    with as_nobody():
        filled(path)
        path.chmod(mode)
        with pytest.raises(
            JournalUnwritableError, match=f"{path} cannot be used, while opening it"
        ):
            Journal.open(path)
        if mode == 0o400:
            Journal.open_to_read(path).close()
        else:
            with pytest.raises(JournalUnwritableError, match="may not read or write it"):
                Journal.open_to_read(path)


def test_a_missing_folder_is_made_but_not_a_whole_path(tmp_path: Path) -> None:
    Journal.open(tmp_path / "new" / "journal.sqlite").close()
    with pytest.raises(
        JournalUnwritableError, match=f"sees no folder {tmp_path / 'a' / 'b'}. Create it"
    ):
        Journal.open(tmp_path / "a" / "b" / "journal.sqlite")
    assert not (tmp_path / "a").exists()


def test_a_path_that_leads_in_a_circle_is_told(path: Path) -> None:
    path.symlink_to(path)
    ways = (Journal.open, Journal.open_to_read, read_progress, lambda path: set_aside(path, NOW))
    for way in ways:
        with pytest.raises(JournalUnwritableError, match="leads in a circle"):
            way(path)


def test_a_folder_in_the_place_of_the_journal_is_told(path: Path) -> None:
    path.mkdir()
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(JournalUnwritableError, match="a folder in its place"):
            opening(path)


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EIO, JournalFailingError), (errno.ENOSPC, JournalFullError)]
)
def test_a_disk_that_fails_to_sync_the_directory_keeps_the_journal_closed(
    path: Path, number: int, kind: type[StorageError]
) -> None:
    class FailingDisk(Disk):
        def sync_directory(self, folder: Path) -> None:
            raise OSError(number, os.strerror(number))

    with pytest.raises(kind, match=f"{path}, while opening it"):
        Journal.open(path, disk=FailingDisk())
    Journal.open(path).close()  # what was held is let go
