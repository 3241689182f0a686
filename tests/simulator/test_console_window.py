"""The real console in a window of its own, at a table in virtual time: minutes pass at once."""

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pygame
import pytest
from patience import PATIENCE
from virtual_table import VirtualTable
from xvfb import Screen, screen, wait_until

from pi_table.common import config
from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import Input
from pi_table.devices.lights.colours import AMBER
from pi_table.protocols.ipc import messages
from pi_table.screens.console import painter
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.look import look_for
from pi_table.screens.console.shapes import Text
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.state.peek import PEEK_SECONDS

pytestmark = pytest.mark.paced

SIZE = (800, 480)
PICTURES = Path(__file__).parents[2] / "build" / "console-window"
HOUSE = House(idle_minutes=10, keep_minutes=30)


class Table(VirtualTable):
    """A table in virtual time, with the window of its hidden screen, and somebody's eyes: a console
    that is told what the window's is told, and that asks for nothing."""

    def __init__(self, path: Path, on: Screen, console: socket.socket) -> None:
        self.asked: list[str] = []
        """The acts that the window asked for."""
        self._screen = on
        self._socket = console
        self._rest = b""
        look = partial(look_for, config.load().console)
        self._eyes = Console(lambda request: None, look=look)
        super().__init__(path, house=HOUSE, frames_per_second=2)
        self._tell(self.message)

    def publish(self, audience: Audience) -> None:
        super().publish(audience)
        if audience is Audience.CONSOLE:
            self._tell(self.message)

    def _tell(self, what: messages.ToConsole) -> None:
        line = messages.line(what)
        self._socket.sendall(line)
        self._eyes.happen(messages.read_to_console(line), time.monotonic())

    def hear(self) -> None:
        """Do what the window asks for, if it asks for anything."""
        if not select.select([self._socket], [], [], 0.02)[0]:
            return
        *lines, self._rest = (self._rest + self._socket.recv(1 << 16)).split(b"\n")
        for request in map(messages.read_request, lines):
            self.asked.append(request.do["act"])
            self.table.ask(request.do, lambda verdict, to=request.id: self._answer(to, verdict))  # type: ignore[misc]

    def _answer(self, to: int, verdict: Verdict) -> None:
        assert verdict.ok, verdict.sentence
        self._tell(messages.Answer(to, ok=True))

    def press(self, *words: object, does: Happening, asks: str) -> None:
        """Let xdotool press something that asks for this, and do it."""
        before = len(self.asked)
        self._screen.do(*words)
        self._eyes.happen(does, time.monotonic())
        wait_until(lambda: self.hear() or asks in self.asked[before:], f"{asks} to be asked for")

    def shows(self, name: str) -> list[str]:
        """Wait until the window shows, to the pixel, what it should; what is written there."""

        def is_shown() -> bool:
            self.hear()
            expected = painter.picture(self._eyes.scene(time.monotonic()), SIZE)
            return pixels(self._screen.picture()) == pixels(expected)

        wait_until(is_shown, name)
        PICTURES.mkdir(parents=True, exist_ok=True)
        pygame.image.save(self._screen.picture(), PICTURES / f"{name}.png")
        shapes = self._eyes.scene(time.monotonic())
        return [str(shape.text) for shape in shapes if isinstance(shape, Text)]


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@contextmanager
def console(
    folder: Path, display: str, settings: str = "fullscreen = false"
) -> Iterator["subprocess.Popen[str]"]:
    """`pi-table console` on this display."""
    file = folder / "table.toml"
    file.write_text(f'[console]\n{settings}\n[paths]\nruntime = "{folder}"\n')
    environment = {**os.environ, "DISPLAY": display}
    for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "pi_table", "console", "--config", str(file)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table with a game, in its first turn's guessing (red's), and the window beside it."""
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener,
        screen(tmp_path, *SIZE) as on,
    ):
        listener.bind(str(tmp_path / "console.sock"))
        listener.listen()
        listener.settimeout(PATIENCE)
        with console(tmp_path, on.display), listener.accept()[0] as connection:
            made = Table(tmp_path / "state" / "journal.sqlite", on, connection)
            with closing(made.table):
                made.start()
                made.clue(2)
                yield made


def test_a_forgotten_peek_closes(table: Table) -> None:
    hidden = table.shows("1-a-game")
    table.press("key", "p", does=Typed("p"), asks="peek")
    assert table.shows("2-the-key") != hidden
    table.advance(PEEK_SECONDS - 0.1)
    assert table.message.key is not None
    table.advance(0.1)
    assert table.message.key is None
    assert table.shows("3-hidden-again") == hidden


@pytest.mark.parametrize(
    ("press", "does"),
    [
        (("key", "Right"), Input.RIGHT),
        (("mousemove", 780, 20, "click", 1), Choose(Input.PRESS)),
    ],
    ids=["key", "tap"],
)
def test_an_idle_table_asks_sleeps_and_invites_and_wakes_at_a_press(
    table: Table, press: tuple[object, ...], does: Happening
) -> None:
    table.press("key", "p", does=Typed("p"), asks="peek")
    table.shows("2-the-key")
    table.advance(600.0)
    assert "Still playing?" in table.shows("4-asked")
    assert table.message.key is None
    table.advance(60.0)
    assert "A game is waiting" in table.shows("5-asleep")
    lights = {frame for _, frame in table.lights[-8:]}
    assert len(lights) > 4, "the table invites by moving lights"
    assert all(any(frame) for frame in lights)
    table.press(*press, does=does, asks="here")
    assert "Paused" in table.shows("6-awake")
    assert table.asked[-1] == "here"
    assert table.message.key is None


def test_a_refused_touch_says_why(table: Table) -> None:
    table.hold("A1")
    table.advance(5.0)
    table.touch("A1")
    assert table.light("A1") == AMBER
    why = table.table.public_message().said[-1].words["en"]
    assert why in table.shows("7-refused")


# Displays


@pytest.mark.parametrize("display", [":4711", "nowhere:0"])
def test_without_the_display_it_says_so_in_a_sentence(tmp_path: Path, display: str) -> None:
    with console(tmp_path, display) as process:
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode != 0
    *of_libraries, sentence = said.splitlines()
    assert sentence.startswith("pi-table: The console found no display to open")
    assert not any("Traceback" in line for line in of_libraries)


def test_on_another_display_than_the_configured_one_it_says_so_and_shows(tmp_path: Path) -> None:
    with screen(tmp_path, 1024, 600) as on, console(tmp_path, on.display, "") as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        wait_until(lambda: any(pixels(on.picture())), "a picture")
    assert said.startswith(
        "pi-table: The display has 1024 × 600 pixels, and [console] says 800 × 4"
    )
    assert said.endswith("there.\n")
