"""What the controller is told, as values. The bytes of each command stand in
`firmware/PROTOCOL.md`.

A command is a setting, not an event: told twice, it does what it does when it is told once.
"""

import enum
from typing import Final

import msgspec

from pi_table.geometry import PLACE_COUNT
from pi_table.wire.settings import Settings, pack

MOST_NUMBER: Final = 255


class Tell(enum.Enum):
    """What the controller can be asked to tell."""

    HELLO = 1
    RAW = 2
    SETTINGS = 3


class Light(msgspec.Struct, frozen=True):
    """The command to light the places so: a colour 0xRRGGBB for each of the 27."""

    colours: tuple[int, ...]


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


def write(command: Command, number: int) -> bytes:
    """The message of a command with its number (1 … 255)."""
    assert 1 <= number <= MOST_NUMBER
    match command:
        case Light(colours):
            assert len(colours) == PLACE_COUNT
            return bytes((0x11, number)) + b"".join(each.to_bytes(3, "big") for each in colours)
        case Ask(what):
            return bytes((0x12, number, what.value))
        case Store(settings):
            return bytes((0x13, number)) + pack(settings)
        case Here():
            return bytes((0x14, number))
        case Restart():
            return bytes((0x15, number))
