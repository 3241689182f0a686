"""Opens the database at an address from the settings or the command line."""

import re
import sys
from typing import Final
from urllib.parse import unquote, urlsplit

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.fleet.collector.database import Database

SCHEMES: Final = ("postgresql", "sqlite")


_FILE: Final = re.compile(r"/[^/]+/.*[^/]", re.DOTALL)
"""Pattern of an absolute file path with at least one folder. A path without a folder, such as
``/games.sqlite``, is refused: after ``sqlite:///``, other programs read it as a relative path."""


def open_database(where: str, to_read: bool = False) -> Database:
    """Return the database at an address such as ``postgresql://host/name`` or ``sqlite:///path``,
    with its tables created. With ``to_read`` the tables must exist already, and nothing is changed.
    Raises DatabaseAwayError, and InputError for an unusable address or database version."""
    database = _connect(where, to_read)
    try:
        if to_read:
            database.check()
        else:
            database.prepare()
    except BaseException:
        database.close()
        raise
    return database


def check_address(where: str) -> str:
    """Return the scheme of a database's address. Raises InputError for an invalid address."""
    try:
        found = urlsplit(where)
    except ValueError:  # an invalid host
        found = urlsplit("")
    if found.scheme not in SCHEMES:
        raise InputError(
            say(
                "The database cannot be {where}: write postgresql://HOST/NAME or sqlite:///PATH.",
                where=repr(where),
            )
        )
    if found.scheme == "sqlite" and (found.netloc or not _FILE.fullmatch(_path(where))):
        raise InputError(
            say(
                "The database cannot be {where}: after sqlite:// comes an absolute path, such as "
                "sqlite:///var/lib/pi-table-collector/games.sqlite.",
                where=repr(where),
            )
        )
    if found.password is not None or "password=" in found.query:
        raise InputError(
            say(
                "The database's address contains a password, which others may read: put it into "
                "the file ~/.pgpass, or the one that PGPASSFILE names."
            )
        )
    return found.scheme


def _connect(where: str, to_read: bool) -> Database:
    if check_address(where) == "sqlite":
        from pi_table.fleet.collector.sqlite import SqliteDatabase

        return SqliteDatabase(_path(where), to_read)
    try:
        from pi_table.fleet.collector.postgres import PostgresDatabase
    except ImportError:
        raise InputError(
            say(
                "For a database of PostgreSQL, psycopg has to be installed: {executable} -m pip "
                "install 'psycopg[binary]'.",
                executable=sys.executable,
            )
        ) from None
    return PostgresDatabase(where)


def _path(where: str) -> str:
    """Return the file path in an SQLite address. The address may have four slashes before the path,
    as other programs write it."""
    path = unquote(urlsplit(where).path)
    return f"/{path.lstrip('/')}" if path.startswith("//") else path
