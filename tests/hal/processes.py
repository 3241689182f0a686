"""The processes that a test has begun, among those that others left behind."""

import os
from contextlib import suppress
from pathlib import Path

_OTHERS: set[int] = set()


def children() -> list[int]:
    """The processes that the test has begun and not taken leave of."""
    return sorted(_all() - _OTHERS)


def forget_others() -> None:
    """Ignore the processes that run now: they do not belong to the next test."""
    _OTHERS.clear()
    _OTHERS.update(_all())


def _all() -> set[int]:
    found: set[int] = set()
    for thread in Path(f"/proc/{os.getpid()}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has ended meanwhile
            found.update(map(int, (thread / "children").read_text().split()))
    return found
