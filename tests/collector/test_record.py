"""The collector's reading of payloads: a record, faults, or a sentence with the reason why not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from told_games import played, told

from pi_table.common.errors import InputError
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.topics import Topics
from pi_table.fleet.collector.record import (
    COMMANDS,
    MAX_PAYLOAD_BYTES,
    Faults,
    Record,
    is_clock_doubtful,
    read,
)

TOPIC = "pi-table/rome-1/record"
GOOD = msgspec.to_builtins(told(played(0)))
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def changed(**fields: Any) -> bytes:
    return msgspec.json.encode({**GOOD, **fields})


def test_what_a_bridge_tells_is_read() -> None:
    game = played(1)
    heard = read("a/b/rome-1/record", payloads.record(game, "rome-1", "0.7.0"), ("a/b",))
    assert isinstance(heard.what, Record)
    assert (heard.table, heard.what.table, heard.what.version) == ("rome-1", "rome-1", "0.7.0")
    assert [getattr(heard.what, name) for name in game.__struct_fields__] == [
        getattr(game, name) for name in game.__struct_fields__
    ]


def test_a_record_of_a_newer_table_is_read_without_what_is_new() -> None:
    heard = read(TOPIC, changed(weather="fine"), ("pi-table",))
    assert heard.what == msgspec.convert(GOOD, Record)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "cannot be read"),
        (b"\xff{", "cannot be read"),
        (b"[" * 5000, "cannot be read"),
        (b"{}", "missing required field"),
        (changed(seconds="long"), "Expected `float`"),
        (changed(game="0" * 31), "not an id of 32"),
        (changed(game="G" * 32), "not an id of 32"),
        (changed(number=-1), "number is out of range"),
        (changed(number=2**31), "number is out of range"),
        (changed(turns=2**31), "turns is out of range"),
        (changed(revision=1001), "revision is out of range"),
        (changed(seconds=-0.5), "seconds are out of range"),
        (changed(seconds=2.0**31), "seconds are out of range"),
        (changed(begun="yesterday"), "begun is not a time"),
        (changed(begun="2026-11-24T12:00:00"), "no offset"),
        (changed(begun="0001-01-01T00:00:00+02:00"), "begun is not a time"),
        (changed(table="rome-2"), "another table"),
        (changed(lang="it\0"), "U+0000"),
        (changed(profile="x" * 201), "too long"),
        (changed(dealt=["SEA\0"]), "U+0000"),
        (changed(dealt=["SEA"] * 5001), "more dealt"),
        (changed(outcome={**GOOD["outcome"], "score": -1}), "score is out of range"),
        (changed(outcome={**GOOD["outcome"], "score": 2**31}), "score is out of range"),
        (changed(outcome={**GOOD["outcome"], "why": "rain"}), "Invalid enum value"),
        (changed(guesses=[{"team": "red", "word": "SEA", "was": "good"}]), "result of a guess"),
        (changed(guesses=[{"team": "red", "word": "x" * 201, "was": "right"}]), "too long"),
        (
            changed(clues=[{"team": "red", "word": None, "number": -1, "seconds": 1}]),
            "number of a clue",
        ),
        (
            changed(clues=[{"team": "red", "word": None, "number": 2**31, "seconds": 1}]),
            "number of a clue",
        ),
        (
            changed(clues=[{"team": "red", "word": None, "number": 1, "seconds": -1}]),
            "seconds of a clue",
        ),
        (changed(version=" " * MAX_PAYLOAD_BYTES), "more than 262,144"),
    ],
)
def test_what_cannot_be_read_says_why(payload: bytes, why: str) -> None:
    with pytest.raises(InputError) as refused:
        read(TOPIC, payload, ("pi-table",))
    assert why in str(refused.value)


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(msgspec.json.encode)
)
def test_whatever_comes_is_read_or_refused(payload: bytes) -> None:
    with pytest.raises(InputError):
        read(TOPIC, payload, ("pi-table",))


def test_nothing_in_the_topic_of_faults_says_that_nothing_is_wrong() -> None:
    # So it comes where the operator clears what the broker keeps of a table that is gone.
    assert read("pi-table/rome-1/faults", b"", ("pi-table",)).what == Faults(())
    with pytest.raises(InputError):
        read(TOPIC, b"", ("pi-table",))


def test_faults_are_read_as_the_bridge_tells_them() -> None:
    payload = b'{"count": 1, "faults": ["The table is wet."], "out_of_order": false}'
    heard = read("pi-table/rome-1/faults", payload, ("pi-table",))
    assert (heard.table, heard.what) == ("rome-1", Faults(("The table is wet.",)))


@pytest.mark.parametrize("payload", [b'{"faults": "wet"}', b'{"faults": ["\\u0000"]}', b"null"])
def test_faults_that_are_none_are_refused(payload: bytes) -> None:
    with pytest.raises(InputError):
        read("pi-table/rome-1/faults", payload, ("pi-table",))


@pytest.mark.parametrize(
    ("begun", "is_doubtful"),
    [
        (datetime(1970, 1, 1, 0, 3, tzinfo=UTC), True),
        (datetime(2023, 12, 31, 23, 59, tzinfo=UTC), True),
        (datetime(2024, 1, 1, tzinfo=UTC), False),
        (NOON, False),
        (NOON + timedelta(days=1), False),
        (NOON + timedelta(days=1, seconds=1), True),
    ],
)
def test_a_clock_that_was_never_set_or_is_ahead_is_doubted(
    begun: datetime, is_doubtful: bool
) -> None:
    assert is_clock_doubtful(begun, NOON) is is_doubtful


@pytest.mark.parametrize(
    ("topic", "prefixes", "place"),
    [
        ("pi-table/rome-1/record", ("pi-table",), ("", "rome-1")),
        ("pi-table/north/rome-1/record", ("pi-table",), ("north", "rome-1")),
        ("pi-table/north/rome-1/record", ("pi-table", "pi-table/north"), ("", "rome-1")),
        ("other/north/rome-1/record", ("pi-table", "other"), ("north", "rome-1")),
        ("pi-table//rome-1/record", ("pi-table",), ("", "rome-1")),
    ],
)
def test_the_level_between_prefix_and_table_is_the_bar(
    topic: str, prefixes: tuple[str, ...], place: tuple[str, str]
) -> None:
    heard = read(topic, changed(), prefixes)
    assert (heard.bar, heard.table) == place


@pytest.mark.parametrize(
    ("topic", "why"),
    [
        ("other/rome-1/record", "does not begin with the prefix"),
        ("pi-table", "does not begin with the prefix"),
        ("pi-tables/rome-1/record", "does not begin with the prefix"),
        ("pi-table/record", "another table"),
        ("pi-table/rome-1/do/record", "a command to a table"),
        (f"pi-table/{'n' * 201}/rome-1/record", "too long"),
    ],
)
def test_a_topic_that_is_no_tables_is_rejected(topic: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read(topic, changed(), ("pi-table",))


def test_commands_have_the_level_that_the_bridge_hears_them_in() -> None:
    commands = Topics("pi-table", "rome-1", "").commands
    assert f"pi-table/rome-1/{COMMANDS}/+" in commands
