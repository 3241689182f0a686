"""Plays pictures on the lights: it makes frames of the newest picture, as time goes by."""

from typing import Final

from pi_table.hal.contracts import LightFrame, Lights
from pi_table.lights.light import light
from pi_table.lights.picture import Picture

FRAMES_PER_SECOND: Final = 25
"""So many frames of the whole table a second leave room on the line for the light of a finger."""


class LightPlayer:
    """The lights of a table, and what they are to show. ``now`` is in seconds of the table's
    clock."""

    def __init__(self, lights: Lights, frames_per_second: int = FRAMES_PER_SECOND) -> None:
        """Where nothing but time has passed, frames come no faster than ``frames_per_second``."""
        self.wakes: float | None = None
        """When `play` is due next, None if the lights rest."""
        self._lights = lights
        self._between = 1.0 / frames_per_second
        self.picture = Picture()
        """What the lights are to show."""
        self._shown: LightFrame | None = None

    def show(self, picture: Picture, now: float) -> None:
        """Show this picture from now on."""
        self.picture = picture
        self._play(now)

    def play(self, now: float) -> None:
        """Let the lights move on to ``now``, if they are due."""
        if self.wakes is not None and now >= self.wakes:
            self._play(now)

    def _play(self, now: float) -> None:
        lighting = light(self.picture, now)
        self.wakes = None
        if lighting.wakes is not None:
            self.wakes = max(lighting.wakes, now + self._between)
        if lighting.frame != self._shown:
            self._shown = lighting.frame
            self._lights.show(lighting.frame)
