"""Plays pictures on the lights: it makes frames of the newest picture, as time goes by."""

from typing import Final

from pi_table.common.geometry import leds_of
from pi_table.devices.hal.contracts import LightFrame, Lights
from pi_table.devices.lights.light import is_hushed, light
from pi_table.devices.lights.picture import Picture
from pi_table.games.announcer.announcement import What

FRAMES_PER_SECOND: Final = 25
"""So many frames of the whole table a second leave room on the line for the light of a finger."""
AFTER_THE_FIRST: Final = 0.02
"""Seconds from the light of the one place that somebody waits for to that of all others."""
WHOLE_TABLE: Final = 0.04
"""Seconds that a frame in which every place has changed takes on the line, at most."""


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
        """Show this picture from now on. The place that somebody waits for comes first, alone: it
        takes far less time on the line than a whole table, which follows with the next frame. While
        a guess is being stored the line is kept free for its answer, if that comes soon."""
        before, self.picture = self.picture, picture
        if self._shown is not None and _is_being_stored(before, picture):
            self.wakes = now + AFTER_THE_FIRST
            return
        place = _waited_for(before, picture, now)
        if place is None and is_hushed(before, now) and is_hushed(picture, now):
            return  # by no frame between those of the drum roll can be told what a finger found
        if place is None or self._shown is None:
            self._play(now)
            return
        lighting = light(picture, now)
        leds = leds_of(place)
        first = list(self._shown)
        first[leds.start : leds.stop] = lighting.frame[leds.start : leds.stop]
        self._give(tuple(first))
        self.wakes = (
            self._paced(lighting.wakes, now)
            if self._shown == lighting.frame
            else now + AFTER_THE_FIRST
        )

    def play(self, now: float) -> None:
        """Let the lights move on to ``now``, if they are due."""
        if self.wakes is not None and now >= self.wakes:
            self._play(now)

    def _play(self, now: float) -> None:
        lighting = light(self.picture, now)
        self.wakes = self._paced(lighting.wakes, now)
        self._give(lighting.frame)

    def _paced(self, due: float | None, now: float) -> float | None:
        """When a frame that is ``due`` then is made: no sooner after the one of ``now`` than frames
        may come, and none so shortly before the end of a hold that its answer would wait for it."""
        if due is None:
            return None
        due = max(due, now + self._between)
        hold = self.picture.attention.hold
        if hold is None or hold.ends is None or is_hushed(self.picture, now):
            return due
        if 0 < hold.ends - due < WHOLE_TABLE:
            return hold.ends
        return due

    def _give(self, frame: LightFrame) -> None:
        if frame != self._shown:
            self._shown = frame
            self._lights.show(frame)


def _is_being_stored(before: Picture, picture: Picture) -> bool:
    """Has a guess just begun to be stored?"""
    storing = picture.attention.storing
    return storing is not None and storing != before.attention.storing


def _waited_for(before: Picture, picture: Picture, now: float) -> int | None:
    """The place at which a finger has just come down, or whose guess is about to be answered; None
    where neither is new. A finger waits for nothing while another's guess is about to be
    answered."""
    hold = picture.attention.hold
    if hold is not None and hold != before.attention.hold and not is_hushed(picture, now):
        return hold.place
    if picture.playing is not before.playing:
        for each in picture.playing:
            if each.said.what is What.REVEALING and each not in before.playing:
                return each.said.place
    return None
