"""The settings file of one table: the section [bridge] for pi-table.toml on its boot partition."""

import tomllib

from pi_table.common.errors import InputError
from pi_table.common.language import say


def piece(broker: str, table: str, password: str, prefix: str) -> str:
    """Return the text of a table's settings file. The values were checked before: none of them
    needs escaping."""
    return f"""\
# The table {table} among many. Put this file on the boot partition of its card, or these lines into
# the pi-table.toml that is there. The table takes the password over once, and removes it there.
# Whoever has this file can be this table: keep it, or delete it.
[bridge]
broker = "{broker}"
table = "{table}"
password = "{password}"
prefix = "{prefix}"
"""


def password_in(text: str, table: str, where: str) -> str:
    """Return the password in a table's settings file. Raises InputError, in which ``where`` names
    the file."""
    try:
        match tomllib.loads(text):
            case {"bridge": {"table": str(name), "password": str(password)}} if name == table:
                return password
    except (ValueError, RecursionError):
        pass
    raise InputError(
        say(
            "{where} has no password of the table {table}: delete the file, and a new one is made.",
            where=where,
            table=table,
        )
    )
