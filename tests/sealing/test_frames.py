"""The contents of a frame. Its length discloses nothing, and other bytes are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.protocols.ipc import sealed
from pi_table.protocols.ipc.messages import MAX_LINE_BYTES
from pi_table.protocols.sealing import frames
from pi_table.protocols.sealing.frames import (
    DOWN_PLAIN,
    PART_BYTES,
    UP_PLAIN,
    as_text,
    from_text,
    pack_down,
    pack_up,
    parts,
    read_down,
    read_up,
)
from pi_table.protocols.sealing.seal import OVERHEAD


def test_a_sealed_frame_is_as_long_as_those_who_relay_it_think() -> None:
    assert UP_PLAIN + OVERHEAD == sealed.UP_BYTES
    assert DOWN_PLAIN + OVERHEAD == sealed.DOWN_BYTES


def test_the_longest_question_of_a_desk_fits_into_a_line() -> None:
    call = sealed.DeskCall(2**53 - 1, bytes(sealed.MAX_DESK_BYTES))
    assert len(sealed.line(call)) <= MAX_LINE_BYTES


def test_every_kind_of_frame_is_sealed_as_another() -> None:
    kinds = [value for name, value in vars(frames).items() if isinstance(value, bytes)]
    assert len({*kinds}) == len(kinds) == 6


@given(st.binary(max_size=UP_PLAIN - 2))
def test_what_a_phone_sends_is_read_and_always_as_long(text: bytes) -> None:
    plain = pack_up(text)
    assert len(plain) == UP_PLAIN
    assert read_up(plain) == text


@given(st.binary(max_size=160), st.binary(max_size=PART_BYTES))
def test_what_a_phone_is_sent_is_read_and_always_as_long(header: bytes, part: bytes) -> None:
    plain = pack_down(header, part)
    assert len(plain) == DOWN_PLAIN
    assert read_down(plain) == (header, part)


def test_what_has_no_room_is_not_packed() -> None:
    with pytest.raises(ValueError, match="no room"):
        pack_up(bytes(UP_PLAIN - 1))
    with pytest.raises(ValueError, match="no room"):
        pack_down(bytes(200), bytes(PART_BYTES))


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        pack_up(b"{}")[:-1],
        pack_up(b"{}") + b"\0",
        b"\xff\xff" + bytes(UP_PLAIN - 2),
        (UP_PLAIN - 1).to_bytes(2, "big") + bytes(UP_PLAIN - 2),
        pack_up(b"{}")[:-1] + b"x",
    ],
    ids=["nothing", "cut", "longer", "counts too much", "counts one too much", "not filled up"],
)
def test_what_no_phone_packs_is_not_read(plain: bytes) -> None:
    assert read_up(plain) is None


@given(st.binary(min_size=DOWN_PLAIN, max_size=DOWN_PLAIN) | st.binary(max_size=2000))
def test_anything_is_read_or_is_none(plain: bytes) -> None:
    read = read_down(plain)
    assert read is None or pack_down(*read) == plain
    text = read_up(plain)
    assert text is None or pack_up(text) == plain


@given(st.binary(max_size=5000))
def test_a_message_is_the_parts_that_it_is_cut_into(message: bytes) -> None:
    cut = parts(message)
    assert b"".join(cut) == message
    assert cut
    assert all(len(part) == PART_BYTES for part in cut[:-1])
    assert len(cut[-1]) <= PART_BYTES


@given(st.binary(max_size=64))
def test_bytes_stand_in_a_text_that_a_link_can_hold(secret: bytes) -> None:
    text = as_text(secret)
    assert {*text} <= {*"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"}
    assert from_text(text, len(secret)) == secret
    assert from_text(text, len(secret) + 1) is None


@pytest.mark.parametrize("text", [None, 1, "AAA=", "A", "AB", "A A", "é", "+/", "AAAA\n", ["AA"]])
def test_a_text_that_nobody_writes_so_is_none(text: object) -> None:
    assert from_text(text, 1) is None
    assert from_text(text, 2) is None
    assert from_text(text, 3) is None or text == "AAAA"
