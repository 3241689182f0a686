"""Somebody at the simulator's real window, with hands and eyes."""

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pygame
from patience import PATIENCE
from xvfb import Screen, wait_until

from pi_table.common.geometry import CELLS, cell_named
from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import Phase
from pi_table.protocols.ipc.messages import (
    Answer,
    Request,
    TableMessage,
    ToConsole,
    read_to_console,
)
from pi_table.screens.console import painter
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.haste import QUIET_SECONDS
from pi_table.screens.console.shapes import Rect, Text
from pi_table.simulator import layout
from pi_table.simulator.layout import HEIGHT
from pi_table.simulator.whole import CONSOLE_X, CONSOLE_Y, WIDTH

BETWEEN_TOUCHES = 0.8
BETWEEN_PRESSES = QUIET_SECONDS + 0.05
ONE_TRY = 3.0
"""Seconds."""
WHOLE = pygame.Rect(0, 0, WIDTH, HEIGHT)
HIDDEN_SCREEN = pygame.Rect(CONSOLE_X, CONSOLE_Y, 800, 480)
PICTURES = Path(__file__).parents[2] / "build" / "window"


def middle(place: int) -> tuple[int, int]:
    """Return the middle of a cell or a pad in the picture."""
    x, y = layout.WHOLE.middle(place)
    return round(x), round(y)


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


WATCHED = """
import json, pygame, socket, sys, threading
from pi_table.cli import main
from pi_table.simulator import window

test, read = socket.socket(fileno=int(sys.argv.pop(1))), window.read_to_console

def heard(line):
    test.sendall(line + b"\\n")
    return read(line)

def touch():
    for line in test.makefile():
        number, x, y, is_down = json.loads(line)
        kind = pygame.FINGERDOWN if is_down else pygame.FINGERUP
        pygame.event.post(pygame.event.Event(kind, finger_id=number, x=x, y=y))

window.read_to_console = heard
threading.Thread(target=touch, daemon=True).start()
sys.exit(main())
"""
"""`pi-table`, where what the window's console is told is told to the test too, and the fingers of
the test come down. The X server has no touch screen: their events are put into SDL's queue."""

Pointing = Literal["mouse", "finger"]


class Player:
    """Somebody with a mouse, fingers or a knob, and with eyes: a second console that is told what
    the first is."""

    def __init__(
        self, on: Screen, told: socket.socket, pictures: Path, pointing: Pointing = "mouse"
    ) -> None:
        self.box = WHOLE
        """Where on the screen the picture of the window is, and how large."""
        self.presses = 0
        """Number of clicks, taps and presses on the hidden screen."""
        self._screen = on
        self._pointing = pointing
        self._pictures = pictures
        self._lifted_at = 0.0
        self._seen_at = 0.0
        """When the effect of the newest press was seen."""
        self._told = told
        self._rest = b""
        self._key: str | None = None
        """The key, as it was seen last."""
        self._asked: list[Request] = []
        self._answered = 0
        """Requests of the eyes' own console, and the number of answers to the window's."""
        self._eyes = self._without = Console(self._asked.append)
        """The console that should be on the screen, and the one that would be there if the newest
        press had not been taken."""
        self._needed_help = False
        """True if the table has needed help since the last look at the screen."""
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
                for console in {self._eyes, self._without}:
                    console.happen(message, time.monotonic())
                self._answered += isinstance(message, Answer)
                if isinstance(message, TableMessage):
                    self.table = message
                    self._needed_help |= message.faults != ()
                    self._key = message.key or self._key

    def _heard(self) -> list[ToConsole]:
        """Return the new messages to the window's console."""
        if not select.select([self._told], [], [], 0.02)[0]:
            return []
        *lines, self._rest = (self._rest + self._told.recv(1 << 16)).split(b"\n")
        return [read_to_console(line) for line in lines]

    @property
    def choices(self) -> list[str]:
        return [translate(choice.label, "en") for choice in self._eyes.model.choices]

    @property
    def texts(self) -> list[str]:
        """Return the texts on the hidden screen."""
        shapes = self._eyes.scene(time.monotonic())
        return [str(shape.text) for shape in shapes if isinstance(shape, Text)]

    def click(self, label: str) -> None:
        """Click what the hidden screen offers under this label."""
        self._look()
        assert label in self.choices, f"{label!r} is not offered: {self.texts}"
        self.tap(self._eyes.model.choices[self.choices.index(label)])

    def turn_to(self, label: str) -> None:
        """Turn to this label with the arrow keys, and press enter."""
        self._look()
        steps = self.choices.index(label) - self._eyes.model.selected
        for _ in range(abs(steps)):
            self.key("Right", Input.RIGHT) if steps > 0 else self.key("Left", Input.LEFT)
        self.key("Return", Typed("\n"))

    def key(self, name: str, given: Happening) -> None:
        """Press a key, which does this."""
        self._look()
        self._press(given, partial(self._screen.do, "key", name))

    def tap(self, target: object) -> None:
        """Click the shape with this target, once the hidden screen shows it."""
        self._look()
        box = next(
            shape
            for shape in self._eyes.scene(time.monotonic())
            if isinstance(shape, Rect) and shape.target == target
        )
        at = round(CONSOLE_X + box.x + box.w / 2), round(CONSOLE_Y + box.y + box.h / 2)

        def press() -> None:
            self._point(at, down=True)
            self._point(at, down=False)

        self._press(Choose(target), press)

    def _point(self, at: tuple[int, int], down: bool) -> None:
        """Let the mouse's button, or a finger, come down or leave."""
        if self._pointing == "mouse":
            x = self.box.x + at[0] * self.box.w // WIDTH
            y = self.box.y + at[1] * self.box.h // HEIGHT
            self._screen.do("mousemove", x, y, "mousedown" if down else "mouseup", 1)
        else:
            event = json.dumps([0, at[0] / WIDTH, at[1] / HEIGHT, down])
            self._told.sendall(event.encode() + b"\n")

    def _press(self, given: Happening, press: Callable[[], object]) -> None:
        """Press, which does this; again, where it was not taken."""
        while not self._is_taken(given, press):
            self._look()

    def _is_taken(self, given: Happening, press: Callable[[], object]) -> bool:
        """Press, and let the same happen to the eyes' own console; return True if the press was
        taken.

        It was taken if the screen shows it and its request was answered. It was not if the table
        had begun to need help just before, and the screen said so; nor if the screen had changed
        under the finger just then (`haste`), on a machine that is late.
        """
        self._without = copy(self._eyes)
        asked, answered = len(self._asked), self._answered
        press()
        self._eyes.happen(given, time.monotonic())
        is_taken = True
        doubted = time.monotonic() + PATIENCE / 4

        def is_seen() -> bool:
            nonlocal is_taken
            waits = len(self._asked) > asked and self._answered == answered
            is_taken = not waits and self._shows(self._eyes)
            in_doubt = (waits or self._needed_help) and time.monotonic() > doubted
            return is_taken or (in_doubt and self._shows(self._without))

        self._wait_for_what_is_shown(is_seen)
        self._eyes = self._eyes if is_taken else self._without
        self.presses += is_taken and given not in (Input.RIGHT, Input.LEFT)
        self._seen_at = time.monotonic()
        return is_taken

    def _look(self) -> None:
        """See what there is to press; not quicker than people are."""
        self.wait(lambda: time.monotonic() > self._seen_at + BETWEEN_PRESSES, "a hand")
        self.see()
        self._needed_help = False

    def see(self) -> None:
        """Look until the hidden screen shows, to the pixel, what it should.

        Who sees that the table needs help waits until it has helped itself: where a machine stood
        still for a moment, the controller's firmware fell silent.
        """
        self._wait_for_what_is_shown(lambda: self._shows(self._eyes))

    def _wait_for_what_is_shown(self, is_shown: Callable[[], bool]) -> None:
        try:
            self.wait(
                lambda: (self.table is None or not self.table.faults) and is_shown(),
                f"the screen to offer {self.choices}",
            )
        except AssertionError:
            self.save("in-vain-as-it-is")
            wanted = painter.picture(self._eyes.scene(time.monotonic()), HIDDEN_SCREEN.size)
            pygame.image.save(wanted, self._pictures / "in-vain-as-it-should-be.png")
            raise

    def _shows(self, console: Console) -> bool:
        expected = painter.picture(console.scene(time.monotonic()), HIDDEN_SCREEN.size)
        if self.box != WHOLE:
            return True  # no pixel of another size is known
        return pixels(self._screen.picture().subsurface(HIDDEN_SCREEN)) == pixels(expected)

    def hold(self, place: int, happened: Callable[[], bool], what: str) -> None:
        """Hold a cell or a pad down until the table has answered; not quicker than people are.

        Who sees that nothing comes of it lifts the finger and tries again: on a machine that stood
        still for a moment the table rightly takes no finger's word for it.
        """
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.wait(lambda: time.monotonic() > self._lifted_at + BETWEEN_TOUCHES, "a hand")
            self._point(middle(place), down=True)
            tried = time.monotonic() + ONE_TRY
            self.wait(lambda until=tried: happened() or time.monotonic() > until, what)  # type: ignore[misc]
            self._point(middle(place), down=False)
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
        """Guess a cell that the key gives to ``letter``, as the newest peek at it told."""
        self.wait(lambda: self._key is not None, "the key")
        name = next(
            name
            for name, of in zip(CELLS, self._key or (), strict=True)
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
    told, telling = socket.socketpair()
    # The path of a socket has room for 107 bytes, and those of pytest's folders are long.
    with TemporaryDirectory(prefix="w") as short:
        environment = {
            **os.environ,
            "DISPLAY": on.display,
            "SDL_VIDEO_WINDOW_POS": "0,0",
            "XDG_STATE_HOME": str(home / "state"),
            "TMPDIR": short,
        }
        environment.pop("SDL_VIDEODRIVER", None)
        process = subprocess.Popen(
            [sys.executable, "-c", WATCHED, str(telling.fileno()), "simulate", *more],
            env=environment,
            stderr=subprocess.DEVNULL,
            pass_fds=[telling.fileno()],
        )
        telling.close()
        try:
            sockets = Path(short).glob
            wait_until(
                lambda: any(sockets("pi-table-*/console.sock")) or process.poll() is not None,
                "the engine's sockets",
            )
            assert process.poll() is None, "the simulator ended by itself"
            yield process, told
        finally:
            told.close()
            process.terminate()
            process.wait(PATIENCE)
