"""Giving the clue: its number first, the word if somebody wants it on the screens; and mending a
number that was mis-entered."""

from typing import Final

from msgspec.structs import replace

from pi_table.console.confirm import confirmed
from pi_table.console.screen import (
    Ask,
    Become,
    Choice,
    Effect,
    Go,
    Return,
    Screen,
    may,
    name,
    spymaster,
)
from pi_table.ipc.messages import TableMessage
from pi_table.rules.board import UNLIMITED, Number
from pi_table.rules.key import Team

LONGEST_CLUE: Final = 40
ENTER: Final = "\n"
BACKSPACE: Final = "\b"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz-'"
SPACE_KEY: Final = "Space"
ERASE_KEY: Final = "Erase"
DONE_KEY: Final = "Done"


def clue_text(word: str | None, number: Number) -> str:
    """A clue as it is written: ``FLIGHT 3``, or ``3`` where the word was only spoken."""
    return f"{word.upper()} {number}" if word else str(number)


def numbers(table: TableMessage) -> tuple[Number, ...]:
    """The numbers that a clue may have in this game, the usual ones first."""
    settings = table.settings
    zero: tuple[Number, ...] = (0,) if settings is not None and settings.zero else ()
    unlimited: tuple[Number, ...] = (
        (UNLIMITED,) if settings is not None and settings.unlimited else ()
    )
    return (*range(1, 26), *zero, *unlimited)


class PickNumber(Screen, frozen=True):
    """Which number the team's clue has."""

    team: Team
    word: str | None = None

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(str(number), Go(Give(self.team, number, self.word)), self.team)
            for number in numbers(table)
        )

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def typed(self, sign: str, table: TableMessage) -> Effect | None:
        """A digit picks that number, a letter begins the word."""
        for choice in self.choices(table):
            if choice.label == sign:
                return choice.does
        return Go(Word(self.team, sign, self)) if sign.isalpha() else None


class Give(Screen, frozen=True):
    """The clue as it will be given."""

    team: Team
    number: Number
    word: str | None = None

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        seat = spymaster(self.team)
        do = {"seat": seat, "act": "clue", "word": self.word, "number": self.number}
        change = "Change the word" if self.word else "Type the word too"
        return (
            Choice(f"{name(self.team)} gives this clue", Ask(do), self.team),
            Choice(change, Go(Word(self.team, self.word or "", self))),
        )

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def typed(self, sign: str, table: TableMessage) -> Effect | None:
        return Go(Word(self.team, sign, self)) if sign.isalpha() else None

    def behind(self, below: Screen) -> Screen:
        """Another number, the same word."""
        return replace(below, word=self.word) if isinstance(below, PickNumber) else below


class Word(Screen, frozen=True):
    """Typing the word, with the encoder, by touch, or on a keyboard."""

    team: Team
    letters: str
    below: PickNumber | Give

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        keys = [(letter.upper(), self.letters + letter) for letter in LETTERS]
        keys.append((SPACE_KEY, f"{self.letters} "))
        keys.append((ERASE_KEY, self.letters[:-1]))
        writing = [
            Choice(key, Become(self._with(letters, selected)))
            for selected, (key, letters) in enumerate(keys)
        ]
        return (*writing, Choice(DONE_KEY, self._done()))

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "clue")

    def typed(self, sign: str, table: TableMessage) -> Effect | None:
        if sign == ENTER:
            return self._done()
        if sign == BACKSPACE:
            return Become(self._with(self.letters[:-1], self.selected))
        return Become(self._with(self.letters + sign, self.selected))

    def _with(self, letters: str, selected: int) -> "Word":
        return replace(self, letters=letters.lstrip()[:LONGEST_CLUE], selected=selected)

    def _done(self) -> Return:
        return Return(replace(self.below, word=self.letters.strip() or None, selected=0))


class MendNumber(Screen, frozen=True):
    """Which number the clue should have had."""

    team: Team

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        clue = None if table.public is None else table.public.clue
        if clue is None:
            return ()
        return tuple(
            choice
            for number in numbers(table)
            if number != clue.number
            for choice in confirmed(
                table,
                str(number),
                {"seat": "operator", "act": "correct", "number": number},
                f"Change the clue’s number from {clue.number} to {number}? Everybody is told.",
                "Yes, change it",
            )
        )

    def possible(self, table: TableMessage) -> bool:
        return number_can_be_mended(table)


def number_can_be_mended(table: TableMessage) -> bool:
    """Is a correction now one of the clue's number, rather than of a guess?"""
    public = table.public
    if public is None or public.clue is None or public.guesses:
        return False
    return may(table, "operator", "correct")
