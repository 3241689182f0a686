"""Backups that a desk has put back: what is refused, what fails on the way, what is odd in them."""

import asyncio
import errno
import math
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from desk_page import desk_at
from msgspec.structs import replace
from virtual_table import WALL, VirtualTable

from pi_table.common import config as config_files
from pi_table.common import files as real_files
from pi_table.common.config import Config
from pi_table.common.errors import InputError, StorageError
from pi_table.games.rules import games
from pi_table.games.rules.events import Revealed
from pi_table.table.backups import finishing
from pi_table.table.backups import restore as restoring
from pi_table.table.backups.backup import back_up
from pi_table.table.backups.finishing import finish_before_start
from pi_table.table.backups.for_desk import BackupsOfTable
from pi_table.table.engine.dealing import Dealer
from pi_table.table.engine.process import daemon
from pi_table.table.engine.process.backup_contents import check_contents
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage.history import UnreadableGameError
from pi_table.table.engine.storage.packs import PackFolder
from pi_table.table.engine.storage.records import Records
from pi_table.table.store.entries import Entry, StoredEntry, StoredGame
from pi_table.table.store.journal import Journal

Bodies = list[bytes]


class House:
    """A house below a folder, whose table can be switched off and on again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.packs = folder / "packs"
        for each in (folder, self.state, self.packs):
            each.mkdir()
        self.config_file = folder / "table.toml"
        self.config_file.write_text(
            f'[paths]\nstate = "{self.state}"\n[table]\npacks = "{self.packs}"\n'
        )
        self.tables: list[VirtualTable] = []
        self.kind_of_backups = BackupsOfTable

    @property
    def config(self) -> Config:
        return config_files.load(self.config_file)

    @property
    def journal(self) -> Path:
        return self.config.paths.journal

    @property
    def backups(self) -> BackupsOfTable:
        return self.kind_of_backups(self.config, self.config_file, lambda: WALL, check_contents)

    def switch_on(self, **options: Any) -> VirtualTable:
        """The table as the program starts it."""
        self.switch_off()
        packs = PackFolder(self.packs)
        table = VirtualTable(self.journal, packs=packs, backups=self.backups, **options)
        self.tables.append(table)
        return table

    def switch_off(self) -> None:
        for table in self.tables:
            table.switch_off()

    def backed_up(self) -> bytes:
        """A backup of a table that is switched off."""
        back_up(self.folder / "backup", self.config, None, WALL, replace=True)
        return (self.folder / "backup").read_bytes()

    def files(self) -> dict[str, bytes]:
        """Everything in the state folder."""
        return {
            str(each.relative_to(self.state)): each.read_bytes() if each.is_file() else b""
            for each in self.state.rglob("*")
        }

    def holds(self, *games: Bodies, wall: str = WALL) -> None:
        """Makes the journal anew, of games with such events."""
        for file in self.state.iterdir():
            file.unlink()
        with closing(Journal.open(self.journal)) as journal:
            for bodies in games:
                journal.begin([Entry(0.0, body) for body in bodies], wall)


def play(table: VirtualTable, games: int = 1) -> None:
    for _ in range(games):
        table.do("start", profile="codenames")
        table.clue(2)
        table.do("abandon")


@pytest.fixture
def make_house(tmp_path: Path) -> Iterator[Callable[[str], House]]:
    houses: list[House] = []

    def make(name: str) -> House:
        houses.append(House(tmp_path / name))
        return houses[-1]

    yield make
    for house in houses:
        house.switch_off()


@pytest.fixture
def house(make_house: Callable[[str], House]) -> House:
    return make_house("house")


@pytest.fixture
def other(make_house: Callable[[str], House]) -> House:
    """Where backups come from."""
    return make_house("other")


@pytest.fixture
def real(other: House) -> Bodies:
    """The events of a game that was played to its end."""
    play(other.switch_on())
    other.switch_off()
    with closing(Journal.open_to_read(other.journal)) as journal:
        return [entry.body for entry in journal.read(1).entries]


# Games that never were


def as_it_was(real: Bodies) -> Bodies:
    return real


def without_opening(real: Bodies) -> Bodies:
    return real[1:]


def with_two_openings(real: Bodies) -> Bodies:
    return [real[0], real[0]]


def reversed_in_time(real: Bodies) -> Bodies:
    return real[::-1]


def over_before_it_began(real: Bodies) -> Bodies:
    return [real[-1], real[0]]


def of_another_version(real: Bodies) -> Bodies:
    return [*real, b'{"event":"tarot-laid","at":9.0}']


def within_values(real: Bodies) -> Bodies:
    return [real[0].rstrip()[:-1] + b',"x":%b}' % (b"[" * 30_000 + b"]" * 30_000), *real[1:]]


def with_half_a_key(real: Bodies) -> Bodies:
    """It can be played back, and not be shown."""
    opening, *rest = real
    half = re.sub(rb'("letters":")(.{12})[^"]*', rb"\1\2", opening)
    assert half != opening
    return [half, *rest, games.encode(Revealed(99.0))]


ODD = [
    *(without_opening, with_two_openings, reversed_in_time, over_before_it_began),
    *(of_another_version, within_values),
]
odd = pytest.mark.parametrize("make_odd", ODD, ids=lambda each: each.__name__)
MakeOdd = Callable[[Bodies], Bodies]


def test_a_backup_whose_games_were_played_is_put_back(
    house: House, other: House, real: Bodies
) -> None:
    other.holds(real, as_it_was(real))
    table = house.switch_on()
    desk = desk_at(table)
    desk.put("backup", other.backed_up())
    assert desk.ask("check-backup")["told"]["games"] == 2
    assert desk.ask("restore")["ok"]
    assert [game.number for game in house.switch_on().ask("record").told] == [2, 1]


@pytest.mark.parametrize("make_odd", [*ODD, with_half_a_key], ids=lambda each: each.__name__)
def test_a_backup_with_a_game_that_never_was_is_refused_and_changes_nothing(
    house: House, other: House, real: Bodies, make_odd: MakeOdd
) -> None:
    other.holds(make_odd(real), real)
    table = house.switch_on()
    play(table)
    desk = desk_at(table)
    desk.put("backup", other.backed_up())
    before = house.files()
    for act in ("check-backup", "restore"):
        answer = desk.ask(act)
        assert not answer["ok"]
        assert "game 1 in it holds events" in answer["sentence"]
        assert house.files() == before
    assert table.ended == 0
    play(table)


def test_a_backup_whose_game_began_at_no_time_is_refused(
    house: House, other: House, real: Bodies
) -> None:
    for wall in ("yesterday", "2026-01-01T00:00:00"):
        other.holds(real, wall=wall)
        desk = desk_at(house.switch_on())
        desk.put("backup", other.backed_up())
        assert "game 1 in it" in desk.ask("restore")["sentence"]


def test_a_game_of_which_nobody_knows_how_late_it_is_cannot_be_gone_on_with(real: Bodies) -> None:
    """Its time stands in the mark, whose seal has no key."""
    stored = StoredGame(1, WALL, tuple(StoredEntry(0.0, body, WALL) for body in real), 9.0)
    assert try_replay(stored).number == 1
    for late in (math.inf, -math.inf, math.nan, 1e12, -1.0):
        with pytest.raises(UnreadableGameError):
            try_replay(replace(stored, noted_at=late))


def test_the_program_has_the_games_of_a_backup_played_back(
    house: House, other: House, real: Bodies, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def storage(*parts: Any) -> None:
        given.extend(parts)
        raise InputError("That is enough.")

    monkeypatch.setattr(daemon, "Storage", storage)
    with pytest.raises(InputError, match="enough"):
        asyncio.run(daemon.run(house.config, asyncio.Event()))
    (backups,) = (part for part in given if isinstance(part, BackupsOfTable))
    other.holds(real)
    other.backed_up()
    assert backups.check(other.folder / "backup").games == 1
    other.holds(real[1:])
    other.backed_up()
    with pytest.raises(InputError, match="game 1 in it"):
        backups.check(other.folder / "backup")


@pytest.mark.parametrize("make_odd", [*ODD, with_half_a_key], ids=lambda each: each.__name__)
def test_a_table_that_finds_a_game_that_never_was_shows_the_fault_and_the_way_out(
    house: House, real: Bodies, make_odd: MakeOdd
) -> None:
    house.holds(real, make_odd(real))
    table = house.switch_on()
    (fault,) = table.message.faults
    assert "holds events that this version of pi-table cannot read" in fault
    assert table.ask("start", profile="codenames").reason == "out-of-order"
    table.do("set-aside")
    play(table)


@odd
def test_an_earlier_game_that_never_was_is_told_to_whoever_reads_it(
    house: House, real: Bodies, make_odd: MakeOdd
) -> None:
    house.holds(make_odd(real), real)
    table = house.switch_on()
    desk = desk_at(table)
    for act in ("games", "statistics", "tally"):
        assert "Game 1 of the journal" in desk.ask(act)["sentence"]
    assert "Game 1 of the journal" in desk.ask("record", game=1)["sentence"]
    assert desk.ask("record", game=2)["ok"]
    play(table)


# What fails on the way


class FailingFiles:
    """The files of a table, which cannot be written any more from one operation of a restore on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = -1
        """Operations to be done first; negative: all."""
        self.failed = False
        for module in (finishing, restoring):
            for name in ("write_whole", "remove", "sync_folder"):
                if hasattr(module, name):
                    monkeypatch.setattr(module, name, self._failing(getattr(real_files, name)))
        rename = Path.rename
        monkeypatch.setattr(Path, "rename", self._failing(rename))

    def _failing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def failing(path: Path, *rest: Any, **more: Any) -> Any:
            if self.left == 0:
                self.failed = True
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            self.left -= 1
            return real(path, *rest, **more)

        return failing


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> FailingFiles:
    return FailingFiles(monkeypatch)


def games_told(table: VirtualTable) -> list[int]:
    return [game.number for game in table.ask("record").told]


def house_with_backup(house: House, other: House, real: Bodies) -> tuple[VirtualTable, Any]:
    """A table with three games and packs, and a desk that has a backup of one game with others."""
    other.holds(real)
    (other.packs / "kitchen.txt").write_text("# the cook's\n")
    (house.packs / "cellar.txt").write_text("# ours\n")
    table = house.switch_on()
    play(table, 3)
    desk = desk_at(table)
    desk.put("backup", other.backed_up())
    return table, desk


def test_wherever_a_restore_fails_nothing_that_was_acknowledged_is_lost(
    make_house: Callable[[str], House], other: House, real: Bodies, files: FailingFiles
) -> None:
    """Every operation fails in turn. Before the one that decides the table goes on, and after it
    ends, so that its next start finishes the restore."""
    outcomes: list[str] = []
    while True:
        fails_at = len(outcomes)
        house = make_house(f"house-{fails_at}")
        table, desk = house_with_backup(house, other, real)
        files.left, files.failed = fails_at, False
        answer = desk.ask("restore")
        files.left = -1
        if not files.failed:
            assert answer["ok"]
            assert table.ended == 1
            break
        assert not answer["ok"]
        if table.ended:
            outcomes.append("ended")
            assert "cannot be finished" in answer["sentence"]
            assert table.ask("start", profile="codenames").reason == "restoring"
            house.switch_off()
            assert finish_before_start(house.state)
            assert games_told(house.switch_on()) == [1]
            assert [each.name for each in house.packs.iterdir()] == ["kitchen.txt"]
        else:
            outcomes.append("went on")
            assert table.message.faults == ()
            assert games_told(table) == [3, 2, 1]
            play(table)
            house.switch_off()
            finish_before_start(house.state)
            assert games_told(house.switch_on()) == [4, 3, 2, 1]
        house.switch_off()
    decided = outcomes.index("ended")
    assert outcomes == ["went on"] * decided + ["ended"] * (len(outcomes) - decided)
    assert decided > 5
    assert len(outcomes) - decided > 8


def test_a_journal_that_cannot_be_opened_after_a_restore_failed_is_a_fault(
    house: House, other: House, real: Bodies, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, desk = house_with_backup(house, other, real)

    def fails(self: BackupsOfTable, file: Path) -> None:
        house.journal.write_bytes(b"x" * 9000)
        raise StorageError("The card is loose.")

    monkeypatch.setattr(BackupsOfTable, "restore", fails)
    assert desk.ask("restore")["sentence"] == "The card is loose."
    assert table.ended == 0
    (fault,) = table.message.faults
    assert "does not begin as a journal does" in fault
    assert table.ask("start", profile="codenames").reason == "out-of-order"
    table.do("set-aside")
    play(table)


def test_a_journal_that_another_table_has_taken_meanwhile_is_a_fault(
    house: House, other: House, real: Bodies, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, desk = house_with_backup(house, other, real)
    taken: list[Journal] = []

    def fails(self: BackupsOfTable, file: Path) -> None:
        taken.append(Journal.open(house.journal))
        raise StorageError("The card is loose.")

    monkeypatch.setattr(BackupsOfTable, "restore", fails)
    desk.ask("restore")
    assert "Another table is using the journal" in str(table.message.faults)
    assert table.ask("start", profile="codenames").reason == "out-of-order"
    taken[0].close()
    table.do("try-again")
    play(table)


@pytest.mark.parametrize("left", [finishing.READY, finishing.DONE])
def test_what_is_left_of_a_restore_counts_as_one_to_be_finished(house: House, left: str) -> None:
    assert not house.backups.is_to_be_finished()
    (house.state / left).symlink_to("nowhere")
    assert house.backups.is_to_be_finished()


def test_where_nobody_can_tell_a_restore_may_be_half_done(house: House) -> None:
    name = "x" * 300  # longer than a name can be
    assert finishing.is_to_be_finished(house.state / name)


# What nobody foresaw


class Careless(BackupsOfTable):
    """Makes a mistake wherever it can, with a secret at hand."""

    def make(self, target: Path) -> Any:
        raise RuntimeError("rrrrrrrrrbbbbbbbbnnnnnnna")

    def check(self, file: Path) -> Any:
        return self.make(file)


def test_a_mistake_of_ours_at_the_desk_ends_what_was_asked_for_and_nothing_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.kind_of_backups = Careless
    table = house.switch_on()
    desk = desk_at(table)
    for act in ("backup", "check-backup", "restore"):
        answer = desk.ask(act)
        assert not answer["ok"]
        assert "unexpected went wrong (RuntimeError)" in answer["sentence"]
        assert "rrr" not in str(answer)
    assert [record.getMessage() for record in caplog.records] == [
        "The request failed: RuntimeError."
    ] * 3
    assert "rrr" not in caplog.text
    assert table.ended == 0
    play(table)


def test_a_mistake_of_ours_in_a_restore_is_told_and_the_journal_is_opened_again(
    house: House, other: House, real: Bodies, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, desk = house_with_backup(house, other, real)

    def fails(self: BackupsOfTable, file: Path) -> None:
        raise RuntimeError

    monkeypatch.setattr(BackupsOfTable, "restore", fails)
    assert "unexpected" in desk.ask("restore")["sentence"]
    assert table.ended == 0
    play(table)


def test_a_mistake_of_ours_in_a_list_of_games_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.switch_on()
    play(table)
    desk = desk_at(table)

    def fails(self: Records, *asked: Any) -> None:
        raise RuntimeError

    for name in ("games", "tonight", "record"):
        monkeypatch.setattr(Records, name, fails)
    for act in ("games", "tally", "record"):
        assert "unexpected" in desk.ask(act, game=1)["sentence"]
    assert "unexpected" in str(table.ask("record").sentence)


def test_a_mistake_of_ours_in_what_carries_a_game_on_still_comes_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.switch_on()

    def fails(self: Dealer, *asked: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(Dealer, "deal", fails)
    with pytest.raises(RuntimeError):
        table.ask("start", profile="codenames")


# What is cut off


def cut_off(house: House) -> list[Path]:
    """Return the files that a power cut may leave of an unfinished backup and of an unfinished
    check."""
    left = [house.state / name for name in (".desk-backup.new", ".desk-backup.making")]
    left += [house.state / ".desk-upload.making"]
    left[0].write_bytes(b"all keys so far")
    for folder in left[1:]:
        folder.mkdir()
    return left


def test_nothing_is_left_of_what_was_cut_off_with_the_start_and_with_the_desk(house: House) -> None:
    left = cut_off(house)
    table = house.switch_on()
    assert not any(each.exists() for each in left)
    desk = desk_at(table)
    cut_off(house)
    assert desk.ask("lock")["ok"]
    assert not any(each.exists() for each in left)
