"""The facts shared by firmware and pi_table, in `firmware/vectors/facts.txt`. Here they are
compared with pi_table, with PROTOCOL.md, and with each end's assumptions about the other."""

from pathlib import Path

import peer
import pytest

from pi_table.common.geometry import CELL_COUNT, LED_COUNT, LEDS_OF_CELL, LEDS_OF_PAD, PLACE_COUNT
from pi_table.devices.hal import controller
from pi_table.devices.hal.contracts import HEARTBEAT
from pi_table.devices.wire import codec, commands, link, messages, outbox, settings
from pi_table.maintenance.bring_up import intel_hex
from pi_table.simulator import emulated

FIRMWARE = Path(__file__).parents[2] / "firmware"

OURS = {
    "CELL_COUNT": CELL_COUNT,
    "PLACE_COUNT": PLACE_COUNT,
    "LEDS_OF_CELL": LEDS_OF_CELL,
    "LEDS_OF_PAD": LEDS_OF_PAD,
    "LED_COUNT": LED_COUNT,
    "PAD_COUNT": settings.PAD_COUNT,
    "CHIP_COUNT": messages.CHIP_COUNT,
    "CHIP_FIRST_ADDRESS": messages.FIRST_CHIP,
    "PROTOCOL_VERSION": messages.PROTOCOL,
    "LIGHTS_MAX_LEDS": commands.MAX_LEDS,
    "LIGHTS_REST_BIT": commands.REST_BIT,
    "LIGHTS_MORE_BIT": commands.MORE_BIT,
    "FRAME_MAX_MESSAGE_BYTES": codec.MAX_MESSAGE_BYTES,
    "CRC_BYTES": codec.CRC_BYTES,
    "SERIAL_BAUD": controller.BAUD,
    "STATE_PERIOD_MS": round(1000 * peer.EVERY),
    "STATE_TOUCHED_MS": round(1000 * peer.EVERY_TOUCHED),
    "TOUCH_MIN_COUNTS": settings.MIN_TOUCH_COUNTS,
    "TOUCH_MAX_COUNTS": settings.MAX_TOUCH_COUNTS,
    "HEAVY_ABOVE_TOUCH": settings.HEAVY_ABOVE_TOUCH,
    "CURRENT_MIN_MA": settings.MIN_LIMIT_MA,
    "CURRENT_MAX_MA": settings.MAX_LIMIT_MA,
    "DEFAULT_TOUCH": peer.DEFAULTS.touch[0],
    "DEFAULT_RELEASE": peer.DEFAULTS.release[0],
    "DEFAULT_HEAVY": peer.DEFAULTS.heavy[0],
    "DEFAULT_MA": peer.DEFAULTS.most_ma,
    "OWN_COLOUR": peer.OWN_COLOUR,
    "MEMORY_BYTES": emulated.MEMORY_BYTES,
    "FLASH_BYTES": intel_hex.FLASH_BYTES,
}
ELSEWHERE = {"CHANNEL_COUNT", "LINK_SILENCE_MS"}
"""Nothing here has these as a number of its own."""


def facts() -> dict[str, int]:
    """The names and numbers of the file."""
    lines = (FIRMWARE / "vectors/facts.txt").read_text("utf-8").splitlines()
    pairs = [line.split()[:2] for line in lines if not line.startswith("#")]
    assert len({name for name, _ in pairs}) == len(pairs)
    return {name: int(value, 0) for name, value in pairs}


FACTS = facts()


def test_what_stands_here_too_is_the_same() -> None:
    shared = {name: value for name, value in FACTS.items() if name not in ELSEWHERE}
    assert shared == OURS


def test_nobody_else_in_the_firmware_says_them() -> None:
    """They are in a header that the Makefile writes, and are defined nowhere else."""
    sources = [file for end in ("c", "h") for file in FIRMWARE.glob(f"[!b]*/*.{end}")]
    assert len(sources) > 50
    said = {
        line.split()[1]
        for file in sources
        for line in file.read_text("utf-8").splitlines()
        if line.startswith("#define ")
    }
    assert not said & FACTS.keys()


@pytest.mark.parametrize(
    "sentence",
    [
        "{SERIAL_BAUD:,} baud",
        "A message is 1 to {FRAME_MAX_MESSAGE_BYTES} bytes.",
        "protocol version: {PROTOCOL_VERSION} |",
        "the chip at 0x{CHIP_FIRST_ADDRESS:X} + *n*",
        "| places: {PLACE_COUNT} |",
        "every {STATE_PERIOD_MS} ms, and every {STATE_TOUCHED_MS} ms while a place is touched.",
        "nothing heard from the Pi for {LINK_SILENCE_MS} ms",
        "for each of the {PAD_COUNT} pads",
        "(counts below the baseline, {TOUCH_MIN_COUNTS} … {TOUCH_MAX_COUNTS})",
        "(touch + {HEAVY_ABOVE_TOUCH} … 255)",
        "{CURRENT_MIN_MA} … {CURRENT_MAX_MA})",
    ],
)
def test_the_protocol_says_the_same(sentence: str) -> None:
    text = " ".join((FIRMWARE / "PROTOCOL.md").read_text("utf-8").split())
    assert sentence.format(**FACTS) in text


# What one end expects of the other, in milliseconds

LINE_MS = 10
"""Milliseconds that a report waits at most for another report or for the lights."""


def ms(seconds: float) -> int:
    return round(1000 * seconds)


def test_a_heartbeat_outlives_a_state_that_is_lost() -> None:
    assert ms(HEARTBEAT) >= 2 * FACTS["STATE_TOUCHED_MS"] + LINE_MS


def test_what_is_touched_is_doubted_when_several_states_have_failed_to_come() -> None:
    assert ms(link.DOUBT_SECONDS) >= 5 * (FACTS["STATE_TOUCHED_MS"] + LINE_MS)
    assert ms(link.DOUBT_SECONDS) >= FACTS["STATE_PERIOD_MS"] + LINE_MS


def test_a_state_that_is_lost_makes_none_late_and_a_late_one_is_no_heartbeat() -> None:
    assert ms(link.LATE_SECONDS) >= 2 * FACTS["STATE_TOUCHED_MS"] + LINE_MS
    assert link.LATE_SECONDS == HEARTBEAT


def test_a_link_that_is_looked_at_in_time_never_stood_still() -> None:
    assert ms(link.STALL_SECONDS) >= ms(link.DOUBT_SECONDS) + ms(link.LATE_SECONDS)


def test_the_link_is_lost_when_several_states_have_failed_to_come_though_nothing_is_touched() -> (
    None
):
    assert ms(link.LOST_SECONDS) >= 4 * (FACTS["STATE_PERIOD_MS"] + LINE_MS)


def test_the_lights_stay_ours_though_what_we_said_was_lost_twice() -> None:
    said = outbox.KEEP_ALIVE_SECONDS + 2 * link.RESEND_SECONDS
    assert ms(said) + LINE_MS < FACTS["LINK_SILENCE_MS"]
