"""The screens to give a clue, first its number and then its word, and to correct its number."""

from typing import ClassVar

from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.games.names import number_words
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import NUMBERS, UNLIMITED, WORD_LENGTH, Number
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console.acts import act, by_operator, spymaster
from pi_table.screens.console.confirm import confirm_choice
from pi_table.screens.console.screen import (
    AnyScreen,
    Ask,
    Become,
    Choice,
    Effect,
    Go,
    Return,
    Screen,
    language,
    may,
    name,
)
from pi_table.screens.console.typing_screen import Writing, letters_of


def clue_text(word: str | None, number: Number) -> Words:
    """Return a clue as text: ``FLIGHT 3``, or only ``3`` if the word was only spoken."""
    count = number_words(number)
    return say("{word} {number}", word=word.upper(), number=count) if word else count


def numbers(table: TableMessage) -> tuple[Number, ...]:
    """Return all numbers that a clue may have in this game, the usual numbers first."""
    settings = table.settings
    zero: tuple[Number, ...] = (0,) if settings is not None and settings.zero else ()
    unlimited: tuple[Number, ...] = (
        (UNLIMITED,) if settings is not None and settings.unlimited else ()
    )
    return (*sorted(NUMBERS), *zero, *unlimited)


def plausible_numbers(table: TableMessage, team: Team) -> tuple[Number, ...]:
    """Return the likely numbers of a clue: at most the number of cards that the team must still
    find, and "unlimited"."""
    public = table.public
    if public is None:
        return numbers(table)
    left = public.left.of(LAYOUTS[public.profile].quarry(team))
    return tuple(number for number in numbers(table) if number == UNLIMITED or number <= left)


class PickNumber(Screen[TableMessage], frozen=True):
    team: Team
    word: str | None = None
    every: bool = False
    """True if the screen also offers numbers above the number of cards that the team must still
    find."""

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        usual = numbers(table) if self.every else plausible_numbers(table, self.team)
        offered = tuple(self._choice(number) for number in usual)
        if len(usual) == len(numbers(table)):
            return offered
        further = next(at for at, number in enumerate(numbers(table)) if number not in usual)
        more = replace(self, every=True, selected=further)
        return (*offered, Choice(say("More…"), Become(more)))

    def _choice(self, number: Number) -> Choice:
        return Choice(str(number), Go(Give(self.team, number, self.word)), self.team)

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def on_character(self, sign: str, table: TableMessage) -> Effect | None:
        """Return the effect of a character: a digit chooses a number, a letter starts the word."""
        for number in numbers(table):
            if str(number) == sign:
                return self._choice(number).does
        return Go(Word(team=self.team, letters=sign, below=self)) if sign.isalpha() else None


class Give(Screen[TableMessage], frozen=True):
    """The screen that shows the whole clue before it is given."""

    team: Team
    number: Number
    word: str | None = None

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        do = act(spymaster(self.team), "clue", word=self.word, number=self.number)
        change = say("Change the word") if self.word else say("Type the word too")
        return (
            Choice(say("{team} gives this clue", team=name(self.team)), Ask(do), self.team),
            Choice(change, Go(Word(team=self.team, letters=self.word or "", below=self))),
        )

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def on_character(self, sign: str, table: TableMessage) -> Effect | None:
        return Go(Word(team=self.team, letters=sign, below=self)) if sign.isalpha() else None

    def behind(self, below: AnyScreen) -> AnyScreen:
        return replace(below, word=self.word) if isinstance(below, PickNumber) else below


class Word(Writing[TableMessage], frozen=True, kw_only=True):
    team: Team
    below: PickNumber | Give

    longest: ClassVar[int] = WORD_LENGTH

    def signs(self, table: TableMessage) -> str:
        return letters_of(language(table))

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def finish(self) -> Return:
        return Return(replace(self.below, word=self.letters.strip() or None, selected=0))


class MendNumber(Screen[TableMessage], frozen=True):
    team: Team

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        clue = None if table.public is None else table.public.clue
        if clue is None:
            return ()
        return tuple(
            choice
            for number in numbers(table)
            if number != clue.number
            for choice in confirm_choice(
                table,
                str(number),
                by_operator("correct", number=number),
                say(
                    "Change the clue’s number from {old} to {new}? Everybody is told.",
                    old=number_words(clue.number),
                    new=number_words(number),
                ),
                say("Yes, change it"),
            )
        )

    def possible(self, table: TableMessage) -> bool:
        return number_can_be_mended(table)


def number_can_be_mended(table: TableMessage) -> bool:
    """True if the act `correct` would now change the clue's number. Otherwise the act takes back a
    guess."""
    public = table.public
    if public is None or public.clue is None or public.guesses:
        return False
    return may(table, Seat.OPERATOR, "correct")
