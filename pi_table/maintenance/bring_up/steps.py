"""The bring-up steps from the first wire to the first game, in order.

`hardware/BUILD.md` has a chapter for each step, with the same name and in the same order.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from pi_table.common.language import say
from pi_table.maintenance.bring_up import (
    box_steps,
    controller_steps,
    game_step,
    light_steps,
    string_lights,
)
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.findings import Finding


def has_controller(bench: Bench) -> bool:
    return bench.has_controller


def has_knobs(bench: Bench) -> bool:
    return bench.config.console.inputs != "none"


def has_screen(bench: Bench) -> bool:
    return bench.config.console.screen != "none"


def has_sound(bench: Bench) -> bool:
    return bench.config.sound.driver != "none"


class Step(msgspec.Struct, frozen=True):
    """One step of bring-up."""

    id: str
    title: str
    do: str
    """The maker's tasks in this step, as sentences."""
    see: str
    """The result that the maker must see before the next step begins."""
    check: Callable[[Bench], Iterator[Finding]]
    """Checks the result. A *broken* finding means that the step failed. Raises DeviceError."""
    is_for: Callable[[Bench], bool] = lambda bench: True
    """Returns True if the configuration has the parts that this step checks."""
    is_off: bool = False
    """True if the maker switches the Raspberry Pi off in this step, which ends this program."""


STEPS: Final = (
    Step(
        "parts",
        say("Boards, parts and prints"),
        say("Order the boards and the parts, print and cut the enclosure (hardware/BUILD.md)."),
        say("Everything on the list is on the bench."),
        box_steps.parts,
    ),
    Step(
        "machine",
        say("The Raspberry Pi"),
        say("Write the card, start the Raspberry Pi, and write the configuration of this table."),
        say("The machine, its voltage and its config.txt are in order."),
        box_steps.pi,
    ),
    Step(
        "controller",
        say("The controller"),
        say(
            "Nothing is connected yet. Write the port of the controller into the configuration, "
            "and start the controller: `sudo systemctl restart pi-table-controller`."
        ),
        say("The controller's port appears, and the controller answers with its version."),
        controller_steps.controller,
        has_controller,
    ),
    Step(
        "chips",
        say("The touch chips"),
        say(
            "With the power off, put the three touch breakouts into the carrier, and connect J4 to "
            "the Raspberry Pi; no electrode yet. Then power on."
        ),
        say("Each of 0x5A, 0x5B and 0x5C answers."),
        controller_steps.touch_chips,
        has_controller,
        is_off=True,
    ),
    Step(
        "sound",
        say("The loudspeaker"),
        say(
            "Wire the amplifier and the loudspeaker; a table without leaves [sound] driver at none."
        ),
        say("It plays, and is heard."),
        box_steps.sound,
        has_sound,
        is_off=True,
    ),
    Step(
        "screen",
        say("The spymasters' screen"),
        say("Put the screen into its slot, and connect it to the Raspberry Pi."),
        say("It can be drawn on, and has the size that the configuration says."),
        box_steps.screen,
        has_screen,
        is_off=True,
    ),
    Step(
        "lights",
        say("The lights"),
        say(
            "With the power off, lay the tiles into their cells, each with its plugs in: the chain "
            "from J5 of the carrier to J1 of A1 and on, the feeds, the leads. Then power on."
        ),
        say("Every light glows, in its colours, in its order, in its corner."),
        string_lights.lights,
        is_off=True,
    ),
    Step(
        "power",
        say("The supply"),
        say("Leave everything as it is: the whole table turns white for four seconds."),
        say("Nothing restarts, and no voltage drops."),
        light_steps.white,
    ),
    Step(
        "electrodes",
        say("The electrodes"),
        say(
            "With the power off, check that J3 of each tile and the four guards reach J1, J2 and "
            "J3 of the carrier, and lay the overlay on, its electrodes glued flat. Power on, "
            "hands off."
        ),
        say("Every electrode is in range, none touches ground, and all are quiet."),
        controller_steps.pads,
        has_controller,
        is_off=True,
    ),
    Step(
        "knobs",
        say("The knob and the buttons"),
        say("Wire the encoder, back and peek to the Raspberry Pi, and do what is asked."),
        say("Each turn and each press is felt, as itself."),
        box_steps.knobs,
        has_knobs,
        is_off=True,
    ),
    Step(
        "closed",
        say("The box is closed"),
        say("Close the box: covers, hood, underside."),
        say("Nobody but the spymasters sees the screen, and the surface is closed all round."),
        box_steps.check_closed_table,
    ),
    Step(
        "calibration",
        say("A finger on every pad"),
        say(
            "Lay a card on each cell, as in play, and take everything else off. Then hold a finger "
            "where you are asked to."
        ),
        say("Every pad feels its own finger, well above its noise."),
        controller_steps.fingers,
        has_controller,
    ),
    Step(
        "game",
        say("The first guess"),
        say("Leave the cards where they are. The table begins a game, and gives itself a clue."),
        say("A finger, held, becomes a guess, and the guess a light."),
        game_step.first_guess,
    ),
)
