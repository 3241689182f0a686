"""Code that is the same for the collector's databases, SQLite and PostgreSQL.

SQL is written once, with ``?`` for each value. `as_text` makes the text of a time for the database,
and `as_time` reads a time from the database.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

import msgspec

from pi_table.common.errors import InputError, StorageError
from pi_table.common.language import say
from pi_table.fleet.collector import schema


class DatabaseAwayError(StorageError):
    """The database cannot be used now. Nothing was changed, and a later attempt may succeed."""


class UnfitError(StorageError):
    """The database will never accept these values. Nothing was changed."""


class Dialect(msgspec.Struct, frozen=True):
    """The parts of SQL that differ between the databases. In the statements of `schema.VERSIONS`,
    each field replaces its name in braces."""

    key: str
    """Column type of a key that numbers the rows of a table."""
    game: str
    """Column type of a reference to the key of a game."""
    compact: str
    """Suffix for a table whose rows are stored in the order of their primary key, or ""."""
    only_one: str
    """SQL statement that locks upgrades of the database until the end of the transaction. So two
    programs cannot upgrade it at the same time."""


class Database(ABC):
    """A connection to the collector's database. Statements must run within a `transaction` or
    `snapshot`."""

    dialect: Dialect

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return a context manager. At its end, all changes are stored together and durably. If
        that fails, nothing is changed, and DatabaseAwayError or UnfitError is raised."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Return a read-only context manager, in which all statements see the same state of the
        database. It may raise DatabaseAwayError."""

    @abstractmethod
    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return all rows of its result."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Run a statement and yield the rows of its result as they arrive."""

    @abstractmethod
    def put(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement once for each row of values."""

    @abstractmethod
    def ask_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> list[list[tuple[Any, ...]]]:
        """Run a statement once for each row of values, and return the result of each run."""

    @abstractmethod
    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert new rows into a table."""

    @abstractmethod
    def close(self) -> None: ...

    def prepare(self) -> None:
        """Create the database's tables, or upgrade those of an older version. Raises
        DatabaseAwayError. Raises InputError if the database has a newer version; that database is
        not changed."""
        with self.transaction():
            self.ask(self.dialect.only_one)
            self.ask(schema.VERSION_TABLE)
            for version in range(self._version() + 1, schema.VERSION + 1):
                for statement in schema.VERSIONS[version]:
                    self.ask(statement.format(**msgspec.structs.asdict(self.dialect)))
                self.put("INSERT INTO schema_version VALUES (?)", [(version,)])

    def check(self) -> None:
        """Raise InputError if the database has another version than this program, and
        DatabaseAwayError if it cannot be used."""
        with self.snapshot():
            found = self._version()
        if found < schema.VERSION:
            raise InputError(
                say(
                    "The database is of version {found}, and this program reads version "
                    "{version}: start the collector, which upgrades the database and keeps its "
                    "content.",
                    found=found,
                    version=schema.VERSION,
                )
            )

    def _version(self) -> int:
        """Return the version of the tables, 0 if there are none. Raises InputError for a newer
        version."""
        found: int = self.ask("SELECT max(version) FROM schema_version")[0][0] or 0
        if found > schema.VERSION:
            raise InputError(
                say(
                    "The database is of version {found}, and this program knows no newer one "
                    "than {version}: install the newer pi-table.",
                    found=found,
                    version=schema.VERSION,
                )
            )
        return found


def as_text(at: datetime) -> str:
    """Return a time as text in UTC, for the database. Sorted texts are in the order of time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def as_time(found: datetime | str) -> datetime:
    """Return a time from the database as a time in UTC. SQLite has times as text."""
    at = datetime.fromisoformat(found) if isinstance(found, str) else found
    return at.astimezone(UTC)
