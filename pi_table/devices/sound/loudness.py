"""Measures and adjusts the loudness of samples.

A level is in dB relative to the loudest signal that a clip can hold. The level of a sound is the
level of its loudest 50 ms, because the ear adds up sound over about that time. So a knock and a
chord of the same level sound equally loud.
"""

import enum
import math
from array import array
from collections.abc import Iterable
from itertools import pairwise
from operator import mul
from typing import Final

from pi_table.devices.hal.contracts import SAMPLE_RATE, Clip

FULL: Final = 32767
WINDOW: Final = SAMPLE_RATE // 20
"""Number of samples in 50 ms."""
PEAK: Final = -1.0
"""Maximum peak of a sound in dB."""


class Level(enum.Enum):
    """The level of a sound in dB. A sound is made softer than its level if its peaks would
    otherwise exceed `PEAK`."""

    AMBIENCE = -24.0
    """Sounds that are not part of the game: guests who talk may miss them."""
    EVENT = -18.0
    """Sounds of the game: everybody at the table should hear them."""
    SPEECH = -16.0
    """Spoken lines, which people must understand while others talk."""
    DRAMA = -12.0
    """Sounds that decide a game."""


def set_level(wave: "array[float] | array[int]", level: Level) -> Clip:
    """Return the wave as a clip of this level. The clip is softer if a peak would otherwise exceed
    `PEAK`."""
    loudest = _loudest_window(wave)
    if not loudest:
        return Clip(bytes(2 * len(wave)))
    highest = max(max(wave), -min(wave))
    gain = min(_ratio(level.value) / loudest, _ratio(PEAK) / highest) * FULL
    return _times(wave, gain)


def at_volume(clip: Clip, volume: int) -> Clip:
    """Return the clip at this volume, from 0 (silence) to 100 (unchanged).

    The amplitude is the third power of the volume, as in PulseAudio. A volume of 50 is 18 dB below
    100, and sounds about a quarter as loud.
    """
    if volume >= 100:
        return clip
    gain = (volume / 100) ** 3
    return _times(samples_of(clip), gain)


def trim(wave: "array[int]") -> "array[int]":
    """Return the wave without the silence before and after it. `MARGIN` samples of silence stay on
    each side."""
    least = AUDIBLE * max(max(wave, default=0), -min(wave, default=0))
    first = next((at for at, sample in enumerate(wave) if abs(sample) > least), len(wave))
    after = next((at for at, sample in enumerate(reversed(wave)) if abs(sample) > least), len(wave))
    return wave[max(0, first - MARGIN) : max(0, len(wave) - after) + MARGIN]


AUDIBLE: Final = 0.01
"""Samples below this share of the highest peak count as silence."""
MARGIN: Final = SAMPLE_RATE // 50


def level_of(clip: Clip) -> float:
    """Return the level in dB of the clip's loudest 50 ms; minus infinity for silence."""
    return _decibels(_loudest_window(samples_of(clip)) / FULL)


def peak_of(clip: Clip) -> float:
    """Return the clip's highest peak in dB; minus infinity for silence."""
    samples = samples_of(clip)
    return _decibels(max(max(samples), -min(samples)) / FULL if samples else 0.0)


def samples_of(clip: Clip) -> "array[int]":
    """Return the clip's samples as numbers from -32768 to 32767."""
    samples = array("h", clip.samples)
    if not LITTLE_ENDIAN:
        samples.byteswap()
    return samples


def clip_of(samples: Iterable[int]) -> Clip:
    made = array("h", samples)
    if not LITTLE_ENDIAN:
        made.byteswap()
    return Clip(made.tobytes())


LITTLE_ENDIAN: Final = array("h", [1]).tobytes() == b"\1\0"


def _loudest_window(wave: "array[float] | array[int]") -> float:
    """Return the root mean square of the loudest window. Windows overlap by half."""
    halves = [
        sum(map(mul, half := wave[start : start + WINDOW // 2], half))
        for start in range(0, len(wave), WINDOW // 2)
    ]
    loudest = max((a + b for a, b in pairwise((*halves, 0.0))), default=0.0)
    return math.sqrt(loudest / WINDOW)


def _times(wave: "array[float] | array[int]", gain: float) -> Clip:
    """Return the wave as a clip, multiplied by ``gain``. The code uses `map`, which is twice as
    fast as a loop."""
    return clip_of(map(round, map(gain.__mul__, wave)))


def _ratio(decibels: float) -> float:
    return float(10 ** (decibels / 20))


def _decibels(ratio: float) -> float:
    return 20 * math.log10(ratio) if ratio > 0 else -math.inf
