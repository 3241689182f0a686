"""Writing a file whole or not at all: a power cut leaves the one that was there, or the new one."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.safe_open import folder_held, open_file

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
    beside = hidden_beside(path).name
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with folder_held(path.parent) as folder:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        descriptor = os.open(beside, flags, mode, dir_fd=folder)
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
            os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException as error:
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            if isinstance(error, OSError):
                error.filename = str(path)  # the system names no file where the disk is full
            raise
        sync_held(folder)


def link_whole(path: Path, leads_to: str) -> None:
    """Put a symbolic link in the place of whatever file has that name. Raises OSError."""
    beside = hidden_beside(path).name
    with folder_held(path.parent) as folder:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        os.symlink(leads_to, beside, dir_fd=folder)
        os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        sync_held(folder)


def remove(path: Path) -> None:
    """Take a file away, for good, with what a power cut may have left of writing it; there may be
    none. Raises OSError."""
    with folder_held(path.parent) as folder:
        for each in (path, hidden_beside(path)):
            with suppress(FileNotFoundError):
                os.unlink(each.name, dir_fd=folder)
        sync_held(folder)  # somebody may have been killed between the two


def chunks_of(path: Path, *, start: int | None = None) -> Iterator[bytes]:
    """What a file holds, piece by piece; ``start`` is the descriptor of the folder from which the
    path leads on. Of a folder of another user, root reads only what that user could read. Raises
    OSError."""
    with open(open_file(path, start=start, to_hand_on=True), "rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Raises OSError."""
    with folder_held(folder) as held:
        sync_held(held)


def sync_held(folder: int) -> None:
    """Make the names in a folder that is held durable. Raises OSError."""
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hidden_beside(path: Path) -> Path:
    """Where a file is written before it gets its name, and where a power cut may leave it. A name
    with a dot in front is no pack's, and no connection's of the NetworkManager."""
    return path.with_name(f".{path.name}.new")
