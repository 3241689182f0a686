"""Synthesis of sounds from strikes: a struck body rings in a few modes, each a sine that decays.

The synthesis is a pure function without randomness: a score always makes the same samples. So no
recordings have to be shipped. The module does not use numpy, which would take more memory than all
sounds together.
"""

import enum
import math
from array import array
from typing import Final

import msgspec

from pi_table.devices.hal.contracts import SAMPLE_RATE, Clip
from pi_table.devices.sound.loudness import Level, set_level

FADE_IN_SECONDS: Final = 0.002
FADE_OUT_SECONDS: Final = 0.03
"""Seconds over which a sound fades out, so that it does not click. ``FADE_IN_SECONDS`` are the
seconds over which it fades in."""
ATTACK_SECONDS: Final = 0.04
"""Seconds in which a strike swells to 99.9 % of its amplitude. A shorter attack would click."""
FELT_HERTZ: Final = 3000.0
"""Frequency in Hz at which a mode's loudness is halved, as if a hammer of felt had struck the body.
Higher modes are even softer."""
INAUDIBLE: Final = 1e-3
"""Share of a mode's first amplitude at which the decaying mode is cut off, because nobody can hear
it any more."""


class Body(enum.Enum):
    """The modes of a struck body. Each mode is three numbers: a frequency relative to the strike's
    pitch, a loudness, and a ringing time relative to the strike's ringing time.

    The frequencies are those of physics, rounded: a tuned wooden bar (1 : 4 : 9.2), a bell with its
    minor third (0.5 : 1 : 1.2 : 1.5 : 2 : 3), a round membrane (1 : 1.59 : 2.14 : 2.30).
    """

    WOOD = ((1.0, 1.0, 1.0), (4.0, 0.25, 0.35), (9.2, 0.08, 0.15))
    BELL = (
        *((0.5, 0.3, 1.2), (1.0, 1.0, 1.0), (1.2, 0.4, 0.7), (1.5, 0.25, 0.6), (2.0, 0.5, 0.5)),
        (3.0, 0.2, 0.3),
    )
    DRUM = ((1.0, 1.0, 1.0), (1.59, 0.7, 0.7), (2.14, 0.5, 0.5), (2.3, 0.4, 0.5), (3.6, 0.2, 0.3))
    REED = ((1.0, 1.0, 1.0), (2.0, 0.5, 0.9), (3.0, 0.5, 0.8), (4.0, 0.2, 0.7), (5.0, 0.25, 0.6))
    """A string or a reed. Its modes are harmonics, so it sounds like a voice or a horn."""


class Strike(msgspec.Struct, frozen=True):
    at: float
    """Seconds after the beginning of the sound."""
    pitch: float
    """Semitones above A4, which is 440 Hz."""
    rings: float = 0.3
    """Seconds until the strike's amplitude has decayed to a thousandth."""
    loud: float = 1.0
    """Loudness relative to the sound's other strikes."""
    glide: float = 0.0
    """Semitones by which the pitch rises while the strike rings; negative if the pitch falls."""


class Score(msgspec.Struct, frozen=True):
    level: Level
    seconds: float
    body: Body
    strikes: tuple[Strike, ...]


def hertz(pitch: float) -> float:
    return 440.0 * math.exp2(pitch / 12)


def synthesise(score: Score) -> Clip:
    """Return the sound. It has exactly the length of its score."""
    length = round(score.seconds * SAMPLE_RATE)
    mixed = [0.0] * length
    for strike in score.strikes:
        for ratio, loud, rings in score.body.value:
            felt = loud * strike.loud / (1 + (hertz(strike.pitch) * ratio / FELT_HERTZ) ** 2)
            _ring(mixed, strike, ratio, felt, rings * strike.rings)
            # The same mode with the opposite sign decays fast: the sum of both swells softly.
            _ring(mixed, strike, ratio, -felt, ATTACK_SECONDS)
    _fade(mixed)
    return set_level(array("d", mixed), score.level)


def _ring(mixed: list[float], strike: Strike, ratio: float, loud: float, rings: float) -> None:
    """Add one mode of a strike to ``mixed``: a decaying sine, computed as a shrinking rotation."""
    first = round(strike.at * SAMPLE_RATE)
    length = min(round(rings * SAMPLE_RATE), len(mixed) - first)
    frequency = hertz(strike.pitch) * ratio
    if length <= 0 or frequency * 2 ** (max(strike.glide, 0.0) / 12) >= SAMPLE_RATE / 2:
        return
    fade = INAUDIBLE ** (1 / (rings * SAMPLE_RATE))
    if strike.glide:
        turn = 2 * math.pi * frequency / SAMPLE_RATE
        bend = 2 ** (strike.glide / 12 / (strike.rings * SAMPLE_RATE))
        phase = 0.0
        for index in range(first, first + length):
            mixed[index] += loud * math.sin(phase)
            phase += turn
            turn *= bend
            loud *= fade
        return
    # y(n) = 2 r cos(w) y(n-1) - r² y(n-2) is a sine that turns by w and shrinks by r a sample.
    angle = 2 * math.pi * frequency / SAMPLE_RATE
    twice, shrunk = 2 * fade * math.cos(angle), fade * fade
    before, now = 0.0, loud * fade * math.sin(angle)
    for index in range(first, first + length):
        mixed[index] += before
        before, now = now, twice * now - shrunk * before


def _fade(mixed: list[float]) -> None:
    """Fade the sound in and out, so that it does not click."""
    for seconds, index_of in ((FADE_IN_SECONDS, 0), (FADE_OUT_SECONDS, -1)):
        length = min(round(seconds * SAMPLE_RATE), len(mixed))
        for step in range(length):
            place = step if index_of == 0 else -1 - step
            mixed[place] *= 0.5 - 0.5 * math.cos(math.pi * step / length)
