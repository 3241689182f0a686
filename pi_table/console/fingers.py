"""Fingers on a window: those of a touch screen, and the left button of a mouse.

SDL tells of each finger by itself, and of the first one as a mouse besides; that one is left out.
So one finger can hold PEEK while another one taps.
"""

import msgspec
import pygame

from pi_table.console.console_events import MOUSE


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
