"""The collector's database in one SQLite file."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from pi_table.common.language import say
from pi_table.fleet.collector.database import Database, DatabaseAwayError, Dialect, UnfitError

BUSY_SECONDS: Final = 10.0
"""Longest wait in seconds while another program, such as a backup, has locked the file."""


class SqliteDatabase(Database):
    """The database in the file ``path``. A missing file is created, unless ``to_read`` is True.
    Raises DatabaseAwayError."""

    dialect = Dialect(
        key="INTEGER PRIMARY KEY",
        game="INTEGER NOT NULL",
        compact="WITHOUT ROWID",
        only_one="SELECT 1",  # every transaction locks the file
    )

    def __init__(self, path: str, to_read: bool) -> None:
        self.path = path
        # A file that is only read may be someone else's: never create it.
        where = f"file:{quote(path)}?mode={'rw' if to_read else 'rwc'}"
        folder = Path(path).parent
        if not folder.is_dir():
            raise DatabaseAwayError(
                say(
                    "The database {path} cannot be used: there is no folder {folder}. Make it, "
                    "or write another absolute path.",
                    path=path,
                    folder=folder,
                )
            )
        with self._own_errors():
            self._connection = sqlite3.connect(
                where, timeout=BUSY_SECONDS, isolation_level=None, uri=True
            )
        try:
            with self._own_errors():
                if not to_read:
                    self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            self._connection.close()
            raise

    def transaction(self) -> AbstractContextManager[None]:
        return self._within("BEGIN IMMEDIATE")

    def snapshot(self) -> AbstractContextManager[None]:
        return self._within("BEGIN")

    @contextmanager
    def _within(self, begin: str) -> Iterator[None]:
        with self._own_errors():
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        yield from self._connection.execute(sql, values)

    def put(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        self._connection.executemany(sql, rows)

    def ask_each(self, sql: str, rows: Sequence[Sequence[Any]]) -> list[list[tuple[Any, ...]]]:
        return [self.ask(sql, row) for row in rows]

    def add(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        every = [*rows]
        if every:
            marks = ", ".join("?" * len(every[0]))
            self.put(f"INSERT INTO {table} VALUES ({marks})", every)

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _own_errors(self) -> Iterator[None]:
        """Return a context manager that raises the collector's own errors instead of sqlite3's."""
        try:
            yield
        except (sqlite3.DataError, OverflowError, UnicodeEncodeError) as error:
            raise UnfitError(say("The database does not take it: {error}.", error=error)) from None
        except sqlite3.Error as error:
            raise DatabaseAwayError(
                say("The database {path} cannot be used: {error}.", path=self.path, error=error)
            ) from None
