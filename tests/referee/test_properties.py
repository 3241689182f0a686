"""Properties of every clue on every board."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped_packs import shipped_pack

from pi_table.common.errors import InputError
from pi_table.common.lettering import LOST, unseen
from pi_table.games.referee.opinion import HOUSE_RULES, PROFILES, opinion
from pi_table.games.referee.reasons import LANGUAGES, Opinion, Verdict
from pi_table.games.referee.spelling import tidy
from pi_table.games.referee.vocabulary import vocabulary
from pi_table.games.words.families import families
from pi_table.games.words.number import plurals

WORDS = shipped_pack("english").words + shipped_pack("italiano").words
ENDINGS = ("", "s", "er", "ing", "ino", "one", "are", "-like", " box", "'s")
words = st.sampled_from(WORDS)
clues = st.one_of(
    st.builds(lambda word, ending: (word + ending).lower(), words, st.sampled_from(ENDINGS)),
    st.builds(lambda first, last: (first + last).lower(), words, words),
    st.text(max_size=30),
)
boards = st.lists(st.one_of(words, st.text(max_size=12)), max_size=6)
langs = st.sampled_from(LANGUAGES)


def is_clue(text: str) -> bool:
    """True if people can read the text as a clue. A letter used as an apostrophe (ʼ) is no word."""
    readable = text.isprintable() and not unseen(text) and LOST not in text
    return readable and any(map(str.isalnum, tidy(text)))


def verdict(clue: str, board: list[str], covered: list[str], lang: str) -> Verdict:
    return opinion(clue, 1, board, covered, lang).verdict


@settings(deadline=None)
@given(
    clues,
    boards,
    boards,
    langs,
    st.sampled_from([*PROFILES]),
    st.sets(st.sampled_from(HOUSE_RULES)),
)
def test_whatever_is_typed_there_is_an_opinion_or_a_sentence(
    clue: str, board: list[str], covered: list[str], lang: str, profile: str, house: set[str]
) -> None:
    try:
        found = opinion(clue, 1, board, covered, lang, profile, house)
    except InputError:
        assert not is_clue(clue)
        return
    assert (found.verdict is Verdict.FINE) == (found.rule is None) == (found.reason is None)
    if found.reason is not None:
        assert len(found.reason.text(lang)) < 140


@settings(deadline=None)
@given(st.builds(str.lower, words), st.lists(words, max_size=6), words, langs)
def test_a_further_word_makes_no_clue_better_and_covering_it_undoes_that(
    clue: str, board: list[str], word: str, lang: str
) -> None:  # CL-6
    before = verdict(clue, board, [], lang)
    assert verdict(clue, [*board, word], [], lang) >= before
    assert verdict(clue, [*board, word], [word], lang) == before


@settings(deadline=None)
@given(clues.filter(is_clue), boards, langs)
def test_the_order_of_the_words_does_not_change_the_verdict(
    clue: str, board: list[str], lang: str
) -> None:
    assert verdict(clue, board, [], lang) == verdict(clue, board[::-1], [], lang)


@settings(deadline=None)
@given(words, langs)
def test_a_word_on_the_table_is_never_a_clue(word: str, lang: str) -> None:  # CL-4
    given_again = opinion(word.lower(), 1, [word], [], lang)
    assert (given_again.verdict, given_again.rule) == (Verdict.INVALID, "CL-4")


def judged_both_ways(one: str, other: str, lang: str) -> tuple[Opinion, Opinion]:
    return opinion(one, 1, [other], [], lang), opinion(other, 1, [one], [], lang)


def is_form(one: str, other: str, lang: str) -> bool:
    """True if one of the two is an inflected form of the other: only the form is no clue (CL-2)."""
    words = vocabulary(lang)
    first, second = words.analyse(one), words.analyse(other)
    forms = first.forms_of | second.forms_of | first.certain_forms_of | second.certain_forms_of
    return bool(
        forms & {one, other, *first.own, *second.own}
        or one in plurals(other, lang)
        or other in plurals(one, lang)
    )


@pytest.mark.parametrize("name", ["english", "italiano"])
def test_kinship_is_the_same_whichever_of_two_words_is_the_clue(name: str) -> None:
    # CL-2, CL-3: each fourth word of a pack, and all that its family tells of
    pack = shipped_pack(name)
    told = families(pack.language)
    for word in map(str.lower, pack.words[::4]):
        family = told[word]
        for other in (*family.parts, *family.kin, *family.perhaps, *family.apart):
            there, back = judged_both_ways(word, other, pack.language)
            if {there.rule, back.rule} & {"CL-2", "CL-3"} and not is_form(
                word, other, pack.language
            ):
                assert there.verdict == back.verdict or "CL-8" in (there.rule, back.rule), (
                    word,
                    other,
                )
