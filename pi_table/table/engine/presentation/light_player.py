"""Makes light frames from the newest picture, as time passes.

The picture has the time at which each scene begins. `presenter` computes these times from the
announcements.
"""

from typing import Final

from pi_table.common.geometry import LED_SLICES
from pi_table.devices.hal.contracts import LightFrame, Lights
from pi_table.devices.lights.light import is_hushed, light, start_of_answer
from pi_table.devices.lights.picture import Picture
from pi_table.games.announcer.announcement import What

FRAMES_PER_SECOND: Final = 25
"""Frames of the whole table per second. This rate leaves time on the serial line for the light that
answers a finger."""
SECOND_FRAME_SECONDS: Final = 0.02
"""Seconds between the two frames of a new picture. The first frame changes one place, the second
the whole table."""
WHOLE_TABLE_SECONDS: Final = 0.04
"""Longest time, in seconds, that a frame with changes in every place takes on the serial line."""


class LightPlayer:
    """Shows a picture on the lights of a table. ``now`` is in seconds of the table's clock."""

    def __init__(self, lights: Lights, frames_per_second: int = FRAMES_PER_SECOND) -> None:
        """``frames_per_second`` limits how often time alone makes a new frame."""
        self.wakes: float | None = None
        """Time at which `play` is due; None if the lights do not change by themselves."""
        self._lights = lights
        self._between = 1.0 / frames_per_second
        self.picture = Picture()
        self._shown: LightFrame | None = None
        self._guessed: int | None = None
        """The cell whose guess is being stored; None if no guess is."""

    def expect_answer(self, cell: int | None) -> None:
        """Remember the cell whose guess is being stored; None if something else is stored."""
        self._guessed = cell

    def answer(self) -> None:
        """Show the first light of the answer, because the guess is stored. Until then it must not
        be shown (ALL-2). The light is the same whatever the guess finds (ALL-1).

        Does nothing if no guess was being stored, or if the light cannot be known yet.
        """
        cell, self._guessed = self._guessed, None
        if cell is None or self._shown is None:
            return
        colours = start_of_answer(self.picture, cell)
        if colours is not None:
            self._give(_with_place(self._shown, cell, colours))

    def show(self, picture: Picture, now: float) -> None:
        """Show this picture from now on.

        The first frame changes only the place that people watch (`_awaited_place`). It takes far
        less time on the serial line than the whole table, which follows in the next frame. When the
        table begins to store a guess, nothing is sent for `SECOND_FRAME_SECONDS`, so that the line
        is free for the answer to the guess.
        """
        before, self.picture = self.picture, picture
        if self._shown is not None and _is_being_stored(before, picture):
            self.wakes = now + SECOND_FRAME_SECONDS
            return
        place = _awaited_place(before, picture, now)
        if place is None and is_hushed(before, now) and is_hushed(picture, now):
            return  # an extra frame during the drum roll would reveal the result of the guess
        if place is None or self._shown is None:
            self._play(now)
            return
        lighting = light(picture, now)
        self._give(_with_place(self._shown, place, lighting.frame[LED_SLICES[place]]))
        self.wakes = (
            self._next_frame_time(lighting.wakes, now)
            if self._shown == lighting.frame
            else now + SECOND_FRAME_SECONDS
        )

    def play(self, now: float) -> None:
        """Advance the lights to ``now`` if a frame is due."""
        if self.wakes is not None and now >= self.wakes:
            self._play(now)

    def _play(self, now: float) -> None:
        lighting = light(self.picture, now)
        self.wakes = self._next_frame_time(lighting.wakes, now)
        self._give(lighting.frame)

    def _next_frame_time(self, due: float | None, now: float) -> float | None:
        """Return when to send a frame that is ``due``: not before the next regular frame.

        Shortly before the end of a hold, no frame is sent, because the light that answers the hold
        would have to wait for it.
        """
        if due is None:
            return None
        due = max(due, now + self._between)
        hold = self.picture.attention.hold
        if hold is None or hold.ends is None or is_hushed(self.picture, now):
            return due
        if 0 < hold.ends - due < WHOLE_TABLE_SECONDS:
            return hold.ends
        return due

    def _give(self, frame: LightFrame) -> None:
        if frame != self._shown:
            self._shown = frame
            self._lights.show(frame)


def _with_place(frame: LightFrame, place: int, colours: tuple[int, ...]) -> LightFrame:
    leds = LED_SLICES[place]
    return (*frame[: leds.start], *colours, *frame[leds.stop :])


def _is_being_stored(before: Picture, picture: Picture) -> bool:
    storing = picture.attention.storing
    return storing is not None and storing != before.attention.storing


def _awaited_place(before: Picture, picture: Picture, now: float) -> int | None:
    """Return the place that people watch; None if there is none. This is the place of a new finger,
    also of a suspected one, unless the answer to a guess is due. Otherwise it is the place of a
    guess that is about to be answered."""
    hold, perhaps = picture.attention.hold, picture.attention.perhaps
    place = None
    if hold is not None and hold != before.attention.hold:
        place = hold.place
    elif perhaps is not None and perhaps != before.attention.perhaps:
        place = perhaps
    if place is not None and not is_hushed(picture, now):
        return place
    if picture.playing is not before.playing:
        for each in picture.playing:
            if each.said.what is What.REVEALING and each not in before.playing:
                return each.said.place
    return None
