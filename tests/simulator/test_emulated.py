"""Whole games through the controller's firmware: from the finger on the chip to the lights' wire.

The firmware runs in virtual time, compiled for this machine and as the chip's own binary.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, get_args

import pytest
from xvfb import wait_until

from pi_table import cli
from pi_table.common.geometry import PLACES, for_each_led, leds_of
from pi_table.devices.hal.simulated import DARK
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.simulator import demonstration
from pi_table.simulator.emulated import Build, EmulatedTable
from pi_table.simulator.headless import run
from pi_table.simulator.processes import hands_at
from pi_table.simulator.virtual_controller import VirtualController

DEMONSTRATION = Path(demonstration.__file__).with_suffix(".jsonl")
FIRST_TURN = 19
"""Lines of it. The chip's emulator takes seven seconds for the whole."""
LATE = 0.06
"""Seconds by which a real finger's guess may come later than a simulated one's."""


@pytest.fixture(params=get_args(Build))
def table(request: pytest.FixtureRequest) -> Iterator[EmulatedTable]:
    with EmulatedTable(request.param) as table:
        yield table


def written(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("build", "count"), [("host", None), ("emulated", FIRST_TURN), ("pi", None)]
)
def test_a_game_is_the_same_through_the_firmware(
    tmp_path: Path, build: Build, count: int | None
) -> None:
    lines = DEMONSTRATION.read_text().splitlines()[:count]
    run(lines, tmp_path / "simulated")
    with EmulatedTable(build) as table:
        run(lines, tmp_path / "firmware", device=VirtualController(table))
    simulated, firmware = (written(tmp_path / kind, "public") for kind in ("simulated", "firmware"))
    assert [entry["view"] for entry in firmware] == [entry["view"] for entry in simulated]
    for one, other in zip(simulated, firmware, strict=True):
        assert 0 <= other["at"] - one["at"] < LATE


def test_what_a_cell_was_is_seen_on_the_wire_of_the_lights(
    tmp_path: Path, table: EmulatedTable
) -> None:
    key = "rrrrrrrrrbbbbbbbbnnnnnnna"
    run(
        [
            json.dumps({"game": {"profile": "codenames", "key": key}}),
            '{"at": 1, "act": {"seat": "red-spymaster", "act": "clue", "number": 2}}',
            '{"at": 2, "touch": "A1"}',
            '{"at": 2.6, "release": "A1"}',
            '{"at": 4, "touch": "B1"}',
            '{"at": 4.6, "release": "B1"}',
            '{"at": 9, "say": "the end"}',
        ],
        tmp_path,
        device=VirtualController(table),
    )
    last = written(tmp_path, "lights")[-1]["leds"]
    seen = [tuple(bytes.fromhex(colour[1:])) for colour in last[:100]]
    red = [led for led, (red, green, blue) in enumerate(seen) if red > 8 * max(green, blue)]
    assert red == [*leds_of(0), *leds_of(1)]
    assert all(shown.whole for shown in table.new_frames())


def test_every_place_is_felt_and_lit_as_itself(table: EmulatedTable) -> None:
    """Wiring, firmware and wire agree about which place is which."""
    device = VirtualController(table)
    felt: list[frozenset[int]] = []
    device.start(lambda frame: felt.append(frame.touched))
    for place in range(len(PLACES)):
        device.touch(place)
        device.show(for_each_led([0xFF * (other == place) for other in range(len(PLACES))]))
        _advance(device, 0.1)
        assert felt[-1] == {place}
        assert [led for led, colour in enumerate(device.shown) if colour] == [*leds_of(place)]
        device.release(place)
        _advance(device, 0.1)
        assert felt[-1] == frozenset()


def _advance(device: VirtualController, seconds: float) -> None:
    end = device.now + seconds
    while device.now < end:
        device.advance(end)


def test_the_command_line_plays_a_scenario_through_the_chip(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.jsonl"
    scenario.write_text(
        '{"game": {"profile": "codenames", "key": "rrrrrrrrrbbbbbbbbnnnnnnna"}}\n'
        '{"at": 1, "act": {"seat": "red-spymaster", "act": "clue", "number": 1}}\n'
        '{"at": 2, "touch": "C2"}\n{"at": 2.6, "release": "C2"}\n'
    )
    out = tmp_path / "out"
    told = cli.main(
        [
            "simulate",
            "--headless",
            "--controller",
            "emulated",
            "--scenario",
            str(scenario),
            "--out",
            str(out),
        ]
    )
    assert told == 0
    public = written(out, "public")
    assert public[-1]["view"]["cells"]["C2"]["covered"] == "red"
    assert 2.4 < public[-1]["at"] < 2.4 + LATE


def test_the_controller_on_the_pi_has_the_string_of_its_layout_in_real_time(tmp_path: Path) -> None:
    """The hourglass's light is behind the 27th of the tiles' lights, and within a string's 50."""
    lit = for_each_led([0] * (len(PLACES) - 1) + [0x0000FF])
    with hands_at(tmp_path, tmp_path, "pi", "string-100") as hands:
        port = str(tmp_path / "controller")
        with open_line(port) as line:
            conversation = Conversation(line, port)

            def is_seen() -> bool:
                for frame in (DARK, lit):  # eyes that open late see the next change
                    conversation.show(frame)
                    conversation.state()
                return any(hands.lights(monotonic()))

            wait_until(is_seen, "the light")
            seen = hands.lights(monotonic())
    assert [led for led, colour in enumerate(seen) if colour] == [*leds_of(len(PLACES) - 1)]
