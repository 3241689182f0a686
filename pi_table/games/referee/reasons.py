"""The referee's answer: a verdict, the rule behind it, and a reason that people can read."""

from enum import Enum, IntEnum, auto
from typing import Final

import msgspec


class Verdict(IntEnum):
    """Verdicts on a clue, from the best to the worst."""

    FINE = 0
    DOUBTFUL = 1
    INVALID = 2

    def __str__(self) -> str:
        return self.name.lower()


class Why(Enum):
    """Objections to a clue."""

    SAME = auto()
    SPELLING = auto()
    FORM = auto()
    KIN = auto()
    COMPOUND = auto()
    PART = auto()
    AKIN = auto()
    PERHAPS_KIN = auto()
    PERHAPS_PART = auto()
    ENDING = auto()
    WORDS = auto()
    OPEN_COMPOUND = auto()
    NAME = auto()
    PROPER = auto()
    HYPHEN = auto()
    ABBREVIATION = auto()
    ELISION = auto()
    LETTER = auto()
    NUMBER = auto()
    UNKNOWN = auto()


_SENTENCES: Final[dict[str, dict[Why, str]]] = {
    "en": {
        Why.SAME: "{word} is on the table.",
        Why.SPELLING: "That is {word} in another spelling.",
        Why.FORM: "That is a form of {word}.",
        Why.KIN: "“{clue}” and {word} are kin.",
        Why.COMPOUND: "That is a compound with {word} in it.",
        Why.PART: "“{part}” is a part of {word}.",
        Why.AKIN: "That is akin to “{part}”, a part of {word}.",
        Why.PERHAPS_KIN: "Are “{clue}” and {word} kin?",
        Why.PERHAPS_PART: "Does {word} have a part in common with it?",
        Why.ENDING: "{word} ends in “{clue}”: meaning, or sound?",
        Why.WORDS: "A clue is one word.",
        Why.OPEN_COMPOUND: "A clue is one word; compounds in two parts are a house rule.",
        Why.NAME: "Names and titles of several words are a house rule.",
        Why.PROPER: "Proper names are a house rule.",
        Why.HYPHEN: "Words with a hyphen are a house rule.",
        Why.ABBREVIATION: "Abbreviations are a house rule.",
        Why.ELISION: "Are those two words?",
        Why.LETTER: "A letter is good only for what it means.",
        Why.NUMBER: "A number is good only for what it means.",
        Why.UNKNOWN: "I do not know “{clue}”. A name?",
    },
    "it": {
        Why.SAME: "{word} è sul tavolo.",
        Why.SPELLING: "È {word}, con un’altra grafia.",
        Why.FORM: "È una forma di {word}.",
        Why.KIN: "«{clue}» e {word} sono parenti.",
        Why.COMPOUND: "È una parola composta con {word}.",
        Why.PART: "«{part}» fa parte di {word}.",
        Why.AKIN: "È parente di «{part}», che fa parte di {word}.",
        Why.PERHAPS_KIN: "«{clue}» e {word} sono parenti?",
        Why.PERHAPS_PART: "Ha una parte in comune con {word}?",
        Why.ENDING: "{word} finisce in «{clue}»: senso o suono?",
        Why.WORDS: "L’indizio è una parola sola.",
        Why.OPEN_COMPOUND: "L’indizio è una parola sola; quelle composte in due pezzi vanno "
        "concordate.",
        Why.NAME: "Nomi e titoli di più parole vanno concordati.",
        Why.PROPER: "I nomi propri vanno concordati.",
        Why.HYPHEN: "Le parole con il trattino vanno concordate.",
        Why.ABBREVIATION: "Le sigle e le abbreviazioni vanno concordate.",
        Why.ELISION: "Sono due parole?",
        Why.LETTER: "Una lettera vale solo per il suo significato.",
        Why.NUMBER: "Un numero vale solo per il suo significato.",
        Why.UNKNOWN: "Non conosco «{clue}». È un nome?",
    },
}
LANGUAGES: Final = tuple(_SENTENCES)
MAX_SHOWN: Final = 24
"""Maximum number of characters of a word that a sentence shows."""


class Reason(msgspec.Struct, frozen=True):
    """An objection, and the texts in it: the clue, the word on the table, a part of that word."""

    why: Why
    clue: str
    word: str = ""
    part: str = ""

    def text(self, lang: str) -> str:
        """Return the reason in one or two short sentences. ``lang`` is one of `LANGUAGES`."""
        return _SENTENCES[lang][self.why].format(
            clue=_shorten(self.clue), word=_shorten(self.word.upper()), part=_shorten(self.part)
        )


class Opinion(msgspec.Struct, frozen=True):
    """A verdict on a clue. If it is not `FINE`, it has the id of a rule and a reason."""

    verdict: Verdict
    rule: str | None = None
    reason: Reason | None = None


FINE: Final = Opinion(Verdict.FINE)


def _shorten(word: str) -> str:
    return word if len(word) <= MAX_SHOWN else f"{word[: MAX_SHOWN - 1]}…"
