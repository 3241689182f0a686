"""Games at the table as a program, across a failing disk and being stopped anywhere (ALL-2)."""

import resource
import subprocess
import time
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from on_disk import view_on_disk
from patience import PATIENCE

from pi_table.common.geometry import CELLS
from pi_table.lab.running_table import (
    TRY_AGAIN,
    Console,
    Message,
    RunningTable,
    Wire,
    cover_of,
)
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS

pytestmark = pytest.mark.paced

TAP = '[touch]\nintent = "tap"\n'

Start = Callable[..., RunningTable]


def tap(world: Wire, name: str) -> None:
    """Touch a place with a hand that comes from elsewhere, and so not at once."""
    time.sleep(MOVEMENT_SECONDS)
    world.send({"touch": name}, {"release": name})


def tap_until(
    console: Console, world: Wire, name: str, shown: Callable[[Message], bool]
) -> Message:
    """Tap a place until the table is so."""
    tap(world, name)
    while not console.within(TRY_AGAIN, shown):
        tap(world, name)
    return console.table


def test_a_disk_that_fails_in_mid_game_loses_nothing(start: Start) -> None:  # ALL-2
    table = start(settings=TAP)
    table.wait()
    console, world = table.console(), table.world()
    console.do("start", profile="codenames")
    team = console.table["public"]["turn"]
    own = [CELLS[cell] for cell, letter in enumerate(console.key) if letter == team[0]]
    console.do("clue", f"{team}-spymaster", number=9)
    tap_until(console, world, own[0], lambda table: cover_of(table, own[0]) is not None)

    pid = table.process.pid
    usual = resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
    failed = tap_until(console, world, own[1], lambda table: bool(table["faults"]))
    assert "disk failed" in failed["faults"][0]
    assert cover_of(failed, own[1]) is None
    resource.prlimit(pid, resource.RLIMIT_FSIZE, usual)
    assert console.ask("try-again")["ok"]
    mended = console.until(lambda table: not table["faults"])
    assert (cover_of(mended, own[0]), mended["public"]["turn"]) == (team, team)
    tap_until(console, world, own[2], lambda table: cover_of(table, own[2]) == team)
    console.close()
    world.close()
    assert table.stop() == 0


# --- a game across restarts


def play(table: RunningTable, random: Random, seconds: float) -> None:
    """Play on, by touches and at the console, and stop the table somewhere on the way."""
    console, world = table.console(), table.world()
    stopper = subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -TERM {table.process.pid}"])
    try:
        while True:
            shown = console.table["public"]
            if shown is None or shown["phase"] == "over":
                console.ask("start", profile="codenames")
            elif shown["phase"] == "clue":
                console.ask("clue", f"{shown['turn']}-spymaster", number=random.randrange(1, 5))
            else:
                names = [name for name, of in shown["cells"].items() if of["covered"] is None]
                name = random.choice(names)
                tap(world, name)
                console.until(lambda table, name=name: cover_of(table, name) is not None)  # type: ignore[misc]
    except ConnectionError:
        pass
    finally:
        stopper.wait()
        console.close()
        world.close()


def test_a_table_that_is_stopped_at_any_moment_ends_cleanly_and_goes_on(start: Start) -> None:
    # ALL-2
    random = Random(5)
    last = None
    for _ in range(4):
        table = start(settings=TAP)
        table.wait()
        console = table.console()
        if last is not None:
            assert console.table["public"] == last
        console.close()
        play(table, random, random.uniform(0.02, 0.6))
        assert table.process.wait(PATIENCE) == 0, table.log.read_text()
        assert [*(table.folder / "run").iterdir()] == []
        assert not table.link.exists()
        stored = view_on_disk(table.folder / "state" / "journal.sqlite")
        last = msgspec.json.decode(msgspec.json.encode(stored))
