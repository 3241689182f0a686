"""The contract of `ConsoleInputs`: one suite that every driver must pass.

A driver joins by a class in a `test_contract*.py` whose fixture ``rig`` gives an `InputsRig`.
"""

from collections.abc import Sequence
from typing import Protocol

from pi_table.devices.hal.contracts import ConsoleInputs, Input

EVERY = (*Input,)


class InputsRig(Protocol):
    """Inputs on the bench, and the hand that turns and presses them."""

    inputs: ConsoleInputs
    has: frozenset[Input]
    """The inputs of the device."""

    def do(self, given: Input) -> None:
        """Do with the device what makes this input; the peek button is let go where it is held."""


class InputsContract:
    """The contract of the inputs of every console."""

    def test_every_input_that_there_is_is_reported_once_and_in_order(self, rig: InputsRig) -> None:
        reported: list[Input] = []
        rig.inputs.start(reported.append)
        assert reported == []
        assert _done(rig, EVERY * 2) == reported
        rig.inputs.close()

    def test_nothing_is_reported_from_before_the_start(self, rig: InputsRig) -> None:
        _done(rig, EVERY)
        reported: list[Input] = []
        rig.inputs.start(reported.append)
        assert reported == []
        assert _done(rig, EVERY) == reported
        rig.inputs.close()

    def test_nothing_is_reported_after_closing_which_may_be_done_twice(
        self, rig: InputsRig
    ) -> None:
        reported: list[Input] = []
        rig.inputs.start(reported.append)
        rig.inputs.close()
        rig.inputs.close()
        _done(rig, EVERY)
        assert reported == []

    def test_inputs_that_were_never_started_can_be_closed(self, rig: InputsRig) -> None:
        rig.inputs.close()


def _done(rig: InputsRig, inputs: Sequence[Input]) -> list[Input]:
    """Do all that the device has; answer with what must be reported of it."""
    done = [given for given in inputs if given in rig.has]
    for given in done:
        rig.do(given)
    return done
