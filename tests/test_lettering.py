"""The judge of text: which signs can be shown, and when two texts are the same word."""

import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from bad_texts import BAD_TEXTS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reportlab.pdfbase.ttfonts import TTFontFile
from shipped_packs import shipped_pack

from pi_table.common.lettering import (
    SIGNS,
    Misfit,
    clean,
    foreign,
    letters,
    misfit,
    same,
    without_accents,
)
from pi_table.games.cards import pdf
from pi_table.games.rules.codex.deal import NICKNAMES
from pi_table.games.words.word import Wrong, display_form
from pi_table.screens.console import painter

# Which signs


def signs_of(typeface: Path) -> set[str]:
    """The signs that a file of a typeface has."""
    return {chr(code) for code in TTFontFile(str(typeface)).charToGlyph if code < 0x110000}


def is_ours(sign: str) -> bool:
    """True for a sign that is no mark, and no letter or digit of another script."""
    kind = unicodedata.category(sign)
    if kind[0] == "L":
        return unicodedata.name(sign).startswith("LATIN ") or sign in "ªº"
    return kind[0] in "NPS" or sign == " "


def test_the_signs_are_those_that_every_typeface_of_screen_and_cards_has() -> None:
    screen = [path for path, _ in painter.TYPEFACES.values()]
    cards = Path(painter.__file__).parent / "typefaces" / pdf.FILE
    there = set.intersection(*map(signs_of, [*screen, cards]))
    ours = {sign for sign in there if is_ours(sign) and {*sign.upper()} <= there}
    assert "".join(sorted(SIGNS)) == "".join(sorted(ours))


def test_everything_that_can_be_typed_on_a_plain_keyboard_can_be_shown() -> None:
    assert {chr(code) for code in range(0x20, 0x7F)} <= SIGNS


@pytest.mark.parametrize(("text", "why"), BAD_TEXTS.values(), ids=[*BAD_TEXTS])
def test_a_text_that_nobody_can_show_or_speak_is_told_with_the_reason(
    text: str, why: Misfit
) -> None:
    assert misfit(text) is why


@pytest.mark.parametrize(
    "text",
    [
        *("horse", "  horse\n", "perché", "PERCHE\u0301", "Straße", "smørrebrød", "ŒUVRE", "ŁÓDŹ"),
        *("don't", "don’t", "donʼt", "R2-D2", "R2\u2011D2", "ice\u00a0cream", "C++", "50 %", "7"),
        *("ștrand", "ınk", "oﬃce", "o’clock – now", "«ciao»", "10 €"),
    ],
)
def test_a_text_that_can_be_shown_is_as_it_should_be(text: str) -> None:
    assert misfit(text) is None


def test_all_that_comes_with_the_table_can_be_shown() -> None:
    packs = [
        shipped_pack(name) for name in ("english", "italiano", "after-dark", "dopo-mezzanotte")
    ]
    for pack in packs:
        texts = (pack.title, *pack.words, *pack.twins.values())
        assert {text: misfit(text) for text in texts if misfit(text)} == {}
    assert not any(map(misfit, NICKNAMES))


def test_words_have_the_reasons_of_all_texts_and_some_of_their_own() -> None:
    assert {*Misfit} < {*Wrong}


# How it is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  ice\u00a0cream\u2009", "ice cream"),
        ("perche\u0301", "perché"),
        ("R2\u2010D2\u2011X", "R2-D2-X"),
        ("donʼt don‛t", "don’t don’t"),
        ("do\tg", "do\tg"),
        ("oﬃce ĳs", "office ijs"),
        ("A ‒ B ― C", "A – B — C"),
    ],
)
def test_a_text_is_kept_with_signs_that_our_typefaces_have(text: str, kept: str) -> None:
    assert clean(text) == kept
    assert clean(kept) == kept


ANY_TEXT = st.text(max_size=20)
OURS = st.text(st.sampled_from([*sorted(SIGNS), "\u0301", "\u00a0", "‐", "ʼ"]), max_size=12)


@settings(max_examples=60)
@given(text=ANY_TEXT | OURS)
@example("ŉ")
@example("ʼ")
@example("\u1fb3\u0345")
def test_what_is_clean_stays_as_it_is_and_stays_the_same_word(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert same(clean(text)) == same(text)
    if misfit(text) is None:
        assert misfit(clean(text)) is None
        assert {*clean(text), *display_form(text)} <= SIGNS
        assert same(display_form(text)) == same(text)


# The same word

SAME = [
    ["APPLE", "apple", "Apple,", "apple.", '"APPLE"', "“apple”", "«Apple»", "(apple)", "APPLE™"],
    [
        "APPLE",
        "ＡＰＰＬＥ",
        "A\u0301PPLE",
        "ÀPPLE",
        "AP-PLE",
        "AP PLE",
        "APPLE\ufe0f",
        "APP\u00adLE",
    ],
    ["DON'T", "don’t", "donʼt", "don‘t", "don´t", "don`t", "DONT", "don\u2032t", "don＇t"],
    ["ICE-CREAM", "ice cream", "ice–cream", "ice—cream", "ice‐cream", "ice‑cream", "ice−cream"],
    ["OFFICE", "oﬃce", "oﬀice", "of\u200bfice", "OFFICE\u3164", "off\u034fice", "Office!"],
    ["STRASSE", "Straße", "STRAẞE"],
    ["OEUVRE", "œuvre", "ŒUVRE"],
    ["SMORREBROD", "smørrebrød"],
    ["LODZ", "Łódź", "ŁO\u0301DZ\u0301"],
    ["INK", "ınk", "İNK", "ink"],
    ["CAFE", "CAFÉ", "cafe\u0301", "café…"],
    ["L'AMO", "l’amo", "LAMO"],
    ["R2-D2", "R2D2", "r²-d²"],
    ["?!", "? !"],
]
DIFFERENT = ["APPLE", "APPLES", "PINE", "PINEAPPLE", "R2", "R3", "?!", "!?", "", "É È"]


@pytest.mark.parametrize("group", SAME, ids=[group[0] for group in SAME])
def test_texts_are_the_same_word_that_differ_in_nothing_but_how_they_are_written(
    group: list[str],
) -> None:
    assert {same(text) for text in group} == {same(group[0])}


def test_texts_are_different_words_that_differ_in_letters_or_digits() -> None:
    assert [pair for pair in combinations(DIFFERENT, 2) if len({*map(same, pair)}) == 1] == []


@settings(max_examples=60)
@given(text=OURS, sign=st.sampled_from([*" '’´`-–—.,;:!?\"«»()", "\u0301", "\ufe0f", "\u3164"]))
def test_a_word_stays_the_same_whatever_is_written_around_and_between_its_letters(
    text: str, sign: str
) -> None:
    # That it is an equivalence needs no test: two words are the same if their keys are equal.
    if misfit(text) is None:
        assert same(sign.join(text)) == same(text)
        assert same(f"{sign}{text}{sign}") == same(text)
        assert same(unicodedata.normalize("NFD", text)) == same(text)
        assert same(text.upper()) == same(text.lower()) == same(text)
        assert same(letters(text)) == same(without_accents(text)) == same(text)


def test_what_is_foreign_in_a_text_is_named_once() -> None:
    assert foreign("🍕 PIZZA 🍕 Ō") == "🍕Ō"
    assert foreign("ō") == "ōŌ"
