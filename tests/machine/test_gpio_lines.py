"""Knob, buttons, status LED and the button on the case, at real GPIO lines of the arm64 machine."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from lines_outside import LINES, POWER_BUTTON, LinesOutside, words
from machine import Machine
from played import NO_CONSOLE
from plugs import new_card

pytestmark = [pytest.mark.machine, pytest.mark.torture]

A, B, PRESS, BACK, PEEK, LED, OFF = (line for line in range(LINES) if line != POWER_BUTTON)
CONFIG: Final = f"""\
[gpio]
chip = "gpiochip0"
[console]
inputs = "gpiozero"
encoder_a = {A}
encoder_b = {B}
press = {PRESS}
back = {BACK}
peek = {PEEK}
[panel]
driver = "gpiozero"
status_led = {LED}
switch_off = {OFF}
hold_seconds = 1.0
"""
PROGRAM: Final = "/run/knobs.py"
SAID, GIVEN = "/run/knobs.out", "/run/knobs.in"
STARTED: Final = (
    "set -e; mkfifo -m 666 {given}; : >{said}; chmod 666 {said}; "
    "systemd-run --quiet --unit=knobs --property=User={user} --property=WorkingDirectory=/tmp "
    "sh -c '. /run/python; exec python3 {program} --config /run/knobs.toml "
    "<>{given} >{said} 2>&1'"
)
PATH_OF_PYTHON: Final = (
    "PYTHONPATH=$(ls -d /usr/lib/pi-table/code-* /usr/lib/pi-table/libs-* | tr '\\n' ':')\n"
    "export PYTHONPATH\n"
)


@pytest.fixture
def board(scratch: Path) -> Iterator[tuple[Machine, LinesOutside]]:
    with (
        Machine(
            "arm64",
            new_card("arm64", scratch),
            scratch,
            kernel=f"{NO_CONSOLE} systemd.mask=pi-table-engine.service",
            devices=words(scratch),
            screen=False,
        ) as machine,
        closing(LinesOutside(machine, scratch)) as lines,
    ):
        lines.opens(A, B, PRESS, BACK, PEEK, OFF)
        machine.run("tee", PROGRAM, given=Path(__file__).with_name("knobs.py").read_text())
        machine.run("tee", "/run/knobs.toml", given=CONFIG)
        machine.run("tee", "/run/python", given=PATH_OF_PYTHON)
        yield machine, lines


def test_contacts_are_felt_and_the_lamp_is_lit(board: tuple[Machine, LinesOutside]) -> None:
    """By the engine's user, who has no right but that of its groups."""
    machine, lines = board
    start = STARTED.format(given=GIVEN, said=SAID, user="pi-table", program=PROGRAM)
    machine.ran("sh", "-c", start)

    def said() -> list[dict[str, Any]]:
        return [json.loads(line) for line in machine.ran("cat", SAID).splitlines()]

    before: list[dict[str, Any]] = []

    def comes(*more: dict[str, Any]) -> None:
        """These are said next, and nothing else."""
        nonlocal before
        want = [*before, *more]
        machine.until(lambda: len(said()) >= len(want))
        assert said() == want
        before = want

    comes({"ready": ["console", "panel"]})

    def pause() -> None:
        machine.ran("sleep", "0.5")  # seconds of the machine's own clock

    def clicked(first: int, second: int) -> None:
        """The knob goes on by a notch: this contact closes before that one, and opens first."""
        for move in (lines.closes, lines.opens):
            for line in (first, second):
                move(line)
                pause()

    clicked(A, B)
    comes({"input": "turn+1"})
    clicked(B, A)
    comes({"input": "turn-1"})
    for line, name in ((PRESS, "press"), (BACK, "back")):
        lines.closes(line)
        comes({"input": name})
        lines.opens(line)
        pause()
    lines.closes(PEEK)
    comes({"input": "peek"})
    lines.opens(PEEK)
    comes({"input": "unpeek"})
    lines.closes(OFF)
    comes({"held": "switch-off"})
    lines.opens(OFF)

    assert not lines.is_high(LED)
    shines(machine, "steady")
    comes({"lamp": "steady"})
    machine.until(lambda: lines.is_high(LED))
    shines(machine, "slow")
    comes({"lamp": "slow"})
    blinks(machine, lambda: lines.is_high(LED))
    shines(machine, "dark")
    comes({"lamp": "dark"})
    machine.until(lambda: not lines.is_high(LED))


def shines(machine: Machine, lamp: str) -> None:
    machine.ran("sh", "-c", f"echo '{json.dumps({'lamp': lamp})}' >{GIVEN}")


def blinks(machine: Machine, lit: Callable[[], bool]) -> None:
    for _ in range(2):
        machine.until(lambda: not lit())
        machine.until(lit)
