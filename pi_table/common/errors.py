"""The root of every error that pi-table raises on purpose.

A message is one or more sentences: the fault, its place, and the remedy. An error also inherits the
built-in exception that fits it, for callers who know only Python's exceptions.
"""


class TableError(Exception):
    """A fault that a person can fix. ``str(error)`` is a message for that person."""


class InputError(TableError, ValueError):
    """An input (an option, a file, a line) that cannot be used."""


class StorageError(TableError, OSError):
    """The journal cannot be read or written."""


class DeviceError(TableError, OSError):
    """A device that is missing or violates its contract."""
