"""What failed is tried again later and later, and told once."""

import logging

import pytest

from pi_table.collector.telling import LATEST_SECONDS, Backoff


def test_each_try_that_fails_is_followed_by_a_later_one() -> None:
    now = 0.0
    backoff = Backoff(lambda: now)
    waits = []
    for _ in range(10):
        assert backoff.due()
        backoff.failed()
        waits.append(backoff.left())
        now += backoff.left()
    assert waits[:4] == [0.5, 1.0, 2.0, 4.0]
    assert waits[-1] == LATEST_SECONDS


def test_what_fails_twice_before_the_next_try_is_one_failure() -> None:
    backoff = Backoff(lambda: 7.0)
    assert backoff.failed()
    assert not backoff.failed()
    assert backoff.left() == 0.5


def test_after_a_success_the_next_try_comes_soon_again() -> None:
    backoff = Backoff(lambda: 7.0)
    backoff.failed()
    assert not backoff.due()
    backoff.succeeded()
    assert backoff.due()
    backoff.failed()
    assert backoff.left() == 0.5


def test_what_is_wrong_is_told_once_until_all_was_well(caplog: pytest.LogCaptureFixture) -> None:
    backoff = Backoff(lambda: 7.0)
    with caplog.at_level(logging.WARNING):
        for what in ("away", "away", "full", "away"):
            backoff.say_once(what)
        backoff.succeeded()
        backoff.say_once("away")
    assert [record.getMessage() for record in caplog.records] == ["away", "full", "away"]
