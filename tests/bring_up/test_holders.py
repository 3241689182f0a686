"""The processes that hold a port; they are real."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from said import LOOK, OK

from pi_table.maintenance.bring_up.holders import Holder, holders, name_holders
from pi_table.maintenance.bring_up.surroundings_findings import in_use

HOLD = """
import fcntl, sys
device = open(sys.argv[1])
if len(sys.argv) > 2: fcntl.flock(device, fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def device(tmp_path: Path) -> Path:
    (tmp_path / "device").touch()
    return tmp_path / "device"


class Held:
    """A process that has the device open until it is left."""

    def __init__(self, device: Path, *, lock: bool = False) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(device), *["lock"][:lock]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        self.id = self._process.pid

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.fixture
def link(device: Path) -> Path:
    (device.parent / "name").symlink_to(device)
    return device.parent / "name"


def test_nobody_has_what_nobody_opened(device: Path) -> None:
    assert holders(str(device)) == []
    assert holders(str(device.with_name("missing"))) == []


def test_who_has_it_open_is_found(device: Path, link: Path) -> None:
    with Held(device) as other:
        found = holders(str(link))
    assert found == [Holder(other.id, (sys.executable, "-c", HOLD, str(device)))]


def test_who_has_locked_it_is_told_before_those_who_only_opened_it(device: Path) -> None:
    with Held(device), Held(device, lock=True) as engine:
        found = holders(str(device))
    assert [each.process for each in found] == [engine.id]


@pytest.mark.parametrize(
    "command",
    [
        "/usr/bin/python3 -I /usr/bin/pi-table run --config /etc/pi-table/table.toml",
        "/opt/pi-table/bin/python3 -m pi_table run",
        "/home/x/pi-table/.venv/bin/python /home/x/pi-table/.venv/bin/pi-table run",
        "python3.11 -u -m pi_table run",
        "pi-table run",
    ],
)
def test_the_engine_is_known_by_what_was_started(command: str) -> None:
    assert Holder(7, tuple(command.split())).runs("run")


def test_a_command_is_running_while_it_runs(tmp_path: Path) -> None:
    script = tmp_path / "pi-table"
    script.write_text("import sys; print('ready', flush=True); sys.stdin.read()")
    command = "command-of-this-test"
    assert in_use("knobs", "They", command).verdict is LOOK
    with subprocess.Popen(
        [sys.executable, script, command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert in_use("knobs", "They", command).verdict is OK
        process.communicate()


@pytest.mark.parametrize(
    "command",
    [
        "",
        "minicom -D /dev/pi-table-controller",
        "vim /home/x/pi-table/foo",
        "vim pi-table run",
        "/home/x/pi-table/.venv/bin/python monitor.py pi-table run",
        "/usr/bin/python3 -I /usr/bin/pi-table calibrate",
        "/opt/pi-table/run",
        "python3 -m pi_table",
    ],
)
def test_another_program_is_not_the_engine_whatever_it_names(command: str) -> None:
    assert not Holder(7, tuple(command.split())).runs("run")


def test_this_process_is_not_named(device: Path) -> None:
    with device.open():
        assert os.getpid() not in [each.process for each in holders(str(device))]


def test_they_are_named_in_a_sentence() -> None:
    assert (
        name_holders([Holder(7, ("minicom", "-D")), Holder(8)])
        == "process 7 (minicom -D), process 8"
    )
