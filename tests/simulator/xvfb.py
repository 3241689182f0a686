"""A screen that nobody sees, with a mouse and a keyboard: Xvfb and xdotool."""

import os
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
from patience import PATIENCE


class Screen:
    """A running X server, its framebuffer a file in ``folder``."""

    def __init__(self, display: str, folder: Path) -> None:
        self.display = display
        self._framebuffer = folder / "Xvfb_screen0"

    def do(self, *words: object) -> None:
        """Let xdotool do this, such as ``("mousemove", 10, 20, "click", 1)``."""
        subprocess.run(
            ["xdotool", *map(str, words)],
            env={**os.environ, "DISPLAY": self.display},
            check=True,
            timeout=PATIENCE,
        )

    def picture(self) -> pygame.Surface:
        """Return the present picture of the screen."""
        dump = self._framebuffer.read_bytes()
        # The X window dump format (XWDFile.h): a header of 32-bit numbers, then colours, then rows.
        head = struct.unpack(">25I", dump[:100])
        size, width, height, row, colours = head[0], head[4], head[5], head[12], head[19]
        start = size + 12 * colours
        assert row == 4 * width
        shown = pygame.image.frombuffer(dump[start : start + row * height], (width, height), "BGRA")
        pixels = pygame.image.tobytes(shown, "RGB")  # its fourth byte is no alpha
        return pygame.image.frombuffer(pixels, (width, height), "RGB")


def wait_until(happened: Callable[[], bool], what: str) -> None:
    """Look again and again until something has happened on a real screen."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)


@contextmanager
def screen(folder: Path, width: int, height: int) -> Iterator[Screen]:
    """A screen of its own for one test."""
    out, into = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(into), "-screen", "0", f"{width}x{height}x24"),
            *("-fbdir", str(folder), "-nolisten", "tcp"),
        ],
        pass_fds=[into],
        stderr=subprocess.DEVNULL,
    )
    os.close(into)
    try:
        with os.fdopen(out) as number:
            yield Screen(f":{number.readline().strip()}", folder)
    finally:
        server.terminate()
        server.wait(PATIENCE)
