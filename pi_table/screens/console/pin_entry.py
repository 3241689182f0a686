"""Screens to enter the operator's PIN, or to choose a new one.

The display shows only how many digits were entered. Only the screen object holds the digits. A
choice contains its own digit, and never the digits entered so far.
"""

import math
from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import Words, say, say_many
from pi_table.games.rules.codex.identikit import Hides
from pi_table.protocols.ipc.messages import AnyTableMessage, Request
from pi_table.screens.console.acts import by_operator
from pi_table.screens.console.screen import AnyScreen, Ask, Become, Choice, Do, Effect, ListScreen
from pi_table.screens.console.typing_screen import BACKSPACE, DONE_KEY, ENTER, ERASE_KEY

DIGITS: Final = "1234567890"
MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8


class _Digits(Hides, ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    digits: str = ""

    columns: ClassVar[int] = 3
    hint = say("Four to eight digits")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        first, last = DIGITS[:-1], DIGITS[-1]
        return (
            *(Choice(digit, Do(digit)) for digit in first),
            Choice(ERASE_KEY, Do(BACKSPACE)),
            Choice(last, Do(last)),
            Choice(DONE_KEY, Do(ENTER)),
        )

    def beside(self, table: AnyTableMessage) -> Words:
        return "• " * len(self.digits)

    def does(self, what: str, table: AnyTableMessage) -> Effect:
        if what == ENTER:
            return self.finish() if len(self.digits) >= MIN_DIGITS else Become(self)
        digits = self.digits[:-1] if what == BACKSPACE else (self.digits + what)[:MAX_DIGITS]
        return Become(replace(self, digits=digits))

    def on_character(self, sign: str, table: AnyTableMessage) -> Effect | None:
        known = sign in (*DIGITS, BACKSPACE, ENTER)
        return self.does(sign, table) if known else None

    def finish(self) -> Effect:
        """Return the effect after all digits were entered."""
        raise NotImplementedError


def waits(table: AnyTableMessage) -> Words:
    """Return a sentence that says for how many minutes the table accepts no PIN."""
    return say_many(
        "Too many wrong PINs: wait one minute.",
        "Too many wrong PINs: wait {count} minutes.",
        math.ceil(table.lock.wait / 60),
    )


class EnterPin(_Digits, frozen=True, kw_only=True):
    heading = say("The operator’s PIN")

    def possible(self, table: AnyTableMessage) -> bool:
        return not table.lock.open

    def help(self, table: AnyTableMessage) -> Words:
        return waits(table) if table.lock.wait > 0.0 else super().help(table)

    def finish(self) -> Effect:
        return Ask(by_operator("unlock", pin=self.digits), stay=True)

    def asking(self, request: Request) -> AnyScreen:
        """Return the screen without digits, ready for another try."""
        return replace(self, digits="", selected=0)


class NewPin(_Digits, frozen=True, kw_only=True):
    """The screen to choose a new PIN. The PIN is entered twice, because its digits are hidden."""

    first: str = ""
    """The PIN as entered the first time; empty before that."""
    differed: bool = False

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open

    def title(self, table: AnyTableMessage) -> Words:
        return say("The same PIN again") if self.first else say("A new PIN")

    def help(self, table: AnyTableMessage) -> Words:
        if self.differed:
            return say("The two PINs were different. Choose one again.")
        return say("Four to eight digits")

    def finish(self) -> Effect:
        if not self.first:
            return Become(NewPin(first=self.digits))
        if self.first != self.digits:
            return Become(NewPin(differed=True))
        return Ask(by_operator("set-pin", pin=self.digits))
