"""Damage that half a check would not see: bits chosen so that 16 of the 32 of the CRC agree.

By chance one damaged frame in 65,536 is so; the checks are to be tried more often than that.
"""

import random
import zlib

from pi_table.devices.wire.codec import CRC_BYTES

POLYNOMIAL = 0xEDB88320
WINDOW = 4
"""Bytes: as many bits as the CRC has, so that every change of it can be had by changing them."""


def before(change: int, count: int) -> int:
    """Return the change of the CRC's register that becomes this one after so many bytes."""
    for _ in range(8 * count):
        carry = change >> 31
        change = (change ^ POLYNOMIAL * carry) << 1 & 0xFFFFFFFF | carry
    return change


def sly(message: bytes, chance: random.Random) -> bytes:
    """The frame of another message with the CRC of this one, by half of which it is right.

    Half of the CRC is right; or, as a receiver may put the CRC itself through the register too,
    half of what is there then.
    """
    if len(message) < WINDOW:
        return b""
    change = chance.randrange(1, 1 << 16) << chance.choice((0, 16))
    after = chance.choice((0, CRC_BYTES))
    at = chance.randrange(len(message) - WINDOW + 1)
    flips = before(change, len(message) - at + after)
    window = int.from_bytes(message[at : at + WINDOW], "little") ^ flips
    other = message[:at] + window.to_bytes(WINDOW, "little") + message[at + WINDOW :]
    crc = zlib.crc32(message).to_bytes(CRC_BYTES, "little")
    assert after or zlib.crc32(other) ^ zlib.crc32(message) == change
    runs = (other + crc).split(b"\0")
    return b"".join(bytes([len(run) + 1]) + run for run in runs) + b"\0"
