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


def did_you_mean(wrong: str, known: "list[str] | tuple[str, ...]") -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them."""
    from difflib import get_close_matches

    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose one of: {', '.join(known)}."
