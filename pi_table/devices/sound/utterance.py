"""An announcement in audible form: a sound and words."""

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
    """Words of the announcement, once for each language."""
    after: float = 0.0
    """Seconds between the announcement and the earliest time to play it."""
    important: bool = False
    """True if the announcement may interrupt others that are not important. Those cannot interrupt
    it."""
    afresh: bool = False
    """True if this announcement first drops all that wait."""
