"""Prints SDL's version, driver and screens as JSON: `{"version": [2, 32, 4], "driver": …, "sizes":
[[w, h], …]}`. The driver is null if SDL has none.

This is a separate program for two reasons. SDL and its libraries write messages to standard error,
which would confuse people. And if a graphics driver crashes, the doctor must not crash.
"""

import json
import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame


def probe() -> dict[str, object]:
    """Open and close SDL's display; return SDL's version, driver and screen sizes."""
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
