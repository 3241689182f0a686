"""Updates by packages in the booted machine: its own unit, a real dpkg, and a web server's
repository. What is good is kept; what is not is refused, or goes back by itself; and wherever the
power goes, the table comes up whole."""

import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from card import Card, Entry, held_after_a_cut, write
from machine import Machine
from newer import WRITABLE
from package_source import (
    AT_ONCE,
    BAD,
    NEWER,
    SOURCES,
    UNIT,
    Repositories,
    Source,
    patient,
    put,
    served,
    subscribe,
)
from played import PlayedTable, booted
from plugs import new_card
from screened import Screened
from test_card_troubles import begin
from test_usb import goes_on, in_mid_game
from updates import NETWORK, copy, join_network

from pi_table import __version__

pytestmark = pytest.mark.machine

INSTALL_SECONDS: Final = 900.0
"""Seconds that an update may take in an emulated machine, and its finishing after a power cut."""
FINISH: Final = "pi-table-finish-update.service"
MARK: Final = "/usr/lib/pi-table/update-to-be-finished"
DOCUMENTS: Final = re.compile(r"^missing +/usr/share/(doc|man)/")
CUTS: Final = 20
"""Points of an update at which the power goes, spread over what it writes."""


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Repositories:
    return Repositories(tmp_path_factory.mktemp("package-sources"))


def update(machine: Machine) -> str:
    """Start the unit as its timer does, and wait for its end: what its log says, and its result."""
    machine.run("systemctl", "start", UNIT, seconds=INSTALL_SECONDS)
    shown = machine.ran("systemctl", "show", "--value", "-p", "InvocationID", UNIT).strip()
    log = machine.ran("journalctl", "-o", "cat", "--no-pager", f"_SYSTEMD_INVOCATION_ID={shown}")
    result = machine.ran("systemctl", "show", "-p", "Result", "-p", "ExecMainStatus", UNIT)
    return f"{log}\n{result}"


def starts(machine: Machine) -> str:
    return machine.ran("pi-table", "--version").strip().removeprefix("pi-table ")


def whole(machine: Machine) -> str:
    """The version that starts, of whose packages each file is as it was packed; the image leaves
    out documents."""
    assert machine.ran("dpkg", "--audit") == ""
    wrong = machine.run("dpkg", "--verify", "pi-table", "pi-table-libs").out.splitlines()
    assert [each for each in wrong if not DOCUMENTS.search(each)] == []
    return starts(machine)


def answers(table: PlayedTable) -> str:
    """The version of the engine that answers now."""
    table.look_again()
    assert table.settled_faults() == []
    of_the_engine = "grep -o '/libs-[^/]*' /proc/$(systemctl show --value -p MainPID $0)/maps"
    mapped = table.machine.ran("sh", "-c", f"{of_the_engine} | sort -u", "pi-table-engine")
    return mapped.strip().removeprefix("/libs-")


def play_to_an_end(table: PlayedTable) -> object:
    """A game that is over; the answer is how the table then stands."""
    begin(table)
    assert table.act(act="abandon", seat="operator")["ok"]
    table.until(lambda: table.stands.phase == "over")
    return table.stands.view


@contextmanager
def subscribed(
    scratch: Path, folder: Path, card: Card | None = None
) -> Iterator[tuple[PlayedTable, Source]]:
    """A machine whose table answers, and that is subscribed to a repository."""
    card = card or new_card("amd64", scratch)
    words: dict[str, Any] = {"kernel": WRITABLE, "devices": NETWORK}
    with served(folder) as source, booted("amd64", card, scratch, files=AT_ONCE, **words) as table:
        table.look()
        join_network(table.machine)
        subscribe(table.machine, source)
        yield table, source


def timed(what: str, machine: Machine) -> str:
    """Update the machine, print the seconds that it took, and return the output."""
    began = time.monotonic()
    said = update(machine)
    print(f"{time.monotonic() - began:.0f} s: {what}", flush=True)
    return said


@pytest.fixture
def subscribed_screen(
    booted_table: Screened, repositories: Repositories
) -> Iterator[tuple[PlayedTable, Source]]:
    """The machine that tests share, for as long as a test takes subscribed to a repository."""
    table = booted_table.table
    machine = table.machine
    with served(repositories.image) as source:
        for path, text in AT_ONCE.items():
            put(machine, f"/run/{path}", text.encode())
        machine.ran("systemctl", "daemon-reload")
        join_network(machine)
        # It stood still while others ran, and would hold the repository for one of the future.
        machine.ran("date", "--set", f"@{time.time():.0f}")
        subscribe(machine, source)
        yield table, source
        machine.ran("rm", f"/etc/apt/sources.list.d/{SOURCES}")


def test_what_is_not_to_be_trusted_is_refused_and_in_a_game_nothing_is_done(
    subscribed_screen: tuple[PlayedTable, Source], repositories: Repositories
) -> None:
    table, source = subscribed_screen
    machine = table.machine
    stood = in_mid_game(table).stands

    source.folder = repositories.foreign
    said = timed("signed by somebody else", machine)
    assert "NO_PUBKEY" in said
    assert f"There is nothing newer than pi-table {__version__}" in said

    source.folder = repositories.newer
    said = timed("put off", machine)
    assert "The table is not updated now. " in said
    assert "ExecMainStatus=75" in said
    assert "Result=success" in said
    # The very game goes on, and so does its engine.
    goes_on(table, stood.covered)
    assert starts(machine) == __version__


@pytest.mark.torture
def test_what_is_good_is_kept_and_what_does_not_come_up_goes(
    scratch: Path, repositories: Repositories
) -> None:
    with subscribed(scratch, repositories.newer) as (table, source):
        machine = table.machine
        stood = play_to_an_end(table)

        said = timed("updated", machine)
        assert f"The table answers, with pi-table {NEWER}." in said
        assert answers(table) == whole(machine) == NEWER
        assert table.stands.view == stood

        source.folder = repositories.bad
        said = timed("put back", machine)
        assert f"pi-table {BAD} is rejected: pi-table {NEWER} is put back." in said
        assert f"The table answers again, with pi-table {NEWER}." in said
        assert "Result=exit-code" in said
        assert answers(table) == whole(machine) == NEWER
        assert table.stands.view == stood
        said = timed("not tried again", machine)
        assert f"There is nothing newer than pi-table {NEWER}" in said


@pytest.mark.torture
def test_a_table_that_is_off_at_night_is_updated_when_it_is_switched_on(
    scratch: Path, repositories: Repositories
) -> None:
    """By its timer, whatever hour it is, and nobody does anything."""
    card = new_card("amd64", scratch)
    with served(repositories.newer) as source:
        words: dict[str, Any] = {"kernel": WRITABLE, "devices": NETWORK, "files": patient()}
        with booted("amd64", card, scratch, **words) as table:
            table.look()
            subscribe(table.machine, source)
            stood = play_to_an_end(table)
            table.machine.ran("sync")
            table.machine.pull_the_plug()
        card.power_cut()
        with booted("amd64", card, scratch, **words) as table:
            machine = table.machine
            table.look()
            join_network(machine)
            # A program that starts while its files are being replaced may not find them all.
            machine.until(
                lambda: NEWER in machine.run("pi-table", "--version").out, INSTALL_SECONDS
            )
            ended = ("inactive", "failed")
            state = ("systemctl", "is-active", UNIT)
            machine.until(lambda: machine.run(*state).out.strip() in ended, INSTALL_SECONDS)
            print(f"{time.monotonic() - machine.began:.0f} s after the start", flush=True)
            log = machine.ran("journalctl", "-o", "cat", "--no-pager", "-b", "-u", UNIT)
            assert f"The table answers, with pi-table {NEWER}." in log
            assert answers(table) == whole(machine) == NEWER
            assert table.stands.view == stood


class Updated(NamedTuple):
    """A whole update, of which any beginning is a power cut."""

    image: Path
    """The card as it was when the machine was switched on."""
    writes: Sequence[Entry]
    """The machine's requests to the card."""
    begun: int
    """Number of these before the update."""
    stood: object
    """The table's state then: a game was over."""


@pytest.fixture(scope="session")
def updated(tmp_path_factory: pytest.TempPathFactory, repositories: Repositories) -> Updated:
    folder = tmp_path_factory.mktemp("updated")
    card = new_card("amd64", folder)
    with subscribed(folder, repositories.newer, card) as (table, _):
        stood = play_to_an_end(table)
        begun = len([*card.entries()])
        timed("updated", table.machine)
        assert starts(table.machine) == NEWER
        table.machine.pull_the_plug()
    return Updated(card.image, [*card.entries()], begun, stood)


@pytest.mark.torture
@pytest.mark.parametrize("number", range(1, CUTS + 1))
def test_wherever_the_power_goes_in_an_update_the_table_comes_up_whole(
    scratch: Path, updated: Updated, number: int
) -> None:
    """Power goes in the log of one whole update. Each card that is left starts by itself with the
    game that was over, and what was begun is finished."""
    seed = random.randrange(1 << 32)
    left = Card(scratch / "card.img", scratch)
    copy(updated.image, left.image)
    end = updated.begun + (len(updated.writes) - updated.begun) * number // (CUTS + 1)
    held, lost = held_after_a_cut(updated.writes[:end], random.Random(seed))
    write(held, left.image)
    print(f"cut {number}, seed {seed}: {lost}", flush=True)
    with booted("amd64", left, scratch, kernel=WRITABLE, files=AT_ONCE) as table:
        ready = table.look()
        assert table.stands.view == updated.stood
        finished = until_it_is_finished(table.machine)
        version = whole(table.machine)
        assert answers(table) == version
        assert table.stands.view == updated.stood
    print(f"answered after {ready:.0f} s, {version} whole after {finished:.0f} s", flush=True)


def until_it_is_finished(machine: Machine) -> float:
    """Wait until what was cut short is finished; the seconds since power-on."""

    def finished() -> bool:
        state = machine.run("systemctl", "is-active", FINISH).out.strip()
        assert state != "failed"
        here = machine.run("systemctl", "is-active", "--quiet", "multi-user.target").status == 0
        return here and state == "inactive" and machine.run("test", "-e", MARK).status == 1

    machine.until(finished, INSTALL_SECONDS)
    return time.monotonic() - machine.began
