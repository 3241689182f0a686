"""The services' sandboxes, tried from inside in the booted machine by `sandbox.py`."""

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest
from machine import Machine
from screened import Screened

pytestmark = pytest.mark.machine

PROGRAM: Final = "/run/sandbox.py"
UNITS: Final = "/usr/lib/systemd/system"
PLANTED: Final = "/run/planted"


@pytest.fixture
def machine(booted_table: Screened) -> Machine:
    """With `sandbox.py` inside."""
    machine = booted_table.table.machine
    source = Path(__file__).with_name("sandbox.py").read_text()
    machine.run("tee", PROGRAM, given=source)
    return machine


def tried(machine: Machine, who: Iterable[str], units: str = UNITS) -> list[str]:
    """Return the results that are not as required."""
    program = (
        f"import sys, pathlib; sys.path.insert(0, '/run'); import sandbox\n"
        f"sandbox.UNITS = pathlib.Path({units!r})\n"
        f"for who in {[*who]}:\n"
        f"    print(*sandbox.wrong(who, sandbox.in_the_sandbox(who)), sep='\\n')\n"
    )
    said = machine.ran("python3", "-B", "-c", program)
    return [line for line in said.splitlines() if line]


def asked(machine: Machine, port: int, path: str) -> Any:
    """Return the answer of the pages, as JSON."""
    look = f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}{path}').read())"
    return json.loads(ast.literal_eval(machine.ran("python3", "-c", look)))


def planted(machine: Machine, who: str, lines: str) -> list[str]:
    """The same of a unit without the lines that ``lines``, an expression of sed, deletes."""
    unit = f"pi-table-{who}.service"
    machine.ran("mkdir", "-p", PLANTED)
    machine.ran("sh", "-c", f"sed '{lines}' {UNITS}/{unit} >{PLANTED}/{unit}")
    machine.ran("sh", "-c", f"! cmp -s {UNITS}/{unit} {PLANTED}/{unit}")
    return tried(machine, [who], PLANTED)


def test_nobody_may_what_only_another_may(machine: Machine) -> None:
    assert tried(machine, ["engine", "console", "web", "anybody"]) == []


def test_what_a_line_forbids_may_be_done_without_it(machine: Machine) -> None:
    """The attempts can fail: each line that is taken out is missed."""
    lines = "/^RestrictAddressFamilies=/d;/^MemoryDenyWriteExecute=/d;/^LimitCORE=/d"
    assert planted(machine, "engine", lines) == [
        "engine cannot dump no core: OSError: a core may be dumped",
        "engine can open a network socket",
        "engine can open one of IPv6",
        "engine can hear of devices",
        "engine can make programs",
    ]


def test_what_a_line_forbids_the_pages_they_can_do_without_it(machine: Machine) -> None:
    lines = "/^Group=/s/sealed/hidden/;/^InaccessiblePaths=/d;/^MemoryDenyWriteExecute=/d"
    assert planted(machine, "web", lines) == [
        "web cannot open the sealed socket: PermissionError: [Errno 13] Permission denied",
        "web can open the hidden socket",
        "web can make programs",
        "web can read the log",
    ]


def test_the_pages_answer_at_the_port_of_browsers_and_their_own(machine: Machine) -> None:
    for port in (80, 8080):
        assert asked(machine, port, "/api/1/about")["version"] == 1
        assert asked(machine, port, "/api/1/table")["here"]


def test_a_hidden_socket_that_is_open_to_all_is_found(machine: Machine) -> None:
    socket = "/run/pi-table/console.sock"
    machine.ran("chmod", "0666", socket)
    try:
        assert tried(machine, ["anybody"]) == ["anybody can open the hidden socket"]
    finally:
        machine.ran("chmod", "0660", socket)
