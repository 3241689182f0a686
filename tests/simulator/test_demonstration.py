"""The demonstration in the terminal, where there is no display."""

import io
import os
import subprocess
import sys

import pytest
from rich.console import Console

from pi_table.language import Lang
from pi_table.simulator import demonstration


@pytest.mark.parametrize(("lang", "judge"), [("en", "JUDGE"), ("it", "GIUDICE")])
def test_every_station_fits_a_terminal_of_80_by_24(lang: Lang, judge: str) -> None:
    file = io.StringIO()
    terminal = Console(file=file, width=80)
    shown = 0
    for saying, stage in demonstration._stations(lang):
        terminal.print(demonstration.picture(stage, saying))
        shown += 1
        text = file.getvalue()
        assert len(text.splitlines()) <= 23, saying
        assert judge in text
        file.seek(0)
        file.truncate()
    assert shown >= 15


def test_covered_cells_have_a_sign_besides_their_colour() -> None:
    file = io.StringIO()
    *_, (saying, stage) = demonstration._stations()
    Console(file=file, width=80, color_system=None).print(demonstration.picture(stage, saying))
    assert {sign: file.getvalue().count(sign) for sign in "●◆○✖"} == {
        "●": 9,
        "◆": 8,
        "○": 7,
        "✖": 1,
    }


@pytest.mark.parametrize("display", [None, ":4242"])
def test_without_a_display_the_simulator_says_so_and_demonstrates(display: str | None) -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        environment.pop(name, None)
    if display is not None:
        environment["DISPLAY"] = display
    ran = subprocess.run(
        [sys.executable, "-m", "pi_table", "simulate"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, *_ = ran.stdout.splitlines()
    assert "so this is a demonstration game" in " ".join(ran.stdout.split()[:20])
    assert first.startswith("There is no display" if display is None else "No window")
    assert "Red wins" in ran.stdout
