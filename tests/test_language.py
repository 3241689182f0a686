"""The languages of the table: no text is left out of a catalogue, and none comes past it."""

import ast
import errno
import gettext
import json
import os
import pickle
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from texts import PACKAGE, catalogue_path, texts

from pi_table.common.errors import InputError
from pi_table.common.language import (
    LANGUAGES,
    MAX_DEPTH,
    Lang,
    Say,
    as_line,
    catalogue,
    from_line,
    in_english,
    join_texts,
    language_named,
    pack_text,
    say,
    say_many,
    system_says,
    to_json,
    translate,
    unpack_text,
)
from pi_table.common.output_locale import GUESTS, STAFF
from pi_table.games.rules.profile import Settings

TRANSLATED = [
    (lang, domain)
    for lang in LANGUAGES
    for domain in (GUESTS, STAFF)
    if lang != "en" and (domain == GUESTS or catalogue_path(lang, domain).exists())
]
"""The catalogues. A language may have none for the staff."""
FIELD = re.compile(r"\{(\w+)\}")


class Missing(gettext.NullTranslations):
    """Tells what a catalogue does not have, instead of answering in English."""

    def gettext(self, message: str) -> str:
        raise LookupError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise LookupError(msgid1)


def strict(lang: str, domain: str) -> gettext.NullTranslations:
    with open(catalogue_path(lang, domain).with_suffix(".mo"), "rb") as file:
        found = gettext.GNUTranslations(file)
    found.add_fallback(Missing())
    return found


@pytest.mark.parametrize(("lang", "domain"), TRANSLATED)
def test_every_text_of_the_source_is_translated_with_the_same_fields(
    lang: str, domain: str
) -> None:
    known = strict(lang, domain)
    for source in texts().values():
        if source.domain != domain:
            continue
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
    """Return the translations of a catalogue, by text; of plurals, all forms."""
    return {_forms(each.id): _forms(each.string or "") for each in catalogue if each.id}


def _forms(text: str | Sequence[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


@pytest.mark.parametrize(("lang", "domain"), TRANSLATED)
def test_a_catalogue_is_up_to_date_and_compiled(lang: str, domain: str) -> None:
    path = catalogue_path(lang, domain)
    with open(path, "rb") as file:
        kept = read_po(file, lang)
    assert not [*kept.obsolete]
    assert not [message.id for message in kept if message.fuzzy and message.id]
    ids = {message.id for message in kept if message.id}
    assert ids == {
        each.one if each.many is None else (each.one, each.many)
        for each in texts().values()
        if each.domain == domain
    }
    with open(path.with_suffix(".mo"), "rb") as file:
        compiled = read_mo(file)
    assert translations(compiled) == translations(kept)


def test_a_language_without_texts_for_the_staff_is_spoken_to_guests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    folder.joinpath("guests.mo").write_bytes(
        catalogue_path("it", GUESTS).with_suffix(".mo").read_bytes()
    )
    monkeypatch.setattr("pi_table.common.language.CATALOGUES", tmp_path)
    catalogue.cache_clear()
    for_staff = say("unrecognized arguments: %s")
    assert (
        translate(say("{team} gives the clue", team=say("Red")), "it") == "I Rossi danno l’indizio"
    )
    assert translate(for_staff, "it") == for_staff
    catalogue.cache_clear()
    monkeypatch.undo()
    assert translate(for_staff, "it") != for_staff
    catalogue.cache_clear()


def test_what_guests_and_staff_read_is_told_apart() -> None:
    domains = {each.one: each.domain for each in texts().values()}
    assert domains["{team} gives the clue"] == GUESTS
    assert domains["That seat has no phone."] == GUESTS
    assert domains["unrecognized arguments: %s"] == STAFF
    assert {*domains.values()} == {GUESTS, STAFF}


def test_a_text_is_written_in_each_language_with_its_fields() -> None:
    text = say("{team} gives the clue", team=say("Red"))
    assert translate(text, "en") == "Red gives the clue"
    assert translate(text, "it") == "I Rossi danno l’indizio"


@pytest.mark.parametrize(
    ("count", "english", "italian"),
    [
        (1, "The last guess", "Ultimo tentativo"),
        (4, "4 guesses left", "Ancora 4 tentativi"),
    ],
)
def test_a_text_goes_by_its_number(count: int, english: str, italian: str) -> None:
    text = say_many("The last guess", "{count} guesses left", count)
    assert (translate(text, "en"), translate(text, "it")) == (english, italian)


@pytest.mark.parametrize("data", ["Red", "", "{team}", "Pause"])
def test_plain_text_and_what_stands_in_a_field_are_never_looked_up(data: str) -> None:
    assert translate(data, "it") == data
    assert translate(say("Words: {words}.", words=data), "it") == f"Parole: {data}."


def test_a_text_that_a_catalogue_lacks_stays_as_it_is() -> None:
    assert translate(say("There is no {such} text."), "it") == "There is no {such} text."


IN_ITALIAN = "Non si leggono: A1."


def test_an_error_is_a_text_that_is_english_until_somebody_reads_it() -> None:
    error = InputError(say("Cannot be read: {unreadable}.", unreadable="A1"))
    assert f"{error}" == "Cannot be read: A1."
    assert translate(str(error), "it") == IN_ITALIAN
    within = say("No game of {profile} was begun. {why}", profile="codex", why=error)
    assert translate(within, "it").endswith(IN_ITALIAN)


def test_texts_in_a_row_are_one_text() -> None:
    two = say("Red") + " / " + say("Blue")
    assert (two, translate(two, "it")) == ("Red / Blue", "Rossi / Blu")
    assert translate("> " + say("Red"), "it") == "> Rossi"
    for between, english, italian in (
        (", ", "Red, Blue, x", "Rossi, Blu, x"),
        (" and ", "Red and Blue and x", "Rossi e Blu e x"),
        (" or ", "Red or Blue or x", "Rossi o Blu o x"),
    ):
        row = join_texts(between, (say("Red"), say("Blue"), "x"))
        assert (row, translate(row, "it")) == (english, italian)
    assert translate(join_texts(", ", ()), "it") == ""


def test_what_the_system_says_is_translated() -> None:
    error = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
    assert system_says(error) == "No such file or directory"
    assert translate(system_says(error), "it") == "File o cartella inesistente"


PACKED = [
    say("Red"),
    say("Cannot be read: {unreadable}.", unreadable="A1"),
    say("{one} and {other}", one=say("Red"), other="x"),
    say_many("The last guess", "{count} guesses left", 1),
    say_many("The last guess", "{count} guesses left", 4),
    join_texts("\n", (say("Red"), "a {brace}", say("Blue"))),
    join_texts(" and ", (say("Red") for _ in range(30))),
]


@pytest.mark.parametrize("text", PACKED, ids=str)
def test_a_text_comes_whole_out_of_another_process(text: Say) -> None:
    for again in (from_line(as_line(text), in_english(text)), pickle.loads(pickle.dumps(text))):
        assert again == text
        assert [translate(again, lang) for lang in LANGUAGES] == [
            translate(text, lang) for lang in LANGUAGES
        ]
    assert (as_line("Red"), pack_text("Red")) == ("", "Red")


def test_a_program_is_sent_the_english_of_a_text() -> None:
    value = {"refused": say("Cannot be read: {unreadable}.", unreadable="A1"), "place": ["A1"]}
    assert to_json(value) == b'{"refused":"Cannot be read: A1.","place":["A1"]}'
    value = {say("Red"): ["citt\udce0.txt", say("The file {file}.", file="\udce0")]}
    assert to_json(value) == b'{"Red": ["citt?.txt", "The file ?."]}'
    with pytest.raises(TypeError):
        to_json({"what": object()})


@pytest.mark.parametrize(
    "told",
    [
        *(None, 3, [], "Blue", {}, {"id": 3}, {"id": "Blue"}, {"id": "Red", "count": "1"}),
        *({"id": "Red", "many": 3}, {"id": "Red", "fields": 3}, {"id": "{x", "fields": {}}),
        {"id": "{x.__class__}", "fields": {"x": "Red"}},
        {"id": "{x:>999999999}", "fields": {"x": "Red"}},
        {"id": "{x!r}", "fields": {"x": "Red"}},
        {"id": "{x}{x}", "fields": {"x": "Red"}},
        {"id": "Red", "many": "{x.__class__}"},
        {"id": "Red", "fields": {"x": None}},
    ],
    ids=str,
)
def test_what_is_no_text_of_that_sentence_leaves_the_sentence(told: object) -> None:
    assert not isinstance(unpack_text(told, "Red"), Say)
    assert not isinstance(from_line(json.dumps(told), "Red"), Say)


def test_a_text_of_too_many_within_each_other_is_a_sentence() -> None:
    told: object = "Red"
    for _ in range(MAX_DEPTH):
        told = {"id": "{x}", "fields": {"x": told}}
    assert isinstance(unpack_text(told, "Red"), Say)
    told = {"id": "{x}", "fields": {"x": {"id": "{x}", "fields": {"x": told}}}}
    assert not isinstance(unpack_text(told, "Red"), Say)
    assert from_line("[" * 100_000, "Red") == "Red"


def plain_errors() -> Iterator[str]:
    """Where an error is raised with a sentence that is no text."""
    for path in sorted(PACKAGE.rglob("*.py")):
        file = str(path.relative_to(PACKAGE))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=given)) if (
                    name not in PROGRAMMERS_ERRORS
                ):
                    for each in given:
                        if " " in _literal(each):
                            yield f"{file}:{node.lineno}"


def _literal(given: ast.expr) -> str:
    match given:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_literal, parts))
    return ""


PROGRAMMERS_ERRORS = {"AssertionError", "ConnectionAbortedError", "TypeError", "ValueError"}
IN_ENGLISH_ALONE = (
    *("fleet/bridge/commands.py", "fleet/bridge/records.py", "fleet/collector/process.py"),
    *("fleet/collector/record.py", "lab/", "simulator/virtual_controller.py"),
    "table/store/journal.py",
)
"""Logs of services, what is told over MQTT, and what only developers can bring about."""


def test_every_error_that_somebody_reads_is_a_text() -> None:
    found = [*plain_errors()]
    assert [each for each in found if not each.startswith(IN_ENGLISH_ALONE)] == []
    for place in IN_ENGLISH_ALONE:
        assert any(each.startswith(place) for each in found), f"{place} has none any more"


def test_a_language_is_known_by_its_code_alone() -> None:
    assert [language_named(code) for code in LANGUAGES] == [*LANGUAGES]
    wrong: object
    for wrong in ("Italiano", "fr", "", None, 3, []):
        with pytest.raises(InputError, match="There is no language"):
            language_named(wrong)


def test_the_languages_are_those_of_the_settings() -> None:
    assert get_args(get_type_hints(Settings)["lang"]) == get_args(Lang)
