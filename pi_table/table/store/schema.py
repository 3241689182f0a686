"""The properties that make an SQLite file a journal: its identity, settings and tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pi_table.common.language import say
from pi_table.table.store.disk import Connection
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalForeignError,
    JournalUnwritableError,
)

APPLICATION_ID: Final = int.from_bytes(b"piTb", "big")
FORMAT: Final = 2
"""Number of the current format, the only one that is written: a journal with a mark beside it."""
FORMAT_WITHOUT_MARK: Final = 1
"""Number of the format of pi-table 0.1.0, which keeps the clock in a table and has no mark."""

SETTINGS: Final = {"synchronous": 2, "journal_mode": "wal"}
"""The settings that make a commit durable, as SQLite reports them (2 means FULL)."""
CHECKPOINT_PAGES: Final = 64
"""Number of pages in the -wal after which SQLite moves them into the database: 264 kB, some 25
acts.

Then SQLite writes the -wal from its beginning again. A sync of overwritten bytes took half as long
(0.12 ms) as a sync of a growing file (0.26 ms; ext4 on a virtual disk).
"""

MAX_SCHEMA_ENTRIES: Final = 8
"""Maximum number of schema entries that are read from a database. A journal has fewer."""
MAX_QUOTED_LENGTH: Final = 60
"""Maximum number of characters of a foreign or changed table's name in an error message."""

TABLES: Final = (
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        salt BLOB NOT NULL,
        count INTEGER NOT NULL,
        last BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE events (
        game INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        at REAL NOT NULL,
        wall TEXT NOT NULL,
        body BLOB NOT NULL,
        link BLOB NOT NULL,
        PRIMARY KEY (game, seq)
    ) STRICT, WITHOUT ROWID""",
)

CLOCK: Final = """CREATE TABLE clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        game INTEGER NOT NULL,
        at REAL NOT NULL
    ) STRICT"""
"""SQL for a table that only a journal without a mark has."""
SCHEMA_OF: Final = {FORMAT_WITHOUT_MARK: (*TABLES, CLOCK), FORMAT: TABLES}


def format_of(connection: Connection, path: Path) -> int:
    """Return the format number of a journal; 0 if the journal is still empty.

    A journal may hold only its own tables. Otherwise our statements could run a foreign trigger or
    view. Raises JournalForeignError if the file is not ours, and JournalDamagedError if its tables
    are not exactly those of its format.
    """
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    found = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid LIMIT ?",
        (MAX_SCHEMA_ENTRIES,),
    ).fetchall()
    if application == version == len(found) == 0:
        return 0
    if application != APPLICATION_ID:
        raise JournalForeignError(
            say(
                "The file {path} belongs to another program. Nothing was changed. Name another "
                "file for the journal.",
                path=path,
            )
        )
    if version not in (FORMAT_WITHOUT_MARK, FORMAT):
        raise JournalForeignError(
            say(
                "The journal {path} has format {version}, and this pi-table knows the formats "
                "{format_without_mark} and {format}. Nothing was changed. Use the pi-table that "
                "wrote it, or put it away with `pi-table journal set-aside`.",
                path=path,
                version=version,
                format_without_mark=FORMAT_WITHOUT_MARK,
                format=FORMAT,
            )
        )
    assert isinstance(version, int)
    _refuse_another_schema(found, SCHEMA_OF[version], path)
    return version


def _refuse_another_schema(found: list[Any], tables: Sequence[str], path: Path) -> None:
    """Raise JournalDamagedError unless ``found`` contains exactly these tables."""
    missing = {_entry_of(table) for table in tables}
    for kind, name, of, sql in found:
        entry = (kind, name, of, _in_one_line(sql))
        if entry not in missing:
            what = f"{_in_one_line(kind)} {_in_one_line(name)!r}"[:MAX_QUOTED_LENGTH]
            raise _another_schema(path, say("the {what} is foreign or changed", what=what))
        missing.remove(entry)
    for _, name, _, _ in sorted(missing):
        raise _another_schema(path, say("the table {name} is missing", name=repr(name)))


def _another_schema(path: Path, why: str) -> JournalDamagedError:
    return JournalDamagedError(path, say("its tables are not those of a journal ({why})", why=why))


def _entry_of(table: str) -> tuple[str, str, str, str]:
    """Return the schema entry that a CREATE TABLE statement produces."""
    name = table.split()[2]
    return ("table", name, name, _in_one_line(table))


def _in_one_line(text: object) -> str:
    return " ".join(str(text).split())


def make_durable(connection: Connection, path: Path) -> None:
    """Turn on durable commits. Raises JournalUnwritableError if a setting does not take effect."""
    for name, wanted in SETTINGS.items():
        connection.execute(f"PRAGMA {name}={wanted}").fetchall()
        if (found := _pragma(connection, name)) != wanted:
            raise JournalUnwritableError(
                say(
                    "SQLite keeps the journal {path} with {name}={found}; only {wanted} survives "
                    "a power cut. Put it on a disk of this machine, not on one of the network.",
                    path=path,
                    name=name,
                    found=found,
                    wanted=wanted,
                )
            )
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}").fetchall()


def migrate(connection: Connection, found: int) -> None:
    """Convert a journal of the format ``found`` to the current format, in the open transaction."""
    if found == 0:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        for table in TABLES:
            connection.execute(table)
    if found == FORMAT_WITHOUT_MARK:
        connection.execute("DROP TABLE clock")  # its reading is already in the mark
    if found != FORMAT:
        connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.execute("UPDATE games SET count = count WHERE false")  # fails if we may not write


def _pragma(connection: Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
