"""The console as one object: its state, and the callbacks to which it passes requests."""

from collections.abc import Callable

from msgspec.structs import replace

from pi_table.common.house_settings import House
from pi_table.common.language import Lang, Words
from pi_table.protocols.ipc.messages import Presence, Request
from pi_table.screens.console.console_events import Happening
from pi_table.screens.console.haste import Haste
from pi_table.screens.console.judge import AtOnce, Judge, Question
from pi_table.screens.console.look import Look, convert_scene
from pi_table.screens.console.model import Model, seconds_left
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Scene
from pi_table.screens.console.update import let_time_pass, update


class Console:
    """Applies events to the console's state, and sends the requests that follow.

    ``send`` sends a request to the table. ``judge`` asks the referee. Times are in seconds.
    """

    def __init__(
        self,
        send: Callable[[Request], None],
        lang: Lang = "en",
        judge: Judge | None = None,
        look: Callable[[House], Look] = lambda house: Look(),
        notice: Words | None = None,
        quiet: float = 0.0,
    ) -> None:
        """``lang`` is the language before the first game. ``look`` returns the look for a house's
        settings. ``notice`` is the first notice on the screen. `haste.Haste` explains ``quiet``."""
        self._haste = Haste(quiet)
        self._send = send
        self._judge = judge or AtOnce()
        self._question: Question | None = None
        self._look_for = look
        self._house = House()
        self._look = look(self._house)
        self._kept: tuple[Model, float] | None = None
        self._drawn: tuple[Scene, Look] | None = None
        self._made: Scene = ()
        self.model = Model(lang=lang, layout=self._look.layout, notice=notice)

    def happen(self, happening: Happening, now: float) -> None:
        self._update(happening, now)
        self._furnish()
        self._consult(now)

    def _furnish(self) -> None:
        """Change the look of the screen if the settings of the house have changed."""
        table = self.model.table
        if table is not None and table.house != self._house:
            self._house = table.house
            self._look = self._look_for(self._house)
            self.model = replace(self.model, layout=self._look.layout)

    def _update(self, happening: Happening, now: float) -> None:
        model, requests = update(self.model, happening, now)
        if self._haste.refuses(self.model, happening, requests, now):
            return
        self.model = model
        for request in requests:
            self._send(request)

    def _consult(self, now: float) -> None:
        """Ask the referee about the clue on the screen, unless the last question was the same."""
        family = self.model.family
        lang = None if family is None else family.language_to_prepare(self.model)
        if lang is not None:
            self._judge.prepare(lang)
        question = None if family is None else family.question(self.model)
        if question == self._question:
            return
        self._question = question
        judged = None if question is None else self._judge.ask(question)
        if judged is not None:
            self._update(judged, now)

    def let_time_pass(self, now: float) -> bool:
        """Close screens whose time limit has passed. Return True if a screen was closed."""
        before, self.model = self.model, let_time_pass(self.model, now)
        return self.model is not before

    def speak(self, lang: Lang) -> None:
        self.model = replace(self.model, lang=lang)

    def scene(self, now: float) -> Scene:
        """Return the console's picture, in pixels. If the picture cannot have changed since the
        last call, return the same object as then."""
        self.let_time_pass(now)
        if self._kept is not None:
            model, at = self._kept
            if model is self.model and not self.moves(at):
                return self._made
        self._kept = (self.model, now)
        drawn = (scene(self.model, now), self._look)
        if drawn != self._drawn:  # a clock moves four times a second, and changes once
            self._drawn, self._made = drawn, convert_scene(*drawn)
        return self._made

    @property
    def lang(self) -> Lang:
        return self.model.lang

    def moves(self, now: float) -> bool:
        """True if the picture may change without an event: because of a timer, a peek, a caption or
        the invitation."""
        table, caption = self.model.table, self.model.caption
        if caption is not None and now < caption.until:
            return True
        if table is not None and table.idle is not Presence.PLAYING and self.model.is_read(now):
            return True
        if table is not None and table.peek is not None and table.peek.left is not None:
            return True
        public = None if table is None else table.public
        if public is None or public.timer is None:
            return False
        return public.timer.running and (seconds_left(self.model, now) or 0.0) > 0.0
