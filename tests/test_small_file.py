"""A file that somebody names may be anything: what is none is told, and nothing is waited for."""

import os
import resource
import socket
from pathlib import Path

import pytest

from pi_table.small_file import read_small_file


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def listening(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
    return folder / "socket"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder, "Is a directory"),
        (lambda folder: folder / "missing", "No such file or directory"),
        (lambda folder: folder / ("x" * 300), "File name too long"),
        (lambda folder: folder / "nul\0", "No file can have such a path"),
        (fifo, "It is a pipe, a socket or a device, and no file"),
        (listening, "It is a pipe, a socket or a device, and no file"),
        (lambda folder: Path("/dev/zero"), "It is a pipe, a socket or a device, and no file"),
    ],
)
def test_what_is_no_file_is_told(tmp_path: Path, make: object, says: str) -> None:
    assert callable(make)
    with pytest.raises(OSError, match=says) as error:
        read_small_file(make(tmp_path), 10)
    assert error.value.strerror == says


def test_a_file_is_read_and_of_a_large_one_a_byte_too_much(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"", b"1234", b"12345", b"123456", b"1" * 1000):
        file.write_bytes(content)
        assert read_small_file(file, 5) == content[:6]
    assert read_small_file(Path(os.devnull), 5) == b""


def test_a_file_of_gigabytes_takes_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as written:
        written.truncate(1 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(read_small_file(file, 1000)) == 1001
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024
