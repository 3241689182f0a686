"""Looks whether the table, while it is away, has failed for good."""

from pathlib import Path
from typing import Final

from pi_table.console.console_events import Stopped
from pi_table.fault import read

LOOK_SECONDS: Final = 1.0


class Watch:
    """Reads the file at ``path`` from time to time, for as long as the table is away."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next = float("-inf")
        self._why: str | None = None

    def look(self, now: float, away: bool) -> list[Stopped]:
        """What is new at ``now`` (seconds, never falling): that the table has failed, why, or that
        it has not any more."""
        if away and now < self._next:
            return []
        self._next = now + LOOK_SECONDS
        why = read(self._path) if away else None
        if why == self._why:
            return []
        self._why = why
        return [Stopped(why)]
