"""The person at the table: what is said to them, and what they answer."""

from typing import Protocol

from rich.console import Console
from rich.status import Status

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, say, written


class Person(Protocol):
    """Somebody who is guided through a calibration."""

    def say(self, text: str) -> None:
        """Something to be read, which stays."""

    def now(self, text: str) -> None:
        """What to do now, in the place of what was to be done before."""

    def choose(self, question: str, answers: str, unasked: str) -> str:
        """The answer to a question: one of the letters in ``answers``, the first of them if nothing
        else is answered. Whoever wants no questions has answered ``unasked``. Raises InputError if
        nobody is there to answer."""


class AtTerminal:
    """Somebody at a terminal. ``yes``: they want no questions. ``aside``: what is said goes to
    standard error, for standard output is a program's. ``lang``: what they read."""

    def __init__(self, yes: bool, aside: bool = False, lang: Lang = "en") -> None:
        self._yes = yes
        self._lang: Lang = lang
        self._console = Console(highlight=False, soft_wrap=True, stderr=aside)
        self._status: Status | None = None

    def say(self, text: str) -> None:
        self.close()
        self._console.print(written(text, self._lang), markup=False)

    def now(self, text: str) -> None:
        if not self._console.is_terminal:
            self.say(text)
        elif self._status is None:
            self._status = self._console.status(written(text, self._lang))
            self._status.start()
        else:
            self._status.update(written(text, self._lang))

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self.close()
        if self._yes:
            return unasked
        answer = self._typed(question).lower()[:1]
        return answer if answer and answer in answers else answers[0]

    @property
    def asks(self) -> bool:
        """Are questions asked?"""
        return not self._yes

    def read(self, question: str) -> str:
        """The answer to a question, in words; none if no questions are wanted. Raises InputError if
        nobody is there to answer."""
        self.close()
        return "" if self._yes else self._typed(question)

    def _typed(self, question: str) -> str:
        try:
            asked = written(question, self._lang)
            return self._console.input(f"{asked} ", markup=False).strip()
        except EOFError:
            raise InputError(
                say(
                    "Nobody is there to answer that, so it ends here. Nothing was stored. Use "
                    "--yes to be asked nothing."
                )
            ) from None

    def close(self) -> None:
        """Take away what is to be done now."""
        if self._status is not None:
            self._status.stop()
            self._status = None
