"""What the house wants to hear: how loud, when, and in which languages."""

from typing import Literal

import msgspec

from pi_table.common.language import Lang, Words, written
from pi_table.devices.sound.utterance import Line

Speech = Literal["off", "game", Lang, "both"]
"""Is anything spoken: not at all, in the language of the game, in one language, or in both?"""


class Settings(msgspec.Struct, frozen=True):
    """What the house wants to hear."""

    volume: int = 60
    """From 0, which is silence, to 100."""
    muted: bool = False
    quiet: tuple[int, int] | None = None
    """The hours of silence: the minute of the day (0 to 1439) that begins them, and the first one
    after them. They may go past midnight. None: there are none."""
    speech: Speech = "off"

    def is_silent(self, minute: int) -> bool:
        """Is nothing to be heard at this minute of the day, from 0 to 1439, by local time?"""
        return self.muted or self.volume == 0 or self._is_quiet(minute)

    def _is_quiet(self, minute: int) -> bool:
        if self.quiet is None:
            return False
        begins, ends = self.quiet
        if begins <= ends:
            return begins <= minute < ends
        return minute >= begins or minute < ends

    def lines(self, words: Words, lang: Lang) -> tuple[Line, ...]:
        """How the words are spoken while a game in ``lang`` is played: in each language that the
        house wants, that of the game first."""
        other: Lang = "it" if lang == "en" else "en"
        spoken: dict[Speech, tuple[Lang, ...]] = {
            "off": (),
            "game": (lang,),
            "en": ("en",),
            "it": ("it",),
            "both": (lang, other),
        }
        return tuple(Line(written(words, each), each) for each in spoken[self.speech])
