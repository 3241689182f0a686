"""Compares the computed kin with word families from which the program has not learned."""

from typing import Final

import msgspec
from wordfreq import top_n_list

from pi_table.games.words.families import Families
from pi_table.lab.reckoning.reckoner import MIN_CHANCE, Reckoner

FREQUENT: Final = 8000
"""Number of frequent words, beginning with the most frequent. Those that the program wrongly calls
kin of a tested word are counted."""


class Measured(msgspec.Struct, frozen=True):
    """The number of kin that the program found, and of other words that it wrongly called kin."""

    heads: int
    """Number of tested words. Each is the head of a word family: the word whose kin people have
    listed."""
    kin: int
    """Number of kin in these families, without compounds that contain the head."""
    found: int
    """Number of these kin that the program found."""
    strangers: int
    """Number of frequent words that the program calls kin of a head, but that the head's family
    lacks."""

    def __str__(self) -> str:
        return (
            f"{self.heads} words, {self.found} of {self.kin} kin found "
            f"({self.found / max(self.kin, 1):.1%}); {self.strangers / max(self.heads, 1):.2f} "
            f"of {FREQUENT} frequent words a word are taken for kin though no family has them"
        )


def measure(reckoner: Reckoner, counted: Families) -> Measured:
    frequent = frozenset(top_n_list(reckoner.lang, FREQUENT))
    heads = kin = found = strangers = 0
    for head, family in counted.items():
        if head not in reckoner:
            continue
        heads += 1
        chances = reckoner.chances_of(head)
        near = {word for word, chance in chances.items() if chance >= MIN_CHANCE}
        members = {
            word for word in family.kin if word in reckoner and not reckoner.holds(word, head)
        }
        kin, found = kin + len(members), found + len(members & near)
        known = {*family.kin, *family.perhaps, *family.forms, *family.spellings, head}
        strangers += len((near & frequent) - known)
    return Measured(heads, kin, found, strangers)
