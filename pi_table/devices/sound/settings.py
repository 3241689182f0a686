"""The sound settings of one house: volume, quiet hours and spoken languages."""

from typing import Literal

import msgspec

from pi_table.common.language import Lang, Words, translate
from pi_table.devices.sound.utterance import Line

Speech = Literal["off", "game", Lang, "both"]
"""The choice of spoken languages: none, the language of the game, one fixed language, or both
languages."""


class Settings(msgspec.Struct, frozen=True):
    """The sound settings of one house."""

    volume: int = 60
    """Volume from 0 (silence) to 100."""
    muted: bool = False
    quiet: tuple[int, int] | None = None
    """The quiet hours: two minutes of the day (0 to 1439), the first quiet minute and the first
    minute after the quiet hours. They may span midnight. None if the house has no quiet hours."""
    speech: Speech = "off"

    def is_silent(self, minute: int) -> bool:
        """True if no sound may be played at this minute of the day, from 0 to 1439, by local
        time."""
        return self.muted or self.volume == 0 or self._is_quiet(minute)

    def _is_quiet(self, minute: int) -> bool:
        if self.quiet is None:
            return False
        begins, ends = self.quiet
        if begins <= ends:
            return begins <= minute < ends
        return minute >= begins or minute < ends

    def lines(self, words: Words, lang: Lang) -> tuple[Line, ...]:
        """Return the words as spoken lines, for a game in ``lang``: one line for each language that
        the house wants, first the game's language."""
        other: Lang = "it" if lang == "en" else "en"
        spoken: dict[Speech, tuple[Lang, ...]] = {
            "off": (),
            "game": (lang,),
            "en": ("en",),
            "it": ("it",),
            "both": (lang, other),
        }
        return tuple(Line(translate(words, each), each) for each in spoken[self.speech])
