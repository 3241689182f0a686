"""`pi-table doctor --bring-up` as a program: its list, its lines of JSON, and its first game, on a
table that keeps to the clock."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from plugged_table import Plugged
from said import BROKEN, LOOK, OK, assert_says

from pi_table import cli
from pi_table.common import config
from pi_table.maintenance.bring_up import game_step
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.game_step import config_text, first_guess
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.steps import STEPS
from pi_table.maintenance.bring_up.terminal import AtTerminal

pytestmark = pytest.mark.paced


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_steps_are_told_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "--bring-up", "--list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in rows] == [
        [str(number), step.id] for number, step in enumerate(STEPS, start=1)
    ]
    assert cli.main(["doctor", "--bring-up", "--list", "--json"]) == 0
    told = lines(capsys.readouterr().out)
    assert [line["step"] for line in told] == [step.id for step in STEPS]
    assert all(line["do"].endswith((".", ")")) and line["see"].endswith(".") for line in told)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bring-up", "--from", "chip"], "There is no step 'chip'; did you mean 'chips'?"),
        (["--from", "chips"], "--from, --list and --yes belong to --bring-up."),
        (["--list"], "belong to --bring-up."),
        (["--yes"], "belong to --bring-up."),
        (["--bring-up", "--config", "/nowhere.toml"], "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert cli.main(["doctor", *arguments]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("plugged", ["emulated"], indirect=True)
def test_a_walk_without_questions_tells_each_step_as_json(
    plugged: Plugged, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plugged.tell("noise 0.3")
    monkeypatch.setattr("pi_table.maintenance.bring_up.walk.STEPS", STEPS[2:4])  # controller, chips
    arguments = ["doctor", "--bring-up", "--yes", "--json", "--config", str(plugged.config)]
    assert cli.main(arguments) == 0
    told = capfd.readouterr()
    found = lines(told.out)
    assert [line["step"] for line in found] == ["controller"] * 3 + ["chips"]
    assert {line["verdict"] for line in found} == {"ok"}
    assert "1 of 2: The controller (controller)" in told.err
    with open_line(str(plugged.port)):
        pass  # it is free again


def test_a_controller_that_is_missing_ends_the_walk(
    unplugged: Plugged, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_table.maintenance.bring_up.controller_steps.PORT_SECONDS", 0.0)
    arguments = ["doctor", "--bring-up", "--yes", "--json", "--from", "controller"]
    assert cli.main([*arguments, "--config", str(unplugged.config)]) == 1
    told = capfd.readouterr()
    (line,) = lines(told.out)
    assert (line["step"], line["verdict"]) == ("controller", "broken")
    assert "Go on with: pi-table doctor --bring-up --from controller" in told.err


def test_somebody_at_a_terminal_is_led_and_may_leave(plugged: Plugged) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pi_table", "doctor", "--bring-up", "--from", "controller"),
            *("--config", str(plugged.config)),
        ],
        input="\nl\n",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert "3 of 13: The controller (controller)" in done.stdout
    assert "ok        versions" in done.stdout
    assert "Go on with: pi-table doctor --bring-up --from chips" in done.stdout


def test_where_nobody_answers_the_walk_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert cli.main(["doctor", "--bring-up"]) == 2
    assert "Nobody is there to answer" in capsys.readouterr().err


# The first game

TRIES = 8
"""A shape has no more points."""
BETWEEN_TRIES = 5000
"""Milliseconds."""


class Finger(AtTerminal):
    """Holds a finger where it is told to, and lifts and lays it down again while nothing comes of
    it: on a machine that stood still for a moment the table takes no finger's word for it."""

    def __init__(self, plugged: Plugged, counts: int = 16) -> None:
        super().__init__(yes=True)
        self._plugged = plugged
        self._counts = counts

    def show_task(self, text: str) -> None:
        assert text.startswith("Hold a finger on C3")
        times = range(0, TRIES * BETWEEN_TRIES, BETWEEN_TRIES)
        held = ((at + 20, at + BETWEEN_TRIES - 1000) for at in times)
        points = (
            f"{down}:{self._counts} {up}:{self._counts} {up + 20}:0 {up + 1000}:0"
            for down, up in held
        )
        self._plugged.tell(f"shape 0 C3 {' '.join(points)}")


@pytest.mark.parametrize("plugged", ["emulated", "pi"], indirect=True)
def test_a_first_guess_is_made_with_a_finger(plugged: Plugged) -> None:
    plugged.tell("noise 0.3")
    bench = Bench(config.load(plugged.config), Finger(plugged))
    told, light = first_guess(bench)
    assert told.verdict is OK
    assert told.says.startswith("C3 was guessed, and is covered: ")
    assert light.verdict is LOOK
    assert not (plugged.config.parent / "state").exists()  # its journal was another
    with open_line(str(plugged.port)):
        pass


def test_a_finger_that_is_not_felt_guesses_nothing(
    plugged: Plugged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_step, "GUESS_SECONDS", 1.0)
    (told,) = first_guess(Bench(config.load(plugged.config), Finger(plugged, counts=2)))
    assert_says(told, BROKEN, "No guess came from C3")


def test_a_table_that_is_being_played_on_is_left_alone(plugged: Plugged) -> None:
    program = "import sys, time; from pi_table.maintenance.bring_up.serial_line import open_line\n"
    holding = program + "with open_line(sys.argv[1]): print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holding, str(plugged.port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        (told,) = first_guess(Bench(config.load(plugged.config), Finger(plugged)))
        assert other.stdin is not None
        other.stdin.close()
    assert_says(told, BROKEN, f"process {other.pid}")


def test_the_engine_gets_the_devices_of_the_table_and_places_of_its_own(
    plugged: Plugged, tmp_path: Path
) -> None:
    (tmp_path / "scratch.toml").write_text(
        config_text(config.load(plugged.config), tmp_path), "utf-8"
    )
    used = config.load(tmp_path / "scratch.toml")
    assert used.controller == config.load(plugged.config).controller
    assert (used.touch.driver, used.lights.driver) == ("controller", "controller")
    assert used.paths.journal.parent == tmp_path / "state"
