"""A language's words, taken apart; and our own lists of them."""

import pytest

from pi_table.games.referee import curated
from pi_table.games.referee.reasons import LANGUAGES
from pi_table.games.referee.vocabulary import vocabulary


@pytest.mark.parametrize(
    ("lang", "word", "own", "forms_of"),
    [
        ("en", "unhorsed", {"unhorse"}, {"unhorse"}),
        ("en", "shoes", {"shoes", "shoe"}, {"shoe"}),
        ("en", "geese", {"goose"}, {"goose"}),
        ("en", "found", {"found"}, {"find"}),
        ("en", "corner", {"corner"}, set()),
        ("en", "sings", {"sing"}, {"sing"}),
        ("it", "bocche", {"bocca"}, {"bocca"}),
        ("it", "grattarsi", {"grattare"}, {"grattare"}),
        ("it", "vite", {"vite"}, {"vita"}),
        ("it", "mattone", {"mattone"}, set()),
    ],
)
def test_a_word_is_of_its_own_or_a_form_of_others(
    lang: str, word: str, own: set[str], forms_of: set[str]
) -> None:  # CL-2
    analysed = vocabulary(lang).analyse(word)
    assert own <= {*analysed.own}
    assert forms_of <= analysed.forms_of
    assert bool(forms_of) == bool(analysed.forms_of)


@pytest.mark.parametrize(
    ("lang", "clue", "word"),
    [
        ("en", "found", "find"),
        ("en", "ground", "grind"),
        ("it", "botte", "botta"),
        ("it", "porta", "portare"),
        ("it", "danno", "dare"),
        ("it", "cotta", "cuocere"),
    ],
)
def test_a_form_counts_whatever_else_it_means_and_not_the_other_way_round(
    lang: str, clue: str, word: str
) -> None:  # CL-2
    words = vocabulary(lang)
    assert word in words.analyse(clue).certain_forms_of
    assert clue not in words.analyse(word).certain_forms_of


@pytest.mark.parametrize(
    ("lang", "word", "heads", "doubtful"),
    [
        ("en", "dental", {"dentist"}, set()),
        ("en", "tragic", {"tragedy"}, set()),
        ("en", "corner", set(), {"corn"}),
        ("it", "lavaggio", {"lavatrice"}, set()),
        ("it", "scienziato", {"scienza"}, set()),
        ("it", "cancellato", set(), {"cane"}),
    ],
)
def test_a_word_belongs_to_the_families_that_people_wrote_down(
    lang: str, word: str, heads: set[str], doubtful: set[str]
) -> None:  # CL-2, CL-7
    analysed = vocabulary(lang).analyse(word)
    assert heads <= analysed.heads
    if not heads:
        assert not doubtful & (analysed.heads | analysed.doubtful)


@pytest.mark.parametrize(
    ("lang", "word", "parts"),
    [
        ("en", "horsehair", {"horse", "hair"}),
        ("en", "earthquake", {"earth", "quake"}),
        ("en", "carpet", set()),
        ("en", "outside", {"out", "side"}),
        ("en", "new york", {"new", "york"}),
        ("it", "grattacielo", {"grattare", "cielo"}),
        ("it", "apriscatole", {"aprire", "scatola"}),
        ("it", "ferro da stiro", {"ferro", "stiro"}),
        ("it", "parametro", set()),
    ],
)
def test_a_compound_has_parts(lang: str, word: str, parts: set[str]) -> None:  # CL-3, CL-7
    found = vocabulary(lang).analyse(word).parts
    assert parts <= {part.text for part in found if part.vouched}
    assert parts or not found


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
        with pytest.raises(ValueError, match=r"Line [12]: '(hole)?' is not a section"):
            curated.parse(text)
