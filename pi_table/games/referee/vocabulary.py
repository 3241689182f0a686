"""The words of a language, with all facts about them that the referee compares."""

import re
from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.games.referee import curated, english, italian
from pi_table.games.referee.grammar import Grammar, Sort
from pi_table.games.referee.kin_table import VOUCHED, Row
from pi_table.games.referee.kindred import Kindred
from pi_table.games.referee.lexicon import Lexicon
from pi_table.games.referee.spelling import without_accents, without_separators
from pi_table.games.words.families import families
from pi_table.games.words.number import plurals

GRAMMARS: Final[dict[str, Grammar]] = {"en": english, "it": italian}

MIN_HALF: Final = 3
"""Minimum number of letters of a compound's member that a rule finds but no lexicon confirms."""

Heads = frozenset[str]
"""Names of word families. A family is named after its first word."""


class Part(msgspec.Struct, frozen=True):
    """A member of a compound."""

    text: str
    heads: Heads
    rows: tuple[Row, ...]
    vouched: bool
    """True if a list or lexicon confirms the member. False if the member is only likely."""
    loose: bool
    """True if two compounds with this member are not certain kin: for members such as *out* and
    *tele*, and for members that are only likely."""


class Word(msgspec.Struct, frozen=True):
    """A word, and its kin according to lists and lexicons."""

    text: str
    """The word in lower case."""
    key: str
    """The standard spelling of the word."""
    own: tuple[str, ...]
    """The dictionary forms of the word: the word itself if a lexicon has it, else the words of
    which it may be a form."""
    certain_forms_of: frozenset[str]
    """The words of which this word is certainly a form, by `Grammar.is_certain` or a list of
    irregular forms. As a clue, it counts as a form of them, whatever else it means (CL-2)."""
    forms_of: frozenset[str]
    """All words of which the word may be an inflected form."""
    plurals: frozenset[str]
    """The possible plurals of the word; see `pi_table.games.words.number`."""
    heads: Heads
    unheard: Heads
    """The word's families that are named after a particle such as *out*. It makes no
    kinship, as guests do not notice it: *outlook* is not kin to *outside*."""
    doubtful: Heads
    """The families to which the word may belong, or belongs only as a form of another word."""
    doubted: Heads
    """The families whose entries list the word as possible kin."""
    cousins: Heads
    """Families of possible kin whose kinship with this word is noticeable, by our own list."""
    parts: tuple[Part, ...]
    """The members of a compound. Empty if the word is not a compound."""
    rows: tuple[Row, ...]
    apart: frozenset[str]
    """Words that look like kin of this word but are not."""
    written: bool
    """True if the word has its own entry in the word families that people wrote."""
    meant: bool
    """True if a list or lexicon knows the word well enough to know its kin."""
    place: bool
    """True if the word is a listed name of a place. People notice no other words in such a name
    (CL-7)."""


class Vocabulary:
    """The words of one language. The function `vocabulary` caches an instance for each language."""

    def __init__(self, lang: str) -> None:
        self._lang, self._grammar = lang, GRAMMARS[lang]
        self._lexicon = Lexicon(lang, self._grammar)
        lists = curated.read(lang)
        self._kindred = Kindred(families(lang), lists)
        self._spellings, self._accents = lists.heads("spellings"), lists.words("accents")
        self._small, self._foreign = lists.words("small"), lists.words("foreign")
        self._used = lists.words("used")
        self._combining = lists.words("combining")
        self._particles = lists.words("particles")
        self._open, self._whole = lists.phrases("open"), lists.words("whole")
        self._worn = lists.words("worn")
        self._verbs = {stem: verb for stem, (verb, *_) in lists.tails("verbs").items()}
        self.places = lists.phrases("places")
        self.abbreviations, self.numbers = lists.words("abbreviations"), lists.words("numbers")
        self.names, self._titles = lists.words("names"), lists.phrases("titles")
        self._place_heads, self._suffixes = lists.words("place-heads"), lists.words("suffixes")
        self.analyse = lru_cache(maxsize=2048)(self._analyse)
        self._part = lru_cache(maxsize=2048)(self._build_part)

    def knows(self, word: str) -> bool:
        """True if ``word`` is in use in the language."""
        spellings = (word, without_separators(word), without_accents(word))
        is_listed = word in self._small or word in self._used or word in self.places
        is_known = is_listed or any(map(self._has, spellings))
        return is_known and word not in self._foreign

    def is_one_thing(self, phrase: str) -> bool:
        """True if a lexicon has a phrase as a single entry, written as one word or as several."""
        whole = without_separators(phrase)
        return phrase in self._open or any(
            self._lexicon.row(word) is not None for word in (phrase, whole)
        )

    def is_place(self, phrase: str) -> bool:
        """True for a listed place, and for a lexicon entry formed like a place name: *new orleans*,
        not *new moon*."""
        if phrase in self.places:
            return True
        first, _, rest = phrase.partition(" ")
        is_thing = self._lexicon.row(phrase) is not None
        return first in self._place_heads and is_thing and self.is_only_name(rest.split()[-1])

    def is_name(self, phrase: str) -> bool:
        """True if a phrase of several words is listed as a name, or contains a name."""
        if phrase in self._open:
            return False
        words = phrase.split()
        is_listed = phrase in self.places or phrase in self._titles or words[0] in self.names
        return is_listed or any(map(self.is_only_name, words))

    def is_only_described(self, phrase: str) -> bool:
        """True if a phrase is a noun with adjectives or adverbs (*lunar squid*, *very cold wind*).

        Such a phrase counts as several words, unless it is a listed name or title. Any other phrase
        may be a title.
        """
        words = phrase.split()
        if self.is_name(phrase) or any(word in self._small for word in words):
            return False
        sorts = [row.sorts for word in words if (row := self._lexicon.row(word)) is not None]
        nouns = [each for each in sorts if not {"a", "r"} & {*each}]
        return len(sorts) == len(words) and len(nouns) <= 1

    def is_only_name(self, word: str) -> bool:
        """True if no dictionary has ``word`` in lower case."""
        return word not in self._small and self._lexicon.is_only_name(word)

    def is_proper(self, word: str) -> bool:
        """True if a clue with a capital may be a name. ``word`` is the clue in lower case."""
        return self._lexicon.is_name(word)

    def without_article(self, word: str) -> str:
        """Return ``word`` without a leading article or elided preposition.

        Fixed phrases such as *a cappella* stay whole.
        """
        is_whole = " " in word and (self.is_one_thing(word) or word in self.places)
        return word if is_whole else self._grammar.without_article(word)

    def _analyse(self, word: str) -> Word:
        """Return all facts that the referee compares about a word, which must be in lower case."""
        kindred = self._kindred
        forms_of = {*self._lexicon.bases(word), *kindred.irregular(word)} - {word}
        entry, row = kindred.family(word), self._lexicon.row(word)
        is_own = entry is not None or (row is not None and row.sorts != "") or not forms_of
        own = (word,) if is_own else tuple(sorted(forms_of))
        singular = self._lexicon.singular(word)
        if is_own and entry is None and singular is not None:  # lexicons have plurals: *shoes*
            own = (word, singular)
        own = (*own, *(kindred.spelling(one) for one in own if kindred.spelling(one) != one))
        certain_forms_of = {*self._lexicon.certain_bases(word), *kindred.irregular(word)} - {word}
        heads = frozenset().union(*map(kindred.heads, own))
        doubted = doubtful = frozenset().union(*map(kindred.doubtful_heads, own))
        if is_own and entry is None:
            doubtful = doubtful.union(*map(kindred.heads, forms_of))
        return Word(
            word,
            self._key(word),
            own,
            frozenset(certain_forms_of),
            frozenset(forms_of),
            plurals(word, self._lang),
            heads,
            heads & self._particles,
            doubtful - heads - self._particles,
            doubted - heads,
            frozenset().union(*map(kindred.cousins, own)),
            tuple(self._part(part, vouched) for part, vouched in self._parts(word, own).items()),
            self._rows(own),
            frozenset(entry.apart) if entry is not None else frozenset(),
            entry is not None,
            word in self._small
            or any(map(kindred.knows, own))
            or any(map(_tells, self._rows(own))),
            word in self.places,
        )

    def _key(self, word: str) -> str:
        """Return the standard spelling of a word. Accents are removed, unless the result is another
        word."""
        plain = self._kindred.spelling(without_separators(word))
        for other in self._grammar.other_spellings(plain):
            if self._has(other):
                plain = other
        (plain, *_) = self._spellings.get(plain, (plain,))
        bare = without_accents(plain)
        return plain if bare in self._accents else self._spellings.get(bare, (bare,))[0]

    def _parts(self, word: str, own: tuple[str, ...]) -> dict[str, bool]:
        """Return a dict whose keys are the members of a compound. A confirmed member has the value
        True.

        The members of a compound of several words are these words. The members of a single word
        come from lists, or are computed.
        """
        found = [part for one in own for part in self._kindred.parts(one)]
        if not found and re.search("[- ]", word):
            found = [part for part in re.split("[- ']", word) if part not in self._small]
        if found or any(self._kindred.family(one) for one in own):
            return {part: True for part in found if part}
        if verb_and_noun := self._verb_and_noun(word):
            return dict.fromkeys(verb_and_noun, True)
        rows = self._rows(own)
        reckoned = {part: sure == VOUCHED for row in rows for part, sure in row.parts.items()}
        rests = filter(None, [self._rest(word, part) for part in reckoned])
        reckoned = dict.fromkeys(rests, False) | reckoned
        if not (reckoned or any(row.kin or row.perhaps for row in rows) or word in self._whole):
            reckoned = dict.fromkeys(self._halves(word), False)  # no lexicon has the word
        forms = self._combining if word not in self._whole else ()
        return reckoned or {form: False for form in forms if _is_made_with(word, form)}

    def _rest(self, word: str, part: str) -> str | None:
        """Return the rest of a compound without its member ``part``; None if the rest is not a
        noun."""
        rest = word.removeprefix(part) if word.startswith(part) else word.removesuffix(part)
        is_word = len(rest) >= MIN_HALF and rest != word and self._is_noun(rest)
        return rest if is_word else None

    def _verb_and_noun(self, word: str) -> tuple[str, ...]:
        """Return the members of an Italian word like *grattacielo*: a listed verb, and a noun."""
        if word in self._whole or word in self._worn:
            return ()
        for stem, verb in self._verbs.items():
            noun = word.removeprefix(stem)
            # *portaombrelli*, and *portaerei*, where two equal vowels have become one
            rests = (noun, stem[-1] + noun) if noun != word and len(noun) >= MIN_HALF else ()
            for rest in rests if self._suffixes.isdisjoint(rests) else ():
                found = [
                    one for one in (rest, *self._lexicon.certain_bases(rest)) if self._is_noun(one)
                ]
                if found:
                    return verb, *found
        return ()

    def _is_noun(self, word: str) -> bool:
        row = self._lexicon.row(word)
        return row is not None and Sort.NOUN in row.sorts

    def _halves(self, word: str) -> tuple[str, ...]:
        """Return the two known words of which ``word`` consists. Empty if there are none."""
        for end in range(MIN_HALF, len(word) - MIN_HALF + 1):
            halves = word[:end], word[end:]
            if all((row := self._lexicon.row(half)) is not None and row.sorts for half in halves):
                return halves
        return ()

    def _build_part(self, part: str, vouched: bool) -> Part:
        forms_of = tuple(self._lexicon.bases(part)) if self._lexicon.row(part) is None else ()
        readings = (part, *forms_of)
        if part in self._particles:
            return Part(part, frozenset(), (), vouched, True)
        heads = frozenset().union(*map(self._kindred.heads, readings)) - self._particles
        loose = not vouched or part in self._combining
        return Part(part, heads, self._rows(readings), vouched, loose)

    def _rows(self, words: tuple[str, ...]) -> tuple[Row, ...]:
        rows = map(self._lexicon.row, words)
        return tuple(row for row in rows if row is not None)

    def _has(self, word: str) -> bool:
        """True if any lexicon has ``word``, or a word of which ``word`` is a form."""
        return (
            self._lexicon.lemma(word) is not None
            or self._lexicon.row(word) is not None
            or self._kindred.knows(word)
            or any(True for _ in self._lexicon.bases(word))
        )


def _tells(row: Row) -> bool:
    return bool(row.sorts or row.parts or row.kin)


def _is_made_with(word: str, form: str) -> bool:
    """True if a word begins or ends with a combining form such as *tele* or *phone*."""
    return len(word) > len(form) + 2 and (word.startswith(form) or word.endswith(form))


@cache
def vocabulary(lang: str) -> Vocabulary:
    """Return the vocabulary of a language. It is loaded at the first call, then cached."""
    return Vocabulary(lang)
