"""The base class of screens on which people write a word, by encoder, touch or keyboard."""

from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import Lang, Say, Words, say
from pi_table.common.lettering import Misfit
from pi_table.screens.console.screen import Become, Choice, Effect, Screen, Table

MISFITS: Final[dict[Misfit, Say]] = {
    Misfit.EMPTY: say("A word has at least one letter or digit."),
    Misfit.UNSEEN: say("It contains an invisible character: erase it."),
    Misfit.FOREIGN: say("It contains a letter or sign that the table cannot show: erase it."),
}
"""The faults of a text, as sentences for the person who typed it."""
ENTER: Final = "\n"
BACKSPACE: Final = "\b"
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz-'"
ACCENTED: Final[dict[Lang, str]] = {"en": "", "it": "àèéìòù"}
"""The accented letters of each language, offered after the alphabet."""
SPACE_KEY: Final = say("Space")
ERASE_KEY: Final = say("Erase")
DONE_KEY: Final = say("Done")


def letters_of(lang: Lang) -> str:
    """Return the letters of a language, in the order in which they are offered."""
    return ALPHABET + ACCENTED[lang]


class Writing(Screen[Table], frozen=True, kw_only=True):
    """A screen on which people write a text by choosing letters."""

    letters: str

    longest: ClassVar[int]
    """Maximum number of characters."""

    def signs(self, table: Table) -> str:
        """Return the letters to choose from."""
        raise NotImplementedError

    def finish(self) -> Effect | None:
        """Return the effect when the text is finished; None if the text is not acceptable."""
        raise NotImplementedError

    def choices(self, table: Table) -> tuple[Choice, ...]:
        keys: list[tuple[Words, str]] = [
            (sign.upper(), self.letters + self._in_case(sign)) for sign in self.signs(table)
        ]
        keys.append((SPACE_KEY, f"{self.letters} "))
        keys.append((ERASE_KEY, self.letters[:-1]))
        writing = [
            Choice(key, Become(self._with(letters, selected)))
            for selected, (key, letters) in enumerate(keys)
        ]
        return (*writing, Choice(DONE_KEY, self.finish()))

    def on_character(self, sign: str, table: Table) -> Effect | None:
        if sign == ENTER:
            return self.finish() or Become(self)
        if sign == BACKSPACE:
            return Become(self._with(self.letters[:-1], self.selected))
        return Become(self._with(self.letters + sign, self.selected))

    def _in_case(self, sign: str) -> str:
        """Return a chosen letter in the case in which it is added to the text."""
        return sign

    def _with(self, letters: str, selected: int) -> "Writing[Table]":
        return replace(self, letters=letters.lstrip()[: self.longest], selected=selected)
