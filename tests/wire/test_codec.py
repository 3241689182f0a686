"""Frames: what is damaged is dropped, what is whole comes through, however it is cut."""

import itertools
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import Vector, named, vectors

from pi_table.devices.wire.codec import MAX_FRAME_BYTES, MAX_MESSAGE_BYTES, Deframer, frame

messages = st.binary(min_size=1, max_size=MAX_MESSAGE_BYTES) | st.lists(
    st.sampled_from([0, 0, 0, 1, 255]), min_size=1, max_size=MAX_MESSAGE_BYTES
).map(bytes)


def cobs(text: bytes) -> bytes:
    """COBS as its inventors wrote it: a byte at a time, and the code filled in afterwards."""
    out, code_at, code = bytearray(1), 0, 1
    for byte in text:
        if byte:
            out.append(byte)
            code += 1
        if not byte or code == 0xFF:
            out[code_at], code_at, code = code, len(out), 1
            out.append(0)
    out[code_at] = code
    return bytes(out)


@given(messages)
def test_a_frame_is_what_the_definitions_say(message: bytes) -> None:
    assert frame(message) == cobs(message + zlib.crc32(message).to_bytes(4, "little")) + b"\0"


@given(messages)
def test_a_frame_has_one_zero_and_that_at_its_end(message: bytes) -> None:
    assert frame(message).index(0) == len(frame(message)) - 1 <= MAX_FRAME_BYTES


@given(st.lists(messages, max_size=5), st.lists(st.integers(0, 1200), max_size=20))
def test_messages_come_through_however_they_are_cut(sent: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, sent))
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    deframer = Deframer()
    found = []
    for begin, end in itertools.pairwise(edges):
        found += deframer.feed(stream[begin:end])
    assert found == sent
    assert deframer.dropped == 0


@given(messages, st.data())
def test_a_damaged_frame_is_dropped_and_counted_and_the_next_is_whole(
    message: bytes, data: st.DataObject
) -> None:
    whole = frame(message)
    at = data.draw(st.integers(0, len(whole) - 2))
    other = data.draw(st.integers(1, 255).filter(lambda byte: byte != whole[at]))
    deframer = Deframer()
    assert deframer.feed(whole[:at] + bytes([other]) + whole[at + 1 :]) == []
    assert deframer.dropped == 1
    assert deframer.feed(whole) == [message]


@given(st.binary(max_size=600), messages)
def test_noise_costs_no_more_than_the_frame_that_it_runs_into(noise: bytes, message: bytes) -> None:
    deframer = Deframer()
    deframer.feed(noise)
    deframer.feed(b"\0")
    assert deframer.feed(frame(message)) == [message]


def test_noise_without_an_end_is_not_kept() -> None:
    deframer = Deframer()
    for _ in range(1000):
        assert deframer.feed(b"\x01" * 1000) == []
    assert len(deframer._begun) <= MAX_FRAME_BYTES + 1
    assert deframer.feed(b"\0" + frame(b"A")) == [b"A"]
    assert deframer.dropped == 1


def test_a_byte_behind_the_longest_frame_is_not_forgotten() -> None:
    longest = frame(bytes([1]) * MAX_MESSAGE_BYTES)[:-1]
    assert len(longest) == MAX_FRAME_BYTES
    deframer = Deframer()
    deframer.feed(longest + b"\x01")
    assert deframer.feed(b"\0") == []
    assert deframer.dropped == 1


@pytest.mark.parametrize("vector", vectors("frame"), ids=named)
def test_a_frame_is_the_one_that_the_firmware_makes(vector: Vector) -> None:
    message, whole = vector.data
    assert frame(message) == whole
    assert Deframer().feed(whole) == [message]


@pytest.mark.parametrize("vector", vectors("bad"), ids=named)
def test_what_the_firmware_drops_is_dropped(vector: Vector) -> None:
    deframer = Deframer()
    assert deframer.feed(vector.data[0]) == []
    assert deframer.dropped == 1


@pytest.mark.parametrize("vector", vectors("stream"), ids=named)
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_the_same_is_found_in_a_stream_as_the_firmware_finds(vector: Vector, piece: int) -> None:
    stream, messages, dropped = vector.parts
    deframer = Deframer()
    data = bytes.fromhex(stream)
    pieces = [data[at : at + piece] for at in range(0, len(data), piece)]
    found = [message.hex() for each in pieces for message in deframer.feed(each)]
    assert found == (messages.split(",") if messages else [])
    assert deframer.dropped == int(dropped)
