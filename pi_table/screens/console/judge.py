"""Questions to the referee whether a clue is allowed, before the clue is given.

The referee is imported when a word is first typed, because the referee needs a while to read its
dictionaries. A question contains only public facts, so the referee cannot know the key.
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
    """A clue, and everything that the referee needs to know about the table."""

    word: str
    number: Number
    board: tuple[str | None, ...]
    """The word on each of the 25 cells; None if unknown."""
    covered: tuple[str, ...]
    """The words on covered cells."""
    lang: Lang
    profile: str
    house: tuple[str, ...]
    """The names of the house rules in force."""


class Judged(msgspec.Struct, frozen=True):
    """A question, and the referee's opinion of the clue. The opinion is None if the clue is not a
    word, or if the referee's dictionaries are missing on this machine."""

    question: Question
    opinion: Opinion | None


class Judge(Protocol):
    """The interface through which the console asks the referee."""

    def prepare(self, lang: Lang) -> None:
        """Prepare for questions in ``lang``, because somebody is typing a clue in this language."""

    def ask(self, question: Question) -> Judged | None:
        """Return the answer. Return None if the answer comes later, as an event of the console."""


class AtOnce:
    def prepare(self, lang: Lang) -> None:
        """Do nothing: `ask` prepares the referee if necessary."""

    def ask(self, question: Question) -> Judged:
        return ask_referee(question)


class InBackground:
    """A judge that asks the referee in its own thread. It calls ``put`` in that thread, with each
    answer."""

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
        """Stop the thread. After this returns, ``put`` is not called any more."""
        self._asked.put(None)
        self._thread.join()

    def _answer(self) -> None:
        while (asked := self._asked.get()) is not None:
            if isinstance(asked, Question):
                self._put(ask_referee(asked))
            else:
                prepare(asked)


def ask_referee(question: Question) -> Judged:
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
