"""Counters of failures and their meanings, for staff and for people who build a table."""

from typing import Final

import msgspec

from pi_table.common.language import Words, say


class FaultLine(msgspec.Struct, frozen=True):
    """A counter: its name in the table's messages, its label, and its meaning."""

    name: str
    label: Words
    meaning: Words


FAULT_LINES: Final = (
    FaultLine(
        "journal_faults",
        say("The journal failed"),
        say("The disk is full, failing or removed. Even one is serious."),
    ),
    FaultLine(
        "touch_faults",
        say("The touch grid had trouble"),
        say("A cable, a chip or the controller. “How is the table?” says which."),
    ),
    FaultLine(
        "sound_faults",
        say("The loudspeaker failed"),
        say("The sound card, or the program that speaks. Play goes on without it."),
    ),
    FaultLine(
        "screens_left",
        say("This screen stopped"),
        say("Its program was restarted, or crashed. The game went on."),
    ),
    FaultLine(
        "unplugged",
        say("The controller was unplugged"),
        say("Its cable came out, or the USB port lost power: a loose plug."),
    ),
    FaultLine(
        "link_lost",
        say("The controller stopped answering"),
        say("No message for half a second: it hung, or the line was too noisy."),
    ),
    FaultLine(
        "frames_damaged",
        say("Messages damaged on the way here"),
        say("Noise on the serial line. One or two when it is plugged in are usual."),
    ),
    FaultLine(
        "frames_missing",
        say("Messages lost on the way here"),
        say("The line lost them, or this machine was too busy to read."),
    ),
    FaultLine(
        "commands_damaged",
        say("Messages damaged on the way there"),
        say("Noise on the serial line. They are sent again: nothing is lost."),
    ),
    FaultLine(
        "bytes_lost",
        say("Bytes the controller was too slow for"),
        say("A few are recovered. Many: other firmware, or a strip that is too long."),
    ),
    FaultLine(
        "controller_starts",
        say("The controller restarted"),
        say("After a power cut, a reset or a fault. The faults are counted below."),
    ),
    FaultLine(
        "watchdog_starts",
        say("… because its program had stopped"),
        say("Its watchdog restarted it. If not 0, report it with the firmware’s version."),
    ),
    FaultLine(
        "brown_outs",
        say("… because its supply was too low"),
        say("The lights draw more than the supply gives, or a wire is too thin."),
    ),
    FaultLine(
        "chip_restarts",
        say("Touch chips restarted"),
        say("That chip’s cells felt nothing for a moment. The reasons are below."),
    ),
    FaultLine(
        "chips_silent",
        say("… because they did not answer"),
        say("A wire of the I²C bus: too long, loose, or without its resistors."),
    ),
    FaultLine(
        "chips_brown_out",
        say("… because they had lost power"),
        say("Their 3.3 V failed: a loose wire, or too weak a regulator."),
    ),
    FaultLine(
        "chips_over_current",
        say("… because of too much current"),
        say("An electrode touches another one, ground, or something wet."),
    ),
    FaultLine(
        "lights_capped",
        say("Lights dimmed to the limit"),
        say("The table would have drawn more than its settings allow. All white does."),
    ),
)
"""A line for each counter of faults, the most important first."""
