"""The languages that the table speaks, and a text before it is in any of them.

A text for people is a `Say`: an English sentence, by which the catalogues know it too, and what
goes into its fields. It is written in a language where somebody is about to read it. Plain text
(the word of a card, a name, a number) is data, and is never translated.

The catalogues are gettext's, in ``locales``: ``tests/texts.py`` brings them up to date.
"""

import gettext
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from pi_table.errors import InputError, did_you_mean

Lang = Literal["en", "it"]
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
    return Say(msgid, _plain(fields))


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
    if lang == "en":
        return gettext.NullTranslations()
    path = Path(__file__).parent / "locales" / lang / "LC_MESSAGES" / "pi_table.mo"
    with open(path, "rb") as file:
        return gettext.GNUTranslations(file)


def language_named(name: object) -> Lang:
    """The language with this code. Raises InputError."""
    for lang in LANGUAGES:
        if lang == name:
            return lang
    raise InputError(f"There is no language {name!r}; {did_you_mean(str(name), [*LANGUAGES])}")
