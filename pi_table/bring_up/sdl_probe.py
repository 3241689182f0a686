"""Prints what SDL would draw on: `{"driver": …, "sizes": [[w, h], …]}`, without a driver if none.

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
        return {
            "driver": pygame.display.get_driver(),
            "sizes": pygame.display.get_desktop_sizes(),
        }
    except pygame.error:
        return {"driver": None, "sizes": []}
    finally:
        pygame.display.quit()


if __name__ == "__main__":
    print(json.dumps(probe()))
