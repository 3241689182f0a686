"""Is a clue kin to a word on the table: a form of it, a compound with it, a part of it?"""

import msgspec

from pi_table.referee.kin_table import Row
from pi_table.referee.reasons import Why
from pi_table.referee.spelling import without_accents
from pi_table.referee.vocabulary import Heads, Word

Rows = tuple[Row, ...]

LEAST_ENDING = 5
"""How many letters a clue has at least that people are to judge where a word only ends in it
(CL-8)."""
LEAST_STEM = 4
"""How many letters two words of one family share at their beginning to be kin for certain, if the
family is called after a third."""
LIKELY = 60
"""Per cent: how likely a reckoned kinship is before people are asked, where somebody has written
down the family of either word, and not named the other."""
LEAST_ALIKE = 5
"""How many letters a word that no lexicon has must share with another one, at its beginning, before
people are asked about the two."""


class Kinship(msgspec.Struct, frozen=True):
    """How a clue is kin to a word."""

    why: Why
    part: str = ""
    """The part of the word to which the clue is kin; empty where that is the whole word."""


def kinship(clue: Word, word: Word) -> Kinship | None:
    """The closest kinship that has a witness; else one that has none; None if there is neither."""
    if clue.text == word.text:
        return Kinship(Why.SAME)
    if clue.key == word.key:
        return Kinship(Why.SPELLING)
    if _is_certain_form(clue, word):
        return Kinship(Why.FORM)
    if not _are_apart(clue, word):
        if _is_form(clue, word):
            return Kinship(Why.FORM)
        if _are_doubted(clue, word):
            return Kinship(Why.PERHAPS_FORM)
        found = _by_families(clue, word) or _by_table(clue, word) or _perhaps(clue, word)
        if found is not None:
            return found
    if len(clue.text) >= LEAST_ENDING and word.text.endswith(clue.text) and not word.place:
        return Kinship(Why.ENDING)
    return None


def _is_certain_form(clue: Word, word: Word) -> bool:
    """Is the clue a form of the word, whatever else it may mean (CL-2)?"""
    return clue.text in word.plurals or not clue.certain_forms_of.isdisjoint(word.own)


def _are_apart(clue: Word, word: Word) -> bool:
    """Did people write down that the two only look like kin? So do two words that differ by an
    accent, if they are two (CL-4)."""
    if without_accents(clue.text) == without_accents(word.text):
        return True
    return not {clue.text, *clue.own}.isdisjoint(word.apart) or word.text in clue.apart


def _is_form(clue: Word, word: Word) -> bool:
    """Is the clue an inflected form of the word, or both of a third? What the word on the table may
    be a form of counts only if it is not itself in a dictionary (CL-2)."""
    return not clue.forms_of.isdisjoint(word.own) or not set(clue.own).isdisjoint(word.own)


def _are_doubted(clue: Word, word: Word) -> bool:
    """Did people write down that the one is perhaps kin to the other? They knew both, so their
    doubt goes before the family of a third word, and before what a lexicon says. A member of a
    compound stays one."""
    members = {name for part in word.parts for name in (part.text, *part.heads)}
    if clue.text in members:
        return False
    if not clue.heads.isdisjoint(word.own) or not word.heads.isdisjoint(clue.own):
        return False  # the entry of the other says that it is kin
    return not clue.doubted.isdisjoint(word.own) or not word.doubted.isdisjoint(clue.own)


def _by_families(clue: Word, word: Word) -> Kinship | None:
    """Kinship by what people wrote down, and by what compounds are made of."""
    common = clue.heads & word.heads
    for part in word.parts:
        if part.vouched and clue.text == part.text:
            return Kinship(Why.PART, part.text)
    for part in word.parts:
        if not part.loose and not part.heads.isdisjoint(_all_heads(clue)):
            return Kinship(Why.AKIN, part.text)
    if word.text in common and any(word.text in part.heads for part in clue.parts):
        return Kinship(Why.COMPOUND, word.text)
    if any(_is_stem_of_both(head, clue, word) for head in common):
        return Kinship(Why.FORM)
    for part in clue.parts:
        if not part.loose and not part.heads.isdisjoint(word.heads):
            return Kinship(Why.COMPOUND, part.text)
    return None


def _is_stem_of_both(head: str, clue: Word, word: Word) -> bool:
    """Are two words of one family certainly kin? Either of them is that after which the family is
    called, or both begin alike, or have it in them: *bat* and *battery* of *batter* do not."""
    if head in (word.text, *word.own, clue.text, *clue.own):
        return True
    return clue.text[:LEAST_STEM] == word.text[:LEAST_STEM] or (
        head in clue.text and head in word.text
    )


def _by_table(clue: Word, word: Word) -> Kinship | None:
    """Kinship for which a lexicon vouches."""
    if _vouched(clue.rows, word.rows):
        return Kinship(Why.FORM)
    for part in word.parts:
        if not part.loose and _vouched(clue.rows, part.rows):
            return Kinship(Why.AKIN, part.text)
    for part in clue.parts:
        if not part.loose and _vouched(part.rows, word.rows):
            return Kinship(Why.COMPOUND, part.text)
    return None


def _perhaps(clue: Word, word: Word) -> Kinship | None:
    """Kinship without a witness: people are asked."""
    if (clue.heads | clue.doubtful) & (word.heads | word.doubtful):
        return Kinship(Why.PERHAPS_FORM)
    least = LIKELY if clue.written or word.written else 0
    if _likely(clue.rows, word.rows, least) or _look_alike(clue, word):
        return Kinship(Why.PERHAPS_FORM)
    every = clue.heads.union(*(part.heads for part in clue.parts))
    for part in word.parts:
        if not part.heads.isdisjoint(every) or _likely(clue.rows, part.rows, least):
            return Kinship(Why.PERHAPS_PART, part.text)
    for part in clue.parts:
        if not part.heads.isdisjoint(word.heads) or _likely(part.rows, word.rows, least):
            return Kinship(Why.PERHAPS_PART, part.text)
    return None


def _all_heads(clue: Word) -> Heads:
    """The families of a clue, and of the members of a compound."""
    return clue.heads.union(*(part.heads for part in clue.parts if not part.loose))


def _vouched(ones: Rows, others: Rows) -> bool:
    return any(one.word in other.kin or other.word in one.kin for one in ones for other in others)


def _likely(ones: Rows, others: Rows, least: int) -> bool:
    """Does the table have two of these words as perhaps kin, with so many per cent?"""
    return any(
        max(one.perhaps.get(other.word, 0), other.perhaps.get(one.word, 0)) > least
        for one in ones
        for other in others
    )


def _look_alike(clue: Word, word: Word) -> bool:
    """Do the two look like kin, when no lexicon can tell what one of them means?"""
    if clue.meant and word.meant:
        return False
    short, long = sorted((clue.text, word.text), key=len)
    if len(short) < LEAST_ALIKE:
        return len(short) > 2 and (long.startswith(short) or long.endswith(short))
    return long[:LEAST_ALIKE] == short[:LEAST_ALIKE] or short in long
