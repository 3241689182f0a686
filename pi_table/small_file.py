"""Reading a file that somebody else names: never without end, and never more than it may hold."""

from pathlib import Path

from pi_table.safe_open import open_file


def read_small_file(
    path: Path, most: int, *, start: int | None = None, owner: int | None = None
) -> bytes:
    """The bytes of a file that has ``most`` of them or fewer; of a larger one, one more. ``start``
    is the descriptor of the folder from which the path leads on, ``owner`` to whom it must belong.

    Raises OSError, with a ``strerror`` that says why: also for what is no file but a folder, a
    pipe, a socket or a device (but for the null device, which is an empty file), and for a path
    that no file can have. A pipe is not waited for.
    """
    with open(open_file(path, start=start, owner=owner), "rb") as file:
        return file.read(most + 1)
