"""How bright the console's screen is, in percent of what it can be."""

from typing import Final

from pi_table.console.model import Model
from pi_table.console.service.pages import ScreenPage
from pi_table.house import brightness
from pi_table.ipc.messages import Presence

LEAST_IN_USE: Final = 40
"""A screen that is dimmed for the eyes of guests is still to be read."""
ASLEEP: Final = 15
"""Where the screen invites whoever comes along."""


def light(model: Model, now: float, at: str) -> int:
    """How bright the screen is at this time of the day, ``22:30``; ``now`` is in seconds."""
    if model.table is None:
        return 100
    if isinstance(model.screen, ScreenPage):
        return model.screen.brightness
    in_use = max(LEAST_IN_USE, brightness(model.table.house, at))
    sleeps = model.table.idle is Presence.IDLE and model.invites(now)
    return min(ASLEEP, in_use) if sleeps else in_use
