"""The table as a program: started, told to systemd, stopped, killed, and started again."""

import os
import resource
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from pi_table.bench.running import Console, RunningTable
from pi_table.engine.notify import notify, watchdog_seconds
from pi_table.errors import DeviceError
from pi_table.geometry import CELLS
from pi_table.rules import events
from pi_table.rules.evolve import replay
from pi_table.rules.views import public_view
from pi_table.store.journal import Journal

TAP = '[touch]\nintent = "tap"\n'

Start = Callable[..., RunningTable]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts tables in one folder, unless told otherwise; they are killed when a test is over."""
    with ExitStack() as stack:

        def start(folder: Path = tmp_path, **options: object) -> RunningTable:
            return stack.enter_context(RunningTable(folder, **options))  # type: ignore[arg-type]

        yield start


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTable]:
    """A table that is ready, for tests that leave it running."""
    settings = '[touch]\nhold_ms = 100\n[table]\ncards = "dealt"\n'
    with RunningTable(tmp_path_factory.mktemp("table"), settings) as table:
        table.wait()
        yield table
        assert table.stop() == 0


@pytest.fixture
def console(shared: RunningTable) -> Iterator[Console]:
    """A console at the shared table, and a new game."""
    console = shared.console()
    if console.table["public"] and console.table["public"]["phase"] != "over":
        console.do("abandon")
    console.do("start", profile="codenames")
    yield console
    console.close()


def cell(table: dict[str, object], name: str) -> str | None:
    covered: str | None = table["public"]["cells"][name]["covered"]  # type: ignore[index]
    return covered


# --- started and stopped


def test_a_table_says_that_it_is_ready_when_it_answers(start: Start) -> None:
    table = start()
    assert table.wait() > 0.0
    console, public, world = table.console(), table.public(), table.world()
    assert console.table["public"] is None
    assert public.read() == {"kind": "public", "view": None, "out_of_order": False}
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


def test_a_table_that_stops_tells_so(start: Start) -> None:
    table = start()
    table.wait()
    table.process.send_signal(signal.SIGINT)
    table.wait("STOPPING=1")
    assert table.process.wait(20) == 0


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


def test_somebody_elses_watchdog_is_not_fed() -> None:
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000"}) == 1.5
    mine, other = str(os.getpid()), str(os.getppid())
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": mine}) == 1.5
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": other}) is None
    for nonsense in ("", "soon", "0", "-5"):
        assert watchdog_seconds({"WATCHDOG_USEC": nonsense}) is None
    assert watchdog_seconds({}) is None


def test_a_manager_may_listen_at_an_abstract_address() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"pi-table-test-{os.getpid()}"
        manager.bind(f"\0{name}")
        notify("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
        assert manager.recv(100) == b"READY=1"
    notify("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
    notify("READY=1", {})


def test_the_sockets_have_the_rights_of_their_viewers(shared: RunningTable) -> None:
    sockets = (shared.folder / "run").iterdir()
    rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in sockets}
    assert rights == {"public.sock": 0o666, "console.sock": 0o660}


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
    assert table.process.wait(20) == 2
    log = table.log.read_text()
    assert log.startswith("pi-table: ")
    assert says in log
    assert log.count("\n") == 1
    assert table.notified() == []


def test_it_imports_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys, pi_table.cli, pi_table.engine.daemon, pi_table.hal.simulated_link;"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    unwanted = ("pygame", "rich", "serial", "gpiozero", "difflib", "http", "xml", "multiprocessing")
    assert [name for name in loaded if name.partition(".")[0] in unwanted] == []
    assert not [name for name in loaded if name.startswith(("pi_table.console", "pi_table.bench"))]


# --- two tables at once


def test_a_second_table_is_refused_and_the_first_unharmed(start: Start) -> None:
    first = start()
    first.wait()
    console, world = first.console(), first.world()
    console.do("start", profile="codenames")
    console.do("clue", f"{console.table['public']['turn']}-spymaster", number=2)
    world.send({"touch": "A1"})
    second = start()
    assert second.process.wait(20) == 1
    assert "Another table is using the journal" in second.log.read_text()
    assert second.notified() == []
    console.until(lambda table: cell(table, "A1") is not None)  # the finger stayed on the cell
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
    assert "another program listens there" in second.stderr
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


def test_whatever_a_console_sends_the_table_lives(shared: RunningTable, console: Console) -> None:
    for rubbish in (
        b"hello\n",
        b'{"id":1,"do":{"act":' + b"[" * 20_000 + b"\n",
        b'{"id":1,"do":{"act":"record","seat":"operator","game":9999999999999999999999}}\n',
        b'{"id":1,"do":{"act":"record","seat":"operator","game":-1}}\n',
        b'{"id":1,"do":{"act":"start","seat":"operator","options":[],"profile":{}}}\n',
        b'{"id":1,"do":{"act":"clue","seat":"red-spymaster","number":1e30}}\n',
        b'{"id":1,"do":{"act":"clue","seat":"red-spymaster","number":9999999999999999999999}}\n',
        b'{"id":1,"do":{"act":"guess","seat":"red-operatives","cell":{}}}\n',
        b'{"id":123456789012345678901234567890,"do":{}}\n',
        b"\xff" * 1000 + b"\n",
    ):
        other = shared.console()
        other._socket.sendall(rubbish)
        answer = other.read()
        assert (answer["kind"], answer["ok"]) == ("answer", False)
        other.close()
    assert console.ask("look")["ok"]


def test_a_mistake_of_ours_ends_the_table_and_tells_no_values(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from pi_table import config
from pi_table.engine import daemon

def mistaken(loop):
    loop.call_soon(lambda: {}["rrbn secret"])

daemon._watch = mistaken
folder = sys.argv[1]
paths = {"state": folder + "/state", "runtime": folder + "/run"}
sys.exit(daemon.main(config.load(changes={"paths": paths})))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True
    )
    assert ended.returncode == 1
    assert "The table stops: KeyError." in ended.stderr
    assert "secret" not in ended.stderr
    assert [*(tmp_path / "run").iterdir()] == []


SAYINGS = (
    b"rubbish\n" * 100,
    b"x" * 1_000_000,
    b'{"id":1,"do":{"act":"pau',
    b"",
    b'{"id":1,"do":{"act":"look","seat":"operator"}}\n' * 500,
)


def rude_viewer(table: RunningTable, number: int) -> socket.socket:
    """Somebody at one of the sockets who says what nobody wants to hear, and never reads."""
    viewer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    viewer.setblocking(False)
    with suppress(OSError):  # there is room for so many
        name = ("public.sock", "console.sock")[number % 2]
        viewer.connect(str(table.folder / "run" / name))
        viewer.send(SAYINGS[number % len(SAYINGS)])
    return viewer


def resident_kilobytes(table: RunningTable) -> int:
    status = Path(f"/proc/{table.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_game_goes_on_whatever_others_do_at_the_sockets(
    shared: RunningTable, console: Console
) -> None:
    before = resident_kilobytes(shared)
    rude = [rude_viewer(shared, number) for number in range(80)]
    for number in range(30):
        view = console.table["public"]
        if view["phase"] == "over":
            console.do("next")
        elif view["phase"] == "clue":
            console.do("clue", f"{view['turn']}-spymaster", number=2)
        else:
            name = next(name for name, of in view["cells"].items() if of["covered"] is None)
            console.do("guess", f"{view['turn']}-operatives", cell=name)
        rude.pop(0).close()
        rude.append(rude_viewer(shared, number))
    assert resident_kilobytes(shared) - before < 16 * 1024
    for viewer in rude:
        viewer.close()
    public = shared.public()
    assert public.read()["view"] == console.table["public"]
    public.close()


def test_a_disk_that_fails_in_mid_game_loses_nothing(start: Start) -> None:  # ALL-2
    table = start(settings=TAP)
    table.wait()
    console, world = table.console(), table.world()
    console.do("start", profile="codenames")
    team = console.table["public"]["turn"]
    own = [CELLS[cell] for cell, letter in enumerate(console.table["key"]) if letter == team[0]]
    console.do("clue", f"{team}-spymaster", number=9)
    world.send({"touch": own[0]}, {"release": own[0]})
    console.until(lambda table: cell(table, own[0]) is not None)

    pid = table.process.pid
    usual = resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
    world.send({"touch": own[1]}, {"release": own[1]})
    failed = console.until(lambda table: bool(table["faults"]))
    assert "disk failed" in failed["faults"][0]
    assert cell(failed, own[1]) is None
    resource.prlimit(pid, resource.RLIMIT_FSIZE, usual)
    assert console.ask("try-again")["ok"]
    mended = console.until(lambda table: not table["faults"])
    assert (cell(mended, own[0]), mended["public"]["turn"]) == (team, team)
    world.send({"touch": own[2]}, {"release": own[2]})
    console.until(lambda table: cell(table, own[2]) == team)
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
                world.send({"touch": name}, {"release": name})
                console.until(lambda table, name=name: cell(table, name) is not None)  # type: ignore[misc]
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
        play(table, random, random.uniform(0.02, 0.25))
        assert table.process.wait(20) == 0, table.log.read_text()
        assert [*(table.folder / "run").iterdir()] == []
        assert not table.link.exists()
        last = stored_view(table.folder)


def stored_view(folder: Path) -> object:
    """The public view of the latest game, made of what is on the disk."""
    journal = Journal.open_to_read(folder / "state" / "journal.sqlite")
    try:
        stored = journal.latest()
    finally:
        journal.close()
    state = stored and replay(events.decode(entry.body) for entry in stored.entries)
    if state is None:
        return None
    return msgspec.json.decode(msgspec.json.encode(public_view(state.board, 0.0)))


def test_fingers_and_screens_make_a_game(shared: RunningTable, console: Console) -> None:
    public, world = shared.public(), shared.world()
    turn = console.table["public"]["turn"]
    console.do("clue", f"{turn}-spymaster", number=1, word="river")
    world.send({"touch": "C3"})
    console.until(lambda table: cell(table, "C3") is not None)
    while True:
        view = public.read()["view"]
        if view and view["cells"]["C3"]["covered"]:
            break
    assert view["clue"] in ({"word": "river", "number": 1}, None)
    assert "key" not in view
    public.close()
    world.close()


def test_a_screen_that_dies_does_not_end_the_game_and_comes_back(
    shared: RunningTable, console: Console
) -> None:
    key = console.table["key"]
    console.close()
    again = shared.console()
    assert again.table["key"] == key
    again.close()


def test_requests_in_one_piece_are_answered_in_order_with_their_numbers(console: Console) -> None:
    team = console.table["public"]["turn"]
    acts = [
        ("clue", f"{team}-spymaster"),
        ("look", "operator"),
        ("clue", f"{team}-spymaster"),
        ("nonsense", "operator"),
        ("record", "operator"),
        ("pause", "operator"),
        ("look", f"{team}-operatives"),
        ("resume", "operator"),
    ]
    console.send(
        *(
            {"id": 70 + place, "do": {"act": act, "seat": seat, "number": 2}}
            for place, (act, seat) in enumerate(acts)
        )
    )
    answers = []
    while len(answers) < len(acts):
        message = console.read()
        if message["kind"] == "answer":
            answers.append(message)
    assert [answer["id"] for answer in answers] == [*range(70, 78)]
    assert [answer["ok"] for answer in answers] == [
        True,
        True,
        False,
        False,
        True,
        True,
        True,
        True,
    ]
    assert answers[1]["told"]["public"]["phase"] == "guess"
    assert answers[6]["told"]["public"]["paused"] is True


def test_a_table_whose_link_cannot_be_is_a_clear_error(start: Start, tmp_path: Path) -> None:
    table = start(link=str(tmp_path / "missing" / "link"))
    with pytest.raises(DeviceError, match="did not say READY=1: pi-table: The simulated table's"):
        table.wait()
    assert table.stop() == 1
