"""How Italian makes words out of words: inflection, alteration, suffixes and prefixes."""

import re
from collections.abc import Iterator
from typing import Final

from pi_table.referee.making import Making, affixes

LINKS: Final = ("",)
LEAST_MEMBER: Final = 5
"""Letters of a member of a compound that is not listed: two nouns seldom make one."""

_ALTERATIONS: Final = affixes(
    "in icin olin erin ell icell cell erell ett ucci uzz acci astr ott acchiott iciattol icol ucol "
    "upol occi"
)
"""Suffixes, each with -o and -a, that keep the gender of the noun."""
_GENDERED: Final = affixes(
    "ai an ar ier ian os esc ic istic ut ace ign at icci eri iv ari ori et on"
)
"""Of adjectives, and of who has to do with it."""
_MASCULINE: Final = [f"{suffix}o" for suffix in _ALTERATIONS]
_FEMININE: Final = [f"{suffix}a" for suffix in _ALTERATIONS]
SUFFIXES: Final = [
    *_MASCULINE,
    *_FEMININE,
    *(f"{suffix}{vowel}" for suffix in _GENDERED for vowel in "oa"),
    *affixes(
        "one iere eria ista ismo ese essa ale iale ile evole ezza ità età tà izia aggine ame "
        "aglia aglio alone ante iante atico aneo anza igia aiolo aiola uolo uola onzolo "
        "are eggiare izzare ificare erellare icchiare ettare ellare"
    ),
]
UNSURE: Final = affixes("olo ola")
"""Suffixes that are more often only letters."""
VERBAL: Final = affixes(
    "tore trice tura mento zione bile nte nza tivo tiva toio toia torio toria ta to ticcio ndo"
)
"""Suffixes that are put to a verb's stem with its vowel: *lavora-tore*."""
CHANGED: Final = (
    ("sione", ("dere", "ndere")),
    ("ssione", ("tere", "ttere")),
    ("zione", ("rre", "ire", "ggere")),
    ("ttore", ("rre", "ire", "ggere")),
    ("sore", ("dere", "ndere")),
    ("sivo", ("dere", "ndere")),
    ("sa", ("dere", "ndere")),
    ("so", ("dere", "ndere")),
    ("ssa", ("ttere",)),
    ("sso", ("ttere",)),
    ("sta", ("rre", "ndere")),
    ("sto", ("rre", "ndere")),
)
"""Suffixes before which a verb's stem has changed: *decisione*, *produttore*, *promessa*."""
SURE_PREFIXES: Final = affixes("anti arci iper maxi micro mini semi super ultra")
PREFIXES: Final = [
    *SURE_PREFIXES,
    *affixes("auto bis co contro inter pre ri sopra sotto stra"),
]
OPPOSITES: Final = affixes("dis il im in ir s")
"""Prefixes that are certain before an adjective, which has an adverb."""
REVERSALS: Final = affixes("dis s")
"""Prefixes of verbs: *scaricare*; but they begin many another verb."""
INWARDS: Final = affixes("ab ac ad af ag al am an ap ar as at dis im in ra rim rin s")
"""Prefixes of verbs made straight from a noun: *imboccare*, *sbucciare*, *annerire*."""
_ELIDED: Final = re.compile(r"(?:(?:de|ne|da|su|a|que|be)?ll?|un|d|c|s|sant|quest)'(\w{2,})")
_CLITICS: Final = affixes("si mi ti ci vi lo la li le ne gli sene")
_LEAST_STEM: Final = 3


def without_article(word: str) -> str:
    """What is left of two words of which the first is elided: *dell'arte* → *arte*."""
    elided = _ELIDED.fullmatch(word)
    return elided[1] if elided else word


def inflected(word: str) -> Iterator[str]:
    """What this may be the plural of, or an infinitive with a pronoun to it."""
    for ending, singulars in (
        ("chi", ("co",)),
        ("ghi", ("go",)),
        ("che", ("ca",)),
        ("ghe", ("ga",)),
        ("ce", ("cia",)),
        ("ge", ("gia",)),
        ("a", ("o",)),
        ("e", ("a",)),
        ("i", ("o", "e", "io", "a")),
    ):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 1:
            yield from (rest + singular for singular in singulars)
            if ending in ("chi", "ghi", "che", "ghe"):
                break
    for clitic in _CLITICS:
        rest = word.removesuffix(clitic)
        if rest != word and len(rest) > 3 and rest.endswith("r"):
            yield f"{rest}e"


def derived(word: str) -> Iterator[Making]:
    """What this may be made from by one affix; what a noun has lost with its last vowel may have
    been any of several."""
    for suffix in SUFFIXES:
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= _LEAST_STEM:
            yield Making(*_nouns(rest, suffix))
    for suffix in ("cino", "cina", "cello", "cella"):
        if word.endswith(f"n{suffix}"):
            yield Making((word.removesuffix(suffix) + "e",))
    for suffix in ("ista", "ismo"):
        if word.endswith(suffix):
            yield Making((word.removesuffix(suffix),))
    rest = word.removesuffix("ire")
    if rest != word and len(rest) > _LEAST_STEM:
        yield Making(*_nouns(rest, "ire"))
    for suffix in UNSURE:
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) >= _LEAST_STEM:
            yield Making(_nouns(rest, suffix)[0], sure=False)
    for feminine, masculine in (("trice", "tore"), ("iera", "iere")):
        if word.endswith(feminine):
            yield Making((word.removesuffix(feminine) + masculine,))
    if word.endswith("mente"):
        rest = word.removesuffix("mente")
        yield Making((f"{rest}e", f"{rest[:-1]}o") if rest.endswith("a") else (rest, f"{rest}e"))
    for suffix in VERBAL:
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > _LEAST_STEM and rest[-1] in "aei":
            yield Making((f"{rest}re", f"{rest[:-1]}ere") if rest[-1] == "i" else (f"{rest}re",))
    for suffix, infinitives in CHANGED:
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > _LEAST_STEM:
            yield Making(tuple(rest + infinitive for infinitive in infinitives))
    for prefix in PREFIXES:
        base = word.removeprefix(prefix)
        if base != word and len(base) > 3:
            yield Making((base,), prefix in SURE_PREFIXES)
    for prefix in OPPOSITES:
        base = word.removeprefix(prefix)
        if base != word and len(base) > 3:
            yield Making((base,), proof=_adverb(base))
    for prefix in REVERSALS:
        base = word.removeprefix(prefix)
        if base != word and base.endswith(("are", "ere", "ire")) and len(base) > 5:
            yield Making((base,), sure=False)
    for ending in ("are", "ire", "ato", "ata"):
        rest = word.removesuffix(ending)
        for prefix in INWARDS if rest != word else ():
            base = rest.removeprefix(prefix)
            if base != rest and len(base) > _LEAST_STEM:
                assimilated = prefix in ("in", "im") or (len(prefix) == 2 and prefix[-1] == base[0])
                yield Making(_nouns(base, ending)[0], sure=assimilated)


def _nouns(rest: str, suffix: str) -> tuple[tuple[str, ...], bool, None, tuple[str, ...]]:
    """The `Making` from a noun or adjective that may have had this stem: an alteration keeps the
    gender, but *spazzola* has *spazzolino* too."""
    if suffix[0] in "ei" and rest.endswith(("ch", "gh")):
        stems = [rest[:-1]]
    elif suffix[0] in "ei" and rest[-1] in "cg":
        stems = [f"{rest}i", rest]
    else:
        stems = [rest]
    if suffix in _FEMININE:
        return _with_endings(stems, ("a", "e", "à")), True, None, ()
    if suffix in _MASCULINE:
        return _with_endings(stems, ("o", "e", "à")), True, None, _with_endings(stems, ("a",))
    return _with_endings(stems, ("a", "o", "e", "à")), True, None, ()


def _with_endings(stems: list[str], endings: tuple[str, ...]) -> tuple[str, ...]:
    found = [stem + ending for stem in stems for ending in endings]
    soft = [f"{stem}i{ending}" for stem in stems for ending in endings if ending in "ao"]
    return tuple(dict.fromkeys(found + soft))


def _adverb(adjective: str) -> str:
    """*felicemente*, *certamente*, *facilmente*."""
    if adjective.endswith("o"):
        return f"{adjective[:-1]}amente"
    if adjective.endswith(("le", "re")):
        return f"{adjective[:-1]}mente"
    return f"{adjective}mente"


def proof_of_agreement(word: str, lemma: str) -> str | None:
    """A word in -a or -e that is said to be of one in -o is so for certain if that is an adjective,
    and then there is an adverb: *cara* and *caro* have *caramente*, *porta* and *porto* nothing."""
    if word[-1] in "ae" and lemma == f"{word[:-1]}o":
        return _adverb(lemma)
    return None


def may_be_noun(word: str, lemma: str) -> bool:
    """May a form of the lemma be a word of its own? Of a verb, it may be a noun: *canto*."""
    return lemma.endswith("re") and word[-1] in "oa"


def respelled(word: str) -> Iterator[str]:
    """How this may be written too, if the lexicon knows it: *ciliegie* and *ciliege*."""
    if word.endswith(("cie", "gie")):
        yield f"{word[:-2]}e"


def is_regular(word: str, base: str) -> bool:
    """Is this an inflection that needs no dictionary's word for it? The plural of nouns in -o or -e
    is, whichever of two the dictionary names: *principi*."""
    return word.endswith("i") and base.endswith(("o", "e"))
