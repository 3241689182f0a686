"""A whole game in the real window, played with a mouse by somebody who looks at the screen."""

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygame
import pytest
from xvfb import PATIENCE, Screen, screen, wait_until

from pi_table.console import painter
from pi_table.console.console import Console
from pi_table.console.console_events import Choose
from pi_table.console.shapes import Rect
from pi_table.geometry import CELLS, END_TURN, cell_named
from pi_table.hal.contracts import Input
from pi_table.ipc.messages import TableMessage, ToConsole, read_to_console
from pi_table.language import written
from pi_table.rules.word_games.board import Phase
from pi_table.simulator.layout import HEIGHT, middle
from pi_table.simulator.whole import CONSOLE_X, CONSOLE_Y, WIDTH

pytestmark = pytest.mark.paced

BETWEEN_TOUCHES = 0.8
ONE_TRY = 3.0
"""Seconds."""
PICTURES = Path(__file__).parents[2] / "build" / "window"


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


WATCHED = """
import socket, sys
from pi_table.cli import main
from pi_table.simulator import window

told, read = socket.socket(fileno=int(sys.argv.pop(1))), window.read_to_console

def heard(line):
    told.sendall(line + b"\\n")
    return read(line)

window.read_to_console = heard
sys.exit(main())
"""
"""`pi-table`, where what the window's console is told is told to the test too."""


class Player:
    """Somebody with a mouse, and with eyes: a second console that is told what the first is."""

    def __init__(self, on: Screen, told: socket.socket, pictures: Path) -> None:
        self._screen = on
        self._pictures = pictures
        self._lifted_at = 0.0
        self._told = told
        self._rest = b""
        self._eyes = Console(lambda request: None)
        self.table: TableMessage | None = None
        self.wait(lambda: self.table is not None, "the table")

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self._told.close()

    def wait(self, happened: Callable[[], bool], what: str) -> None:
        """Read what the table says until it has said what is waited for."""
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"waited in vain for {what}"
            for message in self._heard():
                self._eyes.happen(message, time.monotonic())
                if isinstance(message, TableMessage):
                    self.table = message

    def _heard(self) -> list[ToConsole]:
        """What the window's console was told by now."""
        if not select.select([self._told], [], [], 0.02)[0]:
            return []
        *lines, self._rest = (self._rest + self._told.recv(1 << 16)).split(b"\n")
        return [read_to_console(line) for line in lines]

    @property
    def choices(self) -> list[str]:
        return [written(choice.label, "en") for choice in self._eyes.model.choices]

    def click(self, label: str) -> None:
        """Click what the hidden screen offers under this label."""
        self.tap(self._eyes.model.choices[self.choices.index(label)])

    def tap(self, target: object) -> None:
        """Click the shape with this target, once the hidden screen shows it."""
        self.see()
        box = next(
            shape
            for shape in self._eyes.scene(time.monotonic())
            if isinstance(shape, Rect) and shape.target == target
        )
        x, y = CONSOLE_X + box.x + box.w / 2, CONSOLE_Y + box.y + box.h / 2
        self._screen.mouse("mousemove", round(x), round(y), "click", 1)
        self._eyes.happen(Choose(target), time.monotonic())
        self.see()

    def see(self) -> None:
        """Look until the hidden screen shows, to the pixel, what it should."""
        place = pygame.Rect(CONSOLE_X, CONSOLE_Y, 800, 480)

        def is_shown() -> bool:
            expected = painter.picture(self._eyes.scene(time.monotonic()), (800, 480))
            return pixels(self._screen.picture().subsurface(place)) == pixels(expected)

        self.wait(is_shown, f"the screen to offer {self.choices}")

    def hold(self, place: int, happened: Callable[[], bool], what: str) -> None:
        """Hold a cell or a pad down until the table has answered; not quicker than people are.

        Who sees that nothing comes of it lifts the finger and tries again: on a machine that stood
        still for a moment the table rightly takes no finger's word for it.
        """
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.wait(lambda: time.monotonic() > self._lifted_at + BETWEEN_TOUCHES, "a hand")
            self._screen.mouse("mousemove", *middle(place), "mousedown", 1)
            tried = time.monotonic() + ONE_TRY
            self.wait(lambda until=tried: happened() or time.monotonic() > until, what)  # type: ignore[misc]
            self._screen.mouse("mouseup", 1)
            self._lifted_at = time.monotonic()

    def save(self, name: str) -> None:
        self._pictures.mkdir(parents=True, exist_ok=True)
        pygame.image.save(self._screen.picture(), self._pictures / f"{name}.png")

    # What a player does in a game

    @property
    def public(self) -> Any:
        assert self.table is not None
        return self.table.public

    def give_clue(self, team: str, number: int) -> None:
        self.click(f"{team.capitalize()} gives the clue")
        self.click(str(number))
        self.click(f"{team.capitalize()} gives this clue")
        self.wait(lambda: self.public.phase is Phase.GUESS, "the clue to be given")

    def guess(self, letter: str) -> str:
        """Guess a cell that the key gives to ``letter``."""
        assert self.table is not None
        assert self.table.key is not None
        name = next(
            name
            for name, of in zip(CELLS, self.table.key, strict=True)
            if of == letter and self.public.cells[name].covered is None
        )
        place = cell_named(name)
        assert place is not None
        self.hold(
            place, lambda: self.public.cells[name].covered is not None, f"{name} to be covered"
        )
        return name


@contextmanager
def window(
    on: Screen, home: Path, *more: str
) -> Iterator[tuple["subprocess.Popen[bytes]", socket.socket]]:
    """`pi-table simulate`, with ``more`` arguments, on that screen, and a socket with the lines
    that its console is told."""
    environment = {
        **os.environ,
        "DISPLAY": on.display,
        "XDG_STATE_HOME": str(home / "state"),
        "TMPDIR": str(home),
    }
    environment.pop("SDL_VIDEODRIVER", None)
    told, telling = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-c", WATCHED, str(telling.fileno()), "simulate", *more],
        env=environment,
        stderr=subprocess.DEVNULL,
        pass_fds=[telling.fileno()],
    )
    telling.close()
    try:
        wait_until(
            lambda: any(home.glob("pi-table-*/console.sock")) or process.poll() is not None,
            "the engine's sockets",
        )
        assert process.poll() is None, "the simulator ended by itself"
        yield process, told
    finally:
        told.close()
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture
def xvfb(tmp_path: Path) -> Iterator[Screen]:
    folder = tmp_path / "screen"
    folder.mkdir()
    with screen(folder, WIDTH, HEIGHT) as running:
        yield running


@pytest.mark.parametrize("controller", ["simulated", "emulated"])
def test_a_whole_game_is_played_with_the_mouse(
    xvfb: Screen, tmp_path: Path, controller: str
) -> None:
    device, pictures = ("--controller", controller), PICTURES / controller
    with (
        window(xvfb, tmp_path, *device) as (process, told),
        Player(xvfb, told, pictures) as player,
    ):
        player.see()
        player.save("1-no-game")
        player.click("Choose a game…")
        player.save("2-choosing")
        player.click("The classic game")
        player.click("Start the game")
        player.wait(lambda: player.public is not None, "the deal")
        player.tap(Input.PEEK)
        player.save("3-the-key")

        first, other = player.public.turn.value, player.public.turn.other.value
        player.give_clue(first, 2)
        player.guess(first[0])
        player.guess("n")  # CN-8
        assert player.public.turn.value == other
        player.give_clue(other, 3)
        player.guess(other[0])
        player.see()
        player.save("4-guessing")
        player.hold(END_TURN, lambda: player.public.phase is Phase.CLUE, "the end of the turn")
        player.give_clue(first, 8)
        while player.public.phase is Phase.GUESS:
            player.guess(first[0])
        assert player.public.outcome.winner.value == first  # CN-15
        player.see()
        player.save("5-over")

        view = player.public
        process.terminate()
        assert process.wait(PATIENCE) == 0

    with window(xvfb, tmp_path, *device) as (_, told), Player(xvfb, told, pictures) as again:
        assert again.public == view, "opened again, the table stands where it stood"
