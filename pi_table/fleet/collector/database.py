"""The database of the collector, SQLite or PostgreSQL: what the two have in common.

SQL is written once, with ``?`` where a value goes. Times go in as text, and come out in UTC.
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
    """The database cannot be used at the moment: nothing was changed, and it is to be tried
    again."""


class UnfitError(StorageError):
    """The database does not take what it was given, and never will: nothing was changed."""


class Dialect(msgspec.Struct, frozen=True):
    """What a database says in its own way; the names are those of `schema.VERSIONS`."""

    key: str
    """A column that numbers the rows."""
    game: str
    """A column with such a number of another table."""
    compact: str
    """Behind a table whose rows lie in the order of their primary key, where there is such."""
    only_one: str
    """Begins what one program alone may do at a time."""


class Database(ABC):
    """A connection to a database."""

    dialect: Dialect

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """All that is done within is done as one, and is durable at the end; or nothing is, and it
        raises DatabaseAwayError or UnfitError."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """All that is asked within is of one moment, and nothing is changed. Raises
        DatabaseAwayError."""

    @abstractmethod
    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Do one statement, within a transaction, and give all rows that come of it."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows that come of one statement, within a transaction, as they come."""

    @abstractmethod
    def put(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Do one statement for each of some rows, within a transaction."""

    @abstractmethod
    def ask_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> list[list[tuple[Any, ...]]]:
        """The same as `put`, and the rows that come of each."""

    @abstractmethod
    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows to a table that has none of them, within a transaction."""

    @abstractmethod
    def close(self) -> None: ...

    def prepare(self) -> None:
        """Let the tables be there, those of an older version brought to this one. Raises InputError
        for a database of a newer version, which is not changed, and DatabaseAwayError."""
        with self.transaction():
            self.ask(self.dialect.only_one)
            self.ask(schema.VERSION_TABLE)
            for version in range(self._version() + 1, schema.VERSION + 1):
                for statement in schema.VERSIONS[version]:
                    self.ask(statement.format(**msgspec.structs.asdict(self.dialect)))
                self.put("INSERT INTO schema_version VALUES (?)", [(version,)])

    def check(self) -> None:
        """Raises InputError for a database of another version, and DatabaseAwayError."""
        with self.snapshot():
            found = self._version()
        if found < schema.VERSION:
            raise InputError(
                say(
                    "The database is of version {found}, and this program reads version "
                    "{version}: start the collector, which brings the database to it and keeps "
                    "what is in it.",
                    found=found,
                    version=schema.VERSION,
                )
            )

    def _version(self) -> int:
        """The version of the database; 0: it is empty. Raises InputError for a newer one."""
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
    """A time as it goes into the database: as text, earlier ones sort first."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def as_time(found: datetime | str) -> datetime:
    """A time as it comes out of the database."""
    at = datetime.fromisoformat(found) if isinstance(found, str) else found
    return at.astimezone(UTC)
