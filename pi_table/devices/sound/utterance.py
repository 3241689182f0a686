"""An announcement as people hear it: a sound and spoken words."""

import msgspec

from pi_table.common.language import Lang
from pi_table.devices.sound.sounds import Sound


class Line(msgspec.Struct, frozen=True):
    """Words to be spoken, with their language."""

    text: str
    lang: Lang


Part = Sound | Line


class Utterance(msgspec.Struct, frozen=True):
    sound: Sound | None = None
    lines: tuple[Line, ...] = ()
    """The spoken words, once in each spoken language."""
    after: float = 0.0
    """Seconds from the announcement until the utterance may be played."""
    important: bool = False
    """True if this utterance may interrupt unimportant ones, and only important ones may interrupt
    it."""
    afresh: bool = False
    """True if this utterance first drops all waiting utterances."""
