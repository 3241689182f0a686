"""The encoder and the buttons, on the mock pins that gpiozero ships with."""

import pytest
from gpiozero.pins.mock import MockFactory

from pi_table.common.errors import DeviceError
from pi_table.devices.hal.contracts import Input
from pi_table.devices.hal.gpiozero_inputs import BOUNCE_SECONDS, GpiozeroInputs

pytestmark = pytest.mark.paced

A, B, PRESS, BACK, PEEK = 17, 27, 22, 23, 24
CLOCKWISE = ((A, 0), (B, 0), (A, 1), (B, 1))
BACKWARDS = ((B, 0), (A, 0), (B, 1), (A, 1))


def drive(pins: MockFactory, *levels: tuple[int, int]) -> None:
    for number, level in levels:
        pin = pins.pin(number)
        if level:
            pin.drive_high()
        else:
            pin.drive_low()


def bouncing(*levels: tuple[int, int], times: int = 20) -> tuple[tuple[int, int], ...]:
    """The same with contacts that open and close so often before they rest."""
    bounced = ((number, level ^ 1) for number, level in levels)
    pairs = zip(levels, bounced, strict=True)
    return tuple(each for to, back in pairs for each in (*((to, back) * times), to))


DRIVEN: list[tuple[str, tuple[tuple[int, int], ...], list[Input]]] = [
    ("a step clockwise", CLOCKWISE, [Input.RIGHT]),
    ("a step back", BACKWARDS, [Input.LEFT]),
    ("three steps and one back", CLOCKWISE * 3 + BACKWARDS, [Input.RIGHT] * 3 + [Input.LEFT]),
    ("forty steps", CLOCKWISE * 40, [Input.RIGHT] * 40),
    ("a step that is not finished", CLOCKWISE[:2] + CLOCKWISE[1::-1], []),
    ("a step with a contact that bounces", ((A, 0), (A, 1), *CLOCKWISE), [Input.RIGHT]),
    ("a step with contacts that all bounce", bouncing(*CLOCKWISE), [Input.RIGHT]),
    ("a step back with contacts that all bounce", bouncing(*BACKWARDS), [Input.LEFT]),
    ("forty steps that bounce", bouncing(*CLOCKWISE * 40, times=3), [Input.RIGHT] * 40),
    ("a knob that shakes on the spot", bouncing((A, 0), (A, 1), (B, 0), (B, 1)), []),
    ("a press", ((PRESS, 0), (PRESS, 1)), [Input.PRESS]),
    ("a press that is held", ((PRESS, 0),), [Input.PRESS]),
    ("back, then peek", ((BACK, 0), (BACK, 1), (PEEK, 0)), [Input.BACK, Input.PEEK]),
    ("peek, and let go", ((PEEK, 0), (PEEK, 1)), [Input.PEEK, Input.UNPEEK]),
    ("turned while pressed", ((PRESS, 0), *CLOCKWISE, (PRESS, 1)), [Input.PRESS, Input.RIGHT]),
]


@pytest.mark.parametrize(("levels", "expected"), [row[1:] for row in DRIVEN])
def test_contacts_become_inputs_in_order(
    pins: MockFactory, levels: tuple[tuple[int, int], ...], expected: list[Input]
) -> None:
    inputs = GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins)
    reported: list[Input] = []
    inputs.start(reported.append)
    drive(pins, *levels)
    assert reported == expected
    inputs.close()


def test_nothing_is_reported_before_the_start_or_after_the_end(pins: MockFactory) -> None:
    inputs = GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins)
    drive(pins, *CLOCKWISE, (PRESS, 0), (PRESS, 1))
    reported: list[Input] = []
    inputs.start(reported.append)
    inputs.close()
    inputs.close()
    drive(pins, *CLOCKWISE, (PRESS, 0), (PRESS, 1), (PEEK, 0))
    assert reported == []


def test_pins_are_pulled_up_and_buttons_debounced(pins: MockFactory) -> None:
    inputs = GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins)
    assert [pins.pin(number).pull for number in (A, B, PRESS, BACK, PEEK)] == ["up"] * 5
    assert [pins.pin(number).bounce for number in (PRESS, BACK, PEEK)] == [BOUNCE_SECONDS] * 3
    inputs.close()


def test_pins_can_be_opened_again_after_they_were_closed(pins: MockFactory) -> None:
    GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins).close()
    GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins).close()


@pytest.mark.parametrize("peek", [99, PRESS])
def test_pins_that_cannot_be_used_are_named_and_all_are_let_go(
    pins: MockFactory, peek: int
) -> None:
    with pytest.raises(DeviceError, match=rf"17, 27, 22, 23 and {peek}.*\[console\]"):
        GpiozeroInputs(A, B, PRESS, BACK, peek, pins)
    GpiozeroInputs(A, B, PRESS, BACK, PEEK, pins).close()


def test_another_pin_library_is_never_taken_in_place_of_the_one_of_the_pi(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    with pytest.raises(DeviceError, match="lgpio"):
        GpiozeroInputs(A, B, PRESS, BACK, PEEK)
