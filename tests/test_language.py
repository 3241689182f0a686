"""The languages of the table: no text is left out of a catalogue, and none comes past it."""

import gettext
import re
from collections.abc import Sequence
from typing import get_args, get_type_hints

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from texts import catalogue_path, texts

from pi_table.common import language
from pi_table.common.errors import InputError
from pi_table.common.language import LANGUAGES, Lang, language_named, say, say_many, written
from pi_table.games.rules.profile import Settings

TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]
FIELD = re.compile(r"\{(\w+)\}")


class Missing(gettext.NullTranslations):
    """Tells what a catalogue does not have, instead of answering in English."""

    def gettext(self, message: str) -> str:
        raise LookupError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise LookupError(msgid1)


def strict(lang: str) -> gettext.NullTranslations:
    with open(catalogue_path(lang).with_suffix(".mo"), "rb") as file:
        found = gettext.GNUTranslations(file)
    found.add_fallback(Missing())
    return found


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_text_of_the_source_is_translated_with_the_same_fields(lang: str) -> None:
    known = strict(lang)
    for source in texts().values():
        if source.many is None:
            found = [(source.one, known.gettext(source.one))]
        else:
            one, many = (known.ngettext(source.one, source.many, count) for count in (1, 2))
            found = [(source.one, one), (source.many, many)]
        for english, other in found:
            assert other.strip()
            assert {*FIELD.findall(other)} == {*FIELD.findall(english)}, other
            assert english[-1:] not in ".?!…:" or other[-1] == english[-1], other


def translations(catalogue: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What each text of a catalogue is translated to; of plurals, all forms."""
    return {_forms(each.id): _forms(each.string or "") for each in catalogue if each.id}


def _forms(text: str | Sequence[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


@pytest.mark.parametrize("lang", TRANSLATED)
def test_a_catalogue_is_up_to_date_and_compiled(lang: str) -> None:
    path = catalogue_path(lang)
    with open(path, "rb") as file:
        catalogue = read_po(file, lang)
    assert not [*catalogue.obsolete]
    assert not [message.id for message in catalogue if message.fuzzy and message.id]
    ids = {message.id for message in catalogue if message.id}
    assert ids == {
        each.one if each.many is None else (each.one, each.many) for each in texts().values()
    }
    with open(path.with_suffix(".mo"), "rb") as file:
        compiled = read_mo(file)
    assert translations(compiled) == translations(catalogue)


def test_a_text_is_written_in_each_language_with_its_fields() -> None:
    text = say("{team} gives the clue", team=say("Red"))
    assert [written(text, lang) for lang in LANGUAGES] == [
        "Red gives the clue",
        "I Rossi danno l’indizio",
    ]


@pytest.mark.parametrize(
    ("count", "english", "italian"),
    [
        (1, "The last guess", "Ultimo tentativo"),
        (4, "4 guesses left", "Ancora 4 tentativi"),
    ],
)
def test_a_text_goes_by_its_number(count: int, english: str, italian: str) -> None:
    text = say_many("The last guess", "{count} guesses left", count)
    assert (written(text, "en"), written(text, "it")) == (english, italian)


@pytest.mark.parametrize("data", ["Red", "", "{team}", "Pause"])
def test_plain_text_and_what_stands_in_a_field_are_never_looked_up(data: str) -> None:
    assert written(data, "it") == data
    assert written(say("Words: {words}.", words=data), "it") == f"Parole: {data}."


def test_a_text_that_a_catalogue_lacks_stays_as_it_is() -> None:
    assert written(say("There is no {such} text."), "it") == "There is no {such} text."


@pytest.mark.parametrize(
    "anothers",
    [*("A. " * 20_000, "a: " * 20_000, "a\n" * 20_000, "x" * 100_000), "A. b: " * 40, "?! " * 400],
)
def test_whatever_anybody_writes_costs_little_to_be_recognised(
    anothers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted is how often all texts are gone through, which is what takes time."""
    gone_through = []
    one_text = language._one_text
    monkeypatch.setattr(
        language, "_one_text", lambda line: gone_through.append(line) or one_text(line)
    )
    for text in (anothers, f"There is no game {anothers!r}.", f"No pad {anothers}; name one."):
        gone_through.clear()
        assert written(language.recognised(text), "en") == text
        assert len(gone_through) < 500


def test_a_language_is_known_by_its_code_alone() -> None:
    assert [language_named(code) for code in ("en", "it")] == [*LANGUAGES]
    wrong: object
    for wrong in ("Italiano", "fr", "", None, 3, []):
        with pytest.raises(InputError, match="There is no language"):
            language_named(wrong)


def test_the_languages_are_those_of_the_settings() -> None:
    assert get_args(get_type_hints(Settings)["lang"]) == get_args(Lang)
