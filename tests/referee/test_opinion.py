"""The referee's opinion: what binds, which of several reasons is told, what is no clue at all."""

import pytest

from pi_table.common.errors import InputError
from pi_table.games.referee.opinion import (
    HOUSE_RULES,
    MAX_CLUE_LENGTH,
    PROFILES,
    Number,
    opinion,
    warm,
)
from pi_table.games.referee.reasons import LANGUAGES, Opinion, Verdict, Why


def why(given: Opinion) -> Why | None:
    return given.reason.why if given.reason else None


def test_a_covered_word_binds_nobody_whether_the_board_lists_it_or_not() -> None:  # CL-6
    assert opinion("horses", 1, ["HORSE", "RIVER"]).verdict is Verdict.INVALID
    assert opinion("horses", 1, ["HORSE", "RIVER"], ["HORSE"]).verdict is Verdict.FINE
    assert opinion("horses", 1, ["RIVER"], ["HORSE"]).verdict is Verdict.FINE


def test_words_are_the_same_whatever_their_case_and_accents() -> None:  # CL-4, CL-6
    assert opinion("cafes", 1, ["CAFÉ"], ["cafe"]).verdict is Verdict.FINE
    assert opinion("CAFE", 1, [" café "]).rule == "CL-4"


@pytest.mark.parametrize(
    ("clue", "word"),
    [
        *(
            ("apple", word)
            for word in ("APPLE,", '"APPLE"', "APPLE…", "AP-PLE", "AP·PLE", "ＡＰＰＬＥ")
        ),
        *((clue, "APPLE") for clue in ("apple™", "a.p.p.l.e.", "ap·ple", "ap ple", "«apple»")),
        ("don´t", "DON’T"),
        ("oﬃce", "OFFICE"),
    ],
)
def test_a_word_is_the_same_however_it_is_written(clue: str, word: str) -> None:  # CL-4
    assert opinion(clue, 1, ["RIVER", word]).rule == "CL-4"


def test_punctuation_around_a_clue_and_a_word_is_of_neither() -> None:
    assert opinion("“horse”!", 1, ["RIVER"]).verdict is Verdict.FINE
    reason = opinion("apple…", 1, ['"APPLE,"']).reason
    assert reason is not None
    assert (reason.why, reason.clue, reason.word) == (Why.SAME, "apple", "apple")


def test_of_two_cells_with_one_word_the_one_that_is_not_covered_binds() -> None:  # CL-6
    assert opinion("horses", 1, ["HORSE", "HORSE"], ["HORSE"]).verdict is Verdict.INVALID
    assert opinion("horses", 1, ["HORSE", "HORSE"], ["HORSE", "HORSE"]).verdict is Verdict.FINE


def test_cells_without_a_known_word_say_nothing() -> None:  # AL-1
    assert opinion("horse", 1, [None, "", " "], [None]).verdict is Verdict.FINE
    assert opinion("horse", 1, [None, "HORSE"]).verdict is Verdict.INVALID
    assert opinion("horse", 1, []).verdict is Verdict.FINE


def test_the_worst_is_told_wherever_it_stands() -> None:
    given = opinion("horse", 1, ["RIVER", "WARHORSE", "HORSESHOE", "HORSE"])
    assert given.reason is not None
    assert (given.verdict, given.reason.word) == (Verdict.INVALID, "warhorse")
    doubtful_first = opinion("island", 1, ["LANDING", "ISLANDS"])
    assert doubtful_first.reason is not None
    assert (doubtful_first.verdict, doubtful_first.reason.word) == (Verdict.INVALID, "islands")


def test_of_what_is_equally_bad_the_first_on_the_board_is_told() -> None:
    board = ["RIVER", "SHOES", "HORSESHOE", "SHOEMAKER"]
    for first in ("shoes", "horseshoe", "shoemaker"):
        board = sorted(board, key=lambda word: word.casefold() != first)
        reason = opinion("shoe", 1, board).reason
        assert reason is not None
        assert reason.word == first


@pytest.mark.parametrize(
    ("clue", "word", "verdict"),
    [
        ("position", "DEPOSIT", Verdict.DOUBTFUL),  # a lexicon vouches, our entry doubts
        ("executives", "EXECUTION", Verdict.DOUBTFUL),  # both stand in the entry of a third
        ("shadow", "SHADE", Verdict.INVALID),  # a list doubts, but its own entry does not
        ("bound", "REBOUND", Verdict.INVALID),  # a member
        ("deposits", "DEPOSIT", Verdict.INVALID),  # a form
        ("saves", "SAFE", Verdict.DOUBTFUL),  # no plural of it
    ],
)
def test_a_doubt_that_people_wrote_down_goes_before_a_third_word_and_a_lexicon(
    clue: str, word: str, verdict: Verdict
) -> None:  # CL-2, CL-3
    assert opinion(clue, 1, [word]).verdict is verdict


@pytest.mark.parametrize(
    ("clue", "word", "verdict"),
    [
        ("ridge", "BRIDGE", Verdict.DOUBTFUL),  # five letters
        ("hale", "WHALE", Verdict.FINE),  # four
    ],
)
def test_a_word_in_which_another_only_ends_is_doubted_from_five_letters_on(
    clue: str, word: str, verdict: Verdict
) -> None:  # CL-8
    assert opinion(clue, 1, [word]).verdict is verdict


@pytest.mark.parametrize(
    ("clue", "word", "verdict"),
    [
        ("reconquest", "CONQUEST", Verdict.DOUBTFUL),  # 61 per cent
        ("hunker", "HUNK", Verdict.FINE),  # 59
    ],
)
def test_a_reckoned_kinship_that_nobody_wrote_down_is_asked_about_from_60_per_cent_on(
    clue: str, word: str, verdict: Verdict
) -> None:  # CL-2
    assert opinion(clue, 1, [word]).verdict is verdict


def test_what_stands_around_a_clue_is_not_of_it() -> None:
    for clue in ("horse", " Horse ", "HORSE!", "“horse”", "horse.", "h-o-r-s-e", "H O R S E"):
        assert opinion(clue, 1, ["HORSE"]).rule == "CL-4"


@pytest.mark.parametrize("number", [0, 1, 25, "unlimited"])
def test_every_number_of_a_clue_is_taken_and_says_nothing(number: Number) -> None:  # CL-10
    assert opinion("citrus", number, ["LEMON", "OCTOPUS"]) == Opinion(Verdict.FINE)


@pytest.mark.parametrize("number", [-1, 26, 1.5, True, None, "3", "infinity"])
def test_what_is_no_number_is_refused(number: Number) -> None:
    with pytest.raises(InputError, match="number cannot be"):
        opinion("horse", number, [])


@pytest.mark.parametrize(
    ("clue", "told"),
    [
        ("", "no clue"),
        (" \t ", "no clue"),
        ("-?!", "no clue"),
        ("hor\x07se", "control characters"),
        ("hor\u200bse", "control characters"),
        ("x" * (MAX_CLUE_LENGTH + 1), "at most 200"),
    ],
)
def test_what_is_no_clue_is_refused(clue: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        opinion(clue, 1, ["HORSE"])


def test_a_very_long_clue_is_judged_like_any_other() -> None:
    assert opinion("x" * MAX_CLUE_LENGTH, 1, ["HORSE"]).rule == "CL-11"
    assert opinion("ab " * 60, 1, ["HORSE"]).rule == "CL-12"


def test_an_unknown_language_game_or_house_rule_is_refused_with_the_right_ones() -> None:
    with pytest.raises(InputError, match=r"no language 'fr'.*en, it"):
        opinion("horse", 1, [], lang="fr")
    with pytest.raises(InputError, match=r"'codename'; did you mean 'codenames'"):
        opinion("horse", 1, [], profile="codename")
    with pytest.raises(InputError, match=r"'compound'; did you mean 'compounds'"):
        opinion("horse", 1, [], house=["compound"])


@pytest.mark.parametrize("profile", PROFILES)
def test_every_game_with_clues_has_a_referee(profile: str) -> None:  # CL-4, AL-13
    given = opinion("horse", 1, ["HORSE"], profile=profile, house=HOUSE_RULES)
    assert given.verdict is Verdict.INVALID
    assert given.rule == ("AL-13" if profile == "alias-24" else "CL-4")


def test_in_alias_24_only_the_alias_and_a_part_of_it_are_invalid() -> None:  # AL-13
    for clue, verdict in (
        ("horseshoe", Verdict.INVALID),
        ("horse", Verdict.INVALID),
        ("horses", Verdict.DOUBTFUL),
        ("horseshoes", Verdict.DOUBTFUL),
        ("snowshoe", Verdict.DOUBTFUL),
        ("saddle", Verdict.FINE),
    ):
        given = opinion(clue, 1, ["HORSESHOE"], profile="alias-24")
        assert given.verdict is verdict
        assert given.rule == (None if verdict is Verdict.FINE else "AL-13")


def test_names_of_one_word_are_a_house_rule_in_alias_24_alone() -> None:  # CL-12, AL-13
    assert opinion("London", 1, ["RIVER"]).verdict is Verdict.FINE
    assert why(opinion("London", 1, ["RIVER"], profile="alias-24")) is Why.PROPER
    assert opinion("London", 1, ["RIVER"], profile="alias-24", house=["names"]).rule is None
    assert opinion("Apple", 1, ["RIVER"], profile="alias-24").rule is None


def test_an_article_that_is_elided_hides_no_word() -> None:  # CL-1, CL-4
    assert opinion("l’arte", 1, ["ARTE"], lang="it").rule == "CL-4"
    assert opinion("l’arte", 1, ["CANE"], lang="it").rule == "CL-1"
    assert why(opinion("o'clock", 1, ["HORSE"])) is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_can_be_read_ahead_of_the_first_clue(lang: str) -> None:
    warm(lang)
    assert why(opinion("radar", 1, ["RADAR"], lang=lang)) is Why.SAME


def test_two_words_of_a_third_words_family_that_begin_otherwise_are_for_people_to_judge() -> None:
    # CL-2, CL-7
    assert why(opinion("angling", 1, ["TRIANGLE"])) is Why.PERHAPS_KIN
    assert why(opinion("angle", 1, ["TRIANGLE"])) in (Why.KIN, Why.PART)
    assert why(opinion("dental", 1, ["DENTURE"])) is Why.KIN


def test_what_agrees_in_form_and_meaning_without_a_witness_is_for_people_to_judge() -> None:
    # CL-2, CL-3
    assert why(opinion("temperance", 1, ["TEMPER"])) is Why.PERHAPS_KIN
    assert why(opinion("coach", 1, ["MOTORCOACH"])) is Why.PERHAPS_PART
    assert why(opinion("coaches", 1, ["MOTORCOACH"])) is Why.PERHAPS_PART


def test_an_italian_word_that_has_no_plural_is_not_taken_for_one() -> None:  # CL-2
    assert opinion("seri", 1, ["SERIE"], lang="it").verdict is Verdict.FINE


TITLES = [
    ("en", "gone with the wind"),
    ("en", "star wars"),
    ("en", "the godfather"),
    ("en", "harry potter"),
    ("en", "pulp fiction"),
    ("it", "via col vento"),
    ("it", "guerre stellari"),
    ("it", "il padrino"),
    ("it", "guerra e pace"),
    ("it", "divina commedia"),
]


@pytest.mark.parametrize(("lang", "title"), TITLES)
def test_a_title_is_judged_alike_however_it_is_capitalised(lang: str, title: str) -> None:  # CL-12
    for clue in (title, title.title(), title.capitalize(), title.upper()):
        given = opinion(clue, 1, ["ZEBRA"], lang=lang)
        assert (given.verdict, given.rule) == (Verdict.DOUBTFUL, "CL-12")
        assert opinion(clue, 1, ["ZEBRA"], lang=lang, house=["names"]) == Opinion(Verdict.FINE)


@pytest.mark.parametrize("house", [(), ("names",)])
def test_a_title_with_a_word_that_is_kin_to_one_on_the_table_is_no_clue(
    house: tuple[str, ...],
) -> None:  # CL-2, CL-12
    assert opinion("gone with the wind", 1, ["WIND"], house=house).verdict is Verdict.INVALID
    assert opinion("gone with the wind", 1, ["WINDMILL"], house=house).rule == "CL-3"
    assert opinion("via col vento", 1, ["VENTO"], lang="it", house=house).rule == "CL-2"


@pytest.mark.parametrize(
    ("lang", "clue"),
    [("en", "alarm clock"), ("en", "yellow fruit"), ("it", "frutto giallo"), ("it", "tic tac")],
)
def test_two_words_that_are_no_title_are_no_clue_and_doubted_where_the_house_plays_titles(
    lang: str, clue: str
) -> None:  # CL-1, CL-12
    assert opinion(clue, 1, ["ZEBRA"], lang=lang).verdict is Verdict.INVALID
    assert opinion(clue, 1, ["ZEBRA"], lang=lang, house=["names"]).verdict is Verdict.DOUBTFUL


@pytest.mark.parametrize(
    ("lang", "place"),
    [("en", "new orleans"), ("en", "hong kong"), ("en", "covent garden"), ("it", "costa smeralda")],
)
def test_a_place_in_small_letters_is_a_place(lang: str, place: str) -> None:  # CL-12
    assert opinion("l'aquila", 1, ["ZEBRA"], lang="it").rule is None
    for clue in (place, place.title()):
        assert opinion(clue, 1, ["ZEBRA"], lang=lang, profile="nome-in-codice").rule is None
        assert opinion(clue, 1, ["ZEBRA"], lang=lang).rule == "CL-12"


@pytest.mark.parametrize("clue", ["padel", "sumo", "hummus", "lockdown", "nachos"])
def test_a_word_of_another_language_that_ours_uses_is_known(clue: str) -> None:  # CL-11
    assert opinion(clue, 1, ["ZEBRA"], lang="it") == Opinion(Verdict.FINE)


@pytest.mark.parametrize("clue", ["TikTok", "tiktok", "O'Hara", "o'hara", "D'Artagnan"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_of_one_word_that_nobody_wrote_down_is_asked_about_alike(
    clue: str, lang: str
) -> None:  # CL-11, CL-12
    assert why(opinion(clue, 1, ["ZEBRA"], lang=lang)) is Why.UNKNOWN


@pytest.mark.parametrize(
    ("lang", "clue", "word"),
    [
        ("it", "L'AQUILA", "L'AQUILA"),
        ("it", "l’amo", "L'AMO"),
        ("it", "aquila", "L'AQUILA"),
        ("it", "dell'arte", "ALL'ARTE"),
        ("it", "un'isola", "ISOLA"),
        ("it", "gl'italiani", "ITALIANI"),
        ("it", "il padrino", "PADRINO"),
        ("it", "padrino", "IL PADRINO"),
        ("it", "mare", "DEL MARE"),
        ("en", "the sea", "SEA"),
        ("en", "sea", "THE SEA"),
        ("en", "an apple", "THE APPLE"),
    ],
)
def test_articles_come_off_the_clue_and_off_the_card(lang: str, clue: str, word: str) -> None:
    # CL-4
    assert opinion(clue, 1, [word], lang=lang).rule == "CL-4"


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "gunpowder", "gun"),
        ("en", "password", "word"),
        ("en", "countryside", "country"),
        ("it", "capolinea", "linea"),
        ("it", "portaerei", "aereo"),
        ("it", "portaombrelli", "ombrello"),
        ("it", "scansafatiche", "fatica"),
        ("it", "strizzacervelli", "cervello"),
    ],
)
def test_a_compound_and_its_members_are_no_clues_for_each_other(
    lang: str, one: str, other: str
) -> None:  # CL-2, CL-3
    assert opinion(one, 1, [other.upper()], lang=lang).rule == "CL-2"
    assert opinion(other, 1, [one.upper()], lang=lang).rule == "CL-3"


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("en", "rizz", "rizzler"),
        ("en", "page", "seepage"),
        ("it", "fantasia", "fantamilione"),
        ("it", "piadina", "piadineria"),
        ("it", "cena", "apericena"),
    ],
)
def test_a_guests_word_of_which_no_lexicon_tells_is_compared_by_its_letters(
    lang: str, one: str, other: str
) -> None:  # CL-2, CL-3
    assert opinion(one, 1, [other.upper()], lang=lang).verdict >= Verdict.DOUBTFUL
    assert opinion(other, 1, [one.upper()], lang=lang).verdict >= Verdict.DOUBTFUL


@pytest.mark.parametrize(
    ("lang", "clue", "word", "told"),
    [
        ("en", "dove", "DIVE", Why.FORM),
        ("en", "criteria", "CRITERION", Why.FORM),
        ("en", "larvae", "LARVA", Why.FORM),
        ("it", "climi", "CLIMA", Why.FORM),
        ("it", "stelle", "STELLA", Why.FORM),
        ("it", "stella", "STELLE", Why.FORM),
        ("it", "meme", "MEMI", Why.FORM),
        ("en", "hoodie", "HOODIES", Why.FORM),
        ("en", "edition", "EDITOR", Why.KIN),
        ("en", "rugged", "RUG", Why.PERHAPS_KIN),
        ("en", "cocktail", "PEACOCK", None),
        ("en", "teacher", "TOKEN", None),
        ("en", "outlook", "OUTSIDE", None),
        ("en", "button", "BUTT", None),
        ("it", "moda", "MODO", None),
        ("it", "viavai", "FERROVIA", None),
        ("it", "riccione", "RICCIO", None),
    ],
)
def test_the_reason_is_true(lang: str, clue: str, word: str, told: Why | None) -> None:
    # CL-2, CL-7
    assert why(opinion(clue, 1, [word], lang=lang)) is told
