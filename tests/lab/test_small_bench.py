"""The benchmark of a small machine: QEMU counts the instructions of the programs."""

from typing import Any

import pytest

from pi_table.lab.arm64.emulated_python import is_there
from pi_table.lab.bench import small
from pi_table.lab.bench.contents import subject_of


@pytest.mark.skipif(not is_there(), reason="needs '.ci/setup.sh small' on Debian 12")
@pytest.mark.paced
@pytest.mark.timeout(900)  # it starts eight emulated programs, beside the other steps of a check
def test_a_guess_a_picture_and_a_start_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "SETTLE_SECONDS", 1.0)
    measured: dict[str, Any] = {
        str(one["name"]): one for one in (*small.guess(1), small.console_frame(2), *small.ready())
    }
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
        assert one["ms"] == pytest.approx(1000 * one["value"] / small.INSTRUCTIONS_PER_SECOND, 0.01)
    assert measured["small/guess"]["value"] < measured["small/guess_in_all"]["value"]
    assert 10**6 < measured["small/console_frame"]["value"] < 10**8
    for program in small.PROGRAMS:
        assert 10**8 < measured[f"small/ready/{program}"]["value"] < 10**9
    # It was longer than the engine's when pygame imported pkg_resources.
    console, engine = (measured[f"small/ready/{each}"]["value"] for each in ("console", "engine"))
    assert console < 0.9 * engine
