"""Bring-up steps without the controller: parts, Pi, knob, screen, loudspeaker, closed box."""

import asyncio
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Final

from pi_table.common.language import join_texts, say
from pi_table.devices.hal.contracts import Input
from pi_table.devices.hal.registry import PARTS, SOUND
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.synthesis import synthesise
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.board_findings import board
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.machine_findings import machine
from pi_table.maintenance.bring_up.sound_findings import loudspeaker
from pi_table.maintenance.bring_up.surroundings_findings import disk, light_of_the_screen
from pi_table.maintenance.bring_up.surroundings_findings import screen as screen_finding

INPUT_SECONDS: Final = 30.0
"""Timeout in seconds for the person to turn or press a control."""


def parts(bench: Bench) -> Iterator[Finding]:
    yield bench.ask_maker(
        "parts",
        say(
            "Is every part of the list there, each board free of shorts to the eye, each print "
            "whole?"
        ),
        say("Everything is there."),
        Finding(
            "parts",
            Verdict.BROKEN,
            say("Something is missing."),
            say("hardware/parts.csv lists every part, and where to buy it."),
        ),
    )


def pi(bench: Bench) -> Iterator[Finding]:
    yield from machine(bench.root)
    yield from board(bench.config, bench.root)
    yield disk(bench.config.paths.journal.parent, bench.root)


# The knob and the buttons

ASKED: Final = (
    (Input.RIGHT, say("Turn the knob one step to the right, clockwise")),
    (Input.LEFT, say("Turn the knob one step to the left")),
    (Input.PRESS, say("Press the knob")),
    (Input.BACK, say("Press the button back")),
    (Input.PEEK, say("Press the button peek, and hold it")),
    (Input.UNPEEK, say("Let go of peek")),
)
WIRES: Final = {
    Input.RIGHT: ("encoder_a", "encoder_b"),
    Input.LEFT: ("encoder_a", "encoder_b"),
    Input.PRESS: ("press",),
    Input.BACK: ("back",),
    Input.PEEK: ("peek",),
    Input.UNPEEK: ("peek",),
}
"""For each input, the keys in [console] that name its pins."""


def knobs(bench: Bench) -> Iterator[Finding]:
    """Check that each turn of the knob and each button causes the right input."""
    console = bench.config.console
    if console.inputs == "none":
        yield Finding(
            "knobs",
            Verdict.NOT_HERE,
            say("The configuration has none: [console] inputs is 'none'."),
        )
        return
    given: SimpleQueue[Input] = SimpleQueue()
    inputs = bench.inputs(bench.config)
    try:
        inputs.start(given.put)
        accepted: Input | None = None
        for wanted, words in ASKED:
            while not given.empty():
                given.get()
            bench.maker.show_task(say("{words}.", words=words))
            try:
                came = _next_input(given, accepted)
            except Empty:
                yield _not_felt(bench, wanted, words)
                return
            if came is not wanted:
                yield _wrong_input(bench, wanted, came)
                return
            accepted = came
    finally:
        inputs.close()
    yield Finding("knobs", Verdict.OK, say("The knob and both buttons work, each as itself."))


def _next_input(given: SimpleQueue[Input], accepted: Input | None) -> Input:
    """Return the next input that differs from ``accepted``, the input of the task before. Raises
    Empty after `INPUT_SECONDS`."""
    # A hand easily turns the knob one step too far, or presses a button twice.
    deadline = time.monotonic() + INPUT_SECONDS
    came = accepted
    while came is accepted or came is None:
        came = given.get(timeout=max(0.0, deadline - time.monotonic()))
    return came


def _pins(bench: Bench, given: Input) -> str:
    console = bench.config.console
    return join_texts(" and ", (f"{name} (GPIO{getattr(console, name)})" for name in WIRES[given]))


def _not_felt(bench: Bench, wanted: Input, words: str) -> Finding:
    return Finding(
        "knobs",
        Verdict.BROKEN,
        say(
            "{words}: nothing was felt within {input_seconds} s.",
            words=words,
            input_seconds=f"{INPUT_SECONDS:.0f}",
        ),
        say(
            "Look at the wire of {pins}, and at the ground of the contact.",
            pins=_pins(bench, wanted),
        ),
        figures={"fault": "not felt", "input": wanted.value},
    )


def _wrong_input(bench: Bench, wanted: Input, came: Input) -> Finding:
    if {wanted, came} == {Input.RIGHT, Input.LEFT}:
        says = say("The knob turns the wrong way round.")
        do = say("Exchange the wires of {pins}.", pins=_pins(bench, Input.RIGHT))
    else:
        says = say(
            "Expected {value}, but felt {value_2}.",
            value=repr(wanted.value),
            value_2=repr(came.value),
        )
        do = say(
            "Exchange the wires of {pins} and {pins_2}.",
            pins=_pins(bench, wanted),
            pins_2=_pins(bench, came),
        )
    figures: dict[str, object] = {"fault": "mixed up", "input": wanted.value, "felt": came.value}
    return Finding("knobs", Verdict.BROKEN, says, do, figures=figures)


# The screen, the loudspeaker, the box


def screen(bench: Bench) -> Iterator[Finding]:
    """Check that a screen is connected, and that the console can draw on it."""
    yield screen_finding(bench.root, bench.config.console)
    if bench.config.console.screen == "none":
        return
    yield light_of_the_screen(bench.root, bench.config.console.backlight)


def sound(bench: Bench) -> Iterator[Finding]:
    """Check that the loudspeaker's device plays. Then ask the maker whether the sound was heard."""
    finding = loudspeaker(bench.config)
    yield finding
    if finding.verdict is not Verdict.OK:
        return
    asyncio.run(_play(bench))
    yield bench.ask_maker(
        "heard",
        say("Did the loudspeaker play two notes that rise?"),
        say("It can be heard."),
        Finding(
            "heard",
            Verdict.BROKEN,
            say("The device takes sound, and nothing is heard."),
            say(
                "Look at both wires of the loudspeaker (neither goes to ground), at the "
                "amplifier's 5 V, and at its SD pin, which switches it off; then whether [sound] "
                "device is the amplifier and not another card."
            ),
        ),
    )


async def _play(bench: Bench) -> None:
    clip = synthesise(SCORES[Sound.TURN_RED])
    sounder = SOUND.opener(bench.config.sound.driver, PARTS)(
        bench.config, asyncio.get_running_loop()
    )
    try:
        sounder.switch_on(lambda trouble: None)
        sounder.play(clip)
        await asyncio.sleep(clip.seconds + 0.5)
    finally:
        sounder.close()


def _look_for_screen(bench: Bench) -> Finding:
    return bench.ask_maker(
        say("hidden screen"),
        say(
            "Sit on each of the other three sides, then stand: is no part of the screen to be seen?"
        ),
        say("The screen is hidden."),
        Finding(
            say("hidden screen"),
            Verdict.BROKEN,
            say("The key could be seen."),
            say(
                "Check that the hood is pushed in up to its stop, and that the screen is in its "
                "slot; enclosure/ says how high the hood has to be."
            ),
        ),
    )


def check_closed_table(bench: Bench) -> Iterator[Finding]:
    """Ask the maker whether the closed table hides its screen, and whether its surface is
    closed."""
    if bench.config.console.screen != "none":
        yield _look_for_screen(bench)
    yield bench.ask_maker(
        "rim",
        say("Does the overlay lie flat in its rim all round, and does light stay in its cell?"),
        say("The surface is closed."),
        Finding(
            "rim",
            Verdict.BROKEN,
            say("A drink could get in, or a neighbour's light."),
            say("Take the overlay off, look for anything on the walls, and put it back."),
        ),
    )
