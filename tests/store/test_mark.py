"""A mark is read as it was written, or said to be damaged, whatever became of its bytes."""

import random
from contextlib import suppress

import msgspec
import pytest
from msgspec.structs import replace

from pi_table.table.store import mark as marks
from pi_table.table.store.entries import Entry
from pi_table.table.store.mark import (
    MARK_BYTES,
    PAGE_BYTES,
    REGION_BYTES,
    SECTOR_BYTES,
    Act,
    Mark,
    decode,
    encode,
    fits,
    image,
    offset,
)

NOW = "2026-11-21T08:15:00Z"
ACT = Act((Entry(3.5, b"guessed"), Entry(3.5, bytes(900))), NOW, bytes(range(32)))
MARK = Mark(game=3, count=14, last=bytes(range(32)), noted_at=0.1 + 0.2, serial=17, act=ACT)
NEXT = replace(MARK, count=15, serial=18)
FIRST = Mark(serial=1)


def both(older: Mark, newer: Mark) -> bytes:
    """A file that holds a mark and the next one."""
    data = bytearray(image(older))
    data[offset(newer) : offset(newer) + REGION_BYTES] = encode(newer)
    return bytes(data)


def test_a_mark_comes_back_as_it_was_written() -> None:
    big = Mark(10**9, 10**6, b"\xff" * 32, 1e15 / 3, 10**12)
    others = (FIRST, big, replace(MARK, act=None), replace(NEXT, leaves=True))
    for mark in (MARK, NEXT, *others):
        assert len(image(mark)) == MARK_BYTES
        assert decode(image(mark)) == mark
    assert decode(both(MARK, NEXT)) == NEXT
    assert decode(both(NEXT, replace(MARK, serial=19))) == replace(MARK, serial=19)


def test_what_fits_may_still_get_a_clock_and_a_longer_serial() -> None:
    def with_body(size: int) -> Mark:
        return Mark(1, 2, bytes(32), act=Act((Entry(1.0, bytes(size)),), NOW, bytes(32)))

    longest = max(size for size in range(PAGE_BYTES) if fits(with_body(size)))
    assert longest > 3_000
    grown = replace(with_body(longest), noted_at=0.1, serial=2**63, game=10**12, count=10**12)
    assert decode(image(grown)) == grown


def test_a_flipped_bit_of_a_mark_does_no_harm() -> None:
    good = both(MARK, NEXT)
    used = [place for place, byte in enumerate(good) if byte]
    for place in (*used, *range(0, MARK_BYTES, 97)):
        for bit in (0, 5):
            data = bytearray(good)
            data[place] ^= 1 << bit
            assert decode(bytes(data)) == NEXT


def test_a_page_that_is_lost_does_no_harm() -> None:
    good = both(MARK, NEXT)
    for start in range(0, MARK_BYTES, PAGE_BYTES):
        for lost in (bytes(PAGE_BYTES), b"x" * PAGE_BYTES):
            data = bytearray(good)
            data[start : start + PAGE_BYTES] = lost
            if start // REGION_BYTES != offset(NEXT) // REGION_BYTES:
                with pytest.raises(ValueError, match="may be the newer"):
                    decode(bytes(data))
            else:
                assert decode(bytes(data)) == NEXT


def test_a_mark_that_is_torn_leaves_the_one_before() -> None:
    chance = random.Random(1)
    before, after = both(replace(MARK, serial=16), MARK), bytearray(image(NEXT))
    start = offset(NEXT)
    assert start == offset(replace(MARK, serial=16))
    seen = set()
    for _ in range(300):
        data = bytearray(before)
        share = chance.random()
        for sector in range(start, start + REGION_BYTES, SECTOR_BYTES):
            if chance.random() < share:
                data[sector : sector + SECTOR_BYTES] = after[sector : sector + SECTOR_BYTES]
        found = decode(bytes(data))
        assert found in (MARK, NEXT)
        seen.add(found == NEXT)
    assert seen == {False, True}


def test_a_mark_that_is_torn_twice_is_none_of_two() -> None:
    chance = random.Random(3)
    second = replace(NEXT, act=Act((Entry(4.5, bytes(1800)),), NOW, bytes(range(32))))
    assert encode(second)[: SECTOR_BYTES * 3] != encode(NEXT)[: SECTOR_BYTES * 3]
    for _ in range(300):
        data = bytearray(both(replace(MARK, serial=16), MARK))
        for mark in (NEXT, second):  # of one serial: nobody saw the first
            torn = encode(mark)
            for sector in range(0, REGION_BYTES, SECTOR_BYTES):
                if chance.random() < 0.6:
                    start = offset(mark) + sector
                    data[start : start + SECTOR_BYTES] = torn[sector : sector + SECTOR_BYTES]
        assert decode(bytes(data)) in (MARK, NEXT, second)


@pytest.mark.parametrize("lost", [bytes(SECTOR_BYTES), b"x" * SECTOR_BYTES], ids=["zeros", "noise"])
def test_two_sectors_that_are_lost_may_have_been_the_newer_mark(lost: bytes) -> None:
    good = both(MARK, NEXT)
    for number in range(PAGE_BYTES // SECTOR_BYTES):
        data = bytearray(good)
        for start in (offset(NEXT), offset(NEXT) + PAGE_BYTES):
            data[start + number * SECTOR_BYTES : start + (number + 1) * SECTOR_BYTES] = lost
        with pytest.raises(ValueError, match="one of its two regions"):
            decode(bytes(data))
    data[offset(NEXT) : offset(NEXT) + REGION_BYTES] = (lost * MARK_BYTES)[:REGION_BYTES]
    with pytest.raises(ValueError, match="one of its two regions"):
        decode(bytes(data))


def test_what_a_file_was_made_with_is_no_mark_however_much_of_it_was_written() -> None:
    made = image(Mark())
    assert len(made) == MARK_BYTES
    assert decode(b"") is decode(bytes(100)) is decode(bytes(MARK_BYTES)) is decode(made) is None
    chance = random.Random(2)
    for _ in range(100):
        data = bytearray(MARK_BYTES)
        for sector in range(0, MARK_BYTES, SECTOR_BYTES):
            if chance.random() < 0.5:
                data[sector : sector + SECTOR_BYTES] = made[sector : sector + SECTOR_BYTES]
        assert decode(bytes(data)) is decode(made[: len(data) // 2]) is None
    first = bytearray(made)
    first[offset(FIRST) : offset(FIRST) + REGION_BYTES] = encode(FIRST)
    assert decode(bytes(first)) == FIRST


def test_all_else_is_a_damaged_mark() -> None:
    for data in (b"x", image(MARK)[:9000], image(MARK)[:-1], bytes(MARK_BYTES - 1) + b"\n"):
        with pytest.raises(ValueError, match="neither of its two regions"):
            decode(data)


def test_no_repr_of_a_mark_shows_a_body() -> None:
    for shown in (f"{MARK!r}", f"{ACT!r}", str(MARK)):
        assert "guessed" not in shown
    assert ACT.__rich_repr__() == [("events", 2)]


def test_a_mark_of_values_within_values_is_damaged_or_has_them_unread() -> None:
    """The seal of a mark has no key: somebody may have made it up. How deep they may lie to be read
    past, Python decides: 3.13 goes further than a mark has room."""
    body = b"\x81" + msgspec.msgpack.encode("x") + b"\x91" * 3000 + b"\xc0"
    size = marks._PART_BYTES
    sectors = (
        marks._sector(1, b"made up!", number, body[number * size : (number + 1) * size])
        for number in range(marks._SECTORS)
    )
    found = []
    with suppress(ValueError):  # "None of its four regions can be read."
        found.append(decode(b"".join(sectors) * 4))
    assert all(mark.act is None for mark in found)
