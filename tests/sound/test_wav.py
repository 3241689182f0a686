"""WAV files of any program that speaks: what can be used is, and all else is a sentence."""

import io
import math
import struct
import wave
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.devices.hal.contracts import SAMPLE_RATE, Clip
from pi_table.devices.sound.loudness import clip_of, level_of, samples_of
from pi_table.devices.sound.wav import clip_in, wav_of


def wav(samples: bytes, rate: int = SAMPLE_RATE, channels: int = 1, width: int = 2) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(channels)
        written.setsampwidth(width)
        written.setframerate(rate)
        written.writeframes(samples)
    return file.getvalue()


def sine(rate: int, seconds: float = 0.5, hertz: float = 440.0) -> bytes:
    return array(
        "h",
        (
            round(20000 * math.sin(2 * math.pi * hertz * index / rate))
            for index in range(round(rate * seconds))
        ),
    ).tobytes()


def test_what_was_written_is_read_again() -> None:
    clip = Clip(sine(SAMPLE_RATE))
    assert clip_in(wav_of(clip)) == clip
    assert clip_in(wav_of(Clip())) == Clip()


@pytest.mark.parametrize("rate", [8000, 16000, 24000, 44100, 48000])
def test_another_rate_lasts_as_long_and_sounds_as_high(rate: int) -> None:
    clip = clip_in(wav(sine(rate), rate))
    assert clip.seconds == pytest.approx(0.5, abs=0.001)
    assert level_of(clip) == pytest.approx(level_of(Clip(sine(SAMPLE_RATE))), abs=0.5)
    samples = samples_of(clip)
    assert sum(a < 0 <= b for a, b in pairwise(samples)) in range(218, 222)


def test_two_channels_are_mixed() -> None:
    both = struct.pack("<6h", 100, 300, -100, -300, 32767, 32767)
    assert clip_in(wav(both, channels=2)) == clip_of([200, -200, 32767])


def test_a_header_may_promise_more_than_there_is() -> None:
    clip = Clip(sine(SAMPLE_RATE))
    whole = bytearray(wav_of(clip))
    whole[4:8] = whole[40:44] = struct.pack("<I", 0x7FFFF000)  # as espeak-ng writes to a pipe
    assert clip_in(bytes(whole)) == clip
    assert clip_in(bytes(whole[:-3])) == Clip(clip.samples[:-4])


def test_other_chunks_of_odd_length_are_passed_over() -> None:
    clip = Clip(sine(SAMPLE_RATE))
    whole = wav_of(clip)
    more = b"LIST\3\0\0\0abc\0"
    assert clip_in(whole[:36] + more + whole[36:]) == clip


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "It is not a WAV file."),
        (b"hello\n", "It is not a WAV file."),
        (b"RIFF\0\0\0\0WAVE", "It is not a WAV file."),
        (
            wav(b"\0" * 30, width=3),
            "Its samples are not plain ones of 16 bits, but 24 bits of kind 1.",
        ),
        (
            wav(b"\0" * 30, width=1),
            "Its samples are not plain ones of 16 bits, but 8 bits of kind 1.",
        ),
        (wav(b"\0" * 30, channels=3), "It has 3 channels, not one or two."),
        (wav(b"\0" * 30, rate=1), "It has 1 samples a second: that is not speech."),
        (wav(b"\0" * 30, rate=10**6), "It has 1000000 samples a second: that is not speech."),
    ],
)
def test_what_is_no_speech_is_told(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as error:
        clip_in(data)
    assert str(error.value).startswith(says)


@given(st.data())
def test_damaged_files_are_told_or_read_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(wav(sine(SAMPLE_RATE, 0.01), data.draw(st.sampled_from([8000, 48000]))))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, 47))] = data.draw(st.integers(0, 255))
    kept = data.draw(st.integers(0, len(whole)))
    try:
        clip = clip_in(bytes(whole[:kept]))
    except ValueError as error:
        said = str(error)
    else:
        said = f"{clip.seconds} s."
        assert clip.seconds < 1
    assert said.endswith(".")
