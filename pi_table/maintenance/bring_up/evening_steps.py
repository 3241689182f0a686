"""The bring-up steps of a table built in one evening: foil, foam board, ready-wired light string.

`hardware/EVENING.md` has a chapter for each step, with the same name and in the same order.
"""

from collections.abc import Iterator
from typing import Final

from pi_table.common.language import say
from pi_table.maintenance.bring_up import controller_steps, light_steps, string_lights
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.steps import STEPS, Step, has_controller


def parts(bench: Bench) -> Iterator[Finding]:
    yield bench.ask_maker(
        "parts",
        say("Is every part of the list there?"),
        say("Everything is there."),
        Finding(
            "parts",
            Verdict.BROKEN,
            say("Something is missing."),
            say("hardware/evening/parts.csv lists every part, and where to buy it."),
        ),
    )


def lattice(bench: Bench) -> Iterator[Finding]:
    yield bench.ask_maker(
        say("light cells"),
        say("Do all walls stand upright and end at the same height, and do no two cells meet?"),
        say("Each cell is closed."),
        Finding(
            say("light cells"),
            Verdict.BROKEN,
            say("Light would reach a neighbour, or the front would not lie flat."),
            say("Cut what stands up, and close each gap with white tape."),
        ),
    )


def power(bench: Bench) -> Iterator[Finding]:
    """Check the supply in white light. The string has its own supply, which only the maker's
    multimeter sees."""
    for finding in light_steps.white(bench):
        yield finding
        if finding.verdict is Verdict.BROKEN:
            return
    yield bench.ask_maker(
        "string",
        say("Did it show 4.5 V or more while the lights were white?"),
        say("The string's end has its voltage in white light."),
        Finding(
            "string",
            Verdict.BROKEN,
            say("The string's end has too little voltage in white light."),
            say(
                "Measure at the string's first light and at the socket, too. Where the voltage "
                "drops, solder the joints of the supply's wires again; if it is low at the socket, "
                "tighten its screws, or replace the supply."
            ),
        ),
    )


def calibration(bench: Bench) -> Iterator[Finding]:
    """Check the electrodes again, because the table has been closed since. If they are in order,
    check every pad with a finger. If that works, check the interrupt wire."""
    for check in (
        controller_steps.pads,
        controller_steps.fingers,
        controller_steps.interrupt_wire,
    ):
        broken = False
        for finding in check(bench):
            yield finding
            broken = broken or finding.verdict is Verdict.BROKEN
        if broken:
            return


def foil(bench: Bench) -> Iterator[Finding]:
    yield bench.ask_maker(
        say("plates"),
        say(
            "Does the multimeter find no contact between any two neighbours of the 27 plates and "
            "four strips, and is nothing loose?"
        ),
        say("Each plate is flat, and alone."),
        Finding(
            say("plates"),
            Verdict.BROKEN,
            say("A loose plate feels fingers that are not there; two that touch feel as one."),
            say("Rub each plate flat, and cut 1 mm of foil away where two touch."),
        ),
    )


_OF_BOARDS: Final = {step.id: step for step in STEPS}

EVENING: Final = (
    Step(
        "parts",
        say("The parts"),
        say("Buy the parts of hardware/EVENING.md."),
        _OF_BOARDS["parts"].see,
        parts,
    ),
    _OF_BOARDS["machine"],
    _OF_BOARDS["controller"],
    Step(
        "chips",
        _OF_BOARDS["chips"].title,
        say(
            "With the power off, connect the three breakouts to pins 1, 3, 5, 9 and 37 of the "
            "Raspberry Pi; no plate yet. Then power on."
        ),
        _OF_BOARDS["chips"].see,
        controller_steps.touch_chips,
        has_controller,
        is_off=True,
    ),
    Step(
        "lattice",
        say("The light cells"),
        say(
            "Cut the box and the lattice of foam board. With the power off, glue the box, but only "
            "lay the lattice in: the string comes under it. Then power on."
        ),
        say("All walls have one height, and each of the 27 cells is closed all round."),
        lattice,
        is_off=True,
    ),
    Step(
        "lights",
        _OF_BOARDS["lights"].title,
        say(
            "With the power off, stick the string to the floor, there and back, one light in each "
            "cell. Connect its data and its supply, and measure that 5 V and ground do not touch. "
            "Put the lattice over it. Then power on."
        ),
        say("Every light glows, in its colours, in its order."),
        string_lights.string,
        is_off=True,
    ),
    Step(
        "power",
        _OF_BOARDS["power"].title,
        say(
            "Clip a multimeter to 5 V and ground of the string's last light, and read it while all "
            "lights are white for four seconds."
        ),
        _OF_BOARDS["power"].see,
        power,
    ),
    Step(
        "foil",
        say("The plates"),
        say(
            "Stick the film on the inside of the front. Solder a wire to each of the 27 plates and "
            "four strips, and only then stick them on: the front's plastic melts."
        ),
        say("Every plate is flat, and none touches another."),
        foil,
    ),
    Step(
        "electrodes",
        _OF_BOARDS["electrodes"].title,
        say(
            "With the power off, solder the wires of the 27 plates and four strips to the "
            "breakouts. Leave the front open beside the box, foil up. Power on, hands off."
        ),
        _OF_BOARDS["electrodes"].see,
        controller_steps.pads,
        has_controller,
        is_off=True,
    ),
    Step(
        "calibration",
        _OF_BOARDS["calibration"].title,
        say(
            "With the power off, tape the front into its frame, and close both over the box. Power "
            "on. Lay a card on each cell, as in play, and take your hands and everything else off. "
            "Then hold a finger where you are asked to."
        ),
        _OF_BOARDS["calibration"].see,
        calibration,
        has_controller,
        is_off=True,
    ),
    _OF_BOARDS["game"],
)
"""The bring-up steps of a table that is built in one evening, in order."""
