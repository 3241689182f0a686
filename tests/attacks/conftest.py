"""The tables that are attacked; all are off when their test is over."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attacked import Attacked, join, link
from sealed_phone import Phone
from wires import close_all

DEALT = '[table]\ncards = "dealt"\n[touch]\nintent = "tap"\n'


@pytest.fixture(autouse=True)
def nobody_stays() -> Iterator[None]:
    """After each test every connection to the pages is closed."""
    yield
    close_all()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A table with its pages and a game, for attacks after which it must stand as it stood."""
    table = Attacked(tmp_path_factory.mktemp("attacked"), DEALT)
    try:
        console = table.console()
        console.do("start", profile="codenames")
        console.until(lambda table: table["pages"] is not None)
        # While somebody has a phone there are beats.
        join(Phone(link(console, "blue-operatives")), table.phones().carry)
        console.close()
        yield table
    finally:
        table.close()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A table without pages, for attacks after which it must run on."""
    table = Attacked(tmp_path_factory.mktemp("running"), '[table]\ncards = "dealt"\n', pages=False)
    yield table
    table.close()


@pytest.fixture
def table(shared: Attacked) -> Iterator[Attacked]:
    """The shared table; whatever was done to it, both of its programs run on, and it answers."""
    yield shared
    assert shared.engine.process.poll() is None, shared.engine.log.read_text()
    assert shared.pages.process.poll() is None, shared.pages.log.read_text()
    answer = shared.get("/api/1/table")
    assert (answer.status, b'"here":true' in answer.body) == (200, True)


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[Callable[..., Attacked]]:
    """Makes tables of one's own; they take what `Attacked` takes."""
    with ExitStack() as stack:

        def make(settings: str = DEALT, **options: Any) -> Attacked:
            table = Attacked(tmp_path, settings, **options)
            stack.callback(table.close)
            return table

        yield make
