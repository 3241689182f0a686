"""The demonstration in the terminal, where there is no display."""

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest
from rich.console import Console

from pi_table.common.language import Lang
from pi_table.games.rules.word_games.views import PublicView
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


@pytest.mark.parametrize("lang", ["en", "it"])
def test_each_word_can_be_read_in_40_columns(lang: Lang) -> None:
    file = io.StringIO()
    _, stage = next(demonstration._stations(lang))
    Console(file=file, width=40).print(demonstration.picture(stage, "", 40))
    assert isinstance(stage.view, PublicView)
    words = [str(cell.word) for cell in stage.view.cells.values()]
    for word in words:
        lines = demonstration._in_lines(word, 7)
        assert "".join(lines).replace("-", "") == word
        for line in lines:
            assert line in file.getvalue()


def test_control_c_ends_the_demonstration_quietly() -> None:
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "pi_table", "simulate", "--profile", "codex"],
        env=without_display(TERM="xterm"),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as running:
        os.close(terminal)
        said = b""
        while b"ORBIT" not in said:
            said += os.read(screen, 1 << 16)
        with suppress(OSError):  # EIO: nobody is at the other end any more
            while True:
                os.write(screen, b"\x03")  # whoever sees nothing happen presses again
                for _ in range(20):
                    said += os.read(screen, 1 << 16)
        os.close(screen)
        assert running.wait(60) == 0
    assert b"Traceback" not in said
    before_the_picture = said[: said.index(b"ORBIT")]
    assert b"It takes two minutes. Ctrl+C ends it." in before_the_picture
    assert b"always a game of codenames" in before_the_picture


def without_display(**more: str) -> dict[str, str]:
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return {name: it for name, it in os.environ.items() if name not in shown} | more


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
    environment = without_display(COLUMNS="80")
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
