"""The benches of growth measure real journals and databases, in processes of their own."""

import sys
from typing import Any

import pytest

from pi_table.lab.bench import collector, journal, run
from pi_table.lab.bench.contents import subject_of
from pi_table.lab.bench.peak import measure_command


def by_name(measured: Any) -> dict[str, dict[str, Any]]:
    found = {one["name"]: one for one in measured}
    for name, one in found.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    return found


def test_neither_runs_by_default() -> None:
    assert {"collector", "journal"} <= {*run.ASKED_FOR} - {*run.GROUPS}


def test_a_journal_is_measured_at_each_size() -> None:
    found = by_name(journal.measure(**journal.BRIEF))
    few, many = journal.BRIEF["sizes"]
    assert [*found] == [
        f"journal/{size}/{what}"
        for size in (few, many)
        for what in ("store", "ready", "record", "check")
    ]
    assert found[f"journal/{many}/store"]["size_mb"] > found[f"journal/{few}/store"]["size_mb"]
    assert all(one["value"] > 0 for one in found.values())


def test_a_collector_is_measured_with_each_database() -> None:
    found = by_name(collector.measure(**collector.BRIEF))
    for name in ("sqlite", "postgresql"):
        report = found[f"collector/{name}/report"]
        if report["value"] is None:
            assert name == "postgresql"
            assert report["why"]
            continue
        of_one, of_batch = (found[f"collector/{name}/keep_{of}"] for of in ("one", "batch"))
        assert of_one["value"] > of_batch["value"] > 0
        assert report["games"] == collector.BRIEF["games"]
        assert 0 < found[f"collector/{name}/month"]["value"] < 60
        assert report["peak_mib"] < 60


def test_the_peak_is_of_the_command_and_not_of_its_parent() -> None:
    ballast = bytearray(200 << 20)
    ballast[::4096] = bytes(len(ballast[::4096]))  # so that it is in memory
    cost = measure_command("words", "list")
    assert 10 < cost.mib < 150
    assert 0 < cost.seconds < 60
    assert sys.getsizeof(ballast) > 200 << 20


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(Exception, match="status 2"):
        measure_command("journal", "check", "--config", "/nowhere.toml")
