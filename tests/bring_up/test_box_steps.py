"""The steps round the table: knobs, loudspeaker, screen, and what only eyes and ears can tell."""

import io
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import SimpleQueue
from typing import Any

import pytest
from said import BROKEN, LOOK, NOT_HERE, OK

from pi_table.common import config
from pi_table.devices.hal.contracts import Input, LightFrame
from pi_table.devices.hal.registry import LIGHTS
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.maintenance.bring_up import box_steps, light_steps
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.box_steps import check_closed_table, knobs, parts, sound
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.terminal import AtTerminal


class Hands:
    """Somebody who turns and presses what is asked for, at inputs of their own; ``felt`` is what
    comes instead for some of what is asked: one input, several inputs, or None for nothing."""

    def __init__(
        self,
        felt: Mapping[Input, Input | tuple[Input, ...] | None] | None = None,
        says: Sequence[str] = "y",
        asks: bool = True,
    ) -> None:
        self.asks = asks
        self.felt = dict(felt or {})
        self.says = [*says]
        self.asked: list[str] = []
        self.closed = False
        self._on_input: Callable[[Input], None] | None = None

    # The person

    def say(self, text: str) -> None:
        pass

    def show_task(self, text: str) -> None:
        (wanted,) = (given for given, words in box_steps.ASKED if text == f"{words}.")
        came = self.felt.get(wanted, wanted)
        for each in came if isinstance(came, tuple) else (came,):
            if each is not None and self._on_input is not None:
                self._on_input(each)

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self.asked.append(question)
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]

    def read(self, question: str) -> str:
        raise AssertionError(question)

    # The inputs

    def start(self, on_input: Callable[[Input], None]) -> None:
        self._on_input = on_input

    def close(self) -> None:
        self.closed = True


def at(hands: Hands, **sections: dict[str, Any]) -> Bench:
    changes = {"console": {"inputs": "gpiozero"}, **sections}
    return Bench(config.load(changes=changes), hands, inputs=lambda _: hands)


def the(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_knob_and_buttons_that_are_wired_well_are_felt() -> None:
    hands = Hands()
    assert the(knobs(at(hands))).verdict is OK
    assert hands.closed


@pytest.mark.parametrize(
    ("felt", "says", "do"),
    [
        (
            {Input.RIGHT: Input.LEFT},
            "The knob turns the wrong way round.",
            "Exchange the wires of encoder_a (GPIO17) and encoder_b (GPIO27).",
        ),
        (
            {Input.BACK: Input.PEEK},
            "Expected 'back', but felt 'peek'.",
            "Exchange the wires of back (GPIO23) and peek (GPIO24).",
        ),
        (
            {Input.PRESS: Input.BACK},
            "Expected 'press', but felt 'back'.",
            "Exchange the wires of press (GPIO22) and back (GPIO23).",
        ),
        (
            {Input.PEEK: None},
            "Press the button peek, and hold it: nothing was felt within 0 s.",
            "Look at the wire of peek (GPIO24), and at the ground of the contact.",
        ),
        (
            {Input.RIGHT: None},
            "Turn the knob one step to the right, clockwise: nothing was felt within 0 s.",
            "Look at the wire of encoder_a (GPIO17) and encoder_b (GPIO27), and at the ground of "
            "the contact.",
        ),
    ],
)
def test_a_knob_or_button_that_is_wired_wrong_is_named_with_its_pins(
    felt: Mapping[Input, Input | None], says: str, do: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_steps, "INPUT_SECONDS", 0.01)
    hands = Hands(felt)
    finding = the(knobs(at(hands)))
    assert (finding.verdict, finding.says, finding.do) == (BROKEN, says, do)
    assert hands.closed


@pytest.mark.parametrize(
    ("wanted", "last"),
    [(Input.LEFT, Input.RIGHT), (Input.PRESS, Input.LEFT), (Input.BACK, Input.PRESS)],
)
def test_an_input_that_is_repeated_when_the_next_one_is_asked_for_is_no_fault(
    wanted: Input, last: Input
) -> None:
    hands = Hands({wanted: (last, last, wanted)})
    assert the(knobs(at(hands))).verdict is OK


def test_a_knob_that_turns_one_way_only_is_reported_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    class Clock:
        """Each wait takes ten seconds."""

        def monotonic(self) -> float:
            return 10.0 * len(waits)

    class Queue(SimpleQueue[Input]):
        def get(self, block: bool = True, timeout: float | None = None) -> Input:
            if timeout is not None:
                waits.append(timeout)
            return super().get(block=False)

    monkeypatch.setattr(box_steps, "time", Clock())
    monkeypatch.setattr(box_steps, "SimpleQueue", Queue)
    hands = Hands({Input.LEFT: (Input.RIGHT, Input.RIGHT)})
    finding = the(knobs(at(hands)))
    assert (finding.verdict, finding.figures["fault"]) == (BROKEN, "not felt")
    assert waits == [30.0, 30.0, 20.0, 10.0]


def test_a_table_without_a_knob_is_asked_for_none() -> None:
    assert the(knobs(at(Hands(), console={"inputs": "none"}))).verdict is NOT_HERE


@pytest.mark.parametrize("step", [parts, check_closed_table])
def test_what_only_eyes_can_tell_is_asked(step: Callable[[Bench], Any]) -> None:
    assert {each.verdict for each in step(at(Hands()))} == {OK}
    broken = [*step(at(Hands(says="n")))]
    assert {each.verdict for each in broken} == {BROKEN}
    assert all(each.do.endswith(".") for each in broken)
    unasked = Hands(asks=False)
    assert {each.verdict for each in step(at(unasked))} == {LOOK}
    assert unasked.asked == []


def test_a_loudspeaker_is_played_and_asked_after() -> None:
    simulated = {"driver": "simulated"}
    hands = Hands()
    found = [*sound(at(hands, sound=simulated))]
    assert [each.verdict for each in found] == [OK, OK]
    assert hands.asked == ["Did the loudspeaker play two notes that rise? [y]es, [n]o:"]
    silent = [*sound(at(Hands(says="n"), sound=simulated))]
    assert silent[-1].verdict is BROKEN
    assert "amplifier" in silent[-1].do


def test_a_table_without_a_loudspeaker_is_not_asked_after_one() -> None:
    hands = Hands()
    assert the(sound(at(hands))).verdict is NOT_HERE
    assert hands.asked == []


def test_lights_of_another_driver_are_shown_while_the_question_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[LightFrame] = []
    enough = threading.Event()

    class Seen(SimulatedTable):
        def show(self, frame: LightFrame) -> None:
            super().show(frame)
            shown.append(frame)
            if len(shown) > 9:
                enough.set()

    class Waits(Hands):
        def choose(self, question: str, answers: str, unasked: str) -> str:
            assert enough.wait(60)
            return super().choose(question, answers, unasked)

    monkeypatch.setattr(LIGHTS, "opener", lambda driver, parts: lambda c, loop: Seen())
    monkeypatch.setattr(light_steps, "LOOKS", [(*COLOURS[:2], 0.0, *COLOURS[3:])])
    hands = Waits()
    assert the(light_steps.chain(at(hands))).verdict is OK
    assert hands.asked == [f"{COLOURS[3]} [y]es, [n]o:"]
    assert [{*frame} for frame in shown[:3]] == [{colour} for colour in light_steps.COLOURS]
    assert {*shown[-1]} == {0}


COLOURS = light_steps.LOOKS[1]


def test_an_answer_that_is_neither_yes_nor_no_is_asked_for_again() -> None:
    hands = Hands(says="??y")
    assert the(parts(at(hands))).verdict is OK
    assert len(hands.asked) == 3


def test_enter_alone_is_no_answer_to_what_only_eyes_can_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nmaybe\nn\n"))
    assert the(parts(Bench(config.load(), AtTerminal(yes=False)))).verdict is BROKEN


def test_what_is_done_meanwhile_is_done_until_it_is_left() -> None:
    turns: list[int] = []
    enough = threading.Event()

    def turn() -> None:
        turns.append(len(turns))
        if len(turns) > 3:
            enough.set()

    with Bench(config.load(), Hands()).meanwhile(turn):
        assert enough.wait(60)
    done = len(turns)
    assert done > 3
    assert len(turns) == done
