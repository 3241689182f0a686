"""Singular and plural: the possible plurals of a word, by simple rules of its language.

The rules may produce forms that nobody uses. This does no harm: the rules are used to find words
of a pack that differ in number alone, and a form that nobody uses is in no pack. Some plurals are
better known as other words: *news* (of *new*), *vite* (of *vita*). The rules leave these out.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final


def plurals(word: str, language: str) -> frozenset[str]:
    """Return the possible plurals of ``word``, which is in lower case, with accents and without
    spaces."""
    if language not in _RULES:
        return frozenset()
    forms, others = _RULES[language]
    return frozenset(forms(word)) - {others.get(word)}


def _by_ending(word: str, endings: Mapping[str, str]) -> Iterator[str]:
    for start in range(max(0, len(word) - _MAX_ENDING_LETTERS), len(word)):
        if many := endings.get(word[start:]):
            yield word[:start] + many


def _english(word: str) -> Iterator[str]:
    yield from _by_ending(word, _ENGLISH_ENDINGS)
    if not word.endswith(("s", "x", "z", "sh")):
        yield word + "s"
    if word.endswith(("s", "x", "z", "sh", "ch", "o")):
        yield word + "es"
    if word.endswith(("s", "z")):
        yield word + word[-1] + "es"
    if word.endswith("y"):
        yield word[:-1] + "ies"


_ENGLISH_ENDINGS: Final = {
    # Whole words are endings too: of grandchild, eyetooth, dormouse, bookshelf.
    "child": "children", "die": "dice", "foot": "feet", "goose": "geese",
    "louse": "lice", "man": "men", "mouse": "mice", "ox": "oxen", "penny": "pence",
    "person": "people", "tooth": "teeth",
    "alf": "alves", "elf": "elves", "olf": "olves", "dwarf": "dwarves", "hoof": "hooves",
    "knife": "knives", "leaf": "leaves", "life": "lives", "loaf": "loaves",
    "scarf": "scarves", "sheaf": "sheaves", "thief": "thieves", "wharf": "wharves",
    "wife": "wives",
    "a": "ae", "atum": "ata", "eau": "eaux", "ex": "ices", "is": "es",
    "ium": "ia", "ix": "ices", "menon": "mena", "ovum": "ova", "terion": "teria", "ulum": "ula",
    "us": "i",
}  # fmt: skip
_ENGLISH_OTHERS: Final = {"new": "news", "mar": "mars", "pant": "pants"}


def _italian(word: str) -> Iterator[str]:
    # A word that ends in an accented vowel or a consonant (città, bar) has one form for both.
    yield from _by_ending(word, _ITALIAN_ENDINGS)
    if word.endswith("a"):
        yield word[:-1] + ("he" if word.endswith(("ca", "ga")) else "e")
        if word.endswith(("cia", "gia")):
            yield word[:-2] + "e"
    elif word.endswith(("o", "e")):
        yield word[:-1] + "i"
        if word.endswith(("co", "go")):
            yield word[:-1] + "hi"
        if word.endswith(("io", "ie")):
            yield word[:-1]


_ITALIAN_ENDINGS: Final = {
    # Words in -a with a plural in -i.
    "ala": "ali", "arma": "armi", "aroma": "aromi", "atleta": "atleti",
    "blema": "blemi", "cida": "cidi", "clima": "climi", "collega": "colleghi", "dramma": "drammi",
    "duca": "duchi", "enigma": "enigmi", "fantasma": "fantasmi", "geometra": "geometri",
    "gramma": "grammi", "iarca": "iarchi", "iatra": "iatri", "ista": "isti", "loma": "lomi",
    "monarca": "monarchi", "orama": "orami", "papa": "papi", "pianeta": "pianeti",
    "pigiama": "pigiami",
    "pilota": "piloti", "pirata": "pirati", "poema": "poemi", "poeta": "poeti", "prisma": "prismi",
    "profeta": "profeti", "rema": "remi", "schema": "schemi", "stema": "stemi", "stemma": "stemmi",
    "tema": "temi", "trauma": "traumi",
    # Words in -o with a plural in -a, and irregular ones.
    "braccio": "braccia", "budello": "budella", "centinaio": "centinaia", "ciglio": "ciglia",
    "corno": "corna", "dito": "dita", "ginocchio": "ginocchia", "grido": "grida",
    "labbro": "labbra", "lenzuolo": "lenzuola", "membro": "membra", "migliaio": "migliaia",
    "miglio": "miglia",
    "muro": "mura", "osso": "ossa", "paio": "paia", "uovo": "uova", "urlo": "urla",
    "bue": "buoi", "dio": "dei", "tempio": "templi", "uomo": "uomini",
}  # fmt: skip
_ITALIAN_OTHERS: Final = {
    "botta": "botte", "colla": "colle", "corta": "corte", "fama": "fame", "latta": "latte",
    "menta": "mente", "sala": "sale", "serie": "seri", "seta": "sete", "sola": "sole",
    "vita": "vite",
}  # fmt: skip

_MAX_ENDING_LETTERS: Final = max(map(len, (*_ENGLISH_ENDINGS, *_ITALIAN_ENDINGS)))

_RULES: Final[dict[str, tuple[Callable[[str], Iterator[str]], dict[str, str]]]] = {
    "en": (_english, _ENGLISH_OTHERS),
    "it": (_italian, _ITALIAN_OTHERS),
}

LANGUAGES: Final = tuple(_RULES)
"""Codes of the languages that packs may have."""
