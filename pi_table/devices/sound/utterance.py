"""The audible form of an announcement: a sound and spoken words."""

import msgspec

from pi_table.common.language import Lang
from pi_table.devices.sound.sounds import Sound


class Line(msgspec.Struct, frozen=True):
    """Words to be spoken, and their language."""

    text: str
    lang: Lang


Part = Sound | Line
"""One part of an utterance: a sound or a spoken line."""


class Utterance(msgspec.Struct, frozen=True):
    """The audible form of one announcement."""

    sound: Sound | None = None
    lines: tuple[Line, ...] = ()
    """The words of the announcement, once for each spoken language."""
    after: float = 0.0
    """Seconds from the announcement to the earliest time at which the utterance may be played."""
    important: bool = False
    """True if this utterance may interrupt utterances that are not important. Unimportant
    utterances cannot interrupt it."""
    afresh: bool = False
    """True if this utterance first drops all utterances that wait."""
