"""The beginning of a visit: the agent enters a personal code of four digits (CX-19)."""

from typing import Final

from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.games.rules.codex.identikit import OWN_CODE_LENGTH, Hides
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.screens.console.acts import act
from pi_table.screens.console.codex.page import Page
from pi_table.screens.console.codex.visit import nickname
from pi_table.screens.console.screen import AnswerScreen, Ask, Become, Choice, Do, Effect
from pi_table.screens.console.typing_screen import BACKSPACE, ERASE_KEY

DIGITS: Final = "0123456789"


class OwnCode(Hides, AnswerScreen[CodexMessage], Page[CodexMessage], frozen=True, kw_only=True):
    """The screen on which an agent chooses or enters the personal code.

    A new code is entered twice, because its digits are not visible. After each digit the selection
    returns to 0, so that it reveals no digit. If the table waits for the agent, opening this screen
    reports that the agent is there.
    """

    seat: Seat
    choosing: bool
    digits: str = ""
    first: str = ""
    """The code as entered the first time; empty before that."""
    differed: bool = False

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return (
            *(Choice(digit, Do(digit)) for digit in DIGITS),
            Choice(ERASE_KEY, Do(BACKSPACE)),
        )

    def possible(self, table: CodexMessage) -> bool:
        door = table.door
        if door is None or door.seat is not self.seat or table.public.paused:
            return False
        return door.code == ("choose" if self.choosing else "enter")

    def title(self, table: CodexMessage) -> Words:
        who = nickname(table, self.seat)
        if not self.choosing:
            return say("{agent}: your code", agent=who)
        if self.first:
            return say("{agent}: the same code again", agent=who)
        return say("{agent}: choose a code", agent=who)

    def help(self, table: CodexMessage) -> Words:
        if self.differed:
            return say("The two were different. Choose your code again.")
        if self.choosing:
            return say("Four digits that only you know. They are asked for at every visit.")
        return say("The four digits that you chose at your first visit.")

    def does(self, what: str, table: CodexMessage) -> Effect:
        if what == BACKSPACE:
            return Become(self._with(self.digits[:-1]))
        digits = self.digits + what
        if len(digits) < OWN_CODE_LENGTH:
            return Become(self._with(digits))
        if not self.choosing:
            return Ask(act(self.seat, "enter-code", code=digits))
        if not self.first:
            return Become(replace(self._with(""), first=digits))
        if digits != self.first:
            return Become(replace(self._with(""), first="", differed=True))
        return Ask(act(self.seat, "choose-code", code=digits))

    def on_character(self, sign: str, table: CodexMessage) -> Effect | None:
        return self.does(sign, table) if sign in (*DIGITS, BACKSPACE) else None

    def _with(self, digits: str) -> "OwnCode":
        return replace(self, digits=digits, differed=False, selected=0)
