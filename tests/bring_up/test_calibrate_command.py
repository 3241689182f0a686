"""`pi-table calibrate` as a program, at a table that keeps to the clock."""

import io
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from plugged_table import Plugged

from pi_table import cli
from pi_table.common.errors import InputError
from pi_table.devices.wire.settings import Settings
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.terminal import AtTerminal

pytestmark = pytest.mark.paced


@contextmanager
def calibrating(plugged: Plugged, *more: str | Path) -> Iterator["subprocess.Popen[str]"]:
    """The program, with somebody who may answer."""
    command = [sys.executable, "-m", "pi_table", "calibrate", "--config", plugged.config, *more]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        yield program


def until(program: "subprocess.Popen[str]", text: str) -> str:
    """All that it says, until it says this."""
    said = ""
    assert program.stdout is not None
    while text not in said:
        piece = program.stdout.read(1)
        assert piece, said
        said += piece
    return said


def settings(plugged: Plugged) -> Settings:
    with open_line(str(plugged.port)) as line:
        return Conversation(line, str(plugged.port)).settings()


def test_a_finger_on_the_table_becomes_a_threshold(plugged: Plugged, tmp_path: Path) -> None:
    log, picture = tmp_path / "log.jsonl", tmp_path / "heat.png"
    plugged.tell("noise 0.3")
    with calibrating(plugged, "--report", log, "--picture", picture) as program:
        assert program.stdin is not None
        until(program, "press Enter: ")
        program.stdin.write("\n")
        program.stdin.flush()
        until(program, "1/31: hold a finger on A1.")
        plugged.tell("shape 0 A1 20:24")
        until(program, "lift it.")
        plugged.tell("clear 0")
        assert "A1 is fine: a finger of 2" in until(program, "hold a finger on B1.")
        plugged.tell("shape 0 A2 20:16")
        until(program, "lift it.")
        plugged.tell("clear 0")
        assert "the wires of B1 and A2 are mixed up" in until(program, "[e]nd here? ")
        program.stdin.write("e\n")
        program.stdin.flush()
        # Where the machine is busy, the finger still comes down in the first of its readings.
        assert re.search("7 → 1[12]", until(program, "[y]es: "))
        out, err = program.communicate("y\n")
    assert (program.returncode, err) == (1, "")
    assert "Stored, read back, and in use now." in out
    assert "left as before (the reasons are above): B1." in out
    assert "B1 was touched, and A2 felt it. The lead of B1 is connected to channel 5 of 0x5A" in out
    stored = settings(plugged)
    assert stored.touch[0] in (11, 12)
    assert (stored.touch[1], stored.release[:2]) == (7, (stored.touch[0] // 2, 4))
    assert picture.read_bytes().startswith(b"\x89PNG")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line.get("pad") for line in lines] == [None, None, "A1", "B1", None]


def test_breaking_it_off_leaves_the_settings_and_the_port(plugged: Plugged) -> None:
    before = settings(plugged)
    with calibrating(plugged, "--yes") as program:
        until(program, "Hands off")
        program.send_signal(signal.SIGINT)
        out, err = program.communicate()
    assert (program.returncode, err) == (130, "")
    assert "Stopped. Nothing was stored" in out
    assert settings(plugged) == before


def test_somebody_at_a_terminal_answers_with_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    person = AtTerminal(yes=False)
    for typed, answer in (("s\n", "s"), ("Skip it\n", "s"), ("\n", "a"), ("what?\n", "a")):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert person.choose("Which?", "ase", "e") == answer


def test_who_wants_no_questions_is_asked_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert AtTerminal(yes=True).choose("Which?", "ase", "e") == "e"


def test_where_nobody_answers_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(InputError, match="Nobody is there to answer"):
        AtTerminal(yes=False).choose("Which?", "ase", "e")


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        ((), 1, "There is no controller at"),
        (("--config", "/nowhere.toml"), 2, "cannot be read"),
        (
            ("--report", "/nowhere/log"),
            1,
            "/nowhere/log: No such file or directory. Check",
        ),
    ],
)
def test_what_cannot_be_is_told(
    unplugged: Plugged,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    status: int,
    says: str,
) -> None:
    assert cli.main(["calibrate", "--config", str(unplugged.config), *arguments]) == status
    assert says in capsys.readouterr().err


def test_a_table_that_is_being_played_on_is_left_alone(
    plugged: Plugged, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_line(str(plugged.port)):
        assert cli.main(["calibrate", "--config", str(plugged.config)]) == 1
    assert "Another program is using the controller's port" in capsys.readouterr().err
