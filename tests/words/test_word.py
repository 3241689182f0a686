"""One word: what may be wrong with it, and when two are alike."""

import unicodedata

import pytest
from bad_texts import BAD_TEXTS
from hypothesis import example, given
from hypothesis import strategies as st

from pi_table.common.lettering import misfit
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.word import (
    MAX_WORD_LENGTH,
    WordFault,
    Words,
    Wrong,
    display_form,
    fault_of,
)


def words(language: str = "en") -> Words:
    return Words(language, ["CAT", "BREAD KNIFE", "PONIES", "CAFÉ"])


@pytest.mark.parametrize(
    "text",
    [
        "dog",
        "\tBread\n",
        "catch",
        "M" * MAX_WORD_LENGTH,
        "7",
        "ÎLE",
        "R2-D2",
        "smørrebrød",
        "œuf",
        "ștrand",
        "ınk",
        "C’EST",
    ],
)
def test_a_good_word_has_no_fault(text: str) -> None:  # DU-3
    assert fault_of(text, words()) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Wrong.EMPTY),
        (" \u00a0 ", Wrong.EMPTY),
        ("?!", Wrong.EMPTY),
        ("\u0301", Wrong.EMPTY),
        ("#dog", Wrong.COMMENT),
        (" # ", Wrong.COMMENT),
        *((text, Wrong(why.value)) for text, why in BAD_TEXTS.values()),
        ("do\u0261", Wrong.FOREIGN),  # of phonetics
        ("HENRY \u2167", Wrong.FOREIGN),
        ("M" * (MAX_WORD_LENGTH + 1), Wrong.TOO_LONG),
        ("ß" * 8, Wrong.TOO_LONG),
    ],
)
def test_a_bad_word_is_told_with_the_reason(text: str, why: Wrong) -> None:  # DU-3
    assert fault_of(text, words()) == WordFault(why, display_form(text))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("cat", "CAT"),
        ("C at", "CAT"),
        ("cat,", "CAT"),
        ('"Cats"', "CAT"),
        ("bread–knife", "BREAD KNIFE"),
        ("càt", "CAT"),
        ("cats", "CAT"),
        ("càts", "CAT"),
        ("breadknife", "BREAD KNIFE"),
        ("bread knives", "BREAD KNIFE"),
        ("pony", "PONIES"),
        ("cafes", "CAFÉ"),
        ("cafe\u0301", "CAFÉ"),
    ],
)
def test_a_word_that_is_there_already_is_told_with_the_one_it_is_like(
    text: str, other: str
) -> None:  # DU-3
    assert fault_of(text, words()) == WordFault(Wrong.ALIKE, display_form(text), other)


def test_number_goes_by_the_language() -> None:
    assert words("it").like("CATS") is None
    assert Words("it", ["GATTO"]).like("GATTI") == "GATTO"
    assert Words("en", ["GATTO"]).like("GATTI") is None


def test_an_accent_at_the_end_keeps_an_italian_word_from_having_a_plural() -> None:
    assert Words("it", ["METÀ"]).like("METE") is None
    assert Words("it", ["META"]).like("METE") == "META"


ANY_TEXT = st.text(max_size=20)
LETTERS = st.text(st.sampled_from("AEIOSYXCHFÀÉŒØ Z'’-,"), min_size=1, max_size=6).filter(
    lambda text: misfit(text) is None
)


@given(text=ANY_TEXT)
@example("ŉ")
@example("ΐ")
@example("ﬃ")
def test_what_is_shown_is_shown_again_the_same(text: str) -> None:
    assert display_form(display_form(text)) == display_form(text)


@given(text=ANY_TEXT, language=st.sampled_from(LANGUAGES))
def test_a_word_without_a_fault_fits_a_cell_and_can_be_read(text: str, language: str) -> None:
    if fault_of(text, Words(language)) is None:
        word = display_form(text)
        assert 1 <= len(word) <= MAX_WORD_LENGTH
        assert word.isprintable()
        assert word == " ".join(word.split())
        assert unicodedata.is_normalized("NFC", word)
        assert Words(language, [word]).like(word) == word


@given(one=LETTERS, other=LETTERS, language=st.sampled_from(LANGUAGES))
@example("CAT", "CATS", "en")
def test_alike_goes_both_ways(one: str, other: str, language: str) -> None:
    one, other = display_form(one), display_form(other)
    there = Words(language, [one]).like(other) == one
    assert there == (Words(language, [other]).like(one) == other)
