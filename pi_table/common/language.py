"""The languages of the table, and texts that are translated only when they are shown.

A text for people is a `Say`. It holds the English text, the id under which the catalogues have the
text, and the values of its fields. A `Say` is a `str`, so errors, logs and programs use its English
directly. `translate` gives the text in a language. Plain text (the word of a card, a name, a
number) is data, and is never translated.

The catalogues are gettext's, in ``locales``: ``tests/texts.py`` updates them.
"""

import gettext
import json
import string
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, Self

from pi_table.common.errors import InputError
from pi_table.common.output_locale import CATALOGUES, GUESTS, STAFF, readers_language
from pi_table.common.output_locale import LANGUAGES as LANGUAGES  # re-exported
from pi_table.common.output_locale import Lang as Lang


class Say(str):
    """A text for people. As a string it is the English text, made of ``msgid`` and ``fields``.

    If the text depends on a number, ``many`` is its plural form and ``number`` is that number.
    """

    __slots__ = ("fields", "many", "msgid", "number")
    msgid: str
    fields: tuple[tuple[str, str], ...]
    many: str | None
    number: int

    def __new__(
        cls,
        msgid: str,
        fields: tuple[tuple[str, str], ...] = (),
        many: str | None = None,
        number: int = 1,
    ) -> Self:
        template = msgid if many is None or number == 1 else many
        text = super().__new__(cls, template.format_map(_Fields(fields)) if fields else template)
        text.msgid, text.fields = str.__str__(msgid), fields
        text.many, text.number = many, number
        return text

    def __str__(self) -> str:
        """Return this `Say` itself, so that ``str(error)`` is the `Say` that was raised."""
        return self

    def __add__(self, other: str) -> "Say":
        return join_texts("", (self, other))

    def __radd__(self, other: str) -> "Say":
        return join_texts("", (other, self))

    def __getnewargs__(self) -> tuple[Any, ...]:  # for copy and pickle
        return self.msgid, self.fields, self.many, self.number


class _Fields(dict[str, str]):
    """The values of a text's fields. A field without a value stays in the text, and a page fills it
    in."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


Words = str | Say
"""Plain text, or a text that is not translated yet."""


def say(msgid: str, /, **fields: object) -> Say:
    """Return a text whose ``{fields}`` are plain texts, numbers, or other texts to translate."""
    return Say(msgid, _plain(fields)) if fields else Say(msgid)


def say_many(one: str, many: str, /, count: int, **fields: object) -> Say:
    """Return a text about ``{count}`` things: ``one`` if the count is 1, else ``many``."""
    return Say(one, _plain({"count": count, **fields}), many, count)


def _plain(fields: dict[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in fields.items())


def join_texts(between: str, texts: Iterable[str]) -> Say:
    """Join the texts into one text, with ``between`` as the separator."""
    every = [*texts]
    if len(every) > 1 and between in _CONJUNCTIONS:
        return say(_CONJUNCTIONS[between], one=join_texts(between, every[:-1]), other=every[-1])
    fields = tuple((f"text_{number}", text) for number, text in enumerate(every))
    return Say(between.join(f"{{{name}}}" for name, _ in fields), fields)


_CONJUNCTIONS: Final = {
    " and ": say("{one} and {other}").msgid,
    " or ": say("{one} or {other}").msgid,
}


def system_says(error: OSError) -> Say:
    """Return the operating system's message for an error."""
    return Say(str(error.strerror))


def did_you_mean(wrong: str, known: list[str] | tuple[str, ...]) -> Say:
    """Return the end of a message about an unknown name: either the nearest known name, or all
    known names."""
    from difflib import get_close_matches

    near = get_close_matches(wrong, known, n=1)
    if near:
        return say("did you mean {near}?", near=repr(near[0]))
    return say("choose one of: {known}.", known=", ".join(known))


def translate(words: Words, lang: Lang) -> str:
    """Return the text in a language, or its English if the language's catalogue lacks the text."""
    if not isinstance(words, Say):
        return words
    if not words.msgid:
        return ""  # gettext would return the catalogue's header
    known = catalogue(lang)
    if words.many is None:
        text = known.gettext(words.msgid)
    else:
        text = known.ngettext(words.msgid, words.many, words.number)
    if not words.fields:
        return text
    return text.format(**{name: translate(value, lang) for name, value in words.fields})


def in_english(words: Words) -> str:
    """Return the English of a text as a plain `str`, which is the form for other programs."""
    return str.__str__(words)


def to_json(value: object) -> bytes:
    """Encode a value as JSON for another program; each `Say` in it becomes its English.

    In the name of a file that is not UTF-8, each wrong byte becomes a question mark.
    """
    import msgspec  # imported here to keep `--help` fast, which encodes nothing

    try:
        return msgspec.json.encode(value, enc_hook=in_english)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, enc_hook=in_english)
        return json.dumps(plain, ensure_ascii=False).encode(errors="replace")


@cache
def catalogue(lang: Lang) -> gettext.NullTranslations:
    """Return the catalogue of a language. The catalogue finds a translation by the English text."""
    if lang == "en":
        return gettext.NullTranslations()
    known = gettext.translation(GUESTS, CATALOGUES, [lang])
    known.add_fallback(gettext.translation(STAFF, CATALOGUES, [lang], fallback=True))
    return known


def for_reader(words: Words, configured: Lang | None = None) -> str:
    """Translate the words into the language of the environment. If the environment names no
    language, use ``configured``, or English."""
    return translate(words, readers_language(configured))


def pack_text(words: Words) -> Any:
    """Return a text as JSON values for another process: its id and fields. Plain text is returned
    unchanged."""
    if not isinstance(words, Say):
        return words
    told: dict[str, Any] = {"id": words.msgid}
    if words.fields:
        told["fields"] = {name: pack_text(value) for name, value in words.fields}
    if words.many is not None:
        told |= {"many": words.many, "count": words.number}
    return told


def as_line(words: Words) -> str:
    """Return the id and fields of a text as one line of JSON; "" for plain text."""
    return json.dumps(pack_text(words), ensure_ascii=False) if isinstance(words, Say) else ""


def from_line(line: str, english: str) -> Words:
    """Return the text that `as_line` has packed; ``english`` if the line is invalid or fails the
    checks of `unpack_text`."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return english
    return unpack_text(told, english)


def unpack_text(told: object, english: str) -> Words:
    """Return the text that `pack_text` has packed.

    If the English of the packed text differs from ``english``, return ``english``, because a text
    from another process is not trusted.
    """
    try:
        words = _unpack(told, 0)
    except (LookupError, TypeError, ValueError, AttributeError):
        return english
    return words if words == english else english


def restore_texts(told: Any, texts: Mapping[str, Any]) -> Any:
    """Replace each English sentence in the JSON values by its `Say`, if ``texts`` contains the
    packed `Say`."""
    match told:
        case str():
            return unpack_text(texts[told], told) if told in texts else told
        case tuple():
            return tuple(restore_texts(each, texts) for each in told)
        case list():
            return [restore_texts(each, texts) for each in told]
        case dict():
            return {name: restore_texts(each, texts) for name, each in told.items()}
    return told


MAX_DEPTH: Final = 40
"""Maximum nesting depth of a text from another process."""


def _unpack(told: object, depth: int) -> Words:
    if isinstance(told, str):
        return told
    if not isinstance(told, Mapping) or depth > MAX_DEPTH:
        raise ValueError(told)
    fields = tuple(
        (str(name), _unpack(it, depth + 1)) for name, it in told.get("fields", {}).items()
    )
    msgid, many, count = told["id"], told.get("many"), told.get("count", 1)
    if type(count) is not int:
        raise TypeError(told)
    for template in (msgid,) if many is None else (msgid, many):
        _check_template(template)
    return Say(msgid, fields, many, count)


def _check_template(template: str) -> None:
    """Raise ValueError if a template contains anything other than field names, or the same name
    twice.

    `str.format` can do more than fill in names. A field that is repeated in each of many nested
    texts makes a huge text.
    """
    named = [
        (name, spec, conversion)
        for _, name, spec, conversion in string.Formatter().parse(template)
        if name is not None
    ]
    if not all(
        name.isidentifier() and not spec and not conversion for name, spec, conversion in named
    ):
        raise ValueError(template)
    if len({name for name, *_ in named}) < len(named):
        raise ValueError(template)


def language_named(name: object) -> Lang:
    """Return the language with this code. Raises InputError for an unknown code."""
    for lang in LANGUAGES:
        if lang == name:
            return lang
    near = did_you_mean(str(name), [*LANGUAGES])
    raise InputError(say("There is no language {name}; {near}", name=repr(name), near=near))
