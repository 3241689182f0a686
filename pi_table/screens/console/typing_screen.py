"""Writing a word, letter by letter: with the encoder, by touch, or on a keyboard; and the keys."""

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
"""What is wrong with a text, for whoever types it."""
ENTER: Final = "\n"
BACKSPACE: Final = "\b"
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz-'"
ACCENTED: Final[dict[Lang, str]] = {"en": "", "it": "àèéìòù"}
"""What words of a language are written with, besides."""
SPACE_KEY: Final = say("Space")
ERASE_KEY: Final = say("Erase")
DONE_KEY: Final = say("Done")


class Writing(Screen[Table], frozen=True, kw_only=True):
    """A screen with letters to choose from, and what was written with them so far."""

    letters: str

    longest: ClassVar[int]
    """The most characters that are taken."""

    def lang(self, table: Table) -> Lang:
        """The language whose letters are offered."""
        raise NotImplementedError

    def done(self) -> Effect:
        """What becomes of the word when it is finished."""
        raise NotImplementedError

    def choices(self, table: Table) -> tuple[Choice, ...]:
        signs = ALPHABET + ACCENTED[self.lang(table)]
        keys: list[tuple[Words, str]] = [(sign.upper(), self.letters + sign) for sign in signs]
        keys.append((SPACE_KEY, f"{self.letters} "))
        keys.append((ERASE_KEY, self.letters[:-1]))
        writing = [
            Choice(key, Become(self._with(letters, selected)))
            for selected, (key, letters) in enumerate(keys)
        ]
        return (*writing, Choice(DONE_KEY, self.done()))

    def typed(self, sign: str, table: Table) -> Effect | None:
        if sign == ENTER:
            return self.done()
        if sign == BACKSPACE:
            return Become(self._with(self.letters[:-1], self.selected))
        return Become(self._with(self.letters + sign, self.selected))

    def _with(self, letters: str, selected: int) -> "Writing[Table]":
        return replace(self, letters=letters.lstrip()[: self.longest], selected=selected)
