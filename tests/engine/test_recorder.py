"""Storing on a thread of its own: in order, told on the loop, finished before it is closed."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from virtual_table import RED_KEY, WALL, VirtualTable

from pi_table.engine import daemon
from pi_table.engine.recorder import ThreadRecorder
from pi_table.errors import InputError, StorageError
from pi_table.rules.events import Paused
from pi_table.rules.profile import Settings
from pi_table.rules.word_games import events
from pi_table.store.journal import Journal

DEALT = events.Dealt(0.0, "codenames", Settings(), None, RED_KEY)
Told = list[tuple[int | StorageError, int]]


def recording(
    path: Path, play: Callable[[ThreadRecorder, Told], Any], wall: Callable[[], str]
) -> Told:
    """Let ``play`` record, and close; what was told by then, each with the thread it came on."""
    told: Told = []

    async def record() -> None:
        recorder = ThreadRecorder(Journal.open(path), wall, asyncio.get_running_loop())
        play(recorder, told)
        recorder.close()
        await asyncio.sleep(0)

    asyncio.run(record())
    return told


def note(told: Told) -> Callable[[int | StorageError, float], None]:
    return lambda result, now: told.append((result, threading.get_ident()))


def events_stored(path: Path) -> list[int]:
    with closing(Journal.open_to_read(path)) as journal:
        return [game.count for game in journal.games()]


def test_what_was_begun_is_stored_before_it_is_closed(path: Path) -> None:  # ALL-2
    slow = threading.Event()

    def wall() -> str:
        slow.wait(10.0)
        return WALL

    def play(recorder: ThreadRecorder, told: Told) -> None:
        recorder.record(None, [DEALT], 0.0, note(told))
        recorder.record(1, [Paused(1.0)], 0.0, note(told))
        recorder.note_time(1, 5.0)
        assert told == []
        threading.Timer(0.05, slow.set).start()  # the disk gets on while the table is closing

    told = recording(path, play, wall)
    assert told == [(1, threading.get_ident())] * 2
    assert events_stored(path) == [2]
    with closing(Journal.open_to_read(path)) as journal:
        latest = journal.latest()
        assert latest is not None
        assert latest.noted_at == 5.0


def test_a_fault_of_the_disk_is_told_like_any_result(path: Path) -> None:
    def broken() -> str:
        raise StorageError("The card is loose.")

    told = recording(
        path, lambda recorder, told: recorder.record(None, [DEALT], 0.0, note(told)), broken
    )
    ((result, thread),) = told
    assert isinstance(result, StorageError)
    assert thread == threading.get_ident()


def test_a_mistake_of_ours_is_not_waited_for_in_silence(path: Path) -> None:
    async def record() -> list[dict[str, Any]]:
        loop = asyncio.get_running_loop()
        mistakes: list[dict[str, Any]] = []
        seen = asyncio.Event()
        loop.set_exception_handler(lambda _, context: (mistakes.append(context), seen.set()))
        recorder = ThreadRecorder(Journal.open(path), lambda: WALL, loop)
        recorder.record(7, [DEALT], 0.0, lambda result, now: None)  # there is no game 7
        await asyncio.wait_for(seen.wait(), 10.0)
        recorder.close()
        return mistakes

    (mistake,) = asyncio.run(record())
    assert isinstance(mistake["exception"], InputError)


def test_when_it_is_stopped_nobody_calls_the_table_any_more(
    make_table: Callable[..., VirtualTable],
) -> None:
    table = make_table()
    table.start()
    table.clue(2)

    async def stop() -> list[asyncio.TimerHandle]:
        loop = asyncio.get_running_loop()
        driver = daemon._Driver(table.table, loop)
        table.table.publish = lambda now: None
        table.now = loop.time()
        table.touch("A1")  # the lights are moving, a hold is about to be complete
        driver.run()
        driver.schedule()
        shown = len(table.lights)
        driver.stop()
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(table.lights) == shown
        timers: list[asyncio.TimerHandle] = loop._scheduled  # type: ignore[attr-defined]
        return [timer for timer in timers if not timer.cancelled()]

    assert asyncio.run(stop()) == []
