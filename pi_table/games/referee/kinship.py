"""The kinship of a clue with a word on the table: a form, a compound, or a part of the word.

Whichever of two words is the clue, the verdict is the same (CL-2, CL-3), except for `Why.FORM` and
`Why.ENDING`. The sources of kinship, each with the worst verdict it can cause:

1. Word families written by people, in `pi_table.games.words`, en.txt and it.txt: invalid.
2. Inflection by simplemma, `english` and `italian`, if the part of speech fits: invalid.
3. kin/*.tsv, if WordNet derives one word from the other or explains it by the other, and form
   and meaning agree: invalid.
4. kin/*.tsv, if only a calculation (`pi_table.lab.reckoning`) finds that form and meaning agree:
   doubtful.
5. Letters, if one of the words is in no lexicon, and one word begins like the other or contains
   it: doubtful.

The label ``apart`` of a family overrides everything except a plural. Kin without common form and
meaning (*heat*, *hot*) are not found.
"""

import re
from typing import Final

import msgspec

from pi_table.games.referee.kin_table import VOUCHED, Row
from pi_table.games.referee.reasons import Why
from pi_table.games.referee.spelling import without_accents
from pi_table.games.referee.vocabulary import Heads, Part, Word

Rows = tuple[Row, ...]

MIN_ENDING = 5
"""Minimum number of letters of a clue that is doubtful because a word ends with it (CL-8)."""
MIN_STEM = 4
"""Minimum number of first letters that two words of a family must share to be certain kin. There is
no minimum if one of the words is the family's name, or if both contain the name."""
AUDIBLE_STEM_LETTERS = 6
"""Number of shared first letters at which guests always notice that two words are alike."""
LIKELY = 60
"""Per cent: a computed kinship with a higher likelihood makes a clue doubtful, if just one of the
two words has its own entry in the word families."""
PLAUSIBLE = 40
"""Per cent: this limit replaces `LIKELY` if neither word has an entry in the word families."""
MIN_ALIKE = 5
"""Minimum number of first letters that an unknown word must share with another word to make a clue
doubtful."""

_NO_CONSONANT: Final = re.compile(r"[^b-df-hj-np-tv-xz]")
_DOUBLED: Final = re.compile(r"(.)\1+")


class Kinship(msgspec.Struct, frozen=True):
    """The relation of a clue to a word."""

    why: Why
    part: str = ""
    """The part of the word that is kin to the clue. Empty if the whole word is kin to the clue."""


def kinship(clue: Word, word: Word) -> Kinship | None:
    """Return the closest kinship of a clue with a word, or None.

    Confirmed kinship comes before possible kinship.
    """
    if clue.text == word.text:
        return Kinship(Why.SAME)
    if _is_certain_form(clue, word):
        return Kinship(Why.FORM)
    if clue.key == word.key:
        return Kinship(Why.FORM if word.text in clue.plurals else Why.SPELLING)
    if not _are_apart(clue, word):
        if _is_form(clue, word):
            return Kinship(Why.FORM)
        if _are_doubted(clue, word):
            return Kinship(Why.PERHAPS_KIN) if _is_heard(clue, word) else None
        found = _by_families(clue, word) or _by_table(clue, word)
        if found is None and not (clue.place or word.place):
            found = _perhaps(clue, word)
        if found is not None:
            return found
    if len(clue.text) >= MIN_ENDING and word.text.endswith(clue.text) and not word.place:
        return Kinship(Why.ENDING)
    return None


def _is_certain_form(clue: Word, word: Word) -> bool:
    """True if the clue is certainly a form of the word. Other meanings of the clue do not matter
    (CL-2)."""
    return clue.text in word.plurals or not clue.certain_forms_of.isdisjoint(word.own)


def _are_apart(clue: Word, word: Word) -> bool:
    """True if the lists say that two words are not kin, or if only an accent differs (CL-4)."""
    if len(clue.text) == len(word.text) and without_accents(clue.text) == without_accents(
        word.text
    ):
        return True
    return not (
        word.apart.isdisjoint((clue.text, *clue.own))
        and clue.apart.isdisjoint((word.text, *word.own))
    )


def _is_form(clue: Word, word: Word) -> bool:
    """True if the clue is an inflected form of the word, or if both are forms of a third word.

    If a dictionary has the word on the table, this word does not count as a form of another (CL-2).
    """
    if word.text in clue.plurals and not word.meant:
        return True
    return not clue.forms_of.isdisjoint(word.own) or not set(clue.own).isdisjoint(word.own)


def _are_doubted(clue: Word, word: Word) -> bool:
    """True if the lists call one word possible kin of the other, but not certain kin.

    The authors of the lists knew both words. Therefore their doubt overrides all lexicons, and any
    family of a third word. A compound and its member are never doubted.
    """
    if clue.text in _members(word) or word.text in _members(clue):
        return False
    if not clue.heads.isdisjoint(word.own) or not word.heads.isdisjoint(clue.own):
        return False  # one of the two entries lists the other as kin
    return not clue.doubted.isdisjoint(word.own) or not word.doubted.isdisjoint(clue.own)


def _members(word: Word) -> Heads:
    return frozenset(part.text for part in word.parts if part.vouched)


def _by_families(clue: Word, word: Word) -> Kinship | None:
    """Return the kinship by families or by the members of compounds, or None."""
    for part in word.parts:
        if part.vouched and clue.text == part.text:
            return Kinship(Why.PART, part.text)
    for part in word.parts:
        if not part.loose and not part.heads.isdisjoint(_all_heads(clue)):
            return _akin(word, part)
    for part in clue.parts:
        if part.vouched and word.text == part.text:
            return _compound(clue, part)
    for part in clue.parts:
        if not part.loose and not part.heads.isdisjoint(word.heads):
            return _compound(clue, part)
    if any(_is_stem_of_both(head, clue, word) for head in _common(clue, word)):
        return Kinship(Why.KIN)
    return None


def _akin(word: Word, part: Part) -> Kinship:
    """Return the kinship of the clue with a member of ``word``. If ``word`` has only this member,
    ``word`` is a derivation and not a compound, so the kinship is `Why.KIN`."""
    return Kinship(Why.AKIN, part.text) if len(word.parts) > 1 else Kinship(Why.KIN)


def _compound(clue: Word, part: Part) -> Kinship:
    return Kinship(Why.COMPOUND, part.text) if len(clue.parts) > 1 else Kinship(Why.KIN)


def _common(clue: Word, word: Word) -> Heads:
    """Return the families to which both words belong.

    The family of a particle counts only if one of the two words is that particle.
    """
    return clue.heads & word.heads - (clue.unheard - {clue.text, word.text})


def _perhaps_common(clue: Word, word: Word) -> Heads:
    if not (clue.doubtful or word.doubtful):
        return _common(clue, word)
    perhaps = clue.doubtful & (word.heads | word.doubtful) | word.doubtful & clue.heads
    return _common(clue, word) | perhaps


def _is_stem_of_both(head: str, clue: Word, word: Word) -> bool:
    """True if two words of the family ``head`` are certain kin.

    This is so if ``head`` is one of the two words, if both words begin alike, or if both contain
    ``head``. *bat* and *battery* in the family of *batter* are not certain kin.
    """
    if head in (word.text, *word.own, clue.text, *clue.own):
        return True
    return clue.text[:MIN_STEM] == word.text[:MIN_STEM] or (head in clue.text and head in word.text)


def _by_table(clue: Word, word: Word) -> Kinship | None:
    """Return the kinship that a lexicon confirms, or None."""
    if _are_vouched(clue.rows, word.rows):
        return Kinship(Why.KIN)
    for part in word.parts:
        if not part.loose and _are_vouched(clue.rows, part.rows):
            return _akin(word, part)
    for part in clue.parts:
        if not part.loose and _are_vouched(part.rows, word.rows):
            return _compound(clue, part)
    return None


def _perhaps(clue: Word, word: Word) -> Kinship | None:
    """Return possible kinship, about which people must decide, or None."""
    for head in _perhaps_common(clue, word):
        if _is_heard(clue, word, head):
            return Kinship(Why.PERHAPS_KIN)
    least = LIKELY if clue.written or word.written else PLAUSIBLE
    if clue.written and word.written:
        least = VOUCHED  # the families' authors would have listed a kinship
    if _likely(clue.rows, word.rows, least) or _look_alike(clue, word):
        return Kinship(Why.PERHAPS_KIN)
    every = clue.heads.union(*(part.heads for part in clue.parts))
    for part in word.parts:
        if not part.heads.isdisjoint(every) or _likely(clue.rows, part.rows, least):
            return Kinship(Why.PERHAPS_PART, part.text)
    for part in clue.parts:
        if not part.heads.isdisjoint(word.heads) or _likely(part.rows, word.rows, least):
            return Kinship(Why.PERHAPS_PART, part.text)
    return None


def _is_heard(clue: Word, word: Word, via: str = "") -> bool:
    """True if guests may notice what two possibly related words have in common (CL-7).

    ``via`` is a third word to which both may be related; empty if there is none. Many words in the
    lists are related only by their history. The cousins in our own list always count as noticed.
    """
    cousins = clue.cousins | word.cousins
    if via:
        return via in cousins or all(_are_like(via, each.text) for each in (clue, word))
    return not cousins.isdisjoint((*clue.own, *word.own)) or _are_like(clue.text, word.text)


def _are_like(one: str, other: str) -> bool:
    """True if two words sound alike in one of three ways.

    1. One word has the consonants of the other: *food* and *feed*, but not *teacher* and *token*.
    2. The first letters of one word occur later in the other.
    3. Both words begin or end alike.
    """
    short, long = sorted(map(_consonants, (one, other)), key=len)
    return (
        (short in long if len(short) > 1 else one in other or other in one)
        or one[:MIN_STEM] in other[1:]
        or other[:MIN_STEM] in one[1:]
        or one[-MIN_STEM:] == other[-MIN_STEM:]
        or one[:AUDIBLE_STEM_LETTERS] == other[:AUDIBLE_STEM_LETTERS]
    )


def _consonants(word: str) -> str:
    """Return the consonants of a word. A repeated consonant counts once: *ll* becomes *l*."""
    return _DOUBLED.sub(r"\1", _NO_CONSONANT.sub("", without_accents(word)))


def _all_heads(clue: Word) -> Heads:
    return clue.heads.union(*(part.heads for part in clue.parts if not part.loose))


def _are_vouched(ones: Rows, others: Rows) -> bool:
    return any(one.word in other.kin or other.word in one.kin for one in ones for other in others)


def _likely(ones: Rows, others: Rows, least: int) -> bool:
    """True if the kin table has a word of ``ones`` and a word of ``others`` as possible kin, with a
    likelihood of more than ``least`` per cent."""
    return any(
        max(one.perhaps.get(other.word, 0), other.perhaps.get(one.word, 0)) > least
        for one in ones
        for other in others
    )


def _look_alike(clue: Word, word: Word) -> bool:
    """True if two words look like kin, and the meaning of at least one of them is in no list or
    lexicon."""
    if clue.meant and word.meant:
        return False
    short, long = sorted((clue.text, word.text), key=len)
    if len(short) < MIN_ALIKE:
        return len(short) > 2 and (long.startswith(short) or long.endswith(short))
    return long[:MIN_ALIKE] == short[:MIN_ALIKE] or short in long
