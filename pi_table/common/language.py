"""The languages that the table speaks, and a text before it is in any of them.

A text for people is a `Say`: an English sentence, by which the catalogues know it too, and what
goes into its fields. It is written in a language where somebody is about to read it. Plain text
(the word of a card, a name, a number) is data, and is never translated.

The catalogues are gettext's, in ``locales``: ``tests/texts.py`` brings them up to date.
"""

import gettext
import re
from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.common.errors import InputError, did_you_mean
from pi_table.common.reader import CATALOGUES, DOMAIN, Lang, readers_language

__all__ = (
    "JOINED",
    "LANGUAGES",
    "Lang",
    "Say",
    "Words",
    "catalogue",
    "for_reader",
    "language_named",
    "recognised",
    "say",
    "say_many",
    "translated",
    "written",
)

LONGEST_LINE: Final = 1_000
"""Signs of a line that may be recognised as texts. Somebody else's words may stand in it, as many
as they like: what is longer, or falls into more parts, is told as it was written."""
MOST_LINES: Final = 100
MOST_PARTS: Final = 12
"""Parts of such a line, sentences and what stands before a colon."""

LANGUAGES: Final[dict[Lang, str]] = {"en": "English", "it": "Italiano"}
"""What each language calls itself."""


class Say(msgspec.Struct, frozen=True):
    """A text in no language yet. ``many`` and ``count`` are of a text that depends on a number."""

    msgid: str
    fields: tuple[tuple[str, "Words"], ...] = ()
    many: str | None = None
    count: int = 1


Words = str | Say
"""Plain text, or a text that is yet to be written in a language."""


def say(msgid: str, /, **fields: Words | int) -> Say:
    """A text whose ``{fields}`` are plain texts, numbers, or texts of their own."""
    return Say(msgid, _plain(fields)) if fields else Say(msgid)


def say_many(one: str, many: str, /, count: int, **fields: Words | int) -> Say:
    """A text in which ``{count}`` things are told of: ``one`` of them, or ``many``."""
    return Say(one, _plain({"count": count, **fields}), many, count)


def _plain(fields: dict[str, Words | int]) -> tuple[tuple[str, Words], ...]:
    return tuple((name, str(it) if isinstance(it, int) else it) for name, it in fields.items())


def written(words: Words, lang: Lang) -> str:
    """The text in a language; what its catalogue lacks stays English."""
    if isinstance(words, str):
        return words
    known = catalogue(lang)
    if words.many is None:
        text = known.gettext(words.msgid)
    else:
        text = known.ngettext(words.msgid, words.many, words.count)
    if not words.fields:
        return text
    return text.format(**{name: written(value, lang) for name, value in words.fields})


@cache
def catalogue(lang: Lang) -> gettext.NullTranslations:
    """The texts of a language by their English."""
    return gettext.NullTranslations() if lang == "en" else _read(lang)


@cache
def _read(lang: Lang) -> gettext.GNUTranslations:
    """The catalogue of a language other than English."""
    path = CATALOGUES / lang / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with open(path, "rb") as file:
        return gettext.GNUTranslations(file)


def translated(words: Words, lang: Lang) -> str:
    """The words in a language, also where they were written in English before: what is wrong, and
    what to do, is English in errors, in logs and on the sockets, until somebody reads it."""
    if lang == "en" and isinstance(words, str):
        return words
    return written(recognised(words) if isinstance(words, str) else words, lang)


def for_reader(words: Words, configured: Lang | None = None) -> str:
    """The words in the language of whoever reads the terminal; the ``configured`` language where
    the environment names none."""
    return translated(words, readers_language(configured))


@lru_cache(maxsize=256)
def recognised(english: str) -> Words:
    """The text that these lines in English were written from, with what stands in its fields. In
    English it is what was given; what is like no text of the catalogues stays as it is.

    Several sentences in a row are several texts, and a field may hold a text of its own.
    """
    if english.count("\n") > MOST_LINES:
        return english
    if "\n" in english:
        first, rest = english.split("\n", 1)
        return Say("{one}\n{other}", (("one", recognised(first)), ("other", recognised(rest))))
    bare = english.strip()
    if not bare:
        return english
    known = _known(bare)
    if known is None:
        return english
    before, after = english.split(bare, 1)
    return known if bare == english else Say(f"{before}{{one}}{after}", (("one", known),))


@lru_cache(maxsize=256)
def _known(line: str) -> Words | None:
    """The text of a line; None if it is like none, and no part of it either."""
    if len(line) > LONGEST_LINE or len(_PARTS.findall(line)) > MOST_PARTS:
        return None
    if (whole := _one_text(line)) is not None:
        return whole
    for between in reversed([*_SENTENCE_ENDS.finditer(line)]):
        if (first := _one_text(line[: between.start()])) is not None:
            rest = recognised(line[between.end() :])
            return Say("{one} {other}", (("one", first), ("other", rest)))
    for sign in (_SENTENCE_ENDS, _COLONS):
        if first_end := sign.search(line):
            before, after = line[: first_end.start()], line[first_end.end() :]
            if _one_text(before) is not None or _known(after) is not None:
                both = (("one", recognised(before)), ("other", recognised(after)))
                return Say(f"{{one}}{first_end[0]}{{other}}", both)
    for words in (1, 2):  # the end of a sentence, after what it is about
        *about, behind = line.split(" ", words)
        if " " in behind and about and (end := _one_text(behind)) is not None:
            return Say("{one} {other}", (("one", " ".join(about)), ("other", end)))
    return None


def _one_text(line: str) -> Say | None:
    """The one text of the catalogues that is most like a line: the one of which most stands in
    it."""
    whole, parted = _texts()
    if line in whole:
        return Say(line)
    for text in parted:
        values = _values(line, text.parts)
        if values is not None:
            return Say(text.msgid, tuple(zip(text.fields, map(_value, values), strict=True)))
    return None


def _values(line: str, parts: tuple[str, ...]) -> list[str] | None:
    """What stands between the parts of a text in a line; None if they do not stand in it."""
    if not (line.startswith(parts[0]) and line.endswith(parts[-1])):
        return None
    end = len(line) - len(parts[-1])
    at = len(parts[0])
    values = []
    for part in parts[1:-1]:
        found = line.find(part, at, end)
        if found < 0:
            return None
        values.append(line[at:found])
        at = found + len(part)
    if at > end:
        return None
    values.append(line[at:end])
    for before, value in zip(parts, values, strict=False):
        if _SENTENCE_ENDS.search(value) and not _ENDED.search(before):
            return None
    return values


def _value(value: str) -> Words:
    """What stands in a field: a text, if it has several words; some things, each for itself; or
    else data."""
    if " " not in value:
        return value
    if _one_text(value.strip()) is not None or _SENTENCE_ENDS.search(value):
        return recognised(value)
    if value.endswith(".") and _known(value.strip()) is not None:
        return recognised(value)  # the end of a sentence, with an "and" in it
    for between, joined in JOINED.items():
        one, found, other = value.rpartition(between)
        if found:
            return Say(joined, (("one", _value(one)), ("other", _value(other))))
    return recognised(value)


class _Text(msgspec.Struct, frozen=True):
    """A text with fields, taken apart."""

    msgid: str
    parts: tuple[str, ...]
    """What stands before, between and behind the fields."""
    fields: tuple[str, ...]


@cache
def _texts() -> tuple[frozenset[str], tuple[_Text, ...]]:
    """The texts without fields, and those with, which are told apart by at least so many letters;
    those come first of which most is written out. All catalogues have the same ones."""
    lang = next(lang for lang in LANGUAGES if lang != "en")
    ids: list[str] = [each for each in vars(_read(lang))["_catalog"] if isinstance(each, str)]
    apart = [(msgid, _FIELD.split(msgid)) for msgid in ids]
    parted = [
        _Text(msgid, tuple(parts[::2]), tuple(parts[1::2]))
        for msgid, parts in apart
        if len(parts) > 1 and len(_LETTERS.findall("".join(parts[::2]))) >= _LEAST_LETTERS
    ]
    parted.sort(key=lambda text: -sum(map(len, text.parts)))
    return frozenset(msgid for msgid, parts in apart if len(parts) == 1), tuple(parted)


JOINED: Final = {
    " and ": "{one} and {other}",
    " or ": "{one} or {other}",
    ", ": "{one}, {other}",
}
"""How the last of some things is joined to the others, by what stands between them."""
_FIELD: Final = re.compile(r"\{(\w+)\}")
_LETTERS: Final = re.compile(r"[A-Za-z]")
_LEAST_LETTERS: Final = 4
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.?!]) (?=[A-Z0-9\[/`'‘“])")
_ENDED: Final = re.compile(r"[.?!:] ?$")
"""Before a field that may hold more than one sentence."""
_COLONS: Final = re.compile(r": ")
_PARTS: Final = re.compile(r"(?<=[.?!:]) ")


def language_named(name: object) -> Lang:
    """The language with this code. Raises InputError."""
    for lang in LANGUAGES:
        if lang == name:
            return lang
    raise InputError(f"There is no language {name!r}; {did_you_mean(str(name), [*LANGUAGES])}")
