"""What the controller tells, as values. The bytes of each message stand in `firmware/PROTOCOL.md`.

Bytes that contradict themselves, or say what cannot be, are no message: a touch that nobody made is
worse than one that has to be told again.
"""

import enum
import struct
from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.wire.settings import PAD_COUNT, SETTINGS_BYTES, Settings, unpack

PROTOCOL: Final = 3
CHIP_COUNT: Final = 3
FIRST_CHIP: Final = 0x5A
"""The address of touch chip 0; that of chip n is n more."""


class Start(enum.Enum):
    """Why the controller started."""

    POWER = 1
    RESET_LINE = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class Origin(enum.Enum):
    """Where the controller's settings are from."""

    STORED = 0
    NEW = 1
    """The defaults, because none were stored."""
    DAMAGED = 2
    """The defaults, because what was stored is damaged."""


class RestartCause(enum.Enum):
    """Why a touch chip was started anew last."""

    NEVER = 0
    SILENT = 1
    """The chip did not answer."""
    BROWN_OUT = 2
    OVER_CURRENT = 3


class Hello(msgspec.Struct, frozen=True):
    """Who the controller is, and how it started."""

    firmware: tuple[int, int, int]
    """The version of the firmware."""
    boot: int
    """The number of this start; another one at each start, never 0."""
    start: Start
    """Why the controller started."""
    chips: frozenset[int]
    """The touch chips that answered at the start: n for the one at 0x5A + n."""
    lights: int
    """How many lights the strip has."""
    settings: Origin
    """Where the settings are from."""


class OtherProtocol(msgspec.Struct, frozen=True):
    """A controller says hello in another version of the protocol than ours."""

    version: int


class State(msgspec.Struct, frozen=True):
    """The whole table at one instant."""

    boot: int
    """The number of this start, as in the hello."""
    sequence: int
    """One more for each state, modulo 65,536."""
    uptime_ms: int
    """Milliseconds since the start."""
    applied: int
    """The number of the last command that the controller has applied; 0: none yet."""
    chips: frozenset[int]
    """The touch chips that can be read now: n for the one at 0x5A + n."""
    water: bool
    """Is the grid wet?"""
    rim: bool
    """Does something lie on the rim?"""
    dark: bool
    """Has the controller heard nothing from us for 500 ms? Then the lights are its own."""
    starving: bool
    """Would the lights have drawn more than they may?"""
    touched: frozenset[int]
    """The places that are touched."""
    heavy: frozenset[int]
    """The touched places on which more than a finger lies."""
    deaf: frozenset[int]
    """The places that cannot be read, or are masked. None of them is among the touched."""
    counters: tuple[int, ...]
    """How often each place was touched or lifted, modulo 16."""
    restarts: tuple[RestartCause, ...]
    """Why each chip was started anew last."""
    restarted: int
    """How often touch chips were started anew, modulo 256."""
    dropped: int
    """How many frames from us the controller dropped, modulo 256."""
    lost: int
    """How many bytes from us the controller was too slow for, modulo 256."""
    current_ma: int
    """What the lights draw, in milliampere, by calculation."""
    noisy: frozenset[int]
    """The pads (0 … 30) whose counts noise swings by as much as a touch. A touch that is told of
    such a pad is none that can be relied on."""
    check: int
    """The check of what had been ordered when the strip was told last (`commands.check_of`)."""


class Raw(msgspec.Struct, frozen=True):
    """What the 31 pads read. It answers a command."""

    number: int
    """The number of that command."""
    filtered: tuple[int | None, ...]
    """The filtered counts of the pads (0 … 1023); None for a pad that cannot be read."""
    baseline: tuple[int, ...]
    """The baselines of the pads (0 … 1020)."""


class SettingsTold(msgspec.Struct, frozen=True):
    """The settings that are in use. It answers a command."""

    number: int
    """The number of that command."""
    refused: bool
    """Was the command to store other settings, which the controller refused?"""
    settings: Settings
    """The settings in use."""


Message = Hello | OtherProtocol | State | Raw | SettingsTold


def read(message: bytes) -> Message | None:
    """What the bytes of a message say; None if they say nothing that can be."""
    try:
        return _READERS[message[0]](message)
    except (LookupError, struct.error, ValueError):
        return None


def _must(possible: bool) -> None:
    if not possible:
        raise ValueError


_HELLO: Final = struct.Struct("<xxBBBHBBBHB")


def _hello(message: bytes) -> Message:
    if message[1] != PROTOCOL:
        return OtherProtocol(message[1])
    *firmware, boot, start, chips, places, lights, origin = _HELLO.unpack(message)
    _must(boot != 0 and places == PLACE_COUNT)
    major, minor, patch = firmware
    return Hello(
        (major, minor, patch), boot, Start(start), _bits(chips, CHIP_COUNT), lights, Origin(origin)
    )


_STATE: Final = struct.Struct("<xHHIBBBIII14sBBBBHHI")
_FLAGS: Final = 4


def _state(message: bytes) -> Message:
    (
        boot,
        sequence,
        uptime_ms,
        applied,
        chips,
        flags,
        touched,
        heavy,
        deaf,
        counters,
        restarts,
        restarted,
        dropped,
        lost,
        current_ma,
        check,
        noisy,
    ) = _STATE.unpack(message)
    halves = tuple(half for byte in counters for half in (byte & 0xF, byte >> 4))
    odd = sum((half & 1) << place for place, half in enumerate(halves))
    _must(boot != 0 and halves[PLACE_COUNT] == 0 and odd == touched)
    _must(heavy & ~touched == 0 and deaf & (touched | noisy) == 0)
    _must(flags < 1 << _FLAGS and restarts < 1 << 2 * CHIP_COUNT)
    return State(
        boot=boot,
        sequence=sequence,
        uptime_ms=uptime_ms,
        applied=applied,
        chips=_bits(chips, CHIP_COUNT),
        water=bool(flags & 1),
        rim=bool(flags & 2),
        dark=bool(flags & 4),
        starving=bool(flags & 8),
        touched=_bits(touched, PLACE_COUNT),
        heavy=_bits(heavy, PLACE_COUNT),
        deaf=_bits(deaf, PLACE_COUNT),
        counters=halves[:PLACE_COUNT],
        restarts=tuple(RestartCause(restarts >> 2 * chip & 3) for chip in range(CHIP_COUNT)),
        restarted=restarted,
        dropped=dropped,
        lost=lost,
        current_ma=current_ma,
        noisy=_bits(noisy, PAD_COUNT),
        check=check,
    )


_RAW: Final = struct.Struct(f"<xB{2 * PAD_COUNT}H")
_UNREADABLE: Final = 0xFFFF
_MOST_FILTERED: Final = 1023
_MOST_BASELINE: Final = 1020


def _raw(message: bytes) -> Message:
    number, *counts = _RAW.unpack(message)
    filtered, baseline = counts[::2], counts[1::2]
    _must(all(count <= _MOST_FILTERED or count == _UNREADABLE for count in filtered))
    _must(all(count <= _MOST_BASELINE for count in baseline))
    readable = (None if count == _UNREADABLE else count for count in filtered)
    return Raw(number, tuple(readable), tuple(baseline))


_SETTINGS: Final = struct.Struct(f"<xBB{SETTINGS_BYTES}s")


def _settings(message: bytes) -> Message:
    number, verdict, settings = _SETTINGS.unpack(message)
    _must(verdict <= 1)
    return SettingsTold(number, bool(verdict), unpack(settings))


def _bits(mask: int, count: int) -> frozenset[int]:
    _must(mask < 1 << count)
    return frozenset(bit for bit in range(count) if mask >> bit & 1)


_READERS: Final = {0x01: _hello, 0x02: _state, 0x03: _raw, 0x04: _settings}
