"""The tests of the rules, the journal, the engine and the referee, upon aarch64."""

import re
from pathlib import Path

import pytest
from suite import at_the_suite, run_suite

pytestmark = [pytest.mark.machine, pytest.mark.torture]


def test_the_suite_is_green_on_arm64(scratch: Path) -> None:
    with at_the_suite(scratch, cores=2) as machine:
        done = run_suite(machine, "-n", "2")
    print(done.out, done.err)
    assert done.status == 0
    passed = re.search(r"(\d+) passed", done.out)
    assert passed
    assert int(passed[1]) > 2000
