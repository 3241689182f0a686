"""Rate limits, and backoff: what failed is tried again later and later, and logged once."""

import logging

import pytest

from pi_table.common.pacing import Backoff, RateLimit


def test_a_burst_is_spent_and_comes_back() -> None:
    limit = RateLimit(burst=3, per_second=2)
    assert [limit.spend(1, 10.0) for _ in range(4)] == [True, True, True, False]
    assert not limit.is_full(10.0)
    assert not limit.spend(1, 10.4)
    assert limit.spend(1, 10.6)
    assert limit.is_full(100.0)
    assert [limit.spend(1, 100.0) for _ in range(4)] == [True, True, True, False]


def test_each_try_that_fails_is_followed_by_a_later_one() -> None:
    backoff, now, waits = Backoff(first=0.5, longest=60.0), 7.0, []
    for _ in range(10):
        assert backoff.seconds_left(now) == 0
        backoff.on_failure(now)
        waits.append(backoff.seconds_left(now))
        now += waits[-1]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def test_what_fails_twice_before_the_next_try_is_one_failure() -> None:
    backoff = Backoff(first=0.5, longest=60.0)
    assert backoff.on_failure(7.0)
    assert not backoff.on_failure(7.25)
    assert backoff.seconds_left(7.25) == 0.25


def test_after_a_success_the_next_try_comes_soon_again() -> None:
    backoff = Backoff(first=0.5, longest=60.0)
    backoff.on_failure(7.0)
    backoff.on_failure(8.0)
    assert backoff.seconds_left(8.0) == 1.0
    backoff.on_success()
    assert backoff.seconds_left(8.0) == 0
    backoff.on_failure(8.0)
    assert backoff.seconds_left(8.0) == 0.5


def test_what_is_wrong_is_logged_once_until_all_was_well(caplog: pytest.LogCaptureFixture) -> None:
    backoff = Backoff(first=0.5, longest=60.0)
    with caplog.at_level(logging.WARNING):
        for what in ("away", "away", "full", "away"):
            backoff.say_once(what)
        backoff.on_success()
        backoff.say_once("away")
    assert [record.getMessage() for record in caplog.records] == ["away", "full", "away"]
