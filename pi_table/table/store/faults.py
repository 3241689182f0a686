"""The errors of the journal. Each sentence names the fault, the place and the remedy.

No message holds an event's body, a salt or a link: anybody may see the messages.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pi_table.common.errors import StorageError
from pi_table.common.files import LedAstrayError, open_file
from pi_table.common.language import say, system_says


class JournalFullError(StorageError):
    """No space is left. The request had no effect and may be repeated."""


class JournalUnwritableError(StorageError):
    """The file or its folder cannot be opened or written, perhaps because this user has no right to
    do that."""


class JournalInUseError(StorageError):
    """Another program has locked the journal."""


class JournalMissingError(StorageError):
    """The journal does not exist, or does not contain this game."""


class JournalForeignError(StorageError):
    """The file belongs to another program, or to another version of pi-table."""


class JournalFailingError(StorageError):
    """The disk failed. The request is stored whole or not at all. Opening the journal again shows
    whether it is stored."""


class JournalGoneError(JournalFailingError):
    """A file of the journal is no longer in its place, although the table is running. ``kept`` is
    the path of a copy of everything that was stored, or None if no copy could be made."""

    def __init__(self, path: Path, missing: Path, kept: Path | None = None) -> None:
        rescued = (
            ""
            if kept is None
            else say("All that was stored until then is kept in {kept}. ", kept=kept)
        )
        super().__init__(
            say(
                "The file {missing} was removed, moved, replaced or cut short while the table "
                "was using the journal {path}. Nothing is stored any more. {rescued}Put the file "
                "back where it was and try again; if it cannot be had again, set the journal "
                "aside, and the table begins a new one.",
                missing=missing,
                path=path,
                rescued=rescued,
            )
        )
        self.missing = missing
        self.kept = kept


class JournalDamagedError(StorageError):
    """The journal differs from the bytes that were written. ``finding`` is a part of a sentence
    that says where."""

    def __init__(self, path: Path, finding: str) -> None:
        super().__init__(
            say(
                "The journal {path} is damaged: {finding}. Nothing was changed. `pi-table "
                "journal check` lists all damage; `pi-table journal set-aside` puts the file "
                "away as it is, and the table begins a new one.",
                path=path,
                finding=finding,
            )
        )
        self.finding = finding


@contextmanager
def storage_errors(path: Path, doing: str) -> Iterator[None]:
    """Context manager that turns errors of SQLite and of the system into the matching StorageError.
    ``doing`` completes "while …", for example "storing an event of game 3"."""
    try:
        yield
    except StorageError:
        raise
    except sqlite3.Error as error:
        if hasattr(error, "sqlite_errorname"):
            raise _from_sqlite(error.sqlite_errorname, path, doing) from error
        if not isinstance(error, sqlite3.OperationalError):
            raise  # wrong use of the binding: a bug of this program
        raise _undecodable(path, doing) from None  # its message quotes the bytes
    except UnicodeDecodeError:
        raise _undecodable(path, doing) from None
    except OSError as error:
        raise _from_system(error, path, doing) from error


@contextmanager
def failing_errors(path: Path, doing: str) -> Iterator[None]:
    """Context manager like `storage_errors`, for use after a partial write: every OSError becomes a
    JournalFailingError."""
    try:
        yield
    except OSError as error:
        raise _failing(system_says(error), path, doing) from error


def resolve(path: Path, doing: str) -> Path:
    """Return the path without symbolic links. Raises JournalUnwritableError if the path leads
    nowhere, or if another user's symbolic link leads root to the journal."""
    _refuse_led_astray(path, doing)
    try:
        with suppress(FileNotFoundError):  # there is no journal yet
            return path.resolve(strict=True)
        return path.resolve()
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError before 3.13
        raise _unwritable(path, doing, say("its path leads in a circle, or nowhere")) from error


def _refuse_led_astray(path: Path, doing: str) -> None:
    """Raise JournalUnwritableError if another user's link leads root to the journal."""
    try:
        os.close(open_file(path))
    except LedAstrayError as error:
        raise _unwritable(path, doing, system_says(error)) from None
    except OSError:
        return  # opening the journal reports it


def must_reopen(path: Path) -> JournalFailingError:
    """Return the error for a journal that failed in the middle of a write and must be opened
    again."""
    return JournalFailingError(
        say(
            "The journal {path} failed before, and what it holds has to be read again. Try "
            "again, or restart the table: it goes on from what is stored.",
            path=path,
        )
    )


def no_room_for_act(path: Path) -> JournalFullError:
    """Return the error for a full disk: the act is in the mark, but the tables have no room for the
    act."""
    return JournalFullError(
        say(
            "There is no space left for the journal {path}. What was acknowledged before is "
            "stored; nothing more can be. Free space on the disk of {parent}.",
            path=path,
            parent=path.parent,
        )
    )


def read_only(path: Path, doing: str) -> JournalUnwritableError:
    return JournalUnwritableError(
        say(
            "The journal {path} cannot be used, while {doing}: it was opened to be read only.",
            path=path,
            doing=doing,
        )
    )


def _from_sqlite(name: str, path: Path, doing: str) -> StorageError:
    # SQLITE_IOERR_FSYNC is of the kind IOERR. A code that Python does not know has no such name.
    kind = name.removeprefix("SQLITE_").partition("_")[0]
    match kind:
        case "FULL":
            return _full(path, doing)
        case "CANTOPEN" if _is_full(path.parent):
            return _full(path, doing)
        case "READONLY" | "CANTOPEN" | "PERM" | "AUTH":
            return _unwritable(path, doing)
        case "IOERR" if os.path.isdir(path):
            return _unwritable(path, doing)
        case "IOERR" if name == "SQLITE_IOERR_SHMSIZE" and _is_full(path.parent):
            return _full(path, doing)
        case "BUSY" | "LOCKED" | "PROTOCOL":
            return JournalInUseError(
                say(
                    "Another program holds the journal {path}, while {doing}. Close it and try "
                    "again.",
                    path=path,
                    doing=doing,
                )
            )
        case "INTERRUPT":
            return JournalDamagedError(
                path, say("reading it does not end, while {doing}", doing=doing)
            )
        case "NOTADB":
            return JournalDamagedError(path, say("it does not begin as a journal does"))
        case "CORRUPT" | "ERROR" | "CONSTRAINT" | "MISMATCH" | "SCHEMA" | "FORMAT" | "TOOBIG":
            # Our statements are fixed. If one does not fit, the tables are not ours; if a body is
            # too big, its header is damaged.
            return JournalDamagedError(
                path,
                say(
                    "its tables do not match each other ({name}, while {doing})",
                    name=name,
                    doing=doing,
                ),
            )
        case _:
            return _failing(name, path, doing)


def _from_system(error: OSError, path: Path, doing: str) -> StorageError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return _full(path, doing)
        case errno.EIO | None:
            return _failing(system_says(error), path, doing)
        case _:
            return _unwritable(path, doing, system_says(error))


def _undecodable(path: Path, doing: str) -> StorageError:
    return JournalDamagedError(
        path, say("there are bytes where text should be, while {doing}", doing=doing)
    )


def _is_full(folder: Path) -> bool:
    """True if the folder's disk has no room for more bytes or for another file. SQLite's own error
    says only that SQLite could not open or enlarge a file beside the journal."""
    with suppress(OSError):
        found = os.statvfs(folder)
        # Some file systems create inodes on demand and report none.
        return found.f_bavail == 0 or found.f_files > 0 == found.f_favail
    return False


def _full(path: Path, doing: str) -> StorageError:
    return JournalFullError(
        say(
            "There is no space left for the journal {path}, while {doing}; nothing of it was "
            "stored. Free space on the disk of {parent}, then do it again.",
            path=path,
            doing=doing,
            parent=path.parent,
        )
    )


def _failing(reason: str, path: Path, doing: str) -> StorageError:
    return JournalFailingError(
        say(
            "The disk failed ({reason}) under the journal {path}, while {doing}. Look for free "
            "space, and at the card and its contacts; then restart the table: it goes on from "
            "what is stored.",
            reason=reason,
            path=path,
            doing=doing,
        )
    )


def _unwritable(path: Path, doing: str, reason: str | None = None) -> StorageError:
    folder = path.parent
    # os.path returns False if a stat is refused; Path would raise.
    if os.path.isdir(path):
        why = say("there is a folder in its place. Move that away, or name another file")
    elif not os.path.isdir(folder):
        why = say(
            "this user sees no folder {folder}. Create it, or name another file", folder=folder
        )
    elif os.statvfs(folder).f_flag & os.ST_RDONLY:
        why = say(
            "its disk is mounted read-only. Mount it for writing; if it was, look at the card"
        )
    elif not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        why = say("this user may not write in {folder}. Run as the table's own user", folder=folder)
    elif os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        why = say(
            "this user may not read or write it. Run as the table's own user, or make it the owner"
        )
    else:
        why = say(
            "{reason}, for it or a file beside it whose name begins with its own. Make the "
            "table's own user their owner; `pi-table journal check` looks for damage",
            reason=reason or say("SQLite refuses"),
        )
    return JournalUnwritableError(
        say(
            "The journal {path} cannot be used, while {doing}: {why}.",
            path=path,
            doing=doing,
            why=why,
        )
    )
