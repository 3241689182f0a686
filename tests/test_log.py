"""The log of a year: whatever fails, and however often, it stays short."""

import logging
from collections.abc import Iterable

import pytest

from pi_table.common.language import say
from pi_table.common.log import (
    DAY,
    MAX_REPEATS_A_DAY,
    MAX_SENTENCES,
    NO_MORE,
    RepeatLimit,
    WithTexts,
    text_below,
)

GONE = "The controller is gone."
BACK = "The touch grid is in order again."


def written(said: Iterable[tuple[float, str]]) -> list[str]:
    """Return the sentences that are written, from pairs of a time in seconds and a sentence."""
    limit, lines = RepeatLimit(), []
    for at, sentence in said:
        record = logging.LogRecord("pi_table", logging.WARNING, "", 0, "%s", (sentence,), None)
        record.created = at
        if limit.filter(record):
            lines.append(record.getMessage())
    return lines


def test_a_cable_that_is_loose_for_a_month_writes_forty_lines_a_day() -> None:
    minutes = int(30 * DAY / 60.0)
    lines = written((1e9 + 60.0 * n, GONE if n % 2 else BACK) for n in range(minutes))
    assert len(lines) == 30 * 2 * MAX_REPEATS_A_DAY
    assert sum(line.endswith(NO_MORE) for line in lines) == 30 * 2


def test_what_else_happens_meanwhile_is_written() -> None:
    said = [(1e9 + n, GONE) for n in range(1000)]
    assert written([*said, (1e9 + 1000.0, "The disk is full.")])[-1] == "The disk is full."


def test_what_happens_now_and_then_is_written_each_time() -> None:
    lines = written((1e9 + n * DAY / 10, GONE) for n in range(3650))
    assert lines == [GONE] * 3650


def test_a_thousand_sentences_of_another_end_are_bounded_too() -> None:
    lines = written((1e9 + n / 10, f"A visitor asked for {n}.") for n in range(100_000))
    assert len(lines) == MAX_SENTENCES + MAX_REPEATS_A_DAY


def test_a_clock_that_is_set_back_silences_nothing() -> None:
    said = [(1e9 + n, GONE) for n in range(1000)]
    assert written([*said, (1e6, GONE)])[-1] == GONE


def test_an_error_has_its_text_below_it_in_systemds_journal_alone() -> None:
    fault = say("Cannot be read: {unreadable}.", unreadable="A1")
    below = (
        '<7>pi-table-text: {"id": "Cannot be read: {unreadable}.", "fields": {"unreadable": "A1"}}'
    )
    assert text_below(fault, {"JOURNAL_STREAM": "8:1"}) == f"\n{below}"
    assert text_below(fault, {}) == ""
    assert text_below("Cannot be read: A1.", {"JOURNAL_STREAM": "8:1"}) == ""


@pytest.mark.parametrize(("level", "has_text"), [(logging.ERROR, True), (logging.WARNING, False)])
def test_what_is_logged_has_its_text(
    level: int, has_text: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")
    record = logging.LogRecord(
        "x", level, "x.py", 1, say("The table stops: {it}.", it="x"), (), None
    )
    first, *rest = WithTexts("%(levelname)s %(message)s").format(record).split("\n")
    assert first == f"{logging.getLevelName(level)} The table stops: x."
    assert [each.startswith("<7>pi-table-text: ") for each in rest] == [True] * has_text
