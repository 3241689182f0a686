"""An announcement as it is heard: a sound, and words."""

import msgspec

from pi_table.common.language import Lang
from pi_table.devices.sound.sounds import Sound


class Line(msgspec.Struct, frozen=True):
    """Words to be spoken."""

    text: str
    lang: Lang


Part = Sound | Line
"""Something that can be heard."""


class Utterance(msgspec.Struct, frozen=True):
    """An announcement, as it is heard."""

    sound: Sound | None = None
    lines: tuple[Line, ...] = ()
    """Its words, in each language in which they are spoken."""
    after: float = 0.0
    """Seconds after the announcement from which on it may be heard."""
    important: bool = False
    """May it cut short what is not important, and not be cut short by that?"""
    afresh: bool = False
    """Is whatever else was to be heard forgotten?"""
