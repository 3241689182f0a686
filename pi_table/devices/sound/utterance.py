"""The audible form of an announcement: a sound and words."""

import msgspec

from pi_table.common.language import Lang
from pi_table.devices.sound.sounds import Sound


class Line(msgspec.Struct, frozen=True):
    """Words to be spoken."""

    text: str
    lang: Lang


Part = Sound | Line
"""A sound or a spoken line."""


class Utterance(msgspec.Struct, frozen=True):
    """An announcement to be played."""

    sound: Sound | None = None
    lines: tuple[Line, ...] = ()
    """Its words, once for each language."""
    after: float = 0.0
    """Seconds between the announcement and the earliest time to play it."""
    important: bool = False
    """True if it may interrupt announcements that are not important. It cannot be interrupted by
    them."""
    afresh: bool = False
    """True if all waiting announcements are dropped first."""
