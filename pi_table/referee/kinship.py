"""Is a clue kin to a word on the table: a form of it, a compound with it, a part of it?"""

import msgspec

from pi_table.referee.derivation import Roots
from pi_table.referee.reasons import Why
from pi_table.referee.vocabulary import Word

LEAST_ENDING = 5
"""How many letters a clue has at least that people are to judge where a word only ends in it
(CL-8)."""


class Kinship(msgspec.Struct, frozen=True):
    """How a clue is kin to a word."""

    why: Why
    part: str = ""
    """The part of the word to which the clue is kin; empty where that is the whole word."""


def kinship(clue: Word, word: Word) -> Kinship | None:
    """The closest kinship that is certain; else one that is not; None if there is neither."""
    if clue.text == word.text:
        return Kinship(Why.SAME)
    if clue.key == word.key:
        return Kinship(Why.SPELLING)
    common = _common(clue.roots, word.roots)
    if common:
        return Kinship(Why.FORM)
    part = _kinship_of_parts(clue, word)
    if part is not None and part.why is not Why.PERHAPS_PART:
        return part
    if common is not None:
        return Kinship(Why.PERHAPS_FORM)
    if part is not None:
        return part
    if len(clue.text) >= LEAST_ENDING and word.text.endswith(clue.text) and not word.place:
        return Kinship(Why.ENDING)
    return None


def _kinship_of_parts(clue: Word, word: Word) -> Kinship | None:
    perhaps = None
    for member in word.members:
        if member.text == clue.text and member.roots.get(clue.key):
            return Kinship(Why.PART, member.text)
    for member in word.members:
        for roots, loose in (
            (clue.roots, member.loose),
            *((one.roots, member.loose or one.loose) for one in clue.members),
        ):
            common = _common(roots, member.roots)
            if common and not loose:
                return Kinship(Why.AKIN, member.text)
            if common is not None:
                perhaps = Kinship(Why.PERHAPS_PART, member.text)
    for member in clue.members:
        common = _common(member.roots, word.roots)
        if common and not member.loose:
            return Kinship(Why.COMPOUND, member.text)
        if common is not None:
            perhaps = Kinship(Why.PERHAPS_PART, member.text)
    return perhaps


def _common(one: Roots, other: Roots) -> bool | None:
    """Have two words a root in common: for certain (True), perhaps (False), or not (None)?

    A root that is uncertain for both does not count.
    """
    certain = [
        one[root] and other[root] for root in one.keys() & other.keys() if one[root] or other[root]
    ]
    return any(certain) if certain else None
