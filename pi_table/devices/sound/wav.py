"""WAV files: reads the output of a speech program, and writes clips that people can play."""

import io
import struct
import wave
from array import array
from typing import Final

from pi_table.common.language import say
from pi_table.devices.hal.contracts import SAMPLE_BYTES, SAMPLE_RATE, Clip
from pi_table.devices.sound.loudness import clip_of, samples_of

LOWEST_RATE, HIGHEST_RATE = 4000, 96000
MAX_CHANNELS: Final = 2


def clip_in(data: bytes) -> Clip:
    """Return the sound of a WAV file with 16-bit samples, mixed to one channel, at `SAMPLE_RATE`.

    The file may be shorter than its header says, because a program that writes to a pipe does not
    know the length in advance. Every other fault raises ValueError with a sentence.
    """
    chunks = _chunks(data)
    try:
        kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", chunks[b"fmt "][:16])
        found = chunks[b"data"]
    except (KeyError, struct.error):
        raise ValueError(say("It is not a WAV file.")) from None
    if kind not in (PLAIN, EXTENSIBLE) or bits != 8 * SAMPLE_BYTES:
        raise ValueError(
            say(
                "Its samples are not plain ones of 16 bits, but {bits} bits of kind {kind}.",
                bits=bits,
                kind=kind,
            )
        )
    if not 1 <= channels <= MAX_CHANNELS:
        raise ValueError(say("It has {channels} channels, not one or two.", channels=channels))
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise ValueError(say("It has {rate} samples a second: that is not speech.", rate=rate))
    whole = len(found) - len(found) % (SAMPLE_BYTES * channels)
    samples = samples_of(Clip(found[:whole]))
    if channels == MAX_CHANNELS:
        both = zip(samples[::2], samples[1::2], strict=True)
        samples = array("h", ((a + b) // 2 for a, b in both))
    return clip_of(samples if rate == SAMPLE_RATE else _resample(samples, rate))


PLAIN, EXTENSIBLE = 1, 0xFFFE
"""Sample formats of a WAV file, by number: integers, and a format that a longer header names."""


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """Return the chunks of a WAV file by name; {} if the data is not a WAV file."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return {}
    found: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        found.setdefault(data[at : at + 4], data[at + 8 : at + 8 + size])
        at += 8 + size + size % 2
    return found


def wav_of(clip: Clip) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(SAMPLE_BYTES)
        written.setframerate(SAMPLE_RATE)
        written.writeframes(clip.samples)
    return file.getvalue()


def _resample(samples: "array[int]", rate: int) -> "array[int]":
    """Return the same sound at `SAMPLE_RATE`, by linear interpolation."""
    length = len(samples) * SAMPLE_RATE // rate
    samples.append(samples[-1] if samples else 0)
    made = array("h")
    for index in range(length):
        place, part = divmod(index * rate, SAMPLE_RATE)
        here, there = samples[place], samples[place + 1]
        made.append(here + (there - here) * part // SAMPLE_RATE)
    return made
