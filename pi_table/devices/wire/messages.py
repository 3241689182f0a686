"""The messages that the controller sends, as values. `firmware/PROTOCOL.md` defines their bytes.

Messages that contradict themselves or contain impossible values are dropped. A false touch is worse
than a lost message, because a lost message is repeated.
"""

import enum
import struct
from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.wire.settings import PAD_COUNT, SETTINGS_BYTES, Settings, unpack

PROTOCOL: Final = 4
CHIP_COUNT: Final = 3
FIRST_CHIP: Final = 0x5A
"""The I²C address of touch chip 0; chip n has this address + n."""


class Start(enum.Enum):
    POWER = 1
    RESET_LINE = 2
    BROWN_OUT = 4
    WATCHDOG = 8


class Origin(enum.Enum):
    STORED = 0
    NEW = 1
    """The controller uses its default settings, because no settings were stored."""
    DAMAGED = 2
    """The controller uses its default settings, because the stored settings are damaged."""


class RestartCause(enum.Enum):
    NEVER = 0
    SILENT = 1
    BROWN_OUT = 2
    OVER_CURRENT = 3


class Hello(msgspec.Struct, frozen=True):
    """The controller's message after its start or after a greeting."""

    firmware: tuple[int, int, int]
    boot: int
    """Boot id: a number, never 0, that is different for each start of the controller."""
    start: Start
    chips: frozenset[int]
    """Numbers of the touch chips that answered at the start. Chip n has the I²C address 0x5A +
    n."""
    lights: int
    settings: Origin


class OtherProtocol(msgspec.Struct, frozen=True):
    """A hello with another protocol version than ours."""

    version: int


class State(msgspec.Struct, frozen=True):
    """The state of the whole table at one instant."""

    boot: int
    """The controller's boot id, as in its hello."""
    sequence: int
    """The sequence number of this message: it rises by 1 for each state, modulo 65,536."""
    uptime_ms: int
    applied: int
    """The number of the last command that the controller applied; 0 if it has applied none."""
    chips: frozenset[int]
    """Numbers of the touch chips that can be read now; chip n has the I²C address 0x5A + n."""
    water: bool
    rim: bool
    dark: bool
    """True if the controller shows its own lights, because it received nothing for 500 ms or
    because colours from the Pi are missing."""
    starving: bool
    """True if the lights were dimmed because they would have drawn too much current."""
    touched: frozenset[int]
    """Numbers (0 … 26) of the touched places."""
    heavy: frozenset[int]
    """Numbers (0 … 26) of the touched places on which something larger than a finger rests."""
    deaf: frozenset[int]
    """Numbers (0 … 26) of the places that cannot be read, or are ignored because they were held too
    long. `touched` contains none of them."""
    counters: tuple[int, ...]
    """For each place, the number of touches and releases, modulo 16."""
    restarts: tuple[RestartCause, ...]
    """The cause of each touch chip's latest fault. It changes when the chip stops; `restarted`
    changes when the chip is back."""
    restarted: int
    """Number of restarts of touch chips, modulo 256."""
    dropped: int
    """Number of frames from the Pi that the controller dropped, modulo 256."""
    lost: int
    """Number of bytes from the Pi that the controller was too slow to read, modulo 256."""
    current_ma: int
    """The calculated current of the lights, in milliampere."""
    noisy: frozenset[int]
    """Numbers (0 … 30) of the pads whose noise is as large as a touch."""
    check: int
    """The checksum (`commands.check_of`) of the Pi's colours when the LEDs were last written."""
    perhaps: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places that a finger has perhaps begun to touch. `touched` and `deaf`
    contain none of them."""


class Raw(msgspec.Struct, frozen=True):
    """Measurements of the 31 pads, sent when the Pi asks for them."""

    number: int
    filtered: tuple[int | None, ...]
    """The filtered counts of the pads (0 … 1023); None for a pad that cannot be read."""
    baseline: tuple[int, ...]
    """The baseline of each pad, in counts (0 … 1020)."""


class SettingsReply(msgspec.Struct, frozen=True):
    """The controller's settings, sent when the Pi asks for them or stores new ones."""

    number: int
    refused: bool
    """True if the controller refused to store the settings that the Pi sent."""
    settings: Settings


Message = Hello | OtherProtocol | State | Raw | SettingsReply


def read(message: bytes) -> Message | None:
    """Return the message that these bytes encode, or None if the bytes are invalid."""
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


_STATE: Final = struct.Struct("<xHHIBBBIII14sBBBBHHII")
_FLAGS: Final = 4


def _state(message: bytes) -> Message:
    (
        boot, sequence, uptime_ms, applied, chips, flags, touched, heavy, deaf, counters,
        restarts, restarted, dropped, lost, current_ma, check, noisy, perhaps,
    ) = _STATE.unpack(message)  # fmt: skip
    halves = tuple(half for byte in counters for half in (byte & 0xF, byte >> 4))
    odd = sum((half & 1) << place for place, half in enumerate(halves))
    _must(boot != 0 and halves[PLACE_COUNT] == 0 and odd == touched)
    _must(heavy & ~touched == 0 and deaf & (touched | noisy) == 0)
    _must(perhaps & (touched | deaf) == 0)
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
        perhaps=_bits(perhaps, PLACE_COUNT),
    )


_RAW: Final = struct.Struct(f"<xB{2 * PAD_COUNT}H")
_UNREADABLE: Final = 0xFFFF
_MAX_FILTERED_COUNTS: Final = 1023
_MAX_BASELINE_COUNTS: Final = 1020


def _raw(message: bytes) -> Message:
    number, *counts = _RAW.unpack(message)
    filtered, baseline = counts[::2], counts[1::2]
    _must(all(count <= _MAX_FILTERED_COUNTS or count == _UNREADABLE for count in filtered))
    _must(all(count <= _MAX_BASELINE_COUNTS for count in baseline))
    readable = (None if count == _UNREADABLE else count for count in filtered)
    return Raw(number, tuple(readable), tuple(baseline))


_SETTINGS: Final = struct.Struct(f"<xBB{SETTINGS_BYTES}s")


def _settings(message: bytes) -> Message:
    number, verdict, settings = _SETTINGS.unpack(message)
    _must(verdict <= 1)
    return SettingsReply(number, bool(verdict), unpack(settings))


def _bits(mask: int, count: int) -> frozenset[int]:
    _must(mask < 1 << count)
    return frozenset(bit for bit in range(count) if mask >> bit & 1)


_READERS: Final = {0x01: _hello, 0x02: _state, 0x03: _raw, 0x04: _settings}
