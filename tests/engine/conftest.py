"""Tables in virtual time, and tables as programs; all are off when their test is over."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from virtual_table import HeldDisk, VirtualTable

from pi_table.lab.running_table import Console, RunningTable
from pi_table.table.engine.storage import pin


@pytest.fixture(autouse=True)
def quick_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait for the hash of a PIN: here nobody guesses in earnest."""
    monkeypatch.setattr(pin, "COST", 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a table keeps its journal."""
    return tmp_path / "state" / "journal.sqlite"


@pytest.fixture
def make_table(path: Path) -> Iterator[Callable[..., VirtualTable]]:
    """Makes tables, at `path` unless told otherwise; they take what `VirtualTable` takes."""
    with ExitStack() as stack:

        def make(at: Path = path, **options: object) -> VirtualTable:
            table = VirtualTable(at, **options)  # type: ignore[arg-type]
            stack.callback(table.switch_off)
            return table

        yield make


@pytest.fixture
def table(make_table: Callable[..., VirtualTable]) -> VirtualTable:
    """A table with a game, in its first turn's guessing (red's)."""
    table = make_table()
    table.start()
    table.clue(2)
    return table


@pytest.fixture
def slow(make_table: Callable[..., VirtualTable]) -> VirtualTable:
    """The same, with a disk that takes its time."""
    table = make_table(make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    return table


Start = Callable[..., RunningTable]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts tables as programs, in one folder; they are killed when the test is over."""
    with ExitStack() as stack:

        def start(**options: Any) -> RunningTable:
            return stack.enter_context(RunningTable(tmp_path, **options))

        yield start


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    """A table as a program that is ready, for tests that leave it running."""
    settings = (
        '[touch]\nhold_ms = 100\n[table]\ncards = "dealt"\n[house]\npacks_left_out = ["Italian"]\n'
    )
    with RunningTable(tmp_path_factory.mktemp("table"), settings) as table:
        table.wait()
        yield table
        assert table.stop() == 0


@pytest.fixture
def console(shared: RunningTable) -> Iterator[Console]:
    """A console at the shared table, and a new game."""
    with closing(shared.console()) as console:
        assert console.table["kind"] == "table", "an earlier test left its console open"
        if console.table["public"] and console.table["public"]["phase"] != "over":
            console.do("abandon")
        console.do("start", profile="codenames")
        yield console
