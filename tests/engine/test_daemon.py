"""The table as a program: started, told to systemd, stopped, refused a second time."""

import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE

from pi_table.common.errors import DeviceError
from pi_table.common.geometry import CELLS
from pi_table.lab.running_table import Console, RunningTable, cover_of

Start = Callable[..., RunningTable]


# --- started and stopped


def test_a_table_says_that_it_is_ready_when_it_answers(start: Start) -> None:
    table = start()
    assert table.wait() > 0.0
    console, public, world = table.console(), table.public(), table.world()
    assert console.table["public"] is None
    assert public.read() == {
        "kind": "public",
        "view": None,
        "out_of_order": False,
        "said": [],
        "idle": "playing",
        "idle_left": None,
        "service": False,
        "out_of_service": False,
        "marks": {},
        "seated": [],
        "tonight": [],
    }
    assert len(world.read()["lights"]) == 27
    assert console.ask("clues")["reason"] == "no-game"
    for wire in (console, public, world):
        wire.close()


def test_a_table_that_is_asked_to_stop_leaves_nothing_behind(start: Start) -> None:
    table = start()
    table.wait()
    console = table.console()
    console.do("start", profile="codenames")
    assert table.stop() == 0
    assert [*(table.folder / "run").iterdir()] == []
    assert not table.link.exists()
    assert "READY" not in table.log.read_text()
    console.close()


def test_what_ails_the_touch_grid_is_logged_once_and_so_is_its_end(start: Start) -> None:
    table = start()
    table.wait()
    console, world = table.console(), table.world()
    ails = "The touch chip at 0x5B does not answer."
    world.send({"ail": ails}, {"touch": "A1"}, {"release": "A1"}, {"fail": "A1"})
    console.until(lambda table: table["faults"] == [ails])
    world.send({"mend": True})
    console.until(lambda table: not table["faults"])
    console.close()
    world.close()
    assert table.stop() == 0
    warned = [line for line in table.log.read_text().splitlines() if line.startswith("WARNING")]
    assert warned == [f"WARNING {ails}", "WARNING The touch grid is in order again."]


def test_a_table_that_stops_tells_so(start: Start) -> None:
    table = start()
    table.wait()
    table.process.send_signal(signal.SIGINT)
    table.wait("STOPPING=1")
    assert table.process.wait(PATIENCE) == 0


def test_the_watchdog_is_fed(start: Start) -> None:
    table = start(environment={"WATCHDOG_USEC": "100000"})
    table.wait()
    for _ in range(3):
        table.wait("WATCHDOG=1")
    table.manager.close()  # a manager that is gone is no reason to end a game
    console = table.console()
    console.do("start", profile="codenames")
    console.close()
    assert table.stop() == 0


def test_the_sockets_have_the_rights_of_their_viewers(shared: RunningTable) -> None:
    sockets = (shared.folder / "run").iterdir()
    rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in sockets}
    assert rights == {
        "public.sock": 0o666,
        "console.sock": 0o660,
        "sealed.sock": 0o660,
        "house.sock": 0o660,
    }


def test_a_pack_is_left_out_by_the_name_that_people_type(console: Console) -> None:
    assert [pack["name"] for pack in console.table["packs"]] == ["english"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('[tuch]\nintent = "tap"\n', "there is no section [tuch]; did you mean 'touch'?"),
        ('[table]\npack = "englich"\n', "did you mean 'english'?"),
    ],
)
def test_what_cannot_be_configured_is_told_in_a_sentence(
    start: Start, settings: str, says: str
) -> None:
    table = start(settings=settings)
    assert table.process.wait(PATIENCE) == 2
    log = table.log.read_text()
    assert log.startswith("pi-table: ")
    assert says in log
    assert log.count("\n") == 1
    assert table.read_notifications() == []


def test_it_imports_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys, pi_table.cli, pi_table.table.engine.process.daemon, "
        "pi_table.devices.hal.simulated_link;"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    unwanted = ("pygame", "rich", "serial", "gpiozero", "difflib", "http", "xml", "multiprocessing")
    assert [name for name in loaded if name.partition(".")[0] in unwanted] == []
    assert not [
        name for name in loaded if name.startswith(("pi_table.screens.console", "pi_table.lab"))
    ]


# --- two tables at once


def test_a_second_table_is_refused_and_the_first_unharmed(start: Start) -> None:
    first = start()
    first.wait()
    console, world = first.console(), first.world()
    console.do("start", profile="codenames")
    team = console.table["public"]["turn"]
    cell = CELLS[console.key.index(team[0])]
    console.do("clue", f"{team}-spymaster", number=2)
    world.send({"touch": cell})
    second = start()
    assert second.process.wait(PATIENCE) == 1
    assert "Another table is using the journal" in second.log.read_text()
    assert second.read_notifications() == []
    console.until(lambda table: cover_of(table, cell) == team)  # the finger stayed on it
    console.do("abandon")
    console.close()
    world.close()
    assert first.stop() == 0


def test_a_table_with_another_journal_does_not_take_the_sockets(
    start: Start, tmp_path: Path
) -> None:
    first = start()
    first.wait()
    console = first.console()
    other = tmp_path / "other.toml"
    other.write_text(
        f'[paths]\nstate = "{tmp_path / "elsewhere"}"\nruntime = "{tmp_path / "run"}"\n'
    )
    second = subprocess.run(
        [sys.executable, "-m", "pi_table", "run", "--config", str(other)],
        capture_output=True,
        text=True,
    )
    assert second.returncode == 1
    assert "another program is listening there" in second.stderr
    console.do("start", profile="codenames")
    console.close()
    assert first.stop() == 0


# --- trouble


def test_a_damaged_journal_is_no_restart_loop(start: Start, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    journal = tmp_path / "state" / "journal.sqlite"
    with sqlite3.connect(journal) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    before = journal.read_bytes()
    table = start()
    table.wait()
    console, public, world = table.console(), table.public(), table.world()
    assert "another program" in console.table["faults"][0]
    assert public.read()["out_of_order"] is True
    resting = world.read()["lights"]
    assert resting[0] != resting[1]
    world.send({"touch": "A1"})
    assert world.read()["lights"][0] == "#ffa000"
    assert console.ask("start", profile="codenames")["reason"] == "out-of-order"
    assert table.stop() == 0
    assert journal.read_bytes() == before
    assert "another program" in table.log.read_text()
    for wire in (console, public, world):
        wire.close()


def test_a_mistake_of_ours_ends_the_table_and_tells_no_values(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from pi_table.common import config, service
from pi_table.table.engine.process import daemon

def mistaken(later):
    later(0.0, lambda: {}["rrbn secret"])

service.keep_telling = mistaken
folder = sys.argv[1]
paths = {"state": folder + "/state", "runtime": folder + "/run"}
sys.exit(daemon.main(config.load(changes={"paths": paths})))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert "The table stops: KeyError." in ended.stderr
    assert "secret" not in ended.stderr
    assert [*(tmp_path / "run").iterdir()] == []


def test_a_table_whose_link_cannot_be_is_a_clear_error(start: Start, tmp_path: Path) -> None:
    table = start(link=str(tmp_path / "missing" / "link"))
    with pytest.raises(DeviceError, match="did not say READY=1: pi-table: The simulated table's"):
        table.wait()
    assert table.stop() == 1
