"""The first guess costs what the hundredth does: whatever play needs is loaded before READY."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from pi_table.common.geometry import CELLS
from pi_table.lab.bench.checking import Desk
from pi_table.lab.bench.relayed import Relay
from pi_table.lab.running_table import Console, RunningTable, cover_of

Start = Callable[..., RunningTable]
HOOK = """
import sys


def look(event, args):
    if event == "import":
        print("Loaded:", args[0], file=sys.stderr)
    elif event == "open" and str(args[0]).endswith(".mo"):
        print("Loaded:", args[0], file=sys.stderr)


sys.addaudithook(look)
"""
"""Makes a program say which modules and which catalogues of texts it loads."""


def loaded(table: RunningTable) -> list[str]:
    """Return the modules that the table has loaded so far, in order."""
    return [line for line in table.log.read_text().splitlines() if line.startswith("Loaded:")]


def play(table: RunningTable, console: Console) -> None:
    """Play a game in which a finger guesses; then look at the record."""
    console.ask("start", profile="codenames")
    console.until(lambda message: message["public"] is not None)
    team = console.table["public"]["turn"]
    console.do("clue", f"{team}-spymaster", number="unlimited")
    console.do("peek", f"{team}-spymaster")
    own = CELLS[console.key.index(team[0])]  # neither the end of the game nor of the turn
    with closing(table.world()) as world:
        world.send({"touch": own})
        console.until(lambda message: cover_of(message, own) is not None)
        world.send({"release": own})
    console.do("pause")
    console.do("abandon")
    console.do("reveal")
    console.ask("record")
    console.ask("tally")
    console.ask("start", profile="codename")  # the answer names the nearest one


def test_nothing_is_loaded_after_ready(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    settings = '[touch]\nintent = "tap"\n[table]\ncards = "dealt"\n'
    table = start(settings=settings, environment={"PYTHONPATH": str(tmp_path)})
    table.wait()
    before = loaded(table)
    assert "Loaded: pi_table.table.engine.process.daemon" in before
    assert [line for line in before if line.endswith("it/LC_MESSAGES/guests.mo")]
    with ExitStack() as stack:
        console = stack.enter_context(closing(table.console()))
        stack.enter_context(closing(table.public()))
        play(table, console)
        console.do("start", profile="codenames")
        stack.enter_context(closing(Relay(table.folder / "run"))).seat(console)
        console.ask("abandon")
        desk = stack.enter_context(closing(Desk(table, console)))
        assert desk.ask("games")["ok"]
    assert loaded(table) == before
