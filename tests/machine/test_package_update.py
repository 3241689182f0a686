"""Updates by packages in the booted machine: its own unit, a real dpkg, and a web server's
repository. What is not to be trusted is refused, and in a game nothing is done."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from machine import Machine
from newer import WRITABLE
from package_source import (
    AT_ONCE,
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
from test_card_troubles import agents, begin, guess
from updates import NETWORK, join_network

from pi_table import __version__

pytestmark = pytest.mark.machine

LONG: Final = 900.0
"""Seconds that an update may take in an emulated machine."""


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


@contextmanager
def subscribed(scratch: Path, folder: Path) -> Iterator[tuple[PlayedTable, Source]]:
    """A machine whose table answers, and that is subscribed to a repository."""
    card = new_card("amd64", scratch)
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
