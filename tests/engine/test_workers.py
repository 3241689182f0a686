"""Orders carried out on threads: in order, told on the loop, finished before they are closed."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from patience import PATIENCE
from virtual_table import RED_KEY, WALL

from pi_table.engine.dealing import Dealer, Shelf, Wish
from pi_table.engine.desk.files.backups import BackedUp, NoBackups
from pi_table.engine.desk.orders import CheckBackup, ListPacks
from pi_table.engine.inputs import Dealt, Fetched, NotFetched, NotStored, Result, Stored
from pi_table.engine.keeper import Keeper
from pi_table.engine.outputs import (
    AtDesk,
    Begun,
    ChangeHouse,
    ChangePin,
    Deal,
    EndLinks,
    FindLatest,
    FollowGame,
    KeepClaim,
    ListGames,
    MakeLink,
    Note,
    Open,
    Order,
    ReadFinished,
    ReadRecord,
    ReadTally,
    Restore,
    SetPin,
    Settle,
    Store,
    SwitchOff,
    TryPin,
)
from pi_table.engine.phones.phones import Claim
from pi_table.engine.workers import OnThreads
from pi_table.errors import InputError, StorageError
from pi_table.rules.events import Paused
from pi_table.rules.profile import Settings
from pi_table.rules.seat import Seat
from pi_table.rules.word_games import events
from pi_table.store.journal import Journal

DEALT = events.Dealt(0.0, "codenames", Settings(), None, RED_KEY)
Told = list[tuple[Result, int]]


def given(path: Path, play: Callable[[OnThreads, Told], Any], wall: Callable[[], str]) -> Told:
    """Let ``play`` give orders, and close; what was told by then, each with its thread."""
    told: Told = []

    async def work() -> None:
        keeper = Keeper(path, Dealer(Shelf(())), wall)
        workers = OnThreads(keeper, asyncio.get_running_loop())
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

    def wall() -> str:
        slow.wait(PATIENCE)
        return WALL

    def play(workers: OnThreads, told: Told) -> None:
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
        keeper = Keeper(path, Dealer(Shelf(())), wall)
        workers = OnThreads(keeper, asyncio.get_running_loop())
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


class Noting(Keeper):
    """Does nothing, and notes which order it was given on which thread."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Dealer(Shelf(())), lambda: WALL)
        self.threads: dict[type[Order], str] = {}
        self.came = threading.Semaphore(0)

    def carry_out(self, order: Order) -> None:
        self.threads[type(order)] = threading.current_thread().name.split("_")[0]
        self.came.release()


def test_a_restore_waits_for_what_is_being_read(path: Path) -> None:
    begun, restored = threading.Event(), threading.Event()
    restored_meanwhile: list[bool] = []

    class Reading(Noting):
        def carry_out(self, order: Order) -> None:
            if isinstance(order, ListGames):
                begun.set()
                restored_meanwhile.append(restored.wait(0.1))
            elif isinstance(order, Restore):
                restored.set()

    async def work() -> None:
        workers = OnThreads(Reading(path), asyncio.get_running_loop())
        workers.give(ListGames("me", None), lambda result: None)
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        workers.give(Restore("me"), lambda result: None)
        assert await asyncio.to_thread(restored.wait, PATIENCE)
        workers.close()

    asyncio.run(work())
    assert restored_meanwhile == [False]


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
        keeper = Keeper(path, Dealer(Shelf(())), lambda: WALL, backups=backups)
        workers = OnThreads(keeper, asyncio.get_running_loop())
        told: list[Result] = []
        heard = asyncio.Semaphore(0)

        def hear(result: Result) -> None:
            told.append(result)
            heard.release()

        workers.give(AtDesk("desk", CheckBackup()), hear)
        assert await asyncio.to_thread(backups.begun.wait, PATIENCE)
        others = (
            *(Store(None, (DEALT,)), Store(1, (Paused(1.0),)), ListGames("me", None)),
            *(Deal("me", {"profile": "codenames"}, Wish("own")), AtDesk("me", ListPacks("en"))),
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


CLAIM = Claim(Seat.OPERATOR, b"k" * 32, b"d" * 32, b"h" * 16)


def test_all_that_changes_the_journal_does_so_on_one_thread_and_all_else_on_another(
    path: Path,
) -> None:
    orders = (
        *(Store(None, (DEALT,)), Settle(), Note(1, 5.0), Open(aside=False)),
        *(Deal("me", {}, Wish("own")), Begun(1, DEALT)),
        *(FindLatest(), ReadFinished("me", None)),
        *(ListGames("me", None), ReadRecord("me", 1, None), ReadTally("me", None)),
        *(ChangeHouse("me", {}), TryPin("me", "4711"), SetPin("me", None), SwitchOff("me")),
        *(ChangePin("me", "4711", "4712"), AtDesk("me", ListPacks("en")), Restore("me")),
        *(MakeLink("me", Seat.OPERATOR, None), KeepClaim(CLAIM), EndLinks(), FollowGame(1, ())),
    )
    keeper = Noting(path)

    async def work() -> None:
        workers = OnThreads(keeper, asyncio.get_running_loop())
        for order in orders:
            workers.give(order, lambda result: None)
        for _ in orders:
            assert await asyncio.to_thread(keeper.came.acquire, timeout=PATIENCE)
        workers.close()

    asyncio.run(work())
    assert keeper.threads == {
        **dict.fromkeys((Store, Settle, Note, Open, Restore), "journal"),
        **dict.fromkeys((Deal, Begun, ListGames, ReadRecord, ReadTally), "record"),
        **dict.fromkeys((FindLatest, ReadFinished), "record"),
        **dict.fromkeys((ChangeHouse, TryPin, SetPin, SwitchOff, ChangePin, AtDesk), "record"),
        **dict.fromkeys((MakeLink, KeepClaim, EndLinks, FollowGame), "record"),
    }
    assert {*keeper.threads} == {*get_args(Order)}


def test_what_is_still_to_be_read_when_the_table_closes_is_given_up_without_a_word(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    all_given = threading.Event()

    class ClosedMeanwhile(Noting):
        def carry_out(self, order: Order) -> None:
            assert all_given.wait(PATIENCE)
            super().carry_out(order)
            workers._reader.shutdown(wait=False, cancel_futures=True)  # closing, but for the wait

    keeper = ClosedMeanwhile(path)
    loop = asyncio.new_event_loop()
    workers = OnThreads(keeper, loop)
    for number in range(3):
        workers.give(ReadRecord("me", number, None), lambda result: None)
    all_given.set()
    workers.close()
    loop.close()
    assert keeper.came.acquire(blocking=False)
    assert not keeper.came.acquire(blocking=False), "All but the first were to be given up."
    assert caplog.records == []


def test_a_mistake_of_ours_is_not_waited_for_in_silence(path: Path) -> None:
    async def work() -> list[dict[str, Any]]:
        loop = asyncio.get_running_loop()
        mistakes: list[dict[str, Any]] = []
        seen = asyncio.Event()
        loop.set_exception_handler(lambda _, context: (mistakes.append(context), seen.set()))
        workers = OnThreads(Keeper(path, Dealer(Shelf(())), lambda: WALL), loop)
        workers.give(Store(7, (DEALT,)), lambda result: None)  # there is no game 7
        await asyncio.wait_for(seen.wait(), PATIENCE)
        workers.close()
        return mistakes

    (mistake,) = asyncio.run(work())
    assert isinstance(mistake["exception"], InputError)
