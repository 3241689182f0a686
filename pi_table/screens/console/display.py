"""The display on which the console draws: it is waited for, opened, and seen to go; and fingers.

A screen that anybody else could see is never drawn on: `pi_table.devices.hal.displays` says which
may be.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import pygame

from pi_table.common.config import ConsoleSection
from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.common.notify import Heartbeat, notify
from pi_table.devices.hal import displays
from pi_table.devices.hal.displays import Connector, ScreenAwaitedError
from pi_table.screens.console.console_events import MOUSE
from pi_table.screens.console.look import Look

Log = Callable[[str], None]
"""Takes a sentence for the log."""

LOOK_SECONDS: Final = 0.25
"""How often the connectors are looked at: for a screen that comes, or one that goes."""


class HiddenScreen:
    """The hidden screen, where the console draws by the kernel, without a desktop."""

    def __init__(self, display: str, root: Path, log: Log) -> None:
        """``display`` is the connector's name, or "" for the only one that it can be. ``root`` is
        where the file system begins."""
        self._display = display
        self._root = root
        self._log = log
        self._look_at = float("-inf")
        self.connector: Connector | None = None
        """Where it hangs; None until it was there."""

    def wait(self, stops: list[int], heart: Heartbeat) -> bool:
        """Wait until it is there; False once the process is to end. Says what is waited for
        whenever that is something else."""
        told = ""
        while not stops:
            try:
                self.connector, self._look_at = self._found(), float("-inf")
                return True
            except ScreenAwaitedError as error:
                if str(error) != told:
                    told = str(error)
                    self._log(told)
                    notify(f"READY=1\nSTATUS={told}")
            heart.beat(time.monotonic())
            time.sleep(LOOK_SECONDS)
        return False

    def has_gone(self, now: float) -> bool:
        """Has it gone, or is it no longer certain, at ``now`` (seconds, never falling)?"""
        if now < self._look_at:
            return False
        self._look_at = now + LOOK_SECONDS
        try:
            return self._found() != self.connector
        except ScreenAwaitedError:
            return True

    def check(self, found: list[Connector]) -> None:
        """Raises ScreenAwaitedError if by these connectors it is another than the one that was
        waited for."""
        screen = self._among(found)
        if self.connector is not None and screen != self.connector:
            raise ScreenAwaitedError(
                say("The hidden screen is no longer at {name}.", name=self.connector.name)
            )

    def _found(self) -> Connector:
        return self._among(displays.connectors(self._root))

    def _among(self, found: list[Connector]) -> Connector:
        screen = displays.hidden_screen(self._display, found)
        displays.check_drawn_on(screen, found, pygame.get_sdl_version())
        return screen


@contextmanager
def open_window(
    console: ConsoleSection, look: Look, root: Path, screen: HiddenScreen | None, log: Log
) -> Iterator[pygame.Surface]:
    """A window of the look's size on the hidden screen (None: in a desktop), until the context
    ends. Raises ScreenAwaitedError if the screen has gone meanwhile, and DeviceError if there is
    none to draw on, or the key might stand on another."""
    fullscreen = console.fullscreen
    flags = pygame.FULLSCREEN | pygame.SCALED if fullscreen else 0
    if screen is not None and screen.connector is not None:
        os.environ |= {displays.CARD: str(screen.connector.card)}
        os.environ.setdefault(*displays.RENDERER)
    try:
        try:
            pygame.display.init()
            driver = pygame.display.get_driver()
            _check_driver(driver, by_kernel=screen is not None)
            sizes = pygame.display.get_desktop_sizes()
            found = displays.connectors(root)
            if screen is not None:
                screen.check(found)
            number = displays.chosen(console, found, driver, len(sizes))
            sizes = sizes if screen is None else sizes[number : number + 1]
            surface = pygame.display.set_mode((look.width, look.height), flags, display=number)
        except pygame.error as error:
            raise DeviceError(
                say(
                    "The console found no display to open ({error}); connect a screen, or start "
                    "it where there is a desktop.",
                    error=error,
                )
            ) from error
        if fullscreen and (look.width, look.height) not in sizes:
            sized = " and ".join(f"{w} × {h}" for w, h in sizes)
            log(
                say(
                    "The display has {sized} pixels, and [console] says {width} × {height}: the "
                    "picture is scaled, and type has another size than it should. Give the "
                    "display's width, height and inches there.",
                    sized=sized,
                    width=look.width,
                    height=look.height,
                )
            )
        pygame.display.set_caption("pi-table: spymasters")
        pygame.mouse.set_visible(not fullscreen)
        yield surface
    finally:
        pygame.display.quit()


def _check_driver(driver: str, by_kernel: bool) -> None:
    """Raises pygame.error where nobody would see what SDL draws by this driver: it draws on an
    invisible display if it finds no other, and only who names that in SDL_VIDEODRIVER wants it.
    Raises DeviceError where SDL draws in a desktop, or by the kernel, and should not."""
    if driver in ("offscreen", "dummy") and os.environ.get("SDL_VIDEODRIVER") != driver:
        raise pygame.error(say("SDL has none but an invisible one"))
    if by_kernel and driver != displays.DRIVER:
        raise DeviceError(
            say(
                "SDL draws by {driver}, though the environment names no desktop. Start the "
                "console inside a desktop, or with SDL_VIDEODRIVER=kmsdrm.",
                driver=driver,
            )
        )
    if not by_kernel and driver == displays.DRIVER:
        raise DeviceError(
            say(
                "SDL draws by {driver}, though the environment names a desktop. Start the "
                "console inside that desktop, or without DISPLAY and WAYLAND_DISPLAY.",
                driver=driver,
            )
        )


class Finger(msgspec.Struct, frozen=True):
    """A finger that has come down on the window, or left it, at (x, y) in its pixels."""

    number: int
    x: float
    y: float
    is_down: bool


def finger_of(event: pygame.event.Event, size: tuple[int, int]) -> Finger | None:
    """The finger that an event tells of, None if it tells of none; ``size`` is the window's."""
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        is_down = event.type == pygame.FINGERDOWN
        return Finger(event.finger_id, event.x * size[0], event.y * size[1], is_down)
    if event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return None
    if event.button != pygame.BUTTON_LEFT or getattr(event, "touch", False):
        return None
    x, y = event.pos
    return Finger(MOUSE, x, y, event.type == pygame.MOUSEBUTTONDOWN)
