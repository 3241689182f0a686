"""How far a long command is, for whoever waits at the terminal."""

from typing import TextIO


class Progress:
    """Counts steps: in one line of a terminal, or as a dot each in a log."""

    def __init__(self, file: TextIO, total: int) -> None:
        self._file = file
        self._total = total
        self._done = 0

    def step(self, name: str) -> None:
        """Say that one more step is done, which is called this."""
        self._done += 1
        counted = f"\r\x1b[K{self._done}/{self._total} {name}"
        print(counted if self._file.isatty() else ".", end="", file=self._file, flush=True)

    def end(self) -> None:
        """Leave a line of its own to what is said next."""
        print("\r\x1b[K" if self._file.isatty() else "\n", end="", file=self._file, flush=True)
