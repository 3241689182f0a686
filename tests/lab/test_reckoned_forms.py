"""Agreement of words in form, in the reckoning of kin: stems, prefixes, members, endings."""

from math import log

import pytest

from pi_table.lab.reckoning.forms import Forms, Patterns, shared_letters


def forms(lang: str, words: list[str], whole: str = "", **lemmas: str) -> Forms:
    return Forms(lang, words, frozenset(whole.split()), lemmas.get)


@pytest.mark.parametrize(
    ("one", "other", "letters"),
    [
        ("tragic", "tragedy", 4),
        ("sing", "singer", 4),
        ("cat", "cattle", 3),
        ("horse", "horror", 0),  # three letters are too few for words of five
        ("house", "horse", 0),
        ("con", "consideration", 0),  # too little of the longer word
        ("intercom", "internet", 5),
        ("interlace", "inkwell", 0),  # too little of the shorter one
    ],
)
def test_two_words_share_a_stem_that_is_long_enough_for_both(
    one: str, other: str, letters: int
) -> None:
    assert shared_letters(one, other) == shared_letters(other, one) == letters


def test_words_with_one_stem_are_found_with_its_letters() -> None:
    words = ["tragedian", "tragedy", "tragic", "trade"]
    assert {*forms("en", words).with_stem(2)} == {(0, 4), (1, 4)}


def test_accents_make_no_other_stem() -> None:
    assert [*forms("it", ["città", "cittadino"]).with_stem(1)] == [(0, 5)]


def test_a_word_that_is_said_to_be_whole_is_not_made_from_what_it_begins_with() -> None:
    words = ["corn", "corner", "corny"]
    assert {*forms("en", words).with_stem(0)} == {(1, 4), (2, 4)}
    assert [*forms("en", words, whole="corner").with_stem(0)] == [(2, 4)]
    assert 0 not in dict(forms("en", words, whole="corner").with_stem(1))


def test_in_italian_the_last_vowel_of_what_a_whole_word_begins_with_does_not_count() -> None:
    words = ["matto", "mattone"]
    assert [*forms("it", words).with_stem(0)] == [(1, 5)]
    assert [*forms("it", words, whole="mattone").with_stem(0)] == []


@pytest.mark.parametrize(
    ("lang", "word", "base", "prefix", "letters"),
    [
        ("en", "unhorse", "horse", "un", 5),
        ("en", "discourage", "courageous", "dis", 7),
        ("it", "sradicare", "radice", "s", 5),
        ("it", "riaprire", "aprire", "ri", 6),
    ],
)
def test_a_word_has_what_is_left_without_its_prefix(
    lang: str, word: str, base: str, prefix: str, letters: int
) -> None:
    assert (1, prefix, letters) in [*forms(lang, [word, base]).without_prefix(0)]
    assert [*forms(lang, [word, base], whole=word).without_prefix(0)] == []


def test_what_is_left_is_no_word_of_two_letters() -> None:
    assert [*forms("en", ["unit", "it"]).without_prefix(0)] == []


@pytest.mark.parametrize(
    ("lang", "word", "first", "last"),
    [
        ("en", "horsehair", "horse", "hair"),
        ("en", "sportsman", "sport", "man"),  # with a link
        ("it", "capogiro", "capo", "giro"),
        ("it", "apriscatole", "aprire", "scatola"),  # a verb's form and a plural
    ],
)
def test_a_compound_comes_apart_into_two_words(lang: str, word: str, first: str, last: str) -> None:
    words = [word, first, last]
    assert (1, 2) in [*forms(lang, words, scatole="scatola").members(0)]
    assert [*forms(lang, words, whole=word, scatole="scatola").members(0)] == []


def test_a_member_has_three_letters() -> None:
    assert [*forms("en", ["inland", "in", "land"]).members(0)] == []


PAIRS = [("paint", "painter"), ("plant", "planter"), ("count", "counter"), ("corn", "corner")]


def test_endings_are_kin_as_often_as_they_are_vouched_for() -> None:
    patterns = Patterns(PAIRS, PAIRS[:2])
    assert patterns.odds("bank", "banker") == pytest.approx(log(2.15 / 3.5))
    assert patterns.odds("banker", "bank") == patterns.odds("bank", "banker")
    assert patterns.odds("bank", "bankrupt") == pytest.approx(log(0.15 / 1.5))  # nobody saw these


def test_a_pair_that_is_learned_from_does_not_speak_for_itself() -> None:
    patterns = Patterns(PAIRS, PAIRS[:2])
    assert patterns.odds(*PAIRS[0], but_this=True) == pytest.approx(log(1.15 / 3.5))
    assert patterns.odds(*PAIRS[3], but_this=True) == patterns.odds(*PAIRS[3])
