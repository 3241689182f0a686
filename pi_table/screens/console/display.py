"""The display of the console: wait for it, open it, notice when it disconnects, read touches on it.

The console uses only a private screen. `pi_table.devices.hal.displays` decides which screen is
private.
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

LOOK_SECONDS: Final = 0.25
"""Seconds between two checks which screens are connected."""


class HiddenScreen:
    """The hidden screen of a machine without a desktop. The console draws through the kernel."""

    def __init__(self, display: str, root: Path, log: Log) -> None:
        """``display`` is the name of the screen's connector; "" if only one connector is possible.
        ``root`` is the root of the file system."""
        self._display = display
        self._root = root
        self._log = log
        self._look_at = float("-inf")
        self.connector: Connector | None = None
        """The connector of the screen; None before the screen was first found."""

    def wait(self, stops: list[int], heart: Heartbeat) -> bool:
        """Wait until the screen is found, and log why it is missing. Return True if it is found;
        False if a signal was added to ``stops``, so that the process must end."""
        told = ""
        while not stops:
            try:
                self.connector, self._look_at = self._find(), float("-inf")
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
        """True if the screen has disconnected, or if another screen may be the hidden screen now.
        ``now`` is in monotonic seconds."""
        if now < self._look_at:
            return False
        self._look_at = now + LOOK_SECONDS
        try:
            return self._find() != self.connector
        except ScreenAwaitedError:
            return True

    def check(self, found: list[Connector]) -> None:
        """Raise ScreenAwaitedError unless the hidden screen among the connectors ``found`` is still
        the screen that `wait` found."""
        screen = self._among(found)
        if self.connector is not None and screen != self.connector:
            raise ScreenAwaitedError(
                say("The hidden screen is no longer at {name}.", name=self.connector.name)
            )

    def _find(self) -> Connector:
        return self._among(displays.connectors(self._root))

    def _among(self, found: list[Connector]) -> Connector:
        screen = displays.find_hidden_screen(self._display, found)
        displays.check_drawn_on(screen, found, pygame.get_sdl_version())
        return screen


@contextmanager
def open_window(
    console: ConsoleSection, look: Look, root: Path, screen: HiddenScreen | None, log: Log
) -> Iterator[pygame.Surface]:
    """Open a window of the look's size during the context: on ``screen``, or in a desktop if
    ``screen`` is None.

    Raises ScreenAwaitedError if the screen has disconnected, and DeviceError if there is no screen
    to draw on or the key could appear on another screen.
    """
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
            number = displays.choose_display(console, found, driver, len(sizes))
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
                    "picture is scaled, and text has the wrong size. Give the display's width, "
                    "height and inches there.",
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
    """Check that SDL draws where it is expected to.

    Raises pygame.error if SDL draws invisibly, as it does without a display, unless the variable
    SDL_VIDEODRIVER asks for that. Raises DeviceError if SDL draws in a desktop instead of through
    the kernel, or the other way round.
    """
    if driver in ("offscreen", "dummy") and os.environ.get("SDL_VIDEODRIVER") != driver:
        raise pygame.error(say("SDL has only an invisible one"))
    if by_kernel and driver != displays.DRIVER:
        raise DeviceError(
            say(
                "SDL draws with {driver}, though the environment names no desktop. Start the "
                "console inside a desktop, or with SDL_VIDEODRIVER=kmsdrm.",
                driver=driver,
            )
        )
    if not by_kernel and driver == displays.DRIVER:
        raise DeviceError(
            say(
                "SDL draws with {driver}, though the environment names a desktop. Start the "
                "console inside that desktop, or without DISPLAY and WAYLAND_DISPLAY.",
                driver=driver,
            )
        )


class Finger(msgspec.Struct, frozen=True):
    """A finger that touched the window or was lifted from it, at (x, y) in pixels."""

    number: int
    x: float
    y: float
    is_down: bool


def finger_of(event: pygame.event.Event, size: tuple[int, int]) -> Finger | None:
    """Return the finger of a pygame event; None if the event is not about a finger or the mouse.
    ``size`` is the size of the window in pixels."""
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        is_down = event.type == pygame.FINGERDOWN
        return Finger(event.finger_id, event.x * size[0], event.y * size[1], is_down)
    if event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return None
    if event.button != pygame.BUTTON_LEFT or getattr(event, "touch", False):
        return None
    x, y = event.pos
    return Finger(MOUSE, x, y, event.type == pygame.MOUSEBUTTONDOWN)
