"""The rate of commands to the table, on the test's own clock."""

from pi_table.common.pacing import RateLimit
from pi_table.fleet.bridge.rate_limit import (
    COMMANDS_A_SECOND,
    MAX_BURST_COMMANDS,
    MIN_REQUEST_SECONDS,
    CommandQueue,
)


def test_the_table_is_asked_five_times_a_second_however_many_wait() -> None:
    waiting, asked = CommandQueue(), 0
    for step in range(10_000):  # one second
        waiting.put(f"kind-{step % 7}", {"step": step})
        asked += waiting.take(step / 10_000) is not None
    assert asked == 5
    due = waiting.due()
    assert due is not None
    assert due >= 5 * MIN_REQUEST_SECONDS


def test_of_each_kind_the_newest_waits_and_the_oldest_kind_goes_first() -> None:
    waiting = CommandQueue()
    assert waiting.due() is None
    assert waiting.take(0.0) is None
    assert not waiting.put("volume", {"volume": 1})
    assert not waiting.put("locate", {"seconds": 1})
    assert waiting.put("volume", {"volume": 2})
    assert waiting.take(0.0) == ("volume", {"volume": 2})
    assert waiting.take(0.1) is None
    assert waiting.take(0.2) == ("locate", {"seconds": 1})
    assert waiting.due() is None


def test_settings_of_one_kind_that_wait_are_all_set() -> None:
    """A scene of Home Assistant sets how loud the table is, and whether it is silent, at once."""
    waiting = CommandQueue()
    assert not waiting.put("volume", {"act": "set", "settings": {"volume": 70}})
    assert not waiting.put("volume", {"act": "set", "settings": {"muted": False}})
    assert waiting.put("volume", {"act": "set", "settings": {"volume": 80}})
    asked = {"act": "set", "settings": {"volume": 80, "muted": False}}
    assert waiting.take(0.0) == ("volume", asked)


def test_many_at_once_are_no_flood_and_one_more_is() -> None:
    limit = RateLimit(MAX_BURST_COMMANDS, COMMANDS_A_SECOND)
    for now in (0.0, 3600.0):  # who was silent for an hour may send no more than at first
        assert all(limit.spend(1, now) for _ in range(MAX_BURST_COMMANDS))
        assert not limit.spend(1, now)


def test_a_few_a_second_may_come_for_ever_and_more_may_not() -> None:
    slow, fast = (RateLimit(MAX_BURST_COMMANDS, COMMANDS_A_SECOND) for _ in range(2))
    assert all(slow.spend(1, step / COMMANDS_A_SECOND) for step in range(10_000))
    assert not all(fast.spend(1, step / (2 * COMMANDS_A_SECOND)) for step in range(10_000))
