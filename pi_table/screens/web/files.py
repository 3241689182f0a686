"""The files of the pages, read once and served from memory. No other file is ever served."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import DeviceError
from pi_table.common.language import say, system_says

FOLDER: Final = Path(__file__).parent / "pages"
KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}


class File(msgspec.Struct, frozen=True):
    kind: str
    """The media type of the file."""
    content: bytes
    tag: str
    """The ETag, a hash of the content. With this tag a browser asks whether the file has changed.
    """


def file_of(kind: str, content: bytes) -> File:
    return File(kind, content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def read_files(folder: Path = FOLDER) -> dict[str, File]:
    """Read the files that may be served from the folder and its subfolders; return them by path.
    Symbolic links are left out. Raises DeviceError if a file cannot be read."""
    try:
        return {
            path.relative_to(folder).as_posix(): file_of(KINDS[path.suffix], path.read_bytes())
            for path in sorted(folder.rglob("*"))
            if path.suffix in KINDS and path.is_file() and not path.is_symlink()
        }
    except OSError as error:
        raise DeviceError(
            say(
                "The files of the pages cannot be read in {folder}: {strerror}. Reinstall "
                "pi-table.",
                folder=folder,
                strerror=system_says(error),
            )
        ) from None
