"""Service at a table whose controller is the firmware: by the knob, with fingers on its chips, seen
on the wire of its lights."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from at_the_table import Hands

from pi_table.common.geometry import LED_COUNT, STRIP, place_named
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.service import InService, Pads
from pi_table.simulator.emulated import Build, EmulatedTable
from pi_table.simulator.stage import Stage
from pi_table.simulator.virtual_controller import VirtualController

MAX_MA = 2000
"""Milliamperes that a controller with no settings of its own allows its lights."""


@pytest.fixture(params=get_args(Build))
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hands]:
    """Hands at the page of service."""
    with EmulatedTable(request.param) as table, Stage(device=VirtualController(table)) as stage:
        hands = Hands(stage, tmp_path)
        hands.choose("More…", "Operator…", "Service: try every part")
        yield hands


def told(hands: Hands) -> InService:
    table = hands.stage.console.model.table
    assert table is not None
    assert table.service is not None
    return table.service


def pads(hands: Hands) -> Pads:
    found = told(hands).pads
    assert found is not None
    return found


def lit(hands: Hands) -> set[int]:
    """The LEDs that shine, read off the wire."""
    return {led for led, colour in enumerate(hands.stage.device.shown) if colour}


def test_the_knob_goes_from_light_to_light_and_all_white_is_dimmed_to_the_limit(
    hands: Hands,
) -> None:
    hands.choose("Lights, one by one")
    for light in range(1, 9):
        hands.knob(Input.RIGHT)
        assert lit(hands) == {STRIP[light]}
    hands.wait(0.5)
    one = told(hands)
    assert one.current_ma is not None
    assert one.current_ma < 200
    assert not one.capped
    hands.knob(Input.PEEK, Input.PEEK)
    hands.wait(1.0)
    assert lit(hands) == set(range(LED_COUNT))
    assert told(hands).capped
    assert MAX_MA * 0.9 < (told(hands).current_ma or 0) <= MAX_MA
    assert told(hands).counts["lights_capped"] == 1


def test_fingers_are_seen_on_the_map_and_mean_nothing(hands: Hands) -> None:
    hands.choose("Touch: what each place feels")
    hands.wait(1.0)
    said = hands.stage.console.model.table.said  # type: ignore[union-attr]
    for name in ("A1", "C3", "hourglass"):
        place = place_named(name)
        assert place is not None
        assert (pads(hands).deltas[place] or 0) < pads(hands).thresholds[place]
        hands.stage.device.touch(place)
        hands.wait(1.0)
        assert pads(hands).touched == {place}
        assert (pads(hands).deltas[place] or 0) >= pads(hands).thresholds[place]
        hands.stage.device.release(place)
        hands.wait(1.0)
        assert pads(hands).touched == frozenset()
        assert (pads(hands).deltas[place] or 0) < pads(hands).thresholds[place]
        assert (pads(hands).most[place] or 0) >= pads(hands).thresholds[place]
    assert hands.stage.console.model.table.said == said  # type: ignore[union-attr]
    assert not any(told(hands).counts.values())


def test_when_service_is_left_the_table_stands_as_it_did(hands: Hands) -> None:
    hands.choose("Lights, one by one")
    hands.knob(Input.BACK, Input.BACK)
    assert hands.stage.console.model.table.service is None  # type: ignore[union-attr]
    hands.wait(0.5)
    assert len(lit(hands)) > LED_COUNT / 2
    assert not hands.stage.screen.service
