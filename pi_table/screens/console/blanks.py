"""Blank cards: players type their own words for the next game before it is dealt (DU-3)."""

from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import Lang, Words, say
from pi_table.common.lettering import Misfit
from pi_table.games.rules.word_games.key import CLASSIC, LAYOUTS
from pi_table.games.words.word import MAX_WORD_LENGTH, WordFault, Wrong, display_form, fault_of
from pi_table.games.words.word import Words as WordSet
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.screen import (
    AnyScreen,
    Become,
    Choice,
    Effect,
    Go,
    ListScreen,
    Return,
    can_begin,
)
from pi_table.screens.console.typing_screen import DONE_KEY, MISFITS, Writing, letters_of

MAX_TYPED_LENGTH: Final = 40
"""Maximum number of typed characters: more than fit on a card, so that players see that a word is
too long."""


class Blanks(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    """The list of typed words, the latest first. A press on a word removes it."""

    words: tuple[str, ...]
    lang: Lang
    most: int
    """Maximum number of words: one for each card."""

    heading = say("Our own words")
    hint = say("They will be among the words of the game.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        add = (Choice(say("Add a word"), self._write("")),) if self.has_room else ()
        words = (
            Choice(word, self._without(word, len(add) + place), value=say("Remove"))
            for place, word in enumerate(reversed(self.words))
        )
        return (*add, *words, Choice(DONE_KEY, Return()))

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    def beside(self, table: AnyTableMessage) -> Words:
        return say("{count} of at most {most}", count=len(self.words), most=self.most)

    def on_character(self, sign: str, table: AnyTableMessage) -> Effect | None:
        return self._write(sign) if sign.isalnum() and self.has_room else None

    def behind(self, below: AnyScreen) -> AnyScreen:
        return replace(below, blanks=self.words)

    @property
    def has_room(self) -> bool:
        return len(self.words) < self.most

    def _write(self, letters: str) -> Go:
        return Go(BlankWord(letters=letters, below=self))

    def _without(self, word: str, selected: int) -> Become:
        left = tuple(each for each in self.words if each != word)
        return Become(replace(self, words=left, selected=selected))


class BlankWord(Writing[AnyTableMessage], frozen=True, kw_only=True):
    below: Blanks

    has_grid: ClassVar[bool] = False
    longest: ClassVar[int] = MAX_TYPED_LENGTH

    def signs(self, table: AnyTableMessage) -> str:
        return letters_of(self.below.lang)

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    @property
    def fault(self) -> WordFault | None:
        """The fault of the typed text; None if the text is valid or empty."""
        if not self.letters.strip():
            return None
        return fault_of(self.letters, WordSet(self.below.lang, self.below.words))

    def finish(self) -> Effect:
        if not self.letters.strip():
            return Return()
        if self.fault is not None:
            return Become(self)
        return Return(replace(self.below, words=(*self.below.words, display_form(self.letters))))


def sentence(fault: WordFault) -> Words:
    match fault.why:
        case Wrong.EMPTY | Wrong.UNSEEN | Wrong.FOREIGN:
            return MISFITS[Misfit(fault.why.value)]
        case Wrong.COMMENT:
            return say("A word cannot begin with #.")
        case Wrong.TOO_LONG:
            return say(
                "{count} characters are too many: {most} fit on a card.",
                count=len(fault.word),
                most=MAX_WORD_LENGTH,
            )
        case Wrong.ALIKE:
            return say("You already have this word: {other}.", other=fault.other or "")


def most_blanks(profile: str) -> int:
    """Return the maximum number of typed words: the number of cards in the game. For a game without
    cards, return the number for the classic game."""
    return LAYOUTS.get(profile, CLASSIC).cards


def still_good(blanks: tuple[str, ...], profile: str, lang: Lang) -> tuple[str, ...]:
    """Return the words that are still valid after a change of game or language. Two words may be
    too similar in one language but not in another."""
    words = WordSet(lang)
    kept: list[str] = []
    for blank in blanks[: most_blanks(profile)]:
        if words.like(blank) is None:
            words.add(blank)
            kept.append(blank)
    return tuple(kept)
