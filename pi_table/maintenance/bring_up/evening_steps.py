"""The bring-up steps of the table of one evening: foil, foam board and a ready-wired string.

`hardware/EVENING.md` has a chapter for each step, with the same name and in the same order.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from pi_table.common.geometry import PLACES
from pi_table.common.language import say
from pi_table.maintenance.bring_up import controller_steps, light_steps
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.light_steps import COLOUR_SECONDS, LOOKS, Look
from pi_table.maintenance.bring_up.steps import STEPS, Step, has_controller
from pi_table.maintenance.bring_up.wiring import CHAIN
from pi_table.maintenance.bring_up.wiring_faults import Fault, fault

PADS_OF_STRING: Final = ("hourglass", "end-turn")
"""The pads in the order of the string. It comes from E5, and the hourglass is nearer."""
STRING: Final = (
    *(place for place in CHAIN if PLACES[place] not in PADS_OF_STRING),
    *(PLACES.index(name) for name in PADS_OF_STRING),
)
"""The places in the order of the string, which has one light for each."""


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


def controller(bench: Bench) -> Iterator[Finding]:
    """Check that the controller's service runs and answers."""
    for finding in controller_steps.port(bench):
        yield finding
        if finding.verdict is not Verdict.OK:
            return
    yield from controller_steps.firmware(bench)


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


def string(bench: Bench) -> Iterator[Finding]:
    """Ask the maker whether all lights work, and whether colours and order are right."""
    yield from light_steps.look_at(bench, LOOKS_AT_STRING)


def broken_string(bench: Bench) -> Finding:
    """Ask the maker for the last place of the string that glows. Return the finding about the break
    behind that place."""
    broken = partial(fault, "lights", Fault.CHAIN)
    place = light_steps.read_place(
        bench,
        say(
            "The string goes A1 to E1, E2 to A2, and so on, there and back, then hourglass and "
            "end-turn. Which is the last place along it that glows? Its name, or none:"
        ),
    )
    if place is None:
        return broken(
            say("Not one light glows."),
            say(
                "Measure 5 V at the string's first light. Then look at its data: from pin 19 to "
                "pin 2 of the 74AHCT125, from its pin 3 to the string; and at the end of the "
                "string that the data enters."
            ),
            last=None,
        )
    after = STRING.index(place) + 1
    if after == len(STRING):
        return broken(
            say("The string reaches its last light, yet some within it are dark."),
            say("Such a light passes data on, but is dead itself: cut it out, and join the wires."),
            last=PLACES[place],
        )
    return broken(
        say(
            "The string ends between {place} and {after}.",
            place=PLACES[place],
            after=PLACES[STRING[after]],
        ),
        say(
            "Bend the three wires between the two. If that does not help, cut the light of "
            "{after} out, and join the wires; the string has spare lights.",
            after=PLACES[STRING[after]],
        ),
        last=PLACES[place],
    )


WRONG_COLOURS: Final = fault(
    "lights",
    Fault.COLOURS,
    say("The colours come in another order than red, green, blue."),
    say(
        "Your string expects red, green, blue. Write order RGB into a copy of the layout, and name "
        "the copy as layout in [lights]."
    ),
)

WRONG_ORDER: Final = fault(
    "lights",
    Fault.CHAIN,
    say("The string lies in another order than the table expects."),
    say(
        "Lay it A1 to E1, E2 to A2, A3 to E3, E4 to A4, A5 to E5; leave a light dark on the way to "
        "hourglass, and one on the way to end-turn."
    ),
)

LOOKS_AT_STRING: Final[tuple[Look, ...]] = (
    (
        "lights",
        LOOKS[0][1],
        COLOUR_SECONDS,
        say("Do all 25 cells and both pads glow?"),
        say("Every light glows."),
        broken_string,
    ),
    (*LOOKS[1][:5], WRONG_COLOURS),
    (*LOOKS[2][:4], say("The string lies in its order."), WRONG_ORDER),
)
"""The maker's checks of the string by eye, as `LOOKS` has those of the tiles. One light a cell has
no corners."""

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
    Step(
        "controller",
        say("The controller"),
        say(
            "Nothing is connected yet. Write the port of the controller into the configuration, "
            "and start the controller: `sudo systemctl restart pi-table-controller`."
        ),
        say("The controller's port appears, and the controller answers with its version."),
        controller,
        has_controller,
    ),
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
    ),
    Step(
        "lattice",
        say("The light cells"),
        say("Cut and glue the box and the lattice of foam board."),
        say("All walls have one height, and each of the 27 cells is closed all round."),
        lattice,
    ),
    Step(
        "lights",
        _OF_BOARDS["lights"].title,
        say(
            "With the power off, lay the string into the cells, there and back, one light in each, "
            "and connect its data and its supply. Then power on."
        ),
        say("Every light glows, in its colours, in its order."),
        string,
    ),
    _OF_BOARDS["power"],
    Step(
        "foil",
        say("The plates"),
        say("Stick film, 27 plates and four strips on the inside of the front."),
        say("Every plate is flat, and none touches another."),
        foil,
    ),
    Step(
        "electrodes",
        _OF_BOARDS["electrodes"].title,
        say(
            "With the power off, solder 27 + 4 wires from the plates and strips to the breakouts, "
            "and lay the front on. Power on, hands off."
        ),
        _OF_BOARDS["electrodes"].see,
        controller_steps.pads,
        has_controller,
    ),
    _OF_BOARDS["calibration"],
    _OF_BOARDS["game"],
)
"""The bring-up steps of the table of one evening, in order."""
