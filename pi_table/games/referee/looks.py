"""Opinions on a clue from its form alone, independent of the words on the table."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from pi_table.games.referee.reasons import Opinion, Reason, Verdict, Why
from pi_table.games.referee.vocabulary import Vocabulary

_DOTTED: Final = re.compile(r"(\w\.)+\w?")

PLACES_ALLOWED: Final = ("nome-in-codice", "deep-undercover")
"""Games whose rule books allow place names of several words as clues (CL-12)."""

Found = tuple[Why, Verdict, str] | None


def looks(clue: str, words: Vocabulary, house: Collection[str], profile: str) -> Iterator[Opinion]:
    """Yield the objection to the form of a clue, if there is one.

    ``clue`` must be tidy (see `spelling.tidy`) and keep its capitals. ``profile`` is the game: it
    decides whether place names are allowed. In Alias 24, every objection names the rule AL-13.
    """
    alias = profile == "alias-24"
    found = _of_several(clue, words, house, profile) if " " in clue else _of_one(clue, words, house)
    if found is None and alias and "names" not in house and _is_proper(clue, words):
        found = Why.PROPER, Verdict.DOUBTFUL, "AL-13"
    if found is not None:
        why, verdict, rule = found
        yield Opinion(verdict, "AL-13" if alias else rule, Reason(why, clue))


def _of_one(clue: str, words: Vocabulary, house: Collection[str]) -> Found:
    said = clue.casefold()
    if len(said) == 1 and said.isalpha():
        return Why.LETTER, Verdict.DOUBTFUL, "CL-9"
    if said.isnumeric() or said in words.numbers:
        return Why.NUMBER, Verdict.DOUBTFUL, "CL-9"
    if _DOTTED.fullmatch(said) or said in words.abbreviations:
        allowed = "abbreviations" in house
        return None if allowed else (Why.ABBREVIATION, Verdict.DOUBTFUL, "CL-1")
    if "-" in said:
        return None if "compounds" in house else (Why.HYPHEN, Verdict.DOUBTFUL, "CL-1")
    bare = words.without_article(said)
    is_elided = bare != said and said not in words.places
    if is_elided and words.knows(bare) and not words.is_only_name(bare):
        return Why.ELISION, Verdict.DOUBTFUL, "CL-1"
    if not words.knows(said):
        return Why.UNKNOWN, Verdict.DOUBTFUL, "CL-11"
    return None


def _of_several(clue: str, words: Vocabulary, house: Collection[str], profile: str) -> Found:
    """Judge a clue of several words.

    A clue with capitals is a name. A clue without capitals may still be a name, because some
    keyboards and phones offer no capitals.
    """
    said = clue.casefold()
    is_thing = words.is_one_thing(said)
    if words.is_place(said) and profile in PLACES_ALLOWED:
        return None
    if is_thing and "compounds" in house:
        return None
    worst = Verdict.DOUBTFUL if "names" in house else Verdict.INVALID
    if is_thing and not words.is_name(said) and not _has_capitals(clue):
        return Why.OPEN_COMPOUND, worst, "CL-1"
    if words.is_only_described(said) and not _has_capitals(clue):
        return Why.WORDS, worst, "CL-1"
    return None if "names" in house else (Why.NAME, Verdict.DOUBTFUL, "CL-12")


def _is_proper(clue: str, words: Vocabulary) -> bool:
    """True if a clue of one word is capitalized and the word is known as a name."""
    return clue[0].isupper() and not clue.isupper() and words.is_proper(clue.casefold())


def _has_capitals(clue: str) -> bool:
    """True if the first word and another word of a clue are capitalized.

    False for a clue that is written in capitals only.
    """
    first, *rest = clue.split()
    return not clue.isupper() and first[0].isupper() and any(word[0].isupper() for word in rest)
