"""The commands that the Pi sends to the controller, as values. `firmware/PROTOCOL.md` defines their
bytes.

A command is a setting, not an event: sending it twice has the same effect as sending it once.
"""

import binascii
import enum
from collections.abc import Iterable
from typing import Final

import msgspec

from pi_table.common.geometry import LED_COUNT, leds_of
from pi_table.devices.wire.settings import Settings, pack

MAX_NUMBER: Final = 255
MAX_LEDS: Final = 30
REST_BIT: Final = 30
MORE_BIT: Final = 31


class Tell(enum.Enum):
    """The messages that the Pi can request from the controller."""

    HELLO = 1
    RAW = 2
    SETTINGS = 3


class Light(msgspec.Struct, frozen=True):
    """The command to set the colours of some places, together at most 30 LEDs. All other places
    keep their colours."""

    frame: tuple[int, ...]
    """A colour 0xRRGGBB for each of the 104 LEDs."""
    places: tuple[int, ...]
    """Numbers of the places to light, in rising order."""
    rest: bool = False
    """True if this command continues the command with the previous number. The controller ignores
    this command if it missed the previous one."""
    more: bool = False
    """True if the command with the next number continues this one. The controller shows nothing of
    this command until the next command arrives."""


class Ask(msgspec.Struct, frozen=True):
    what: Tell


class Store(msgspec.Struct, frozen=True):
    settings: Settings


class KeepAlive(msgspec.Struct, frozen=True):
    """A command without effect. It only shows the controller that the Pi is still connected."""


class Restart(msgspec.Struct, frozen=True):
    """The command to restart the touch chips with new baselines; no finger may be on the table."""


Command = Light | Ask | Store | KeepAlive | Restart


def lights(frame: tuple[int, ...], places: Iterable[int]) -> list[Light]:
    """Return the commands that give these places their colours from ``frame``. Several commands are
    needed for more than 30 LEDs."""
    parts: list[list[int]] = []
    room = 0
    for place in sorted(places):
        leds = len(leds_of(place))
        if leds > room:
            parts.append([])
            room = MAX_LEDS
        parts[-1].append(place)
        room -= leds
    last = len(parts) - 1
    return [Light(frame, tuple(part), rest=at > 0, more=at < last) for at, part in enumerate(parts)]


def check_of(frame: tuple[int, ...]) -> int:
    """Return the checksum of a light frame: the CRC-16-CCITT of its colours."""
    return binascii.crc_hqx(b"".join(colour.to_bytes(3, "big") for colour in frame), 0xFFFF)


def write(command: Command, number: int) -> bytes:
    """Return the bytes of a command, which contain its ``number`` (1 … 255)."""
    assert 1 <= number <= MAX_NUMBER
    match command:
        case Light(frame, places, rest, more):
            assert len(frame) == LED_COUNT
            leds = [led for place in places for led in leds_of(place)]
            assert len(leds) <= MAX_LEDS
            mask = sum(1 << place for place in places) | rest << REST_BIT | more << MORE_BIT
            colours = b"".join(frame[led].to_bytes(3, "big") for led in leds)
            return bytes((0x11, number)) + mask.to_bytes(4, "little") + colours
        case Ask(what):
            return bytes((0x12, number, what.value))
        case Store(settings):
            return bytes((0x13, number)) + pack(settings)
        case KeepAlive():
            return bytes((0x14, number))
        case Restart():
            return bytes((0x15, number))
