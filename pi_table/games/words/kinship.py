"""Find which words are kin (related), and which have several senses. Dealing needs both.

Two words are kin if they share a *root*. The roots of a word are those entries of the word families
(`pi_table.games.words.families`) that have it as their word, kin, another spelling or a form. The
parts of a compound are also its roots. If a card has several words, each of them counts as a part,
except small ones such as *the*. Words in ``perhaps`` are not kin, because people may doubt their
kinship. A word without an entry is looked up in its plural or singular, and without accents.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import chain
from typing import Final

import msgspec

from pi_table.common.lettering import plain, without_accents
from pi_table.games.words.families import entries
from pi_table.games.words.number import plurals


class Kinship(msgspec.Struct, frozen=True):
    """The kinship of the words of a pack, and of guests' words in the same deal."""

    kin: Mapping[str, frozenset[str]] = {}
    """The kin of each word. Words without kin are missing."""
    many: frozenset[str] = frozenset()
    """The words with two or more senses."""


UNKNOWN: Final = Kinship()


def kinship(words: Collection[str], language: str) -> Kinship:
    """Return the kinship of ``words``, which are written as on cells.

    The word families are read again at each call, to save memory.
    """
    texts = {word: _form(word) for word in words}
    members = {text: _members(text, language) for text in texts.values()}
    found = _Found(language)
    found.look_for({*texts.values(), *chain.from_iterable(members.values())})
    found.look_for_alike(
        form
        for text, parts in members.items()
        if text not in found.roots
        for form in parts or [text]
        if form not in found.roots
    )
    akin: dict[str, set[str]] = {}
    for word, text in texts.items():
        for root in found.roots_of(text).union(*map(found.roots_of, members[text])):
            akin.setdefault(root, set()).add(word)
    kin: dict[str, set[str]] = {}
    for group in akin.values():
        if len(group) > 1:
            for word in group:
                kin.setdefault(word, set()).update(group)
    return Kinship(
        kin={word: frozenset(group - {word}) for word, group in kin.items()},
        many=frozenset(word for word, text in texts.items() if text in found.many),
    )


class _Found:
    """The entries that the families have for some words. Each word is looked up in its `_form`."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.roots: dict[str, set[str]] = {}
        """The roots of each form. Forms that are in no family are missing."""
        self.many: set[str] = set()
        """The forms of words with two or more senses."""

    def roots_of(self, form: str) -> set[str]:
        """Return the roots of a form, and the form itself: thus two cards with the same word are
        kin, even if the word has no entry."""
        return {form} | self.roots.get(form, set())

    def look_for(self, forms: Collection[str]) -> None:
        """Look up forms exactly as they are written."""
        for family in entries(self._language):
            own = (family.word, *family.spellings, *family.forms)
            for form in _among(forms, own):
                self._roots(form).update((family.word, *family.parts))
                if len(family.senses) > 1:
                    self.many.add(form)
            for form in _among(forms, family.kin):
                self._roots(form).add(family.word)

    def look_for_alike(self, unknown: Iterable[str]) -> None:
        """Look up unknown forms by their plural or singular, and without accents."""
        alike: dict[str, set[str]] = {form: set() for form in unknown}
        if not alike:
            return
        bare = {without_accents(form): form for form in alike}
        known = set[str]()
        for family in entries(self._language):
            known.update((family.word, *family.spellings, *family.forms, *family.kin))
            for word in (family.word, *family.kin):
                if not word.isascii() and (form := bare.get(without_accents(word))):
                    alike[form].add(word)
        for form, candidates in alike.items():
            candidates.update(_in_other_number(form, self._language, known))
        others = _Found(self._language)
        others.look_for({*chain.from_iterable(alike.values())})
        for form, candidates in alike.items():
            for candidate in candidates & others.roots.keys():
                self._roots(form).update(others.roots[candidate])
            if candidates & others.many:
                self.many.add(form)

    def _roots(self, form: str) -> set[str]:
        return self.roots.setdefault(form, set())


def _among(forms: Collection[str], words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if word in forms)


def _form(word: str) -> str:
    """Return a word as the families write it: lower case, no punctuation around it, ’ as
    apostrophe."""
    return re.sub(r"^\W+|\W+$", "", plain(word.lower())).replace("'", "’")


def _members(text: str, language: str) -> list[str]:
    """Return the words of a card that has several, except small words. Empty for a card with one
    word."""
    members = [word for word in re.split("[ '’-]+", text) if len(word) > 1]
    small = _SMALL.get(language, frozenset())
    return [] if members == [text] else [word for word in members if word not in small]


def _in_other_number(form: str, language: str, known: Set[str]) -> Iterator[str]:
    """Yield those of the ``known`` words that may be the plural or the singular of a form."""
    yield from plurals(form, language) & known
    for letters in range(1, min(_MAX_ENDING_LETTERS, len(form) - 1) + 1):
        for ending in _ENDINGS:
            one = form[:-letters] + ending
            # Few words are known. Only their plurals are made: making all took a second for 6,000.
            if one in known and form in plurals(one, language):
                yield one


_ENDINGS: Final = ("", "a", "e", "o", "y", "f", "fe", "io", "is", "us")
"""Endings that a singular may have in place of the plural's ending, for all languages."""
_MAX_ENDING_LETTERS: Final = 3
"""Maximum number of letters at the end of a plural that its singular does not have."""

_SMALL: Final[dict[str, frozenset[str]]] = {
    language: frozenset(" ".join(lines).split())
    for language, lines in {
        "en": ("a an the and or of off to at by for from in into on with my your",),
        "it": (
            "ad al ai agli all alla alle allo con col da dal dai dagli dall dalla dalle dallo",
            "dei degli del dell della delle dello di ed fra gli il in la le lo",
            "nei negli nel nell nella nelle nello per",
            "su sui sugli sul sull sulla sulle sullo tra un una uno",
        ),
    }.items()
}
"""Words that do not make two cards kin, for instance *of*. Words of one letter are ignored, too."""
