"""The loudspeaker of a table, which plays announcements with the sound settings of the venue.

The owner of the `Loudspeaker` reads `wakes` and calls `pass_time` at that time.
"""

from collections.abc import Callable
from functools import partial

from pi_table.common.language import join_texts
from pi_table.devices.hal.contracts import Clip, Sounder
from pi_table.devices.sound.settings import Settings
from pi_table.devices.sound.studio import Studio
from pi_table.devices.sound.utterance import Part, Utterance
from pi_table.devices.sound.voice import Make, Output, Play, Voice


class Loudspeaker:
    """A player of announcements. All its methods are called from one thread."""

    def __init__(
        self,
        sounder: Sounder,
        studio: Studio,
        settings: Settings,
        clock: Callable[[], float],
        minute: Callable[[], int],
        after: Callable[[], None] = lambda: None,
    ) -> None:
        """Make a loudspeaker that is switched off.

        ``clock`` returns the table's time in seconds. ``minute`` returns the minute of the day,
        from 0 to 1439, in local time. ``after`` is called whenever `wakes` or `trouble` may have
        changed.
        """
        self._sounder = sounder
        self._studio = studio
        self._settings = settings
        self._clock = clock
        self._minute = minute
        self._after = after
        self._voice = Voice()
        self._speaker_trouble: str | None = None
        self._is_speech_tested = False
        """True if a spoken line was ordered as a test, and the test has not ended."""
        self._closed = False

    def switch_on(self) -> None:
        """Switch the loudspeaker on. The owner calls this once, before the first announcement."""
        self._sounder.switch_on(self._on_speaker_trouble)

    @property
    def wakes(self) -> float | None:
        """Time in seconds at which `pass_time` must be called next; None if nothing waits."""
        return None if self._closed else self._voice.wakes

    @property
    def trouble(self) -> str | None:
        """Sentences for the staff about faults of sound or speech; None if there are no faults.

        Speech has no faults while the settings turn it off, except during a test of speech."""
        is_speech_used = self._is_speech_tested or self._settings.speech != "off"
        troubles = (self._speaker_trouble, self._studio.trouble if is_speech_used else None)
        return join_texts(" ", (each for each in troubles if each is not None)) or None

    def announce(self, utterances: tuple[Utterance, ...], tried: bool = False) -> None:
        """Play these announcements, which belong together.

        If ``tried`` is true, they test the loudspeaker and are always played. Other announcements
        are dropped while `Settings.is_silent` is true. The owner calls `end_test` after the tests.
        """
        if tried and any(utterance.lines for utterance in utterances):
            self._is_speech_tested = True
        if not self._closed and (tried or not self._settings.is_silent(self._minute())):
            self._do(self._voice.announce(utterances, self._clock()))

    def end_test(self) -> None:
        """End a test of speech: forget its fault if the settings turn speech off. Without a test,
        this has no effect."""
        if self._is_speech_tested:
            self._is_speech_tested = False
            self._after()

    def change(self, settings: Settings) -> None:
        """Use these settings from now on, and end a test of speech. If the new settings demand
        silence now, drop all announcements and stop the current sound at once."""
        self._settings = settings
        self._is_speech_tested = False
        if not self._closed:
            self._do(self._voice.hush() if settings.is_silent(self._minute()) else [])

    def pass_time(self) -> None:
        """Do everything that is due. The owner calls this at the time `wakes`."""
        if not self._closed:
            self._do(self._voice.pass_time(self._clock()))

    def close(self) -> None:
        """Stop playing and making clips; leave the `Sounder` open. A second call has no effect."""
        if not self._closed:
            self._do(self._voice.hush())
            self._closed = True
            self._studio.close()

    def _do(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Play(clip):
                    self._sounder.play(clip)
                case Make(part):
                    self._studio.order(part, self._settings.volume, partial(self._on_clip, part))
        self._after()

    def _on_clip(self, part: Part, clip: Clip | None) -> None:
        if not self._closed:
            self._do(self._voice.on_clip(part, clip, self._clock()))

    def _on_speaker_trouble(self, trouble: str | None) -> None:
        self._speaker_trouble = trouble
        self._after()
