"""The judge: what is fitted to examples agrees with them."""

import pytest

from pi_table.lab.reckoning.judging import Judge, fit


def test_a_judge_weighs_features() -> None:
    judge = Judge((1.0, -2.0))
    assert judge.chance([2.0, 1.0]) == pytest.approx(0.5)
    assert judge.chance([3.0, 1.0]) == pytest.approx(0.731, abs=0.001)


def test_what_tells_kin_from_others_is_learned() -> None:
    examples = [([1.0, x / 10, 0.5], x > 5 or x == 3) for x in range(11)]
    judge = fit(examples)
    assert judge.chance([1.0, 0.0, 0.5]) < 0.2 < 0.8 < judge.chance([1.0, 1.0, 0.5])


def test_a_feature_that_tells_all_does_not_make_the_weights_grow_without_end() -> None:
    judge = fit([([1.0, 0.0], False), ([1.0, 1.0], True)] * 5)
    assert judge.chance([1.0, 1.0]) > 0.9
    assert max(map(abs, judge.weights)) < 50


def test_what_tells_nothing_leaves_how_many_are_kin() -> None:
    judge = fit([([1.0], True)] * 3 + [([1.0], False)] * 1)
    assert judge.chance([1.0]) == pytest.approx(0.75, abs=0.01)
