"""The settings of one table, which the table's controller stores."""

import struct
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.geometry import PLACES
from pi_table.common.language import say

PADS: Final[tuple[str, ...]] = (*PLACES, "far", "left", "right", "near")
"""All touch pads in the order of the messages: the places, then the four strips of the rim."""
PAD_COUNT: Final = len(PADS)

MIN_TOUCH_COUNTS: Final = 4
MAX_TOUCH_COUNTS: Final = 120
HEAVY_ABOVE_TOUCH: Final = 4
MAX_HEAVY_COUNTS: Final = 255
MIN_LIMIT_MA: Final = 100
MAX_LIMIT_MA: Final = 6500

_LAYOUT: Final = struct.Struct(f"<{PAD_COUNT}s{PAD_COUNT}s{PAD_COUNT}sH")
SETTINGS_BYTES: Final = _LAYOUT.size


class Settings(msgspec.Struct, frozen=True):
    """The touch thresholds of each pad, and the current limit of the lights.

    A threshold is a load: the counts by which a reading is below the baseline. Raises InputError
    for values that the controller would refuse.
    """

    touch: tuple[int, ...]
    """For each pad, the minimum load in counts that means a touch (4 … 120)."""
    release: tuple[int, ...]
    """For each pad, the load in counts below which a touch ends (1 … ``touch`` - 1)."""
    heavy: tuple[int, ...]
    """For each pad, the maximum load in counts of a finger (``touch`` + 4 … 255). More is *heavy*.
    """
    most_ma: int
    """Current limit of the lights in milliamperes (100 … 6500)."""

    def __post_init__(self) -> None:
        if not len(self.touch) == len(self.release) == len(self.heavy) == PAD_COUNT:
            raise InputError(
                say(
                    "Settings are for {pad_count} pads, each with three thresholds.",
                    pad_count=PAD_COUNT,
                )
            )
        for pad, touch, release, heavy in zip(
            PADS, self.touch, self.release, self.heavy, strict=True
        ):
            _check(
                say("The touch threshold of {pad}", pad=pad),
                touch,
                MIN_TOUCH_COUNTS,
                MAX_TOUCH_COUNTS,
            )
            _check(say("The release threshold of {pad}", pad=pad), release, 1, touch - 1)
            _check(
                say("The threshold of weight on {pad}", pad=pad),
                heavy,
                touch + HEAVY_ABOVE_TOUCH,
                MAX_HEAVY_COUNTS,
            )
        _check(say("The greatest current (in mA)"), self.most_ma, MIN_LIMIT_MA, MAX_LIMIT_MA)


def pack(settings: Settings) -> bytes:
    return _LAYOUT.pack(
        bytes(settings.touch), bytes(settings.release), bytes(settings.heavy), settings.most_ma
    )


def unpack(data: bytes) -> Settings:
    """Return the settings that these bytes encode. Raises InputError for invalid bytes."""
    if len(data) != SETTINGS_BYTES:
        raise InputError(
            say(
                "Settings have {settings_bytes} bytes, not {len}.",
                settings_bytes=SETTINGS_BYTES,
                len=len(data),
            )
        )
    touch, release, heavy, most_ma = _LAYOUT.unpack(data)
    return Settings(tuple(touch), tuple(release), tuple(heavy), most_ma)


def _check(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise InputError(
            say(
                "{what} is {value}, but it must be from {least} to {most}.",
                what=what,
                value=value,
                least=least,
                most=most,
            )
        )
