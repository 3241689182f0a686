"""The referee and people: on the examples of the rules they agree, elsewhere mostly."""

from pathlib import Path

import pytest
from table_of_pairs import Pair, Score, read

from pi_table.games.referee.reasons import Verdict

EXAMPLES = [*read("examples.txt", "en"), *read("esempi.txt", "it")]
LEAST_ALIKE = {
    # the least share of each verdict of people that the referee gives too
    "en": {Verdict.FINE: 0.98, Verdict.DOUBTFUL: 0.96, Verdict.INVALID: 0.97},
    "it": {Verdict.FINE: 0.96, Verdict.DOUBTFUL: 0.90, Verdict.INVALID: 0.98},
}


@pytest.mark.parametrize("pair", EXAMPLES, ids=lambda pair: f"{pair.clue} {pair.board[0]}")
def test_the_examples_of_the_rules_are_judged_as_they_say(pair: Pair) -> None:
    # CL-1 to CL-13, AL-13
    given = pair.judged()
    assert given.verdict is pair.verdict
    if given.verdict is Verdict.FINE:  # also: silent on CL-10 and CL-13
        assert (given.rule, given.reason) == (None, None)
    else:
        assert given.rule == pair.rule
        assert given.reason is not None


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_referee_does_not_fall_behind_on_the_tables_of_people(lang: str) -> None:
    pairs = [*read(f"pairs-{lang}.txt", lang)]
    score = Score.of(pairs)
    print(f"\n{lang}: {len(pairs)} pairs\n{score}")
    assert len(pairs) > 400
    assert score.counts[Verdict.FINE, Verdict.INVALID] == 0
    for people, least in LEAST_ALIKE[lang].items():
        assert score.share(people) >= least


def test_a_score_counts_what_differs() -> None:
    like, other = EXAMPLES[0], EXAMPLES[1]
    assert (like.verdict, other.verdict) == (Verdict.FINE, Verdict.INVALID)
    wrong = Pair(**{**other.__dict__, "verdict": Verdict.DOUBTFUL})
    score = Score.of([like, other, wrong])
    assert (score.share(Verdict.FINE), score.share(Verdict.DOUBTFUL)) == (1, 0)
    assert score.wrongly_invalid() == 1


def test_a_line_of_a_table_is_read_with_its_settings(tmp_path: Path) -> None:
    line = "a | B, C D | fine | CL-1 | house=names,compounds covered=B profile=alias-24 so they say"
    (tmp_path / "table.txt").write_text(f"# nothing\n\n{line}\n")
    (pair,) = read(str(tmp_path / "table.txt"), "en")
    assert (pair.line, pair.clue, pair.board) == (3, "a", ("B", "C D"))
    assert (pair.house, pair.covered, pair.profile) == (("names", "compounds"), ("B",), "alias-24")
