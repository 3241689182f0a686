"""A controller that starts again in the middle of what it says is understood all the same."""

from typing import get_args

import pytest

from pi_table.devices.wire.codec import Deframer
from pi_table.devices.wire.messages import Hello, Start, read
from pi_table.simulator.emulated import Build, EmulatedTable

STATE_LASTS_US = 2500
AT_A_WIRE: list[Build] = ["host", "emulated"]
"""The controller on the Pi writes a frame at once, and so none is cut."""


@pytest.mark.parametrize("build", AT_A_WIRE)
def test_its_hello_comes_through_wherever_the_frame_before_it_was_cut(build: Build) -> None:
    with EmulatedTable(build) as table:
        table.run(300_000)
        table.read()
        cut = 0
        for at in range(0, STATE_LASTS_US, 100):
            deframer = Deframer()
            begun = table.now_us
            while not (heard := table.read()):  # a state begins
                table.run(table.now_us + 50)
                assert table.now_us < begun + 200_000
            table.run(table.now_us + at)
            table.tell("reset")
            before = heard + table.read()
            table.run(table.now_us + 90_000)
            heard = before + table.read()
            messages = [read(message) for message in deframer.feed(heard)]
            cut += deframer.dropped
            hellos = [each for each in messages if isinstance(each, Hello)]
            assert [hello.start for hello in hellos] == [Start.RESET_LINE]
        assert cut > 5, "frames were cut"


@pytest.mark.parametrize("build", get_args(Build))
def test_no_number_of_a_start_comes_twice_though_power_fails_right_after_its_hello(
    build: Build,
) -> None:
    boots = []
    with EmulatedTable(build) as table:
        for _ in range(10):
            deframer = Deframer()
            hellos: list[Hello] = []
            while not hellos:
                table.run(table.now_us + 1000)
                messages = map(read, deframer.feed(table.read()))
                hellos = [each for each in messages if isinstance(each, Hello)]
                assert table.now_us < 10_000_000
            boots.append(hellos[0].boot)
            table.tell("power-cut")
    assert boots == [*range(1, 11)]
