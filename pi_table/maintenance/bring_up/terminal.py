"""Shows texts to the person at the table, and asks questions."""

from typing import Final, Protocol

from rich.console import Console
from rich.status import Status

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, say, translate

UNCLEAR: Final = "?"
"""The first of the possible answers to a question that Enter must not answer."""


class Person(Protocol):
    """A person whom the program guides through a calibration."""

    def say(self, text: str) -> None:
        """Show a text that stays on the screen."""

    def show_task(self, text: str) -> None:
        """Show what the person should do now. It replaces the previous task on the screen."""

    def choose(self, question: str, answers: str, unasked: str) -> str:
        """Ask for one of the letters in ``answers``, and return it. Any other answer counts as the
        first of these letters.

        If no questions may be asked, return ``unasked``. Raises InputError if the input has ended.
        """


class AtTerminal:
    """A person at a terminal, who reads the language ``lang``.

    With ``yes``, no questions are asked. With ``aside``, everything is printed to standard error,
    because a program reads standard output.
    """

    def __init__(self, yes: bool, aside: bool = False, lang: Lang = "en") -> None:
        self._yes = yes
        self._lang: Lang = lang
        self._console = Console(highlight=False, soft_wrap=True, stderr=aside)
        self._status: Status | None = None

    def say(self, text: str) -> None:
        self.close()
        self._console.print(translate(text, self._lang), markup=False)

    def show_task(self, text: str) -> None:
        if not self._console.is_terminal:
            self.say(text)
        elif self._status is None:
            self._status = self._console.status(translate(text, self._lang))
            self._status.start()
        else:
            self._status.update(translate(text, self._lang))

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self.close()
        if self._yes:
            return unasked
        answer = self._read_line(question).lower()[:1]
        return answer if answer and answer in answers else answers[0]

    @property
    def asks(self) -> bool:
        return not self._yes

    def read(self, question: str) -> str:
        """Ask a question and return the answer; "" if no questions may be asked. Raises InputError
        if the input has ended."""
        self.close()
        return "" if self._yes else self._read_line(question)

    def _read_line(self, question: str) -> str:
        try:
            asked = translate(question, self._lang)
            return self._console.input(f"{asked} ", markup=False).strip()
        except EOFError:
            raise InputError(
                say(
                    "Nobody is there to answer that, so it ends here. Nothing was stored. Use "
                    "--yes to skip the questions."
                )
            ) from None

    def close(self) -> None:
        """Remove the current task from the screen."""
        if self._status is not None:
            self._status.stop()
            self._status = None
