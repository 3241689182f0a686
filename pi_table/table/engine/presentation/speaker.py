"""Plays the announcements of a table on its loudspeaker, from the event loop."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from pi_table.common.language import Lang, say, translate
from pi_table.devices.hal.contracts import Sounder
from pi_table.devices.sound.loudspeaker import Loudspeaker
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.speech import Speech
from pi_table.devices.sound.studio import OnThreads
from pi_table.devices.sound.utterance import Line, Utterance
from pi_table.games.announcer.announcement import Announcement
from pi_table.table.engine.outputs import TrySound
from pi_table.table.engine.presentation.sound_cues import utterance

_SENTENCE = say("This is the table’s voice.")


def minute_of_day() -> int:
    now = datetime.now()
    return 60 * now.hour + now.minute


class Speaker:
    def __init__(
        self,
        sounder: Sounder,
        voice: tuple[str, ...],
        settings: Settings,
        loop: asyncio.AbstractEventLoop,
        ails: Callable[[str | None], None],
        heard: bool = True,
    ) -> None:
        """``voice`` is the speech command; empty means the default command. ``heard`` is False if
        there is no loudspeaker; then no sounds are made.

        ``ails`` is called after `switch_on`, whenever the loudspeaker's fault changes. Its argument
        is the fault in sentences for the staff; None if the loudspeaker works.
        """
        self._settings = settings
        self._loop = loop
        self._ails = ails
        self._heard = heard
        self._told: str | None = None
        self._on = False
        self._due: asyncio.TimerHandle | None = None
        self._studio = OnThreads(Speech(voice), loop)
        self._loudspeaker: Loudspeaker | None = None
        self._loudspeaker = Loudspeaker(
            sounder, self._studio, settings, loop.time, minute_of_day, self._after
        )

    def switch_on(self) -> None:
        """Start playing, prepare the sounds, and start to report faults."""
        self._on = True
        if self._loudspeaker is not None:
            self._loudspeaker.switch_on()
        if self._heard:
            self._studio.warm(self._settings.volume)
        self._after()

    def announce(self, said: tuple[Announcement, ...], lang: Lang) -> None:
        if self._heard and self._loudspeaker is not None:
            self._loudspeaker.announce(
                tuple(utterance(each, self._settings, lang) for each in said)
            )

    def try_sound(self, what: TrySound) -> None:
        """Play a sound or a sentence as a test, even if the house's settings turn the sound off.
        Call `end_test` when service mode ends."""
        if self._heard and self._loudspeaker is not None:
            lines = () if what.lang is None else (Line(translate(_SENTENCE, what.lang), what.lang),)
            sound = Sound.GAME_BEGINS if what.lang is None else None
            self._loudspeaker.announce((Utterance(sound, lines, important=True),), tried=True)

    def end_test(self) -> None:
        """End a test of the loudspeaker, if there is one. If the house's settings turn speech off,
        a fault of speech is not reported after that."""
        if self._loudspeaker is not None:
            self._loudspeaker.end_test()

    def change(self, settings: Settings) -> None:
        self._settings = settings
        if self._loudspeaker is not None:
            self._loudspeaker.change(settings)

    def close(self) -> None:
        """Stop playing. This does not close the sounder."""
        if self._due is not None:
            self._due.cancel()
        if self._loudspeaker is not None:
            self._loudspeaker.close()
        self._loudspeaker = None

    def _after(self) -> None:
        if self._loudspeaker is None:
            return
        if self._due is not None:
            self._due.cancel()
        wakes = self._loudspeaker.wakes
        self._due = (
            None if wakes is None else self._loop.call_at(wakes, self._loudspeaker.pass_time)
        )
        trouble = self._loudspeaker.trouble
        if self._on and trouble != self._told:
            self._told = trouble
            self._ails(trouble)
