"""What makes a SQLite file a journal of ours: its marks, its settings, its tables."""

from pathlib import Path
from typing import Any, Final

from pi_table.store.disk import Connection
from pi_table.store.faults import JournalForeignError, JournalUnwritableError

APPLICATION_ID: Final = int.from_bytes(b"piTb", "big")
FORMAT: Final = 2
"""What is written: a journal with a mark beside it."""
FORMAT_WITHOUT_MARK: Final = 1
"""What version 0.1.0 wrote. Its clock is a table of its own, and no mark stands beside it."""

SETTINGS: Final = {"synchronous": 2, "journal_mode": "wal"}
"""What makes a commit durable, as SQLite reads it back (2 is FULL)."""
CHECKPOINT_PAGES: Final = 64
"""How long the -wal may get before SQLite moves it into the database: 264 kB, some 25 acts.

From then on the -wal is written from its beginning again. A sync of bytes that are written over
took half as long (0.12 ms) as one of a file that grows (0.26 ms; ext4 on a virtual disk).
"""

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


def format_of(connection: Connection, path: Path) -> int:
    """The format of a journal; 0 if nothing was written yet.

    Raises JournalForeignError if the file is not ours.
    """
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == version == tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise JournalForeignError(
            f"The file {path} belongs to another program. Nothing was changed. Name another file "
            "for the journal."
        )
    if version not in (FORMAT_WITHOUT_MARK, FORMAT):
        raise JournalForeignError(
            f"The journal {path} has format {version}, and this pi-table knows the formats "
            f"{FORMAT_WITHOUT_MARK} and {FORMAT}. Nothing was changed. Use the pi-table that wrote "
            "it, or put it away with `pi-table journal set-aside`."
        )
    assert isinstance(version, int)
    return version


def settle(connection: Connection, path: Path) -> None:
    """Turns on what makes commits durable. Raises JournalUnwritableError if it stays off."""
    for name, wanted in SETTINGS.items():
        connection.execute(f"PRAGMA {name}={wanted}").fetchall()
        if (found := _pragma(connection, name)) != wanted:
            raise JournalUnwritableError(
                f"SQLite keeps the journal {path} with {name}={found}; only {wanted} survives a "
                "power cut. Put it on a disk of this machine, not on one of the network."
            )
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}").fetchall()


def bring_up(connection: Connection, found: int) -> None:
    """Makes a journal of the format ``found`` one of today's, in the transaction that is open."""
    if found == 0:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        for table in TABLES:
            connection.execute(table)
    if found == FORMAT_WITHOUT_MARK:
        connection.execute("DROP TABLE clock")  # its reading stands in the mark by now
    if found != FORMAT:
        connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.execute("UPDATE games SET count = count WHERE false")  # may we write at all?


def _pragma(connection: Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
