"""The one root of every error that pi-table raises on purpose.

A message is a sentence, or several: what is wrong, where, and what to do. An error also inherits
the built-in that fits it, so that callers who know only Python can catch it.
"""


class TableError(Exception):
    """Something went wrong that a person can mend; ``str()`` of it is for that person."""


class InputError(TableError, ValueError):
    """What was given (an option, a file, a line) cannot be used."""


class StorageError(TableError, OSError):
    """The journal cannot be read or written."""


class DeviceError(TableError, OSError):
    """A device is missing, or does not do what its contract says."""
