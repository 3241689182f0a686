"""English grammar, as far as the referee needs it: inflection and spellings."""

import re
from collections.abc import Iterator
from typing import Final

from pi_table.games.referee.grammar import Sort

VOWELS: Final = "aeiouy"
MIN_BASE: Final = 3
"""Minimum number of letters of a word to which the rules of inflection apply."""
_ARTICLE: Final = re.compile(r"^(?:the|an?) (?=.)")
_SINGULAR: Final = ("ss", "us", "is")
"""Endings of words that end in *s* but are not plurals."""
_HISSING: Final = ("s", "x", "z", "ch", "sh", "o")
"""Endings of words that take *-es* in the plural or as a verb."""


def without_article(word: str) -> str:
    """Return a phrase without the article before it: *sea* for *the sea*."""
    return _ARTICLE.sub("", word)


def bases(word: str) -> Iterator[tuple[str, Sort]]:
    """Yield the words of which ``word`` may be a plural, a verb form, or a comparative."""
    for base, sort in _bases(word):
        if len(base) >= MIN_BASE:
            yield base, sort


def is_certain(base: str, sort: Sort) -> bool:
    """True if ``sort`` is a noun: a plural always counts as a form. Other forms are often words
    of their own: *evening*, *number*."""
    return sort is Sort.NOUN


def _bases(word: str) -> Iterator[tuple[str, Sort]]:
    if word.endswith(("'s", "s'")):
        yield word[:-2] if word.endswith("'s") else word[:-1], Sort.NOUN
    if word.endswith("s") and not word.endswith(_SINGULAR):
        for base in _without_s(word):
            yield base, Sort.NOUN
            yield base, Sort.VERB
        if word.endswith("ves"):
            yield f"{word[:-3]}f", Sort.NOUN
        if word.endswith(("knives", "lives", "wives")):  # *saves* is no plural of *safe*
            yield f"{word[:-3]}fe", Sort.NOUN
    for ending, sort in (
        *(("ed", Sort.VERB), ("ing", Sort.VERB)),
        *(("er", Sort.ADJECTIVE), ("est", Sort.ADJECTIVE)),
    ):
        rest = word.removesuffix(ending)
        if rest != word:
            for base in _stems(rest):
                yield base, sort


def _without_s(word: str) -> Iterator[str]:
    yield word[:-1]
    if word.endswith("es") and word[:-2].endswith(_HISSING):
        yield word[:-2]
    if word.endswith("ies"):
        yield f"{word[:-3]}y"


def _stems(rest: str) -> Iterator[str]:
    """Yield possible stems of a word without its ending: *run* for *runn*, *happy* for *happi*."""
    yield rest
    yield f"{rest}e"
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] not in VOWELS:
        yield rest[:-1]
    if rest.endswith("i"):
        yield f"{rest[:-1]}y"
    if rest.endswith("ck"):
        yield rest[:-1]


_RESPELLED: Final = (
    # (British ending of a word and what must precede it, American ending)
    (re.compile(r"(?<=[aeiou])([^aeiou]+)our(s|ed|ing|er|ers|ite|ful|less|able|hood|y|ist)?$"),
     r"\1or\2"),
    (re.compile(r"(?<=\w{3})is(e|ed|es|er|ers|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"(?<=\w{3})ys(e|ed|es|er|ers|ing)$"), r"yz\1"),
    (re.compile(r"(?<=\w\w)([tb])re(s?)$"), r"\1er\2"),
    (re.compile(r"(?<=\w{3})ogue(s?)$"), r"og\1"),
    (re.compile(r"(?<=[aeiou])([^aeiou]+[aei]l)l(ed|ing|er|ers)$"), r"\1\2"),
)  # fmt: skip


def other_spellings(word: str) -> Iterator[str]:
    """Yield possible American spellings of a British word. A lexicon must decide which of them
    exist."""
    for british, american in _RESPELLED:
        other = british.sub(american, word)
        if other != word:
            yield other
