"""Damaged bursts on the wire, both ways: no wrong, doubled or reordered touch, and no light that
was not ordered."""

import pytest
from stormy import Storm

from pi_table.simulator.emulated import Build


@pytest.mark.parametrize(("build", "bursts"), [("host", 1_000), ("emulated", 100), ("pi", 500)])
def test_a_storm_brings_nothing_that_was_not_so(build: Build, bursts: int) -> None:
    figures = Storm(build, seed=1).rage(bursts)
    assert figures.touches
    assert figures.lights_shown


@pytest.mark.torture
@pytest.mark.parametrize(
    ("build", "bursts"), [("host", 1_000_000), ("emulated", 20_000), ("pi", 200_000)]
)
def test_a_great_storm_brings_nothing_that_was_not_so(
    build: Build, bursts: int, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = Storm(build, seed=2).rage(bursts)
    with capsys.disabled():
        print(f"\n{build}: {figures}")
