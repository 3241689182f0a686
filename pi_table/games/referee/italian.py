"""Italian grammar, as far as the referee needs it: inflection, elision and spellings."""

import re
from collections.abc import Iterator
from typing import Final

from pi_table.games.referee.grammar import Sort

MIN_BASE: Final = 3
"""Minimum number of letters of a word to which the rules of inflection apply."""
_BEFORE: Final = re.compile(
    r"(?:(?:(?:de|ne|da|su|a|co|pe|que|be)?l?l|(?:de|ne|da|su|a|co|que)?gl|un|nessun|d|c|s|m|t|v|n"
    r"|sant|quest|buon|grand)'"
    r"|(?:il|lo|la|i|gli|le|un|uno|una|(?:de|ne|da|su|a|co)(?:i|gli|l|llo|lla|lle)) )(.{2,})"
)
"""An article, or a preposition joined with an article, and the word after it."""
_CLITICS: Final = ("si", "mi", "ti", "ci", "vi", "lo", "la", "li", "le", "ne", "gli", "sene")
_PLURALS: Final = (
    # (plural, singulars): the first match counts, because later endings are shorter
    ("chi", ("co",)),
    ("ghi", ("go",)),
    ("che", ("ca",)),
    ("ghe", ("ga",)),
    ("ce", ("cia",)),
    ("ge", ("gia",)),
    ("ci", ("co", "ce", "cio")),
    ("gi", ("go", "ge", "gio")),
    ("i", ("o", "e", "io")),
    ("e", ("a",)),
)
_ADJECTIVES: Final = (
    *(("che", "co"), ("ghe", "go"), ("ca", "co"), ("ga", "go")),
    *(("a", "o"), ("e", "o")),
)
_CONJUGATIONS: Final = {
    # The endings of the regular verbs, without the conditional and the imperfect subjunctive.
    "are": (
        *("o", "i", "a", "iamo", "ate", "ano", "avo", "avi", "ava", "avamo", "avate", "avano"),
        *("ai", "asti", "ò", "ammo", "aste", "arono", "erò", "erai", "erà", "eremo", "erete"),
        *("eranno", "ino", "ando", "ante", "ato", "ata", "ati"),
    ),
    "ere": (
        *("o", "i", "e", "iamo", "ete", "ono", "evo", "evi", "eva", "evamo", "evate", "evano"),
        *("ei", "é", "erono", "erò", "erai", "erà", "eremo", "erete", "eranno", "a", "ano"),
        *("endo", "ente", "uto", "uta", "uti", "ute"),
    ),
    "ire": (
        *("o", "i", "e", "iamo", "ite", "ono", "isco", "isci", "isce", "iscono", "ivo", "ivi"),
        *("iva", "ivano", "ii", "ì", "irono", "irò", "irai", "irà", "iremo", "irete", "iranno"),
        *("a", "ano", "isca", "iscano", "endo", "ente", "ito", "ita", "iti"),
    ),
}


def without_article(word: str) -> str:
    """Return a phrase without its article or preposition: *arte* for *dell'arte*, *mare* for *il
    mare*."""
    found = _BEFORE.fullmatch(word)
    return found[1] if found else word


def bases(word: str) -> Iterator[tuple[str, Sort]]:
    """Yield the words of which ``word`` may be an inflected form.

    These are singulars, masculine forms and infinitives. A pronoun may be attached to an infinitive
    (*vederlo*).
    """
    for ending, singulars in _PLURALS:
        rest = word.removesuffix(ending)
        if rest != word:
            for singular in singulars:
                base = rest + singular
                if len(base) >= MIN_BASE:
                    yield base, Sort.NOUN
                    yield base, Sort.ADJECTIVE
            break
    for ending, masculine in _ADJECTIVES:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= MIN_BASE:
            yield rest + masculine, Sort.ADJECTIVE
            break
    for infinitive, endings in _CONJUGATIONS.items():
        for ending in endings:
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= MIN_BASE - 1:
                yield rest + infinitive, Sort.VERB
    for clitic in _CLITICS:
        rest = word.removesuffix(clitic)
        if rest != word and len(rest) > MIN_BASE and rest.endswith("r"):
            yield f"{rest}e", Sort.VERB


def is_certain(base: str, sort: Sort) -> bool:
    """True for a plural of ``base``, and for a verb form if ``base`` ends like an infinitive:
    *porta* is a form of *portare*."""
    return sort is Sort.NOUN or (sort is Sort.VERB and base.endswith(tuple(_CONJUGATIONS)))


def other_spellings(word: str) -> Iterator[str]:
    """Yield other possible spellings, such as *ciliege* for *ciliegie*."""
    if word.endswith(("cie", "gie")):
        yield f"{word[:-2]}e"
