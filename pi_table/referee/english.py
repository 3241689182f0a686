"""How English makes words out of words: inflection, suffixes, prefixes, and spellings."""

import re
from collections.abc import Iterator
from typing import Final

from pi_table.referee.making import Making, affixes

VOWELS: Final = "aeiouy"
LINKS: Final = ("", "s")
"""What may stand between the members of a compound: *swordfish*, *swordsman*."""

LEAST_MEMBER: Final = 4
"""Letters of a member of a compound that is not listed."""

INFLECTIONS: Final = ("s", "es", "ed", "ing", "er", "est")
SUFFIXES: Final = {
    # the fewest letters of what it is put to: suffixes
    3: affixes("able er fold ful hood ing ish ist less ly ness y"),
    4: affixes(
        "age al an ance ancy ant ary ation ative dom ee eer en ence ency ent eous ery ese esque "
        "ess ette free ial ian ible ic ical ie ify ion ious ise ism ition ity ive ize let like "
        "ling ment or ous proof ry ship some ster th ure ward wards wise"
    ),
}
SURE_PREFIXES: Final = affixes(
    "anti dis hyper mega micro mini mis non pre pseudo re semi super ultra un"
)
PREFIXES: Final = [
    *SURE_PREFIXES,
    *affixes("counter de em en fore inter multi post sub trans"),
]
LEAST_AFTER_PREFIX: Final = 4
OPPOSITES: Final = ("in", "im", "il", "ir")
"""Prefixes that are certain before an adjective, which has an adverb."""

_SHORT: Final = re.compile(r"(?:[^aeiouy]|^)(?:qu)?[aeiouy][^aeiouywx]$")
"""The end of a syllable that doubles its consonant before a vowel: *hat*, *hatter*."""


def without_article(word: str) -> str:
    """English elides nothing before a noun: the word itself."""
    return word


def stems(rest: str, suffix: str) -> Iterator[str]:
    """What may have stood before a suffix that left this: *runn* → *run*, *happi* → *happy*."""
    vowel = suffix[0] in VOWELS
    one_syllable = len(re.findall("[aeiouy]+", rest)) == 1
    if not (vowel and one_syllable and _SHORT.search(rest)):
        yield rest
    if not vowel:
        if rest.endswith("i"):
            yield f"{rest[:-1]}y"
        return
    yield f"{rest}e"
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] not in VOWELS:
        yield rest[:-1]
    if rest.endswith("i"):
        yield f"{rest[:-1]}y"
    if rest.endswith("ck"):
        yield rest[:-1]


def inflected(word: str) -> Iterator[str]:
    """What this may be a regular inflection of; the lexicon must tell which of them are words."""
    if word.endswith(("'s", "s'")):
        yield word[:-2] if word.endswith("'s") else word[:-1]
    for ending in INFLECTIONS:
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 2:
            continue
        if ending in ("s", "es"):
            yield rest
            if rest.endswith("ie"):
                yield f"{rest[:-2]}y"
            if rest.endswith("ve"):
                yield f"{rest[:-2]}f"
                yield f"{rest[:-2]}fe"
        else:
            yield from stems(rest, ending)


def derived(word: str) -> Iterator[Making]:
    """What this may be made from by one affix."""
    for least, suffixes in SUFFIXES.items():
        for suffix in suffixes:
            rest = word.removesuffix(suffix)
            if rest != word and len(rest) > 1:
                for base in (*stems(rest, suffix), *_changed(rest, suffix)):
                    if len(base) >= least:
                        yield Making((base,))
    for prefix in PREFIXES:
        base = word.removeprefix(prefix)
        if base != word and len(base) >= LEAST_AFTER_PREFIX:
            yield Making((base,), prefix in SURE_PREFIXES, else_from=tuple(inflected(base)))
    for prefix in OPPOSITES:
        base = word.removeprefix(prefix)
        if base != word:
            adverb = f"{base[:-1]}y" if base.endswith("le") else f"{base}ly"
            yield Making((base,), proof=adverb)


def _changed(rest: str, suffix: str) -> Iterator[str]:
    """Latin stems that change before a suffix: *decision*, *description*, *production*."""
    if suffix in ("ation", "ative", "able", "or") and len(rest) > 3:
        yield f"{rest}ate"
    if suffix in ("ity", "ist", "ism") and rest.endswith("bil"):
        yield f"{rest[:-3]}ble"
    if suffix in ("ion", "ive"):
        for changed, ends in (
            ("s", ("de", "d", "t")),
            ("ss", ("t", "d", "de")),
            ("ct", ("ce", "g", "y")),
            ("pt", ("be", "ve", "m")),
        ):
            if rest.endswith(changed):
                yield from (rest.removesuffix(changed) + end for end in ends)
    if suffix in ("an", "ian"):
        yield from (f"{rest}a", f"{rest}ia")
    if suffix == "ess" and rest.endswith("r"):
        yield from (f"{rest[:-1]}er", f"{rest[:-1]}or")
    if suffix == "ation" and rest.endswith("ific"):
        yield f"{rest[:-2]}y"


_RESPELLED: Final = (
    # (British, American): at the end of a word, after a vowel and a consonant at least
    (re.compile(r"(?<=[aeiou])([^aeiou]+)our(s|ed|ing|er|ers|ite|ful|less|able|hood|y|ist)?$"),
     r"\1or\2"),
    (re.compile(r"(?<=\w{3})is(e|ed|es|er|ers|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"(?<=\w{3})ys(e|ed|es|er|ers|ing)$"), r"yz\1"),
    (re.compile(r"(?<=\w\w)([tb])re(s?)$"), r"\1er\2"),
    (re.compile(r"(?<=\w{3})ogue(s?)$"), r"og\1"),
    (re.compile(r"(?<=[aeiou])([^aeiou]+[aei]l)l(ed|ing|er|ers)$"), r"\1\2"),
)  # fmt: skip


def respelled(word: str) -> Iterator[str]:
    """How the other side of the Atlantic may write this, if the lexicon knows it too."""
    for british, american in _RESPELLED:
        other = british.sub(american, word)
        if other != word:
            yield other


def proof_of_agreement(word: str, lemma: str) -> str | None:
    """English has no genders: a lemma needs no proof."""
    return None


def may_be_noun(word: str, lemma: str) -> bool:
    """May a form of the lemma be a word of its own? English lists those."""
    return False


def is_regular(word: str, base: str) -> bool:
    """Is this an inflection that needs no dictionary's word for it?"""
    return False
