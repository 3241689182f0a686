"""Prints what SDL would draw on: `{"version": [2, 32, 4], "driver": …, "sizes": [[w, h], …]}`, the
driver null if there is none.

A program of its own: what SDL and the libraries under it write to standard error is of no use to a
reader, and a graphics driver that fails must not take the doctor with it.
"""

import json
import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame


def probe() -> dict[str, object]:
    """Open SDL's display, ask it, and close it."""
    try:
        pygame.display.init()
        driver, sizes = pygame.display.get_driver(), pygame.display.get_desktop_sizes()
    except pygame.error:
        driver, sizes = None, []
    finally:
        pygame.display.quit()
    return {"version": pygame.get_sdl_version(), "driver": driver, "sizes": sizes}


if __name__ == "__main__":
    print(json.dumps(probe()))
