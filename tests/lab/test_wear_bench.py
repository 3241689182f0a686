"""The benchmark of the card's wear: what a table writes is counted, the clock's part by itself."""

from pathlib import Path
from typing import Any

import pytest

from pi_table.lab.bench import wear
from pi_table.lab.bench.contents import subject_of
from pi_table.table.store.mark import REGION_BYTES


def test_an_evening_is_counted_without_and_with_a_clock() -> None:
    measured: dict[str, Any] = {str(m["name"]): m for m in wear.measure(games=1)}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
        if one["value"] is None:
            assert "root" in one["why"]
    plain, clock = measured["wear/no_clock/evening"], measured["wear/clock/evening"]
    assert plain["acts"] == clock["acts"] > 10
    # An act is one mark, and so is the game's beginning; a clock adds a few between two acts.
    marks = (plain["acts"] + 1) * REGION_BYTES * wear.GAMES / 1e6
    assert marks - 0.01 <= plain["marks_mb"] < 1.1 * marks
    assert 3 < clock["marks_mb"] / plain["marks_mb"] <= 1 + wear.ACT_SECONDS / 12
    for evening in (plain, clock):
        assert evening["marks_mb"] < evening["written_mb"] < 4 * evening["marks_mb"]
        assert evening["value"] is None or 1 < evening["value"] / evening["written_mb"] < 4


def test_where_the_kernel_counts_nothing_no_device_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wear, "DEVICES", tmp_path / "none")
    with wear.card() as used:
        assert used.on_device is None
