"""What the controller is told, as values. The bytes of each command stand in
`firmware/PROTOCOL.md`.

A command is a setting, not an event: told twice, it does what it does when it is told once.
"""

import binascii
import enum
from collections.abc import Iterable
from typing import Final

import msgspec

from pi_table.common.geometry import LED_COUNT, leds_of
from pi_table.devices.wire.settings import Settings, pack

MOST_NUMBER: Final = 255
MOST_LEDS: Final = 30
"""The LEDs for which there is room in one command."""
REST_BIT: Final = 30
MORE_BIT: Final = 31


class Tell(enum.Enum):
    """What the controller can be asked to tell."""

    HELLO = 1
    RAW = 2
    SETTINGS = 3


class Light(msgspec.Struct, frozen=True):
    """The command to light some places, 30 LEDs at most, as this frame has them; what the others
    show stays."""

    frame: tuple[int, ...]
    """A colour 0xRRGGBB for each of the 104 LEDs."""
    places: tuple[int, ...]
    """The places that are lit anew, in rising order."""
    rest: bool = False
    """Does this go on where the command of the number before ended? If the controller has not taken
    that, it does not take this either."""
    more: bool = False
    """Does the command of the next number go on here? Then nothing is shown before that."""


class Ask(msgspec.Struct, frozen=True):
    """The command to tell something."""

    what: Tell


class Store(msgspec.Struct, frozen=True):
    """The command to use these settings from now on, and to keep them without power."""

    settings: Settings


class Here(msgspec.Struct, frozen=True):
    """The command that does nothing: the controller learns that the Pi is there."""


class Restart(msgspec.Struct, frozen=True):
    """The command to start the touch chips anew, with new baselines. Nobody may be touching
    then."""


Command = Light | Ask | Store | Here | Restart


def lights(frame: tuple[int, ...], places: Iterable[int]) -> list[Light]:
    """The commands that light these places (0 … 26) as a frame has them: as many as it takes."""
    parts: list[list[int]] = []
    room = 0
    for place in sorted(places):
        leds = len(leds_of(place))
        if leds > room:
            parts.append([])
            room = MOST_LEDS
        parts[-1].append(place)
        room -= leds
    last = len(parts) - 1
    return [Light(frame, tuple(part), rest=at > 0, more=at < last) for at, part in enumerate(parts)]


def check_of(frame: tuple[int, ...]) -> int:
    """The check that a controller tells which has been ordered this frame: the CRC-16 of CCITT over
    the colours."""
    return binascii.crc_hqx(b"".join(colour.to_bytes(3, "big") for colour in frame), 0xFFFF)


def write(command: Command, number: int) -> bytes:
    """The message of a command with its number (1 … 255)."""
    assert 1 <= number <= MOST_NUMBER
    match command:
        case Light(frame, places, rest, more):
            assert len(frame) == LED_COUNT
            leds = [led for place in places for led in leds_of(place)]
            assert len(leds) <= MOST_LEDS
            mask = sum(1 << place for place in places) | rest << REST_BIT | more << MORE_BIT
            colours = b"".join(frame[led].to_bytes(3, "big") for led in leds)
            return bytes((0x11, number)) + mask.to_bytes(4, "little") + colours
        case Ask(what):
            return bytes((0x12, number, what.value))
        case Store(settings):
            return bytes((0x13, number)) + pack(settings)
        case Here():
            return bytes((0x14, number))
        case Restart():
            return bytes((0x15, number))
