"""A journal that cannot be written or read: refused visibly, told, nothing lost, and mended."""

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from desk_page import desk_at
from virtual_table import ANSWERED, WALL, VirtualTable

from pi_table.common.errors import StorageError, TableError
from pi_table.common.house_settings import House
from pi_table.devices.lights.colours import AMBER
from pi_table.games.announcer.announcement import TENSION
from pi_table.games.rules import games
from pi_table.games.rules.games import replay
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.key import Identity
from pi_table.games.rules.word_games.views import public_view
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.game_queue import REOPEN_SECONDS, RETRY_SECONDS
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Store
from pi_table.table.engine.storage.results import NotStored, Result
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import JournalFailingError, JournalFullError
from pi_table.table.store.journal import Journal

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 400 kB of its own, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(folder)]
    if os.geteuid() or shutil.which("mount") is None or subprocess.run(mount).returncode:
        pytest.skip("only root may mount a small disk")
    with ExitStack() as stack:
        stack.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=True)
        yield folder


def fill(folder: Path) -> Path:
    """A file that takes all the space there is."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return ballast


def begin(table: VirtualTable) -> None:
    table.start()
    table.clue(8)
    table.hold("A1")


def play_until_refused(table: VirtualTable) -> str:
    """Guess red's cells until one cannot be stored; its name."""
    for name in ("B1", "C1", "D1", "E1", "A2", "B2", "C2"):
        before = table.covered
        table.hold(name)
        if table.covered == before:
            return name
        table.advance(TENSION)
    raise AssertionError("everything was stored")


def as_stored(path: Path, now: float) -> Any:
    """The public view of the latest game, made of what another program reads from the disk."""
    journal = Journal.open_to_read(path)
    try:
        stored = journal.latest()
    finally:
        journal.close()
    assert stored is not None
    state = replay(games.decode(entry.body) for entry in stored.entries)
    assert isinstance(state, State)
    return public_view(state.board, now)


def test_on_a_full_disk_a_guess_is_refused_visibly_and_nothing_is_lost(
    small_disk: Path, make_table: MakeTable
) -> None:  # ALL-2
    table = make_table(small_disk / "journal.sqlite")
    begin(table)
    ballast = fill(small_disk)
    name = play_until_refused(table)
    assert table.light(name) == AMBER
    before = table.covered
    (fault,) = table.message.faults
    assert "no space left" in fault
    assert table.public[-1][1].out_of_order
    assert table.message.public == as_stored(table.path, table.time)

    stopping = table.ask("stop", "red-operatives")
    assert (stopping.reason, stopping.sentence) == ("cannot-store", fault)
    table.hold(name)  # tried again, and refused again
    assert (table.covered, table.message.faults) == (before, (fault,))

    ballast.unlink()
    table.hold(name)
    assert table.covered == before | {name: "red"}
    assert table.message.faults == ()
    assert not table.public[-1][1].out_of_order
    table.advance(ANSWERED)
    assert table.lit_as(name) is Identity.RED


def test_a_full_disk_is_told_until_something_could_be_stored_again(
    small_disk: Path, make_table: MakeTable
) -> None:
    table = make_table(small_disk / "journal.sqlite")
    begin(table)
    ballast = fill(small_disk)
    refused = play_until_refused(table)
    ballast.unlink()
    table.advance(60.0)
    assert table.public[-1][1].out_of_order
    assert table.message.may["operator"][-2:] == ("record", "try-again")
    table.do("try-again")
    assert not table.public[-1][1].out_of_order
    table.advance(ANSWERED)
    assert table.lit_as("A1") is Identity.RED
    table.hold(refused)
    assert refused in table.covered


def test_a_turn_that_the_clock_ends_on_a_full_disk_ends_when_there_is_space(
    small_disk: Path, make_table: MakeTable
) -> None:  # CN-24
    table = make_table(small_disk / "journal.sqlite")
    table.start(timer="clock", clue_seconds=100, guess_seconds=100, clock_end="end-turn")
    table.clue(8)
    ballast = fill(small_disk)
    refused = play_until_refused(table)
    turn = table.view.turn
    table.advance(130.0)
    assert table.view.turn is turn
    verdict = table.ask("stop", "red-operatives")  # neither decided nor lost: it cannot be known
    assert verdict.reason == "cannot-store"
    table.hold(refused)
    assert table.view.turn is turn
    ballast.unlink()
    table.advance(RETRY_SECONDS + 0.01)
    assert table.view.turn is not turn


class FullDisk(AtOnce):
    """A disk that is full while ``is_full`` is True."""

    is_full = False

    def give(self, order: Order, hear: Hear) -> None:
        if self.is_full and isinstance(order, Store):
            hear(NotStored(StorageError("The disk is full.")))
        else:
            super().give(order, hear)


def full_with_a_turn_that_is_over(make_table: MakeTable) -> VirtualTable:
    """Return a table whose clock has ended a turn that a full disk cannot store. The hidden screen
    shows the key."""
    table = make_table(make_workers=FullDisk, peek_seconds=0.0)
    table.start(timer="clock", clue_seconds=100, guess_seconds=100, clock_end="end-turn")
    table.clue(8)
    table.do("peek", "red-spymaster")
    assert isinstance(table.workers, FullDisk)
    table.workers.is_full = True
    table.advance(130.0)
    assert table.message.key is not None
    return table


def test_a_key_can_be_hidden_when_a_full_disk_cannot_store_the_end_of_a_turn(
    make_table: MakeTable,
) -> None:  # ALL-1
    table = full_with_a_turn_that_is_over(make_table)
    assert table.ask("unpeek", "red-spymaster").ok
    assert table.message.key is None


def test_only_what_needs_the_disk_is_refused_when_it_cannot_store_the_end_of_a_turn(
    make_table: MakeTable,
) -> None:
    table = full_with_a_turn_that_is_over(make_table)
    for act in ("doctor", "here", "lock", "look", "tally"):
        assert table.ask(act).ok, act
    turn = table.view.turn
    # An act of the game is not judged by the rules: the state that they need is not stored.
    for act, seat in (
        *(("stop", "red-operatives"), ("stop", "blue-operatives"), ("resume", "operator")),
        *(("clue", "red-spymaster"), ("no-such-act", "operator"), ("abandon", "operator")),
    ):
        assert table.ask(act, seat).reason == "cannot-store", (act, seat)
    begun: list[TableError | None] = []
    table.table.begin({"profile": "codenames"}, WordSource("own"), begun.append)
    assert isinstance(begun[0], StorageError)
    desk = desk_at(table)
    assert desk.ask("state")["ok"]
    assert desk.ask("now")["ok"]
    assert desk.ask("resume")["reason"] == "cannot-store"
    table.hold("B1")
    assert (table.covered, table.view.turn) == ({}, turn)
    assert isinstance(table.workers, FullDisk)
    table.workers.is_full = False
    table.advance(RETRY_SECONDS + 0.01)
    assert table.view.turn is not turn


@pytest.mark.parametrize("act", ["stop", "unpeek"])
def test_a_request_that_waits_for_a_slow_and_full_disk_is_answered_once(
    make_table: MakeTable, act: str
) -> None:
    table = make_table(make_workers=SlowFullDisk)
    table.start(timer="clock", clue_seconds=100, guess_seconds=100, clock_end="end-turn")
    table.clue(8)
    assert isinstance(table.workers, SlowFullDisk)
    table.workers.is_slow = True
    table.now += 130.0  # the request arrives before the clock's own timer
    answers = [table.asking(act, "red-operatives") for _ in range(3)]
    for answered in range(3):
        assert [len(each) for each in answers] == [1] * answered + [0] * (3 - answered)
        table.workers.fail()
    expected = None if act == "unpeek" else "cannot-store"
    assert [[verdict.reason for verdict in each] for each in answers] == [[expected]] * 3
    assert not table.workers.waiting


class SlowFullDisk(AtOnce):
    """A full disk that takes its time to refuse, while ``is_slow`` is True."""

    is_slow = False

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self.waiting: list[Hear] = []

    def give(self, order: Order, hear: Hear) -> None:
        if self.is_slow and isinstance(order, Store):
            self.waiting.append(hear)
        else:
            super().give(order, hear)

    def fail(self) -> None:
        (hear,), self.waiting = self.waiting, []
        hear(NotStored(StorageError("The disk is full.")))


@pytest.fixture
def no_growth() -> Iterator[Callable[[bool], None]]:
    """Says whether files may grow: where they may not, writing fails as a disk does that ails."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    def forbid(yes: bool) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, usual[1]) if yes else usual)

    yield forbid
    forbid(False)


def test_when_the_disk_fails_the_table_stops_until_it_has_looked_what_is_stored(
    make_table: MakeTable, no_growth: Callable[[bool], None]
) -> None:  # ALL-2
    table = make_table()
    begin(table)
    before = table.covered
    no_growth(True)
    table.hold("B1")
    table.advance(5.0)
    no_growth(False)
    assert table.covered == before
    assert "disk failed" in table.message.faults[0]
    assert table.message.may["operator"][-2:] == ("try-again", "set-aside")
    # Whatever is tried meanwhile is refused: it would be built on what may not be so.
    table.hold("C1")
    assert table.covered == before
    assert table.ask("stop", "red-operatives").reason == "out-of-order"
    assert table.ask("next").reason in ("out-of-order", "game-in-progress")

    table.do("try-again")
    assert table.message.faults == ()
    assert table.message.public == as_stored(table.path, table.time)
    table.hold("C1")
    assert "C1" in table.covered


def test_a_journal_that_is_set_aside_in_mid_game_takes_its_game_along(
    make_table: MakeTable, no_growth: Callable[[bool], None]
) -> None:
    table = make_table()
    begin(table)
    no_growth(True)
    table.hold("B1")
    no_growth(False)
    table.do("set-aside")
    assert (table.view, table.message.game, table.message.faults) == (None, None, ())
    begin(table)
    assert (table.covered, table.message.game) == ({"A1": "red"}, 1)


def test_an_act_that_was_stored_though_the_disk_failed_is_there_afterwards(
    make_table: MakeTable,
) -> None:  # ALL-2
    table = make_table(make_workers=HalfFailing)
    begin(table)
    assert isinstance(table.workers, HalfFailing)
    table.workers.fails = True
    table.hold("B1")
    assert "B1" not in table.covered
    table.workers.fails = False
    table.do("try-again")
    assert table.covered == {"A1": "red", "B1": "red"}
    table.hold("C1")
    assert table.covered == {"A1": "red", "B1": "red", "C1": "red"}


class HalfFailing(AtOnce):
    """A disk that stores what it is given, and then says that it failed."""

    fails = False

    def give(self, order: Order, hear: Hear) -> None:
        def failed(result: Result) -> None:
            self._storage.close()
            hear(NotStored(JournalFailingError("The disk failed."), closed=True))

        super().give(order, failed if self.fails and isinstance(order, Store) else hear)


# --- at the start


def test_a_table_that_starts_on_a_full_disk_goes_on_by_itself_when_there_is_room(
    small_disk: Path, make_table: MakeTable
) -> None:
    table = make_table(small_disk / "journal.sqlite")
    begin(table)
    table.switch_off()
    ballast = fill(small_disk)
    again = make_table(small_disk / "journal.sqlite")
    for _ in range(2):
        assert again.view is None
        (fault,) = again.message.faults
        assert "no space left" in fault
        assert again.ask("start", profile="codenames").reason == "out-of-order"
        again.advance(REOPEN_SECONDS + 1.0)
    ballast.unlink()
    again.advance(REOPEN_SECONDS)
    assert again.message.faults == ()
    assert not again.table.public_message().out_of_order
    again.hold("B1")
    assert again.covered == {"A1": "red", "B1": "red"}


@pytest.mark.parametrize("somebody", [True, False])
def test_a_table_whose_disk_gets_room_sleeps_only_if_it_saw_nobody(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch, somebody: bool
) -> None:
    house = House(idle_minutes=10)
    table = make_table(house=house)
    begin(table)
    table.do("pause")
    table.switch_off()

    def fail(path: Path) -> Journal:
        raise JournalFullError("The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(Journal, "open", fail)
        again = make_table(house=house, frames_per_second=2)
        again.advance(REOPEN_SECONDS + 1.0)
        if somebody:
            again.hold("B1")
        again.advance(REOPEN_SECONDS)
        assert again.message.faults == ("The disk is full.",)
    again.advance(REOPEN_SECONDS)
    assert (again.message.faults, again.view.paused) == ((), True)
    assert again.message.idle is (Presence.PLAYING if somebody else Presence.IDLE)
    again.advance(599.0 - REOPEN_SECONDS)
    assert again.message.idle is (Presence.PLAYING if somebody else Presence.IDLE)


def test_a_table_that_opens_its_journal_again_in_mid_game_does_not_sleep(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch, no_growth: Callable[[bool], None]
) -> None:
    table = make_table(house=House(idle_minutes=10))
    begin(table)
    table.do("pause")
    no_growth(True)
    table.ask("resume")
    no_growth(False)

    def fail(path: Path) -> Journal:
        raise JournalFullError("The disk is full.")

    with monkeypatch.context() as full:
        full.setattr(Journal, "open", fail)
        table.ask("try-again")
    table.advance(REOPEN_SECONDS)
    assert (table.message.faults, table.view.paused) == ((), True)
    assert table.message.idle is Presence.PLAYING


def change(path: Path, sql: str) -> None:
    """Change a database behind the table's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)


def test_a_damaged_journal_is_a_fault_and_not_a_new_game(
    make_table: MakeTable, path: Path
) -> None:  # ALL-2
    table = make_table()
    begin(table)
    table.switch_off()
    change(path, "UPDATE events SET at = at + 1 WHERE seq = 2")
    damaged = path.read_bytes()

    broken = make_table()
    broken.advance(100.0)
    assert path.read_bytes() == damaged
    assert broken.public == []
    assert broken.table.public_message().out_of_order
    assert broken.view is None
    assert "is damaged" in broken.message.faults[0]
    assert broken.message.may["operator"] == ("try-again", "set-aside")
    broken.touch("A1")
    assert broken.light("A1") == AMBER
    broken.release()
    assert broken.ask("start", profile="codenames").reason == "out-of-order"
    assert broken.ask("try-again").ok
    assert "is damaged" in broken.message.faults[0]
    assert path.read_bytes() == damaged

    broken.do("set-aside")
    assert broken.message.faults == ()
    (aside,) = path.parent.glob("*set-aside*.sqlite")
    assert aside.read_bytes() == damaged
    begin(broken)
    assert broken.covered == {"A1": "red"}
    assert broken.message.game == 1


def test_a_journal_that_was_mended_is_gone_on_with(make_table: MakeTable, path: Path) -> None:
    table = make_table()
    begin(table)
    table.switch_off()
    whole = path.read_bytes()
    path.write_bytes(b"not a journal" * 100)
    broken = make_table()
    assert len(broken.message.faults) == 1
    path.write_bytes(whole)
    broken.do("try-again")
    assert broken.covered == {"A1": "red"}
    assert broken.public[-1][1].view == broken.view


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.write_bytes(b"SQLite format 3\0" + b"x" * 5000), "damaged"),
        (lambda path: path.write_text("Dear diary"), "damaged"),
        (lambda path: path.mkdir(), "a folder in its place"),
        (lambda path: change(path, "CREATE TABLE recipes (name)"), "another program"),
    ],
)
def test_what_is_no_journal_is_left_alone(
    make_table: MakeTable, path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    path.parent.mkdir()
    spoil(path)
    before = path.is_file() and path.read_bytes()
    table = make_table()
    assert says in table.message.faults[0]
    table.hold("A1")
    assert table.ask("start", profile="codenames").reason == "out-of-order"
    assert (path.is_file() and path.read_bytes()) == before
    assert table.view is None


def test_a_journal_of_a_version_to_come_is_left_alone(make_table: MakeTable, path: Path) -> None:
    table = make_table()
    begin(table)
    recorder = table.workers
    assert recorder is not None
    table.switch_off()
    journal = Journal.open(path)
    journal.append(1, [Entry(99.0, b'{"event":"card-turned","at":99.0}')], WALL)
    journal.close()
    before = path.read_bytes()
    newer = make_table()
    assert "this version of pi-table cannot read" in newer.message.faults[0]
    assert newer.ask("start", profile="codenames").reason == "out-of-order"
    assert path.read_bytes() == before


def test_a_read_only_disk_is_a_fault(small_disk: Path, make_table: MakeTable) -> None:
    path = small_disk / "journal.sqlite"
    table = make_table(path)
    begin(table)
    table.switch_off()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    broken = make_table(path)
    assert "read-only" in broken.message.faults[0]
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    broken.do("try-again")
    assert broken.covered == {"A1": "red"}


def test_the_faults_are_for_the_staff(make_table: MakeTable, path: Path) -> None:  # ALL-1
    path.parent.mkdir()
    path.write_text("Dear diary")
    table = make_table()
    public = table.table.public_message()
    assert (public.view, public.out_of_order) == (None, True)
    assert table.lights[-1][1] == table.device.shown


def test_an_act_of_nobody_is_no_fault(make_table: MakeTable) -> None:
    table = make_table()
    begin(table)
    assert table.ask("guess", "blue-operatives", cell="D1").reason == "not-your-turn"
    assert table.message.faults == ()
