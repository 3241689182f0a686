"""What the controller is told, as values; the bytes of each stand in `firmware/PROTOCOL.md`.

Each is a setting, not an event: told twice, it does what it does once.
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
    """Look like this: a colour 0xRRGGBB for each of the 27 places."""

    colours: tuple[int, ...]


class Ask(msgspec.Struct, frozen=True):
    """Tell this."""

    what: Tell


class Store(msgspec.Struct, frozen=True):
    """Use these settings from now on, and keep them."""

    settings: Settings


class Here(msgspec.Struct, frozen=True):
    """I am here."""


class Restart(msgspec.Struct, frozen=True):
    """Start the touch chips anew, with new baselines: nobody may be touching."""


Command = Light | Ask | Store | Here | Restart


def write(command: Command, number: int) -> bytes:
    """The message that says this, with its number (1 … 255)."""
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
