"""Damage that half a check would not see: bits chosen so that 16 of the 32 of the CRC agree.

By chance one damaged frame in 65,536 is so; the checks are to be tried more often than that.
"""

import random
import zlib
from functools import cache

from pi_table.wire.codec import CRC_BYTES, frame

REACH = 40
"""How far from a message's end these bits lie at most."""


@cache
def patterns() -> list[bytes]:
    """Bits to flip at the end of a message, which change its CRC, but not half of it; or, where a
    receiver puts the CRC itself through the register too, not half of what is left there then."""
    chance = random.Random(1)
    found: list[bytes] = []
    kinds = [lambda crc: crc & 0xFFFF, lambda crc: crc >> 16]
    wanted = [*kinds, *(lambda crc, half=half: half(_after(crc)) for half in kinds)]
    while wanted:
        pattern = bytearray(REACH)
        for _ in range(3):
            pattern[chance.randrange(REACH)] ^= chance.randrange(1, 256)
        change = zlib.crc32(pattern) ^ zlib.crc32(bytes(REACH))
        for kind in wanted:
            if change and kind(change) == 0:
                found.append(bytes(pattern))
                wanted.remove(kind)
                break
    return found


def _after(change: int) -> int:
    """What becomes of a change of the register when the bytes of a CRC have gone through it."""
    none = bytes(CRC_BYTES)
    return zlib.crc32(none, change) ^ zlib.crc32(none, 0)


def sly(message: bytes, chance: random.Random) -> bytes:
    """The frame of another message, with the CRC of this one, which agrees by half."""
    pattern = chance.choice(patterns())[-len(message) :].rjust(len(message), b"\0")
    other = bytes(a ^ b for a, b in zip(message, pattern, strict=True))
    crc = zlib.crc32(message).to_bytes(CRC_BYTES, "little")
    text = other + crc
    whole = b"".join(bytes([len(run) + 1]) + run for run in text.split(b"\0")) + b"\0"
    assert other == message or whole != frame(other)
    return whole
