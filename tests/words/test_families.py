"""Families of words: the form of every file, and that each file is installed with the rest."""

import re
import tomllib
import unicodedata
from fnmatch import fnmatch
from pathlib import Path

import pytest
from setuptools import find_namespace_packages  # type: ignore[import-untyped]

from pi_table.games.words.families import Family, entries, families, parse
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.pack import pack_named, shipped_names

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "pi_table" / "games" / "words" / "families"
FILES = sorted(FOLDER.glob("*/*.txt"))


def without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def of(file: Path) -> list[Family]:
    return parse(file.read_text(encoding="utf-8"), file.name)


def words_in(family: Family) -> list[str]:
    kin = (*family.parts, *family.kin, *family.spellings, *family.forms)
    return [family.word, *kin, *family.perhaps, *family.apart]


def test_an_entry_tells_senses_kin_and_parts() -> None:
    text = (
        "bass: a fish; a deep voice\nkin bassist bassline\nperhaps basso\napart basset\n\n"
        "earthquake: the ground shakes\nparts earth quake\n\n"
        "foot: at the end of a leg\nforms feet\nspellings fut\n"
    )
    assert parse(text, "x.txt") == [
        Family(
            "bass",
            ("a fish", "a deep voice"),
            kin=("bassist", "bassline"),
            perhaps=("basso",),
            apart=("basset",),
        ),
        Family("earthquake", ("the ground shakes",), parts=("earth", "quake")),
        Family("foot", ("at the end of a leg",), forms=("feet",), spellings=("fut",)),
    ]


@pytest.mark.parametrize(
    ("text", "saying"),
    [
        ("bass\nkin bassist\n", "b.txt: 'bass' is not the head of an entry; write 'word: sense'."),
        ("bass:\n", "b.txt: 'bass:' is not the head of an entry; write 'word: sense'."),
        ("bass: a fish\ncousins basso\n", "b.txt: 'cousins basso' cannot be in the entry of"),
        ("bass: a fish\nkin\n", "b.txt: 'kin' cannot be in the entry of 'bass'."),
        ("bass: a fish\nkin a\nkin b\n", "b.txt: 'kin b' cannot be in the entry of 'bass'."),
    ],
)
def test_a_line_that_is_none_is_told_with_its_file(text: str, saying: str) -> None:
    with pytest.raises(ValueError, match=re.escape(saying)):
        parse(text, "b.txt")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_families_and_no_word_has_two(language: str) -> None:
    read = [family.word for family in entries(language)]
    assert len(read) == len(families(language)) > 1000


def test_a_language_without_files_has_no_families() -> None:
    assert families("xx") == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_file_holds_the_words_of_its_letter_in_alphabetical_order(file: Path) -> None:
    words = [without_accents(family.word) for family in of(file)]
    assert words == sorted(words)
    assert {word[0] for word in words} == {file.stem}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_words_are_written_small_and_each_once_in_an_entry(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert text == text.rstrip() + "\n"
    assert not re.search(" $|\n\n\n|  ", text, re.MULTILINE)
    for family in of(file):
        words = words_in(family)
        assert len(words) == len({*words}), family.word
        assert [word for word in words[1:] if not re.fullmatch(r"[\w'-]+", word)] == []
        assert [word for word in words if word != word.lower()] == []
        assert "" not in family.senses


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_parts_of_a_compound_have_entries_of_their_own(language: str) -> None:
    known = families(language)
    assert [
        (family.word, part)
        for family in known.values()
        for part in family.parts
        if part not in known
    ] == []


@pytest.mark.parametrize("name", shipped_names())
def test_every_word_of_a_pack_has_an_entry(name: str) -> None:
    pack = pack_named(name)
    known = families(pack.language)
    assert [word for word in pack.words if word.lower() not in known] == []
    others = {*known}.union(*(family.spellings for family in known.values()))
    assert [word for word in pack.twins.values() if word.lower() not in others] == []


def test_what_is_installed_holds_every_file() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    # Folders without Python are packages too, as pyproject.toml does not say otherwise.
    find = setuptools["packages"]["find"]
    packages = find_namespace_packages(str(ROOT), include=find["include"])
    assert find.get("namespaces", True)
    for file in FILES:
        assert ".".join(file.parent.relative_to(ROOT).parts) in packages
        assert any(fnmatch(file.name, each) for each in setuptools["package-data"]["*"])
