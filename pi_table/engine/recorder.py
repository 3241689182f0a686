"""How the table gets its events onto the disk: at once, or on a thread of its own.

Nothing that was accepted is shown before it is stored (ALL-2), and an SD card may take a third of
a second over it; on its own thread the storing does not keep a finger waiting for its glow.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final, Protocol

from pi_table.errors import StorageError
from pi_table.rules import events, games
from pi_table.store.entries import Entry
from pi_table.store.journal import Journal

BODY_BYTES: Final = 256
"""Events are padded with spaces to this: how long a journal is must not tell what it hides."""
Stored = Callable[[int | StorageError, float], None]
"""Told the number of the game once its events are durable, or why they are not, and the time."""


class Recorder(Protocol):
    def record(
        self, game: int | None, happened: Sequence[events.Event], now: float, stored: Stored
    ) -> None:
        """Store events in ``game``, or as a new game where it is None, then call ``stored``."""

    def note_time(self, game: int, at: float) -> None:
        """Keep the game clock's reading, if that is possible; it may be lost."""

    def close(self) -> None:
        """Finish what was begun and let go of the journal."""


def store(journal: Journal, game: int | None, happened: Sequence[events.Event], wall: str) -> int:
    """Store events durably; answer with the game's number. Raises StorageError."""
    entries = [Entry(event.at, games.encode(event).ljust(BODY_BYTES)) for event in happened]
    if game is None:
        return journal.begin(entries, wall)
    journal.append(game, entries, wall)
    return game


class DirectRecorder:
    """Stores while the caller waits: for virtual time, where nothing else is going on."""

    def __init__(self, journal: Journal, wall: Callable[[], str]) -> None:
        self._journal = journal
        self._wall = wall

    def record(
        self, game: int | None, happened: Sequence[events.Event], now: float, stored: Stored
    ) -> None:
        try:
            number = store(self._journal, game, happened, self._wall())
        except StorageError as error:
            stored(error, now)
        else:
            stored(number, now)

    def note_time(self, game: int, at: float) -> None:
        # If it fails, the next event will meet the same trouble, and say so.
        with suppress(StorageError):
            self._journal.note_time(game, at)

    def close(self) -> None:
        self._journal.close()


class ThreadRecorder:
    """Stores on one thread of its own, in order, and tells of it on the event loop."""

    def __init__(
        self, journal: Journal, wall: Callable[[], str], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._direct = DirectRecorder(journal, wall)
        self._loop = loop
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    def record(
        self, game: int | None, happened: Sequence[events.Event], now: float, stored: Stored
    ) -> None:
        def on_the_loop(result: int | StorageError, _: float) -> None:
            self._loop.call_soon_threadsafe(lambda: stored(result, self._loop.time()))

        job = self._thread.submit(self._direct.record, game, happened, now, on_the_loop)
        job.add_done_callback(self._look_after)

    def note_time(self, game: int, at: float) -> None:
        self._thread.submit(self._direct.note_time, game, at)

    def _look_after(self, job: Future[None]) -> None:
        """A mistake of ours must not pass unseen: the table would wait for its answer for ever."""
        mistake = job.exception()
        if mistake is not None:
            self._loop.call_soon_threadsafe(
                self._loop.call_exception_handler,
                {"message": "The journal's thread failed.", "exception": mistake},
            )

    def close(self) -> None:
        self._thread.shutdown(wait=True)
        self._direct.close()
