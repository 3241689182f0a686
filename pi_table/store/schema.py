"""What makes a SQLite file a journal of ours: its marks, its settings, its tables."""

from pathlib import Path
from typing import Any, Final

from pi_table.store.disk import Connection
from pi_table.store.faults import JournalForeignError, JournalUnwritableError

APPLICATION_ID: Final = int.from_bytes(b"piTb", "big")
FORMAT: Final = 1

SETTINGS: Final = {"synchronous": 2, "journal_mode": "wal"}
"""What makes a commit durable, as SQLite reads it back (2 is FULL)."""

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
    """CREATE TABLE clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        game INTEGER NOT NULL,
        at REAL NOT NULL
    ) STRICT""",
)


def is_fresh(connection: Connection, path: Path) -> bool:
    """Whether nothing was written yet. Raises JournalForeignError if the file is not ours."""
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == version == tables == 0:
        return True
    if application != APPLICATION_ID:
        raise JournalForeignError(
            f"The file {path} belongs to another program. Nothing was changed. Name another file "
            "for the journal."
        )
    if version != FORMAT:
        raise JournalForeignError(
            f"The journal {path} has format {version}, and this pi-table knows format {FORMAT} "
            "only. Nothing was changed. Use the pi-table that wrote it, or put it away with "
            "`pi-table journal set-aside`."
        )
    return False


def settle(connection: Connection, path: Path) -> None:
    """Turns on what makes commits durable. Raises JournalUnwritableError if it stays off."""
    for name, wanted in SETTINGS.items():
        connection.execute(f"PRAGMA {name}={wanted}").fetchall()
        if (found := _pragma(connection, name)) != wanted:
            raise JournalUnwritableError(
                f"SQLite keeps the journal {path} with {name}={found}; only {wanted} survives a "
                "power cut. Put it on a disk of this machine, not on one of the network."
            )


def create_tables(connection: Connection) -> None:
    """Marks an empty file as ours and gives it its tables, in the transaction that is open."""
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT}")
    for table in TABLES:
        connection.execute(table)


def _pragma(connection: Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
