"""The pages as a program: started, told to systemd, stopped, and with a real table."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from needs_root import looks_inside
from patience import PATIENCE
from ports import free_port

from pi_table.lab.running_table import RunningTable


class Program:
    """`pi-table web` in a folder."""

    def __init__(self, folder: Path, listen: str = "127.0.0.1", **how: Any) -> None:
        self.folder = folder
        self._asking: list[http.client.HTTPConnection] = []
        self.port = free_port()
        config = folder / "web.toml"
        config.write_text(
            f'[web]\nlisten = "{listen}"\nport = {self.port}\n'
            f'[paths]\nruntime = "{folder / "run"}"\nstate = "{folder / "state"}"\n'
        )
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.settimeout(PATIENCE)
        self.manager.bind(str(folder / "manager.sock"))
        environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "manager.sock")}
        environment |= how.pop("environment", {})
        self.log = folder / "web.log"
        program = [sys.executable, *how.pop("before", ("-m", "pi_table"))]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*program, "web", "--config", str(config)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                **how,
            )

    def wait(self, state: str = "READY=1") -> None:
        while self.manager.recv(4096).decode() != state:
            pass

    def ask(self, path: str, port: int = 0) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE)
        self._asking.append(connection)
        connection.request("GET", path)
        return connection.getresponse()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.manager.close()
        for connection in self._asking:
            connection.close()


Start = Callable[..., Program]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    programs: list[Program] = []

    def started(**how: Any) -> Program:
        programs.append(Program(tmp_path, **how))
        return programs[-1]

    yield started
    for program in programs:
        program.close()


def test_it_is_ready_without_a_table_and_ends_though_viewers_look_on(start: Start) -> None:
    program = start()
    program.wait()
    watching = program.ask("/api/1/events")
    assert watching.status == 200
    assert not json.loads(program.ask("/api/1/table").read())["here"]
    program.process.send_signal(signal.SIGTERM)
    program.wait("STOPPING=1")
    assert program.process.wait(PATIENCE) == 0
    assert (
        program.log.read_text()
        == f"INFO The pages are served at http://127.0.0.1:{program.port}.\n"
    )
    watching.close()


def test_the_watchdog_is_fed(start: Start) -> None:
    program = start(environment={"WATCHDOG_USEC": "100000"})
    program.wait()
    for _ in range(3):
        program.wait("WATCHDOG=1")


def test_it_knows_nothing_of_keys_and_of_the_engine(start: Start) -> None:
    code = (
        "import sys, pi_table.cli, pi_table.screens.web.process;"
        "print(*{name.split('.')[0] for name in sys.modules} & {'nacl', 'cryptography'},"
        "*(name for name in sys.modules if name.startswith(("
        "'pi_table.table.engine', 'pi_table.table.store', 'pi_table.protocols.sealing', "
        "'pi_table.screens.console',"
        "'pi_table.devices.hal', 'pi_table.games.referee'))))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"


@looks_inside
def test_it_opens_the_public_socket_and_the_sealed_one_and_writes_nothing(start: Start) -> None:
    program = start()
    program.wait()
    program.ask("/").read()
    opened = {os.readlink(each) for each in Path(f"/proc/{program.process.pid}/fd").iterdir()}
    files = {path for path in opened if path.startswith("/") and path != os.devnull}
    assert files == {str(program.log)}
    before = {"web.toml", "web.log", "manager.sock"}
    assert {path.name for path in program.folder.iterdir()} == before


@pytest.mark.parametrize(
    ("settings", "says", "status"),
    [
        ('listen = "203.0.113.1"', "Cannot listen on 203.0.113.1", 1),
        ("portal = 7", "a value is not valid", 2),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    tmp_path: Path, settings: str, says: str, status: int
) -> None:
    config = tmp_path / "web.toml"
    config.write_text(f"[web]\n{settings}\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pi_table", "web", "--config", str(config)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == status
    assert says in ran.stderr
    assert ran.stderr.count("\n") == 1


# --- sockets that systemd has opened


INHERITS = (
    "import os, sys; os.environ['LISTEN_PID'] = str(os.getpid()); sys.argv[0] = 'pi-table';"
    "from pi_table.cli import main; raise SystemExit(main(sys.argv[1:]))"
)
"""The steps of systemd between fork and exec."""


def listening() -> socket.socket:
    found = socket.socket()
    found.bind(("127.0.0.1", 0))
    found.listen()
    return found


def inheriting(start: Start, listen: str) -> tuple[Program, int]:
    """A program that has inherited a socket, and the port of that."""
    with listening() as given:
        port = given.getsockname()[1]

        def as_systemd_does() -> None:
            os.dup2(given.fileno(), 3)

        program = start(
            listen=listen,
            before=("-c", INHERITS),
            environment={"LISTEN_FDS": "1"},
            preexec_fn=as_systemd_does,
            close_fds=True,
            pass_fds=(3,),
        )
    return program, port


def test_a_socket_that_systemd_has_opened_is_served_beside_its_own(start: Start) -> None:
    program, port = inheriting(start, "0.0.0.0")
    program.wait()
    for each in (port, program.port):
        assert program.ask("/api/1/about", each).status == 200
    about = json.loads(program.ask("/api/1/about").read())
    assert about["address"].endswith(f":{port}")


def test_a_socket_of_everybodys_is_closed_where_the_pages_are_for_this_machine(
    start: Start,
) -> None:
    program, port = inheriting(start, "127.0.0.1")
    program.wait()
    assert program.ask("/api/1/about").status == 200
    with pytest.raises(ConnectionRefusedError):
        program.ask("/api/1/about", port)


# --- with the real table


def test_a_real_table_is_shown_and_takes_up_again_what_it_was(start: Start, tmp_path: Path) -> None:
    program = start()
    program.wait()
    events = program.ask("/api/1/events")
    with RunningTable(tmp_path) as table:
        table.wait()
        console = table.console()
        console.do("start", profile="codenames")
        shown = next_table(events, lambda told: told["here"] and told["table"]["view"])
        assert shown["table"]["view"] == console.table["public"]
        console.until(lambda now: now["pages"] is not None)
        assert console.table["pages"]["address"] == f"http://127.0.0.1:{program.port}"
        program.close()
        console.until(lambda now: now["pages"] is None)  # and the game goes on
        console.close()


def next_table(events: http.client.HTTPResponse, shown: Callable[[Any], Any]) -> Any:
    while line := events.readline():
        if line.startswith(b'data: {"version"'):
            told = json.loads(line.removeprefix(b"data: "))
            if shown(told):
                return told
    raise AssertionError("The pages hung up.")
