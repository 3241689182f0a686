"""Orders carried out on threads: in order, told on the loop, finished before they are closed."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from virtual_table import RED_KEY, WALL

from pi_table.common.errors import InputError, StorageError
from pi_table.games.rules.events import Paused
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.word_games import events
from pi_table.table.engine.dealing import Dealer, Shelf, WordSource
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage import workers as module
from pi_table.table.engine.storage.backups import BackedUp, NoBackups
from pi_table.table.engine.storage.desk_orders import CheckBackup, ListPacks
from pi_table.table.engine.storage.order import Fetch, Order, Read, Thread
from pi_table.table.engine.storage.orders import (
    ChangePin,
    Deal,
    ListGames,
    Note,
    Open,
    Restore,
    Settle,
    Store,
)
from pi_table.table.engine.storage.results import (
    Dealt,
    Fetched,
    NotFetched,
    NotStored,
    PinTried,
    Result,
    Stored,
)
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, OnThreads
from pi_table.table.store.journal import Journal

DEALT = events.Dealt(0.0, "codenames", Settings(), None, RED_KEY)
Told = list[tuple[Result, int]]


def given(path: Path, play: Callable[[OnThreads, Told], Any], wall: Callable[[], str]) -> Told:
    """Let ``play`` give orders, and close; what was told by then, each with its thread."""
    told: Told = []

    async def work() -> None:
        storage = Storage(path, Dealer(Shelf(())), wall, try_replay)
        workers = OnThreads(storage, asyncio.get_running_loop())
        play(workers, told)
        workers.close()
        await asyncio.sleep(0)

    asyncio.run(work())
    return told


def note(told: Told) -> Callable[[Result], None]:
    return lambda result: told.append((result, threading.get_ident()))


def events_stored(path: Path) -> list[int]:
    with closing(Journal.open_to_read(path)) as journal:
        return [game.count for game in journal.games()]


def test_what_was_begun_is_stored_before_it_is_closed(path: Path) -> None:  # ALL-2
    slow = threading.Event()
    slow.set()  # while the journal is opened

    def wall() -> str:
        assert slow.wait(PATIENCE)
        return WALL

    def play(workers: OnThreads, told: Told) -> None:
        slow.clear()
        workers.give(Store(None, (DEALT,)), note(told))
        workers.give(Store(1, (Paused(1.0),)), note(told))
        workers.give(Note(1, 5.0), note(told))
        assert told == []
        threading.Timer(0.05, slow.set).start()  # the disk gets on while the table is closing

    assert given(path, play, wall) == [(Stored(1), threading.get_ident())] * 2
    assert events_stored(path) == [2]
    with closing(Journal.open_to_read(path)) as journal:
        latest = journal.latest()
        assert latest is not None
        assert latest.noted_at == 5.0


def test_a_fault_of_the_disk_is_told_like_any_result(path: Path) -> None:
    def broken() -> str:
        raise StorageError("The card is loose.")

    ((result, thread),) = given(
        path, lambda workers, told: workers.give(Store(None, (DEALT,)), note(told)), broken
    )
    assert isinstance(result, NotStored)
    assert (str(result.why), thread) == ("The card is loose.", threading.get_ident())


def test_who_reads_the_record_does_not_wait_for_a_slow_disk_nor_the_disk_for_who_reads(
    path: Path,
) -> None:
    may_go_on = threading.Event()
    slow = [False]

    def wall() -> str:
        if slow[0]:
            assert may_go_on.wait(PATIENCE)
        return WALL

    async def work() -> list[Result]:
        storage = Storage(path, Dealer(Shelf(())), wall, try_replay)
        workers = OnThreads(storage, asyncio.get_running_loop())
        told: list[Result] = []
        heard = asyncio.Event()

        def hear(result: Result) -> None:
            told.append(result)
            heard.set()

        workers.give(Store(None, (DEALT,)), hear)
        await asyncio.wait_for(heard.wait(), PATIENCE)
        heard.clear()
        slow[0] = True
        workers.give(Store(1, (Paused(1.0),)), hear)
        workers.give(ListGames("me", None), hear)
        await asyncio.wait_for(heard.wait(), PATIENCE)
        may_go_on.set()
        workers.close()
        await asyncio.sleep(0)
        return told

    assert asyncio.run(work()) == [Stored(1), Fetched("me", []), Stored(1)]


def test_a_restore_waits_for_what_is_being_read(path: Path) -> None:
    begun, restored = threading.Event(), threading.Event()
    restored_meanwhile: list[bool] = []

    class Reading(Order, frozen=True):
        def carry_out(self, storage: Storage) -> None:
            begun.set()
            restored_meanwhile.append(restored.wait(0.1))

    class Restoring(Restore, frozen=True):
        def carry_out(self, storage: Storage) -> Any:
            restored.set()

    async def work() -> None:
        workers = OnThreads(on_disk(path), asyncio.get_running_loop())
        workers.give(Reading(), lambda result: None)
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        workers.give(Restoring("me"), lambda result: None)
        assert await asyncio.to_thread(restored.wait, PATIENCE)
        workers.close()

    asyncio.run(work())
    assert restored_meanwhile == [False]


def on_disk(path: Path) -> Storage:
    return Storage(path, Dealer(Shelf(())), lambda: WALL, try_replay)


class Endless(NoBackups):
    """Backups of which one is looked through without end, unless it is stopped."""

    def __init__(self) -> None:
        self.begun, self.stopped = threading.Event(), threading.Event()

    def check(self, file: Path) -> BackedUp:
        self.begun.set()
        assert self.stopped.wait(PATIENCE)
        raise StorageError("The table ends.")

    def stop(self) -> None:
        self.stopped.set()


def test_while_a_backup_is_checked_all_else_goes_on_and_the_end_of_the_table_ends_it(
    path: Path,
) -> None:
    backups = Endless()

    async def work() -> list[Result]:
        storage = Storage(path, Dealer(Shelf(())), lambda: WALL, try_replay, backups=backups)
        workers = OnThreads(storage, asyncio.get_running_loop())
        told: list[Result] = []
        heard = asyncio.Semaphore(0)

        def hear(result: Result) -> None:
            told.append(result)
            heard.release()

        workers.give(CheckBackup("desk"), hear)
        assert await asyncio.to_thread(backups.begun.wait, PATIENCE)
        others = (
            *(Store(None, (DEALT,)), Store(1, (Paused(1.0),)), ListGames("me", None)),
            *(Deal("me", {"profile": "codenames"}, WordSource("own")), ListPacks("me", "en")),
        )
        for order in others:
            workers.give(order, hear)
        for _ in others:
            await asyncio.wait_for(heard.acquire(), PATIENCE)
        assert not backups.stopped.is_set()
        workers.close()
        await asyncio.sleep(0)
        return told

    *others, checked = asyncio.run(work())
    assert {type(each) for each in others} == {Stored, Fetched, Dealt}
    assert isinstance(checked, NotFetched)
    assert str(checked.why) == "The table ends."


def every_order(of: type[Order] = Order) -> Iterator[type[Order]]:
    """Every kind of order that the engine gives."""
    own = [kind for kind in of.__subclasses__() if kind.__module__.startswith("pi_table.")]
    for kind in own:
        yield from every_order(kind)
    if not own:
        yield of


def test_all_that_changes_the_journal_does_so_on_one_thread_and_all_else_on_another() -> None:
    writes = {Store, Settle, Note, Open, Restore}
    assert {each for each in every_order() if each.thread is Thread.WRITER} == writes
    assert {each for each in every_order() if each.thread is Thread.CHECKER} == {CheckBackup}
    assert {each for each in every_order() if each.is_alone} == {Restore}
    assert len({*every_order()}) > 30


def test_an_order_is_carried_out_on_its_thread(path: Path) -> None:
    names: list[str] = []

    class Noted(Order, frozen=True):
        def carry_out(self, storage: Storage) -> None:
            names.append(threading.current_thread().name.split("_")[0])

    class Writing(Noted, frozen=True):
        thread = Thread.WRITER

    class Checking(Noted, frozen=True):
        thread = Thread.CHECKER

    async def work() -> None:
        workers = OnThreads(on_disk(path), asyncio.get_running_loop())
        for order in (Noted(), Writing(), Checking()):
            workers.give(order, lambda result: None)
            workers._threads[order.thread].submit(lambda: None).result(PATIENCE)
        workers.close()

    asyncio.run(work())
    assert names == ["record", "journal", "check"]


def test_what_is_still_to_be_read_when_the_table_closes_is_given_up_without_a_word(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    all_given = threading.Event()
    carried_out: list[Order] = []

    class Reading(Order, frozen=True):
        def carry_out(self, storage: Storage) -> None:
            assert all_given.wait(PATIENCE)
            carried_out.append(self)
            # The table closes, but for the wait.
            workers._threads[Thread.READER].shutdown(wait=False, cancel_futures=True)

    loop = asyncio.new_event_loop()
    workers = OnThreads(on_disk(path), loop)
    for _ in range(3):
        workers.give(Reading(), lambda result: None)
    all_given.set()
    workers.close()
    loop.close()
    assert len(carried_out) == 1, "All but the first were to be given up."
    assert caplog.records == []


def test_a_quick_disk_is_waited_for_and_a_slow_one_is_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    slow = False

    def wall() -> str:
        assert not slow or may_go_on.wait(PATIENCE)
        return WALL

    async def work() -> tuple[list[Result | None], list[Result]]:
        nonlocal slow
        workers = OnThreads(
            Storage(path, Dealer(Shelf(())), wall, try_replay), asyncio.get_running_loop()
        )
        told: list[Result] = []
        begun = Store(None, (DEALT,))
        workers.give(begun, told.append)
        workers._newest.exception(PATIENCE)  # however slow the disk of this machine is
        soon = [workers.result_of(begun)]
        slow = True
        paused = Store(1, (Paused(1.0),))
        workers.give(paused, told.append)
        soon.append(workers.result_of(paused))
        threading.Timer(0.05, may_go_on.set).start()
        monkeypatch.setattr(module, "MOMENT_SECONDS", PATIENCE)
        soon.append(workers.result_of(paused))
        workers.close()
        await asyncio.sleep(0)
        return soon, told

    assert asyncio.run(work()) == ([Stored(1), None, Stored(1)], [Stored(1), Stored(1)])


def test_an_order_that_was_not_carried_out_has_no_result(path: Path) -> None:
    with closing(on_disk(path)) as storage:
        workers = AtOnce(storage)
        begun = Store(None, (DEALT,))
        workers.give(begun, lambda result: None)
        assert workers.result_of(begun) == Stored(1)
        assert workers.result_of(Store(1, (Paused(1.0),))) is None


def test_a_mistake_of_ours_is_not_waited_for_in_silence(path: Path) -> None:
    async def work() -> list[dict[str, Any]]:
        loop = asyncio.get_running_loop()
        mistakes: list[dict[str, Any]] = []
        seen = asyncio.Event()
        loop.set_exception_handler(lambda _, context: (mistakes.append(context), seen.set()))
        workers = OnThreads(on_disk(path), loop)
        lost = Store(7, (DEALT,))
        workers.give(lost, lambda result: None)  # there is no game 7
        assert workers.result_of(lost) is None
        await asyncio.wait_for(seen.wait(), PATIENCE)
        workers.close()
        return mistakes

    (mistake,) = asyncio.run(work())
    assert isinstance(mistake["exception"], InputError)


def test_a_wrong_pin_in_the_change_of_a_pin_counts_at_the_desk(path: Path) -> None:
    with closing(on_disk(path)) as storage:
        storage.pin.set("4711")
        tried = ChangePin("me", "4712", "4713").carry_out(storage)
        assert tried == PinTried("me", is_right=False, wrong=1)
        assert (storage.pin.wrong, storage.pin.wrong_at_desk) == (0, 1)


def test_where_the_journal_is_closed_nothing_is_stored_and_that_is_told(path: Path) -> None:
    with closing(on_disk(path)) as storage:
        storage.close()
        result = Store(1, (Paused(1.0),)).carry_out(storage)
        assert isinstance(result, NotStored)
        assert result.closed


def test_an_unforeseen_mistake_ends_a_read_alone_and_is_told_by_its_kind(path: Path) -> None:
    class Broken(Read, frozen=True):
        def read(self, storage: Storage) -> Any:
            raise RuntimeError("rrrrbbbb")

    class Fatal(Fetch, frozen=True):
        def fetch(self, storage: Storage) -> Any:
            raise RuntimeError

    with closing(on_disk(path)) as storage:
        result = Broken("me").carry_out(storage)
        assert isinstance(result, NotFetched)
        assert "RuntimeError" in str(result.why)
        assert "rrrr" not in str(result.why)
        with pytest.raises(RuntimeError):
            Fatal("me").carry_out(storage)
