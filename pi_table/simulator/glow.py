"""How a light looks on a screen: an LED at a tenth of its power still glows, a pixel does not."""

from collections.abc import Iterable
from typing import Final

GAMMA: Final = 2.2


def glow(colour: int) -> int:
    """The colour 0xRRGGBB of a pixel that looks as an LED of this ``colour`` does."""
    return _joined(255 * (channel / 255) ** (1 / GAMMA) for channel in _channels(colour))


def mix(one: int, other: int, share: float) -> int:
    """The colour ``one`` with this share (0 … 1) of ``other``."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return _joined(a + (b - a) * share for a, b in pairs)


def _channels(colour: int) -> tuple[int, int, int]:
    return colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF


def _joined(channels: Iterable[float]) -> int:
    red, green, blue = (round(channel) for channel in channels)
    return red << 16 | green << 8 | blue
