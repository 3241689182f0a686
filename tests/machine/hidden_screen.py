"""The hidden screen of a booted machine: what stands on it, and a keyboard that it hears."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame
from machine import Machine, TooLongError
from played import PlayedTable

KEYBOARD: Final = {
    "udev/rules.d/71-pi-table-keyboard.rules": (
        'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="QEMU Virtio Keyboard", '
        'GROUP:="pi-table-screen", MODE:="0660"\n'
    )
}
"""A file for the machine's /run, by which the console hears the emulated keyboard alone."""
AWAITED_SECONDS: Final = 10.0
"""A press that came to nothing for so long is pressed again, as somebody would."""
PRESSES: Final = 12
GLANCE_SECONDS: Final = 0.5


def seen(machine: Machine) -> pygame.Surface:
    """Return the current screen, in plain colours."""
    picture = pygame.image.load(machine.picture(machine.scratch / "screen.png"))
    plain = pygame.Surface(picture.get_size(), 0, 24)
    plain.blit(picture, (0, 0))
    return plain


def until_seen(
    table: PlayedTable, shows: Callable[[pygame.Surface], bool], seconds: float = 240.0
) -> float:
    """Wait until the screen shows something; the seconds from power-on to the picture."""
    asked = 0.0

    def look() -> bool:
        nonlocal asked
        if time.monotonic() - asked < GLANCE_SECONDS:
            return False
        asked = time.monotonic()
        return shows(seen(table.machine))

    table.until(look, seconds)
    return asked - table.machine.began


def press_until(table: PlayedTable, phase: str) -> None:
    """Press Enter, and again, until the game is in this phase."""
    for _ in range(PRESSES):
        table.machine.press("ret")
        with suppress(TooLongError):
            table.until(lambda: table.stands.phase == phase, AWAITED_SECONDS)
            return
    picture = table.machine.picture(Path(table.machine.scratch / "in-vain.png"))
    raise AssertionError(f"Enter was pressed in vain, {picture} shows what is on the screen.")
