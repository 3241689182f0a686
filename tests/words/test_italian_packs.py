"""The Italian packs: what their heads promise, and that their words are spelt as Italian is."""

import re
import unicodedata

import pytest

from pi_table.games.words.pack import Audience, pack_named

PACKS = ("italiano", "dopo-mezzanotte")

# Italian writes an accent on the last letter alone; a grave one, but for É, which no word here has.
SPELT = {
    "italiano": re.compile("[A-Z]{2,11}[A-ZÀÈÌÒÙ]"),
    "dopo-mezzanotte": re.compile("[A-Z ]{2,13}[A-ZÀÈÌÒÙ]"),
}

PLURALS = (
    ("CIA", "CE"),
    ("GIA", "GE"),
    ("CA", "CHE"),
    ("GA", "GHE"),
    ("CO", "CHI"),
    ("GO", "GHI"),
    ("IO", "I"),
    ("O", "I"),
    ("O", "A"),  # uovo, uova
    ("A", "E"),
    ("A", "I"),
    ("E", "I"),
)


def without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def plurals_of(word: str) -> set[str]:
    """Every plural that a word could have by its end, the right one among them."""
    return {word.removesuffix(one) + many for one, many in PLURALS if word.endswith(one)}


def test_the_packs_are_italian_and_marked_for_whom_they_are() -> None:  # DU-1
    heads = [(pack.language, pack.audience, pack.licence) for pack in map(pack_named, PACKS)]
    assert heads == [("it", Audience.EVERYBODY, "MIT"), ("it", Audience.ADULTS, "MIT")]


@pytest.mark.parametrize(("name", "least"), [("italiano", 850), ("dopo-mezzanotte", 400)])
def test_there_are_words_for_many_games(name: str, least: int) -> None:
    assert len(pack_named(name).words) >= least


@pytest.mark.parametrize("name", PACKS)
def test_the_words_stand_in_alphabetical_order_accents_aside(name: str) -> None:
    words = pack_named(name).words
    assert list(words) == sorted(words, key=without_accents)


@pytest.mark.parametrize("name", PACKS)
def test_every_word_has_as_many_letters_as_its_head_says_and_no_apostrophe(name: str) -> None:
    assert [word for word in pack_named(name).words if not SPELT[name].fullmatch(word)] == []


def test_only_the_words_for_adults_have_spaces() -> None:
    assert [word for word in pack_named("italiano").words if " " in word] == []


@pytest.mark.parametrize(
    ("name", "accented"),
    [
        (
            "italiano",
            "BABÀ BAMBÙ BIGNÈ CAFFÈ CITTÀ COMÒ CUCÙ EREDITÀ FALÒ GIOVENTÙ LIBERTÀ MARTEDÌ "
            "MENÙ OBLÒ PURÈ RAGÙ SOCIETÀ UNIVERSITÀ VARIETÀ VELOCITÀ VERITÀ",
        ),
        ("dopo-mezzanotte", "BABÀ BACCALÀ BIGNÈ FALÒ SOFÀ TIRAMISÙ VOLUTTÀ"),
    ],
)
def test_these_words_and_no_others_are_written_with_an_accent(name: str, accented: str) -> None:
    words = pack_named(name).words
    assert [word for word in words if word != without_accents(word)] == accented.split()


@pytest.mark.parametrize("name", PACKS)
def test_no_word_is_another_or_inside_it_once_accents_are_gone(name: str) -> None:
    bare = [without_accents(word) for word in pack_named(name).words]
    assert len(bare) == len(set(bare))
    assert [
        (word, other) for word in bare for other in bare if word != other and word in other
    ] == []


@pytest.mark.parametrize("name", PACKS)
def test_no_word_is_the_plural_of_another(name: str) -> None:
    words = set(pack_named(name).words)
    assert [(word, words & plurals_of(word)) for word in words if words & plurals_of(word)] == []


def test_few_words_for_adults_are_in_the_pack_for_everybody() -> None:
    everybody, adults = ({*pack_named(name).words} for name in PACKS)
    assert len(adults & everybody) <= len(adults) // 10
