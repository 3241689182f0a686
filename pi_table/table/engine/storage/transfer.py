"""Uploads from a desk and downloads to a desk, in pieces.

A piece fits into one encrypted answer. An upload is a file in the state folder until it is used.
The file is deleted when the desk's session ends, and when a table starts. So an interrupted upload
leaves nothing behind.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from pi_table.common.decoding import decode_text
from pi_table.common.errors import InputError, StorageError
from pi_table.common.language import say, system_says

PIECE_BYTES: Final = 24 * 1024
"""Maximum size of a piece, in bytes."""
MAX_UPLOAD_BYTES: Final = 1 << 30
MAX_TEXT_BYTES: Final = 256 * 1024 + PIECE_BYTES
"""Maximum length of an uploaded text, in bytes. It is a little above the limit of a word pack, so
that the check can report the line at which a pack becomes too long."""
SPARE_BYTES: Final = 64 << 20
"""Bytes that must stay free on the disk."""
UP: Final = "desk-upload"
DOWN: Final = "desk-backup"


class Transfers:
    """An uploaded file and a file for download, both in the state folder, and an uploaded text."""

    def __init__(self, folder: Path) -> None:
        self.up = folder / UP
        self.down = folder / DOWN
        self.text = bytearray()
        self.drop()

    def drop(self) -> None:
        self.text.clear()
        for file in (self.up, self.down):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def put_text(self, at: int, piece: bytes) -> int:
        """Add a piece of a text; a piece at offset 0 begins a new text. Returns the length so far.
        Raises InputError if a piece is missing or the text is too long."""
        if at == 0:
            self.text.clear()
        _refuse_gap(at, len(self.text))
        if at + len(piece) > MAX_TEXT_BYTES:
            raise InputError(
                say(
                    "That is longer than {most_text} bytes: make two packs of it.",
                    most_text=f"{MAX_TEXT_BYTES:,}",
                )
            )
        self.text += piece
        return len(self.text)

    def whole_text(self) -> str:
        """Return the uploaded text. Raises InputError if it is not UTF-8."""
        return decode_text(bytes(self.text), say("The text"))

    def put(self, at: int, piece: bytes) -> int:
        """Add a piece of a file; a piece at offset 0 begins a new file. Returns the length so far.
        Raises InputError if a piece is missing or the file is too long, and StorageError."""
        if at + len(piece) > MAX_UPLOAD_BYTES:
            raise InputError(
                say(
                    "That is longer than {most_up} bytes: it is not a backup of a table.",
                    most_up=f"{MAX_UPLOAD_BYTES:,}",
                )
            )
        try:
            found = os.statvfs(self.up.parent)
            if found.f_bavail * found.f_frsize < SPARE_BYTES:
                raise StorageError(say("There is no room left on the table’s disk: free some."))
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self.up, flags | (os.O_TRUNC if at == 0 else 0), 0o600)
            with open(descriptor, "ab", buffering=0) as file:
                _refuse_gap(at, os.fstat(descriptor).st_size)
                file.write(piece)
        except OSError as error:
            if isinstance(error, StorageError):
                raise
            raise StorageError(
                say(
                    "What comes from the desk cannot be stored ({strerror}): check that the "
                    "table’s disk has room.",
                    strerror=system_says(error),
                )
            ) from None
        return at + len(piece)

    def get(self, at: int) -> bytes:
        """Return the piece of the download at offset ``at``; empty at the end of the download.
        Raises InputError if there is no download."""
        try:
            with open(self.down, "rb") as file:
                file.seek(at)
                return file.read(PIECE_BYTES)
        except OSError:
            raise InputError(say("That backup is not there any more: make another one.")) from None


def _refuse_gap(at: int, length: int) -> None:
    if at != length:
        raise InputError(say("A piece was lost on its way: begin again."))
