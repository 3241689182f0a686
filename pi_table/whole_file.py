"""Writing a file whole or not at all: a power cut leaves the one that was there, or the new one."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

CHUNK: Final = 1 << 20
"""Bytes that are held in memory at once, of a file of any size."""


class Owner(NamedTuple):
    """Whose a file is, by number."""

    user: int
    group: int


def owner_of(path: Path) -> Owner:
    """Whose a file or folder is. Raises OSError."""
    found = path.stat()
    return Owner(found.st_uid, found.st_gid)


def write_whole(
    path: Path, chunks: Iterable[bytes], mode: int = 0o600, owner: Owner | None = None
) -> None:
    """Put a file in the place of the one that may have that name; it is on the disk at the return.

    ``owner`` is for root alone, who writes for somebody else; who else asks for it keeps the file.
    A link in the place of the file is replaced, and not followed. Raises OSError, and then nothing
    but a hidden file beside it may be left, which the next try removes.
    """
    beside = hidden_beside(path)
    with suppress(FileNotFoundError):
        beside.unlink()
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(beside, flags, mode)
    try:
        with open(descriptor, "wb", buffering=0) as file:
            if os.fstat(descriptor).st_mode & 0o777 != mode:
                with suppress(PermissionError):  # a stick's file system has no such thing
                    os.fchmod(descriptor, mode)
            if owner is not None and os.geteuid() == 0:
                os.fchown(descriptor, *owner)
            for chunk in chunks:
                left = memoryview(chunk)
                while left:
                    left = left[file.write(left) :]
            os.fsync(descriptor)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def link_whole(path: Path, leads_to: str) -> None:
    """Put a symbolic link in the place of whatever file has that name. Raises OSError."""
    beside = hidden_beside(path)
    with suppress(FileNotFoundError):
        beside.unlink()
    beside.symlink_to(leads_to)
    beside.replace(path)
    sync_folder(path.parent)


def remove(path: Path) -> None:
    """Take a file away, for good, with what a power cut may have left of writing it; there may be
    none. Raises OSError."""
    for each in (path, hidden_beside(path)):
        with suppress(FileNotFoundError):
            each.unlink()
    sync_folder(path.parent)  # somebody may have been killed between the two


def chunks_of(path: Path) -> Iterator[bytes]:
    """What a file holds, piece by piece. A link is not followed. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hidden_beside(path: Path) -> Path:
    """Where a file is written before it gets its name, and where a power cut may leave it. A name
    with a dot in front is no pack's, and no connection's of the NetworkManager."""
    return path.with_name(f".{path.name}.new")
