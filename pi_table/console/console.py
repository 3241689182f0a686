"""The console as one thing to hold: its model, and whoever its requests go to."""

from collections.abc import Callable

from pi_table.console.happenings import Happening
from pi_table.console.headline import seconds_left
from pi_table.console.model import Model, update
from pi_table.console.scene import scene
from pi_table.console.shapes import Scene
from pi_table.ipc.messages import Request
from pi_table.language import Lang


class Console:
    """Holds the model; ``send`` takes what is asked of the table. Times are in seconds."""

    def __init__(self, send: Callable[[Request], None], lang: Lang = "en") -> None:
        """``lang`` is the language before the first game."""
        self._send = send
        self.model = Model(lang=lang)

    def happen(self, happening: Happening, now: float) -> None:
        """Let something happen."""
        self.model, requests = update(self.model, happening, now)
        for request in requests:
            self._send(request)

    def scene(self, now: float) -> Scene:
        """What it shows."""
        return scene(self.model, now)

    @property
    def lang(self) -> Lang:
        """The language that it speaks now."""
        return self.model.lang

    def moves(self, now: float) -> bool:
        """Does what it shows change by itself: is there a timer that runs?"""
        public = None if self.model.table is None else self.model.table.public
        if public is None or public.timer is None:
            return False
        return public.timer.running and (seconds_left(self.model, now) or 0.0) > 0.0
