"""The sound settings of one venue: volume, quiet hours and spoken languages."""

from typing import Literal

import msgspec

from pi_table.common.language import Lang, Words, translate
from pi_table.devices.sound.utterance import Line

Speech = Literal["off", "game", Lang, "both"]
"""The spoken languages: none, the language of the game, one fixed language, or both languages."""


class Settings(msgspec.Struct, frozen=True):
    volume: int = 60
    """Volume from 0 (silence) to 100."""
    muted: bool = False
    quiet: tuple[int, int] | None = None
    """The first quiet minute of the day (0 to 1439), and the first minute after the quiet hours.
    The quiet hours may span midnight. None if there are no quiet hours."""
    speech: Speech = "off"

    def is_silent(self, minute: int) -> bool:
        """True if nothing may be played at this minute of the day (0 to 1439, local time)."""
        return self.muted or self.volume == 0 or self._is_quiet(minute)

    def _is_quiet(self, minute: int) -> bool:
        if self.quiet is None:
            return False
        begins, ends = self.quiet
        if begins <= ends:
            return begins <= minute < ends
        return minute >= begins or minute < ends

    def lines(self, words: Words, lang: Lang) -> tuple[Line, ...]:
        """Return a spoken line for each language that the venue wants. The language of the game
        comes first."""
        other: Lang = "it" if lang == "en" else "en"
        spoken: dict[Speech, tuple[Lang, ...]] = {
            "off": (),
            "game": (lang,),
            "en": ("en",),
            "it": ("it",),
            "both": (lang, other),
        }
        return tuple(Line(translate(words, each), each) for each in spoken[self.speech])
