"""Who has a port: the processes are real."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi_table.bring_up.holders import Holder, holders, named

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

    def __init__(self, device: Path, *lock: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(device), *lock],
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
    assert [each.process for each in found] == [other.id]
    assert str(device) in found[0].command
    assert not found[0].is_ours


def test_who_has_locked_it_is_told_before_those_who_only_opened_it(device: Path) -> None:
    with Held(device), Held(device, "pi-table run") as engine:
        found = holders(str(device))
    assert [each.process for each in found] == [engine.id]
    assert found[0].is_ours


def test_this_process_is_not_named(device: Path) -> None:
    with device.open():
        assert os.getpid() not in [each.process for each in holders(str(device))]


def test_they_are_named_in_a_sentence() -> None:
    assert named([Holder(7, "minicom"), Holder(8, "")]) == "process 7 (minicom), process 8"
