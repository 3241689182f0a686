"""A small file that is written whole or not at all. Damage to the file is detected.

The file is one JSON object: the content, and the SHA-256 of the content. A new file is written
beside the old file, synced, and renamed over it, so a power cut leaves one of the two.
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

MAX_FILE_BYTES: Final = 64 * 1024
"""Default maximum size of a sealed file, in bytes."""


class _Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kept: msgspec.Raw
    seal: str


def read_sealed(
    path: Path, *, most: int = MAX_FILE_BYTES, start: int | None = None, owner: int | None = None
) -> bytes | None:
    """Return the content of the file as JSON; None if there is no such file.

    ``start`` is the descriptor of the folder to which the path is relative. ``owner`` is the id of
    the user who must own the file. Raises StorageError if the file cannot be read or is damaged.
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
    kept = decode_sealed(text)
    if kept is None:
        raise StorageError(
            say("The file {path} is damaged: it is not as it was written.", path=path)
        )
    return kept


def write_sealed(path: Path, kept: bytes, disk: Disk = DISK, *, most: int = MAX_FILE_BYTES) -> None:
    """Create or replace the file, with the JSON ``kept`` as its content. When this returns, the new
    file is durable, and only its owner can read it. Raises StorageError."""
    new, text = path.with_name(path.name + ".new"), encode_sealed(kept)
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
                "The file {path} cannot be written: {strerror}. Check that the disk has room and "
                "works, and try again.",
                path=path,
                strerror=system_says(error),
            )
        ) from None


def encode_sealed(kept: bytes) -> bytes:
    seal = sha256(kept).hexdigest()
    return msgspec.json.encode(_Sealed(msgspec.Raw(kept), seal)) + b"\n"


def decode_sealed(text: bytes) -> bytes | None:
    """Return the JSON content of a sealed file whose bytes are ``text``; None if they are
    damaged."""
    try:
        kept = bytes(_SEALED.decode(text).kept)
    except (ValueError, RecursionError):  # the content may be forged
        return None
    return kept if text == encode_sealed(kept) else None


_SEALED: Final = msgspec.json.Decoder(_Sealed)
