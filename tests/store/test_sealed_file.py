"""A small sealed file: whole, its owner's alone, and never damaged in silence."""

import errno
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.common.errors import StorageError
from pi_table.table.store.disk import Disk
from pi_table.table.store.sealed_file import (
    MAX_FILE_BYTES,
    encode_sealed,
    read_sealed,
    write_sealed,
)

KEPT = b'{"brightness":40,"packs_left_out":["zoo"]}'


def nested(levels: int) -> bytes:
    """Values within values, as one can be in a file that somebody has made up."""
    return b"[" * levels + b"]" * levels


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.json"


def test_what_is_written_is_read_and_another_takes_its_place(path: Path) -> None:
    assert read_sealed(path) is None
    for kept in (KEPT, b"null", b'"1"'):
        write_sealed(path, kept)
        assert read_sealed(path) == kept
        assert path.stat().st_mode & 0o777 == 0o600
        assert [each.name for each in path.parent.iterdir()] == ["house.json"]


def test_every_flipped_bit_is_told(path: Path) -> None:
    write_sealed(path, KEPT)
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        with pytest.raises(StorageError, match=r"house\.json is damaged"):
            read_sealed(path)


def test_every_cut_and_whatever_is_added_is_told(path: Path) -> None:
    write_sealed(path, KEPT)
    whole = path.read_bytes()
    for damaged in [*(whole[:end] for end in range(len(whole))), whole + b"\n", whole * 2]:
        path.write_bytes(damaged)
        with pytest.raises(StorageError, match="damaged"):
            read_sealed(path)


@given(st.binary(max_size=300))
def test_what_was_never_written_is_told(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    path = tmp_path_factory.mktemp("sealed") / "house.json"
    path.write_bytes(text)
    with pytest.raises(StorageError, match="damaged"):
        read_sealed(path)


def test_a_file_that_is_too_large_or_no_file_is_told(path: Path) -> None:
    path.write_bytes(b" " * (MAX_FILE_BYTES + 1))
    with pytest.raises(StorageError, match="damaged"):
        read_sealed(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError, match="cannot be read"):
        read_sealed(path)


def test_what_would_be_too_large_to_be_read_is_not_written(path: Path) -> None:
    write_sealed(path, b"1")
    with pytest.raises(StorageError, match="more than"):
        write_sealed(path, b'"' + b"x" * MAX_FILE_BYTES + b'"')
    assert read_sealed(path) == b"1"


class PowerOffError(Exception):
    """The power is off from here on."""


@dataclass(frozen=True)
class CutDisk(Disk):
    """A disk whose power goes at its operation number ``cut``; what was written and not synced is
    torn there: a file that was not finished holds half of its bytes."""

    cut: int = 0
    done: list[str] = field(default_factory=list)

    def _next(self, name: str) -> None:
        if len(self.done) == self.cut:
            raise PowerOffError
        self.done.append(name)

    def unlink(self, path: Path) -> None:
        self._next("unlink")
        super().unlink(path)

    def write_new(self, path: Path, data: bytes) -> None:
        try:
            self._next("write_new")
        except PowerOffError:
            path.write_bytes(data[: len(data) // 2])
            raise
        super().write_new(path, data)

    def replace(self, path: Path, other: Path) -> None:
        self._next("replace")
        assert self.done[-2] == "write_new", "only what is synced may take the place"
        super().replace(path, other)

    def sync_directory(self, folder: Path) -> None:
        self._next("sync_directory")
        super().sync_directory(folder)


@pytest.mark.parametrize("cut", range(5))
def test_a_power_cut_leaves_the_old_or_the_new_and_the_next_write_succeeds(
    path: Path, cut: int
) -> None:
    write_sealed(path, b"1")
    disk = CutDisk(cut=cut)
    try:
        write_sealed(path, b"2", disk)
        ended = True
    except PowerOffError:
        ended = False
    assert read_sealed(path) == (b"2" if "replace" in disk.done else b"1")
    assert not ended or disk.done[-2:] == ["replace", "sync_directory"]
    assert ended is (cut == 4)
    write_sealed(path, b"3")
    assert read_sealed(path) == b"3"


class FullDisk(Disk):
    def write_new(self, path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_and_the_old_file_stands(path: Path) -> None:
    write_sealed(path, b"1")
    with pytest.raises(StorageError, match="No space left"):
        write_sealed(path, b"2", FullDisk())
    assert read_sealed(path) == b"1"


@pytest.mark.parametrize("levels", [30_000, 60_000])
def test_values_within_values_are_told_as_damage(path: Path, levels: int) -> None:
    for text in (encode_sealed(nested(levels)), b'{"kept":' + nested(levels) + b',"seal":"x"}'):
        path.write_bytes(text)
        with pytest.raises(StorageError, match="is damaged"):
            read_sealed(path)
