"""The audible form of an announcement: a sound and spoken words."""

import msgspec

from pi_table.common.language import Lang
from pi_table.devices.sound.sounds import Sound


class Line(msgspec.Struct, frozen=True):
    """Words to be spoken, and their language."""

    text: str
    lang: Lang


Part = Sound | Line


class Utterance(msgspec.Struct, frozen=True):
    sound: Sound | None = None
    lines: tuple[Line, ...] = ()
    """The words, once for each spoken language."""
    after: float = 0.0
    """Seconds from the announcement to the earliest time of playing."""
    important: bool = False
    """True if it may interrupt what is not important, which cannot interrupt it."""
    afresh: bool = False
    """True if this utterance first drops all utterances that wait."""
