"""A language's words, taken apart; and our own lists of them."""

import pytest

from pi_table.referee import curated
from pi_table.referee.reasons import LANGUAGES
from pi_table.referee.vocabulary import vocabulary


@pytest.mark.parametrize(
    ("lang", "word", "certain", "uncertain"),
    [
        ("en", "unhorsed", {"unhorse", "horse"}, set()),
        ("en", "rose", set(), {"rise"}),
        ("en", "decision", {"decide"}, set()),
        ("en", "corner", set(), set()),
        ("en", "business", set(), {"busy"}),
        ("en", "travellers", {"traveler", "travel"}, set()),
        ("it", "bocche", {"bocca"}, set()),
        ("it", "infelice", {"felice"}, set()),
        ("it", "spazzolino", {"spazzola"}, set()),
        ("it", "mattone", set(), set()),
        ("it", "grattarsi", {"grattare"}, set()),
    ],
)
def test_a_word_has_the_roots_that_it_is_made_from(
    lang: str, word: str, certain: set[str], uncertain: set[str]
) -> None:  # CL-2, CL-7
    roots = vocabulary(lang).analyse(word).roots
    assert certain <= {root for root, sure in roots.items() if sure}
    assert uncertain <= {root for root, sure in roots.items() if not sure}
    if not certain | uncertain:
        assert roots == {word: True}


@pytest.mark.parametrize(
    ("lang", "word", "members"),
    [
        ("en", "horseshoe", ["horse", "shoe"]),
        ("en", "swordsman", ["sword", "man"]),
        ("en", "carpet", []),
        ("en", "outside", ["out", "side"]),
        ("en", "new york", ["new", "york"]),
        ("it", "grattacielo", ["grattare", "cielo"]),
        ("it", "portachiavi", ["portare", "chiavi"]),
        ("it", "ferro da stiro", ["ferro", "stiro"]),
        ("it", "parametro", []),
    ],
)
def test_a_compound_has_members(lang: str, word: str, members: list[str]) -> None:  # CL-3, CL-7
    found = [member.text for member in vocabulary(lang).analyse(word).members]
    assert found[:2] == members


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "theatre", "theater"),
        ("en", "neighbours", "neighbors"),
        ("en", "organise", "organize"),
        ("en", "café", "cafe"),
        ("it", "città", "citta"),
        ("it", "obbedire", "ubbidire"),
    ],
)
def test_spellings_of_one_word_have_one_key(lang: str, one: str, other: str) -> None:  # CL-4
    assert vocabulary(lang).analyse(one).key == vocabulary(lang).analyse(other).key


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "fourth", "forth"),
        ("en", "mourning", "morning"),
        ("en", "filled", "filed"),
        ("en", "shoe", "she"),
        ("en", "resumé", "resume"),
        ("it", "papà", "papa"),
        ("it", "metà", "meta"),
    ],
)
def test_words_that_only_look_alike_have_two(lang: str, one: str, other: str) -> None:  # CL-5
    assert vocabulary(lang).analyse(one).key != vocabulary(lang).analyse(other).key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_our_lists_fill_their_sections_and_contradict_themselves_nowhere(lang: str) -> None:
    lists = curated.read(lang)
    for section in ("whole", "worn", "families", "cousins", "spellings", "parts", "open", "places"):
        assert lists.words(section), section
    for section in ("families", "cousins", "spellings"):
        assert all(lists.tails(section).values()), section
    assert not lists.words("whole") & lists.words("worn")
    for section in curated.SECTIONS:
        assert all(word == word.casefold() for word in lists.words(section))


def test_a_line_in_no_known_section_is_told_with_its_number() -> None:
    assert curated.parse("[whole]\none two # three\n")["whole"] == (("one", "two"),)
    for text in ("[hole]\none\n", "# first\none\n"):
        with pytest.raises(ValueError, match=r"Line [12]: '(hole)?' is no section"):
            curated.parse(text)
