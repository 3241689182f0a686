"""The course of an update: when it begins, what it does to the packages, and how it goes back.

What stands for the packages here does nothing but remember; tests/package has the real ones.
"""

import errno
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from stand_in import FREE, PLAYED, StandIn, message, settings

from pi_table.common import config
from pi_table.common.errors import TableError
from pi_table.fleet.updating.asking import AWAY, NOTHING_HEALTHY, TableHealth, why_not_up
from pi_table.fleet.updating.hours import BOOT_GRACE_SECONDS
from pi_table.fleet.updating.packages import Packages
from pi_table.fleet.updating.update import LAST, Status, Update

OLD, NEW = "0.7.0", "0.7.1"


class Remembered(Packages):
    """Packages of a table, of which it is written down what is done to them and said."""

    def __init__(self, table: StandIn) -> None:
        self.table = table
        self.done: list[str] = []
        self.said: list[str] = []
        self.version: str | None = OLD
        self.offered: str | None = NEW
        self.has_old, self.installs, self.puts_back = True, True, True
        self.cut_short, self.finishes, self.refreshes = False, True, True
        self.brings_the_next = True
        """True if another version could follow the installed one."""
        self.is_full = False
        """True if the disk is full."""
        self.trial: str | None = None
        self.health = NOTHING_HEALTHY
        self.comes_up: set[str | None] = {OLD, NEW}
        """With these versions the table comes up."""
        self.says: dict[str | None, bytes] = {}
        """Its message with each version, where it is not the usual one."""

    def installed_version(self) -> str | None:
        return self.version

    def refresh_sources(self) -> bool:
        return self.refreshes

    def newer(self) -> str | None:
        return self.offered if self.offered != self.version else None

    def is_interrupted(self) -> bool:
        return self.cut_short

    def finish(self) -> bool:
        if not self.finishes:
            self.done.append("finish in vain")
            return False
        self.cut_short = False
        return self._change("finish", NEW)

    def fetch(self, version: str, before: str | None) -> bool:
        self.done.append(f"fetch {version}, {before}")
        return self.has_old

    def begin_trial(self, health: TableHealth) -> None:
        self.done.append("begin trial")
        self.trial, self.health = self.version, health

    def health_before(self) -> TableHealth:
        return self.health

    def fallback_version(self) -> str | None:
        return self.trial

    def end_trial(self) -> None:
        self.done.append("end trial")
        self.trial = None

    def install(self) -> bool:
        return self._change("install", NEW if self.installs else self.version)

    def roll_back(self) -> bool:
        return self._change("put back", OLD) if self.puts_back else False

    def can_update(self) -> bool:
        return self.brings_the_next

    def block_version(self, version: str) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.done.append(f"bad: {version}")

    def _change(self, what: str, version: str | None) -> bool:
        """The packages are replaced, and the engine is started anew."""
        self.done.append(what)
        changed, self.version = self.version != version, version
        if changed:
            self.table.end()
            self.table.told = self.says.get(version, self.table.told)
            if version in self.comes_up:
                self.table.begin()
        return what != "install" or self.installs

    def run(
        self,
        *command: str,
        at: str = "05:00",
        now: bool = False,
        up: float = BOOT_GRACE_SECONDS,
        by_hand: bool = True,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Status:
        why = partial(why_not_up, seconds=0.3, steady=0.0)
        by = partial(Update, why_not=why, patience=0.3, by_hand=by_hand)
        paths = replace(config.load().paths, runtime=str(self.table.runtime))
        update = by(paths, self.said.append, self, stopped, at, up)
        return update.run(command, at_once=now)


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Remembered]:
    with StandIn(tmp_path) as table:
        yield Remembered(table)


def test_what_is_newer_is_installed_and_proves_itself(packages: Remembered) -> None:
    assert packages.run() is Status.DONE
    assert packages.done == [f"fetch {NEW}, {OLD}", "begin trial", "install", "end trial"]
    assert packages.said == [f"The table answers, with pi-table {NEW}."]
    # It is kept free meanwhile, and no longer.
    assert [each["seconds"] for each in packages.table.asked] == [1800, 0]
    assert packages.run() is Status.DONE
    assert packages.said[1:] == [f"There is nothing newer than pi-table {NEW} for this table."]
    assert len(packages.table.asked) == 2


def test_while_somebody_plays_nothing_is_touched(packages: Remembered, tmp_path: Path) -> None:
    packages.table.answer = PLAYED
    assert packages.run() is packages.run(now=True) is Status.LATER
    assert packages.done == 2 * [f"fetch {NEW}, {OLD}"]
    assert packages.said == 2 * ["The table is not updated now. A game is being played."]
    # Nor is it given free, which somebody else may keep.
    assert 0 not in [each["seconds"] for each in packages.table.asked]
    assert packages.run("touch", str(tmp_path / "touched")) is Status.LATER
    assert not (tmp_path / "touched").exists()


def test_outside_of_the_hours_of_the_house_nobody_is_asked(packages: Remembered) -> None:
    packages.table.told = message(settings("23:00", "09:00"))
    assert packages.run(at="22:59") is Status.DONE
    assert packages.run("false", at="22:59") is Status.DONE
    assert packages.said == 2 * [
        "The table is updated from 23:00 to 09:00, and soon after it is switched on; --now "
        "does it at once."
    ]
    # A timer asks forty times a day: the log does not say so each time.
    packages.said.clear()
    assert packages.run(at="22:59", by_hand=False) is Status.DONE
    assert packages.said == []
    assert (packages.done, packages.table.asked) == ([], [])
    for how in ({"at": "23:00"}, {"at": "12:00", "now": True}, {"at": "12:00", "up": 1.0}):
        packages.version = OLD
        assert packages.run(**how) is Status.DONE
        assert packages.version == NEW


def test_a_table_that_cannot_be_asked_is_updated_all_the_same(packages: Remembered) -> None:
    packages.table.end()
    packages.comes_up = set()
    assert packages.run() is Status.FAILED
    # It did not answer before either: that is not for the new version to answer for.
    assert packages.done == [f"fetch {NEW}, {OLD}", "install", "end trial"]
    assert packages.said == [
        "The table does not answer, so nobody plays: it is updated all the same.",
        f"The table does not work as it should with pi-table {NEW}. {AWAY}",
    ]


def test_an_update_may_mend_a_table(packages: Remembered) -> None:
    packages.table.end()
    assert packages.run() is Status.DONE
    assert packages.version == NEW


@pytest.mark.parametrize(
    ("comes_up", "brings_the_next", "why"), [({OLD}, True, AWAY), ({OLD, NEW}, False, LAST)]
)
def test_a_version_that_does_not_come_up_or_would_be_the_last_is_put_back(
    packages: Remembered, comes_up: set[str | None], brings_the_next: bool, why: str
) -> None:
    """The version before is asked whether it comes up, but not whether it brings the next."""
    packages.comes_up, packages.brings_the_next = comes_up, brings_the_next
    assert packages.run() is Status.FAILED
    assert packages.version == OLD
    assert packages.done[2:] == ["install", f"bad: {NEW}", "put back", "end trial"]
    assert packages.said == [
        f"pi-table {NEW} is rejected: pi-table {OLD} is put back. {why}",
        f"The table answers again, with pi-table {OLD}.",
    ]


def test_a_version_that_does_not_know_the_controller_is_put_back(packages: Remembered) -> None:
    """It speaks another language with it, say: the table would answer, and feel no finger."""
    deaf = message(settings(), TableHealth(link=False))
    well = packages.table.told
    packages.says = {NEW: deaf, OLD: well}
    assert packages.run() is Status.FAILED
    assert packages.version == OLD
    assert "does not reach the touch device" in packages.said[0]
    assert packages.said[1] == f"The table answers again, with pi-table {OLD}."


def test_what_ailed_the_table_before_condemns_no_version(packages: Remembered) -> None:
    deaf = message(settings(), TableHealth(link=False, out_of_order=True))
    packages.table.told = deaf
    assert packages.run() is Status.DONE
    assert packages.version == NEW


def test_a_full_disk_keeps_no_version_from_being_put_back(packages: Remembered) -> None:
    packages.comes_up, packages.is_full = {OLD}, True
    assert packages.run() is Status.FAILED
    assert packages.version == OLD
    assert "It may be tried again" in packages.said[1]
    assert "No space left on device" in packages.said[1]


def test_without_the_version_before_it_is_said_that_no_way_leads_back(
    packages: Remembered,
) -> None:
    packages.has_old, packages.comes_up = False, set()
    assert packages.run() is Status.FAILED
    assert packages.version == NEW
    assert packages.said == [
        f"There is no way back: pi-table {OLD} is not kept here, and no package source has it.",
        f"The table does not work as it should with pi-table {NEW}. {AWAY}",
    ]


def test_where_nothing_was_installed_only_the_update_has_failed(
    packages: Remembered,
) -> None:
    packages.installs = packages.brings_the_next = False
    assert packages.run() is Status.FAILED
    assert (packages.version, packages.trial) == (OLD, None)
    assert packages.said == [f"The table answers, with pi-table {OLD}."]


def test_a_trial_that_the_power_ended_is_judged_at_any_hour(packages: Remembered) -> None:
    packages.trial, packages.version, packages.comes_up = OLD, NEW, {OLD}
    packages.table.end()
    assert packages.run(at="20:15") is Status.FAILED
    assert packages.done == [f"bad: {NEW}", "put back", "end trial"]
    assert packages.version == OLD


def test_no_version_is_put_back_in_a_game(packages: Remembered) -> None:
    packages.trial, packages.version, packages.brings_the_next = OLD, NEW, False
    packages.table.answer = PLAYED
    assert packages.run(at="20:15") is Status.LATER
    assert (packages.done, packages.trial) == ([], OLD)
    assert packages.said == ["The table is not updated now. A game is being played."]
    packages.table.answer = FREE
    packages.table.asked.clear()
    assert packages.run(at="20:15") is Status.FAILED
    assert packages.done == [f"bad: {NEW}", "put back", "end trial"]
    assert [each["seconds"] for each in packages.table.asked] == [1800, 0]


def test_no_version_is_put_back_in_a_game_that_began_after_it_was_installed(
    packages: Remembered,
) -> None:
    """The engine was restarted, and a new engine is not reserved."""
    packages.brings_the_next = False

    def begin_a_game() -> bool:
        if "install" in packages.done:
            packages.table.answer = PLAYED
        return False

    assert packages.run(stopped=begin_a_game) is Status.LATER
    assert (packages.done[-1], packages.trial) == ("install", OLD)


def test_a_version_before_that_cannot_be_put_back_is_tried_again(packages: Remembered) -> None:
    packages.comes_up, packages.puts_back = {OLD}, False
    with pytest.raises(TableError, match="could not be put back"):
        packages.run()
    packages.puts_back = True
    assert packages.run(at="20:15") is Status.FAILED
    assert (packages.version, packages.trial) == (OLD, None)


def test_what_was_cut_short_is_finished_but_never_in_a_game(packages: Remembered) -> None:
    packages.cut_short, packages.trial = True, OLD
    packages.table.answer = PLAYED
    assert packages.run() is Status.LATER
    assert packages.done == []
    packages.table.answer = FREE
    assert packages.run() is Status.DONE
    assert packages.done == ["finish", "end trial"]
    assert packages.version == NEW


@pytest.mark.parametrize("halfway", [OLD, NEW])
def test_what_cannot_be_finished_is_fetched_anew(packages: Remembered, halfway: str) -> None:
    """Its files are not there any more, say; dpkg may count the new version as installed or not."""
    packages.cut_short, packages.finishes = True, False
    packages.trial, packages.version = OLD, halfway
    assert packages.run() is Status.DONE
    # The way back stays the one that the update began with.
    assert packages.done == [
        "finish in vain",
        f"fetch {NEW}, {halfway}",
        "install",
        "end trial",
    ]
    assert packages.said == [
        "The update that was cut short could not be finished: it is fetched again.",
        f"The table answers, with pi-table {NEW}.",
    ]
    assert packages.version == NEW


def test_a_source_that_cannot_be_asked_or_believed_is_told_of(packages: Remembered) -> None:
    packages.refreshes, packages.offered = False, OLD
    assert packages.run() is Status.DONE
    assert packages.said == [
        "Not every package source answered, or could be trusted: the messages of apt-get are "
        "above. The lists from before are used.",
        f"There is nothing newer than pi-table {OLD} for this table.",
    ]


def test_a_machine_that_is_switched_off_condemns_no_version(packages: Remembered) -> None:
    """The engine has been stopped, too."""
    packages.comes_up = set()
    assert packages.run(stopped=lambda: "install" in packages.done) is Status.FAILED
    assert packages.done[-1] == "install"
    assert packages.trial == OLD


@pytest.mark.parametrize("reservations", [1, 2])
def test_a_machine_that_is_switched_off_while_a_version_is_judged_keeps_it(
    packages: Remembered, reservations: int
) -> None:
    packages.brings_the_next = False

    def reserved() -> int:
        return [each["seconds"] for each in packages.table.asked].count(1800)

    def is_switched_off() -> bool:
        return "install" in packages.done and reserved() == reservations

    assert packages.run(stopped=is_switched_off) is Status.FAILED
    assert (packages.done[-1], packages.trial) == ("install", OLD)
    assert reserved() == reservations


def test_a_machine_that_is_switched_off_begins_no_update(packages: Remembered) -> None:
    assert packages.run(stopped=lambda: True) is Status.LATER
    assert packages.done == [f"fetch {NEW}, {OLD}"]
    assert packages.table.asked == []


def test_what_is_no_package_is_not_updated(packages: Remembered) -> None:
    packages.version = None
    with pytest.raises(TableError, match="not installed here as a package"):
        packages.run()


def test_a_command_in_the_place_of_the_packages(packages: Remembered, tmp_path: Path) -> None:
    packages.trial = OLD  # which is no business of the command's
    assert packages.run("touch", str(tmp_path / "touched")) is Status.DONE
    assert (tmp_path / "touched").exists()
    assert [each["seconds"] for each in packages.table.asked] == [1800, 0]
    assert packages.run("sh", "-c", "exit 3") is Status.FAILED
    assert packages.said == ["The update by sh ended with 3."]
    assert packages.done == []
