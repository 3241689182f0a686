"""Every driver of the console's inputs keeps its contract; a new one adds a class here."""

from collections.abc import Iterator
from typing import Final

import pytest
from gpiozero.pins.mock import MockFactory
from inputs_contract import EVERY, InputsContract
from test_gpiozero_inputs import (
    BACK,
    BACKWARDS,
    CLOCKWISE,
    PEEK,
    PRESS,
    A,
    B,
    drive,
)

from pi_table.common.config import load
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.contracts import Input
from pi_table.devices.hal.gpiozero_inputs import GpiozeroInputs

LEVELS: Final = {
    Input.RIGHT: CLOCKWISE,
    Input.LEFT: BACKWARDS,
    Input.PRESS: ((PRESS, 0), (PRESS, 1)),
    Input.BACK: ((BACK, 0), (BACK, 1)),
    Input.PEEK: ((PEEK, 0),),
    Input.UNPEEK: ((PEEK, 1),),
}
"""Levels of the contacts that make each input."""


class OnMockPins:
    """The encoder and the buttons, on pins that this bench drives."""

    def __init__(self, pins: MockFactory) -> None:
        self.inputs = GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins)
        self.has = frozenset(EVERY)
        self._pins = pins

    def do(self, given: Input) -> None:
        drive(self._pins, *LEVELS[given])


class WithoutAny:
    """A console that has none."""

    def __init__(self) -> None:
        self.inputs = open_inputs(load())
        self.has: frozenset[Input] = frozenset()

    def do(self, given: Input) -> None:
        """It cannot be done."""


class TestGpiozeroInputs(InputsContract):
    @pytest.fixture
    def rig(self) -> Iterator[OnMockPins]:
        pins = MockFactory()
        rig = OnMockPins(pins)
        yield rig
        rig.inputs.close()
        pins.close()


class TestNoInputs(InputsContract):
    @pytest.fixture
    def rig(self) -> WithoutAny:
        return WithoutAny()
