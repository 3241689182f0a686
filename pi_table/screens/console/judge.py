"""Asking the referee what it thinks of a clue, before the clue is given.

The referee is imported when a word is first typed: it reads dictionaries, which takes a while.
What it is asked is made of what lies open on the table, so it cannot know the key.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.language import Lang
from pi_table.games.referee.reasons import Opinion
from pi_table.games.rules.word_games.board import Number


class Question(msgspec.Struct, frozen=True):
    """A clue, and everything that the referee has to know of the table."""

    word: str
    number: Number
    board: tuple[str | None, ...]
    """The word on each of the 25 cells; None where no word is known."""
    covered: tuple[str, ...]
    """The words on covered cells."""
    lang: Lang
    profile: str
    house: tuple[str, ...]
    """The house rules that are played."""


class Judged(msgspec.Struct, frozen=True):
    """A question, and what the referee thinks of the clue. The opinion is None where the referee
    has none: the clue is no word at all, or the machine lacks the referee's dictionaries."""

    question: Question
    opinion: Opinion | None


class Judge(Protocol):
    """Somebody who can be asked."""

    def prepare(self, lang: Lang) -> None:
        """A clue is being typed in this language: it will soon be asked about."""

    def ask(self, question: Question) -> Judged | None:
        """The answer; None if it comes later, as something that happens to the console."""


class AtOnce:
    """Answers when it is asked."""

    def prepare(self, lang: Lang) -> None:
        """Nothing: whoever asks waits."""

    def ask(self, question: Question) -> Judged:
        return judged(question)


class InBackground:
    """Answers from a thread of its own; ``put`` is called there."""

    def __init__(self, put: Callable[[Judged], None]) -> None:
        self._put = put
        self._asked: SimpleQueue[Question | Lang | None] = SimpleQueue()
        self._prepared: set[Lang] = set()
        self._thread = Thread(target=self._answer, name="referee", daemon=True)
        self._thread.start()

    def prepare(self, lang: Lang) -> None:
        if lang not in self._prepared:
            self._prepared.add(lang)
            self._asked.put(lang)

    def ask(self, question: Question) -> None:
        self._asked.put(question)

    def close(self) -> None:
        """Nothing is put any more when this returns."""
        self._asked.put(None)
        self._thread.join()

    def _answer(self) -> None:
        while (asked := self._asked.get()) is not None:
            if isinstance(asked, Question):
                self._put(judged(asked))
            else:
                prepare(asked)


def judged(question: Question) -> Judged:
    """Ask the referee, and wait for its answer."""
    from pi_table.games.referee.opinion import opinion

    try:
        given = opinion(
            question.word,
            question.number,
            question.board,
            question.covered,
            question.lang,
            question.profile,
            question.house,
        )
    except (TableError, ImportError):
        return Judged(question, None)
    return Judged(question, given)


def prepare(lang: Lang) -> None:
    """Let the referee read its dictionaries of a language, if the machine has them."""
    from pi_table.games.referee.opinion import warm

    try:
        warm(lang)
    except (TableError, ImportError):
        return
