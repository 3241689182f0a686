"""A small file that is kept beside the journal: whole or not at all, and its damage is told.

The file is one object of JSON: what is kept, and the SHA-256 of that. A new one is written beside
the old one, synced, and put in its place, so a power cut leaves the one or the other.
"""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import read_small_file
from pi_table.common.language import say, system_says
from pi_table.table.store.disk import DISK, Disk

MOST_BYTES: Final = 64 * 1024
"""The size of the largest file that is read or written, unless another is named."""


class _Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kept: msgspec.Raw
    seal: str


def read_sealed(
    path: Path, *, most: int = MOST_BYTES, start: int | None = None, owner: int | None = None
) -> bytes | None:
    """What the file keeps, as JSON; None where there is no such file. ``start`` is the descriptor
    of the folder from which the path leads on, ``owner`` to whom the file must belong.

    Raises StorageError where it cannot be read or is not as it was written.
    """
    try:
        text = read_small_file(path, most, start=start, owner=owner)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(
            say(
                "The file {path} cannot be read: {strerror}. Check its rights.",
                path=path,
                strerror=system_says(error),
            )
        ) from None
    kept = unsealed(text)
    if kept is None:
        raise _damaged(path)
    return kept


def write_sealed(path: Path, kept: bytes, disk: Disk = DISK, *, most: int = MOST_BYTES) -> None:
    """Put a file that keeps this JSON in the place of the one that was there.

    It is on the disk, and its owner's alone, when this returns. Raises StorageError.
    """
    new, text = path.with_name(path.name + ".new"), sealed(kept)
    if len(text) > most:
        raise StorageError(
            say(
                "The file {path} cannot hold more than {most} bytes: keep less.",
                path=path,
                most=f"{most:,}",
            )
        )
    try:
        with suppress(FileNotFoundError):
            disk.unlink(new)  # a power cut may have left it
        disk.write_new(new, text)
        disk.replace(new, path)
        disk.sync_directory(path.parent)
    except OSError as error:
        raise StorageError(
            say(
                "The file {path} cannot be written: {strerror}. See that the disk has room and "
                "works, and try again.",
                path=path,
                strerror=system_says(error),
            )
        ) from None


def sealed(kept: bytes) -> bytes:
    """What stands in a file that keeps this JSON."""
    seal = sha256(kept).hexdigest()
    return msgspec.json.encode(_Sealed(msgspec.Raw(kept), seal)) + b"\n"


def unsealed(text: bytes) -> bytes | None:
    """What a file with this text keeps, as JSON; None where it is not as it was written."""
    try:
        kept = bytes(_SEALED.decode(text).kept)
    except (ValueError, RecursionError):  # what stands in it may have been made up
        return None
    return kept if text == sealed(kept) else None


def _damaged(path: Path) -> StorageError:
    return StorageError(say("The file {path} is damaged: it is not as it was written.", path=path))


_SEALED: Final = msgspec.json.Decoder(_Sealed)
