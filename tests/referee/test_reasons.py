"""The reasons: every one has a sentence in each language, short enough for the screen."""

import pytest

from pi_table.games.referee.opinion import opinion
from pi_table.games.referee.reasons import LANGUAGES, MAX_SHOWN, Reason, Why

LONGEST_SENTENCE = 90 + 2 * MAX_SHOWN


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("why", Why)
def test_every_reason_is_a_short_sentence_in_every_language(why: Why, lang: str) -> None:
    told = Reason(why, "chiave", "portachiavi", "chiave").text(lang)
    assert len(told) <= 90
    assert told[0].isupper() or told[0] in "“«"
    assert told[-1] in ".?"


def test_a_long_clue_is_cut_where_it_is_shown() -> None:
    reason = opinion("x" * 200, 1, []).reason
    assert reason is not None
    assert f"{'x' * (MAX_SHOWN - 1)}…" in reason.text("en")
    assert len(reason.text("it")) < LONGEST_SENTENCE


def test_the_reason_names_the_word_it_is_about_and_its_part() -> None:
    reason = opinion("snowshoe", 1, ["RIVER", "HORSESHOE"]).reason
    assert reason is not None
    assert "HORSESHOE" in reason.text("en")
    assert "“shoe”" in reason.text("en")
    assert "«shoe»" in reason.text("it")


def test_the_clue_is_told_as_it_was_typed_but_for_its_case() -> None:
    reason = opinion("Gribbelfump", 1, []).reason
    assert reason is not None
    assert "Gribbelfump" in reason.text("en")
