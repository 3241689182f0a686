"""Updates by packages in the booted machine: its own unit, a real dpkg, and a web server's
repository. What is good is kept; what is not is refused, or goes back by itself; and wherever the
power goes, the table comes up whole."""

import os
import random
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from card import Card, held_after_a_cut, write
from machine import Machine
from newer import WRITABLE
from package_source import (
    AT_ONCE,
    BAD,
    NEWER,
    UNIT,
    Repositories,
    Source,
    make_repositories,
    served,
    subscribe,
)
from played import PlayedTable, booted
from plugs import new_card
from test_card_troubles import agents, begin, faults, guess
from updates import NETWORK, copy, join_network

from pi_table import __version__

pytestmark = pytest.mark.machine

LONG: Final = 900.0
"""Seconds that an update may take in an emulated machine, and its finishing after a power cut."""
FINISH: Final = "pi-table-finish-update.service"
MARK: Final = "/usr/lib/pi-table/update-to-be-finished"
DOCUMENTS: Final = re.compile(r"^missing +/usr/share/(doc|man)/")
CUTS: Final = 20
"""Points of an update at which the power goes, spread over what it writes."""


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Repositories:
    return make_repositories(tmp_path_factory.mktemp("package-sources"))


def update(machine: Machine) -> str:
    """Start the unit as its timer does, and wait for its end: what its log says, and its result."""
    machine.run("systemctl", "start", UNIT, seconds=LONG)
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
    assert faults(table) == ""
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
    """What an update says, whose seconds are told."""
    began = time.monotonic()
    said = update(machine)
    print(f"{time.monotonic() - began:.0f} s: {what}", flush=True)
    return said


def test_what_is_not_to_be_trusted_is_refused_and_in_a_game_nothing_is_done(
    scratch: Path, repositories: Repositories
) -> None:
    with subscribed(scratch, repositories.image) as (table, source):
        machine = table.machine
        begin(table)
        guess(table, agents(table)[0])

        said = timed("nothing newer", machine)
        assert f"There is nothing newer than pi-table {__version__}" in said

        source.folder = repositories.foreign
        said = timed("signed by somebody else", machine)
        assert "NO_PUBKEY" in said
        assert f"There is nothing newer than pi-table {__version__}" in said

        source.folder = repositories.damaged
        said = timed("a damaged package", machine)
        assert f"pi-table {NEWER} could not be fetched, and nothing has changed" in said
        assert "Result=exit-code" in said

        source.folder = repositories.newer
        said = timed("put off", machine)
        assert "The table is not updated now. " in said
        assert "ExecMainStatus=75" in said
        assert "Result=success" in said
        guess(table, agents(table)[0])  # the very game goes on, and so does its engine
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
        assert f"pi-table {BAD} does not come up: pi-table {NEWER} is put back." in said
        assert f"The table answers again, with pi-table {NEWER}." in said
        assert "Result=exit-code" in said
        assert answers(table) == whole(machine) == NEWER
        assert table.stands.view == stood
        said = timed("not tried again", machine)
        assert f"There is nothing newer than pi-table {NEWER}" in said


@pytest.mark.torture
def test_wherever_the_power_goes_in_an_update_the_table_comes_up_whole(
    scratch: Path, repositories: Repositories
) -> None:
    """Power goes in the log of one whole update. Each card that is left starts by itself with the
    game that was over, and what was begun is finished."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    card = new_card("amd64", scratch)
    with subscribed(scratch, repositories.newer, card) as (table, _):
        stood = play_to_an_end(table)
        begun = len([*card.entries()])
        timed("updated", table.machine)
        assert starts(table.machine) == NEWER
        table.machine.pull_the_plug()
    entries = [*card.entries()]

    def starts_after_cut(number: int) -> str:
        folder = scratch / f"cut-{number}"
        folder.mkdir()
        left = Card(folder / "card.img", folder)
        copy(card.image, left.image)
        end = begun + (len(entries) - begun) * number // (CUTS + 1)
        held, lost = held_after_a_cut(entries[:end], random.Random(seed + number))
        write(held, left.image)
        version, times = comes_up_whole(left, folder, stood)
        print(f"cut {number}: {lost}, {times}, {version}", flush=True)
        shutil.rmtree(folder)
        return version

    # A machine of one core for each core that is here.
    with ThreadPoolExecutor(os.cpu_count()) as hands:
        versions = [*hands.map(starts_after_cut, range(1, CUTS + 1))]
    assert {*versions} == {__version__, NEWER}


def comes_up_whole(card: Card, folder: Path, stood: object) -> tuple[str, str]:
    """Start the card that a power cut has left, and wait until what was begun is finished. The game
    stands as it stood. Answers with the version that then runs, and the seconds since power-on."""
    words: dict[str, Any] = {"kernel": WRITABLE, "files": AT_ONCE, "cores": 1}
    with booted("amd64", card, folder, **words) as table:
        ready = table.look()
        assert table.stands.view == stood
        finished = until_it_is_finished(table.machine)
        version = whole(table.machine)
        assert answers(table) == version
        assert table.stands.view == stood
    return version, f"answered after {ready:.0f} s, whole after {finished:.0f} s"


def until_it_is_finished(machine: Machine) -> float:
    """Wait until what was cut short is finished; the seconds since power-on."""

    def finished() -> bool:
        state = machine.run("systemctl", "is-active", FINISH).out.strip()
        assert state != "failed"
        return state == "inactive" and machine.run("test", "-e", MARK).status == 1

    machine.until(finished, LONG)
    return time.monotonic() - machine.began
