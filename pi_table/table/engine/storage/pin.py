"""The operator's PIN: its stored hash, and the check of an entered PIN.

Only a salted scrypt hash is stored. A hash uses only 2 MiB, because the engine may keep the memory
that a thread has used. Instead, eight rounds make the hash slow: it takes some 50 ms on a PC. A
longer time would gain nothing, because anyone who can read the file can also remove it. Two rules
protect against guessing: the screen makes people wait (`table.engine.state.lock`), and the desk
ends the connection (`engine.desk.desk`).
"""

import hashlib
import hmac
import os
import re
from typing import Annotated, Final, TypeGuard

import msgspec

SIGNS: Final = "0123456789"
LENGTHS: Final = range(4, 9)
"""Numbers of digits that a PIN may have."""
PATTERN: Final = rf"^[{SIGNS}]{{{LENGTHS[0]},{LENGTHS[-1]}}}\Z"
COST: Final = 2**11
"""scrypt's parameter N. With blocks of 8, one hash needs 128 · 8 · N bytes, which is 2 MiB."""
BLOCKS: Final = 8
ROUNDS: Final = 8
"""scrypt's parameter p: number of rounds, one after another."""
SALT_BYTES: Final = 16
DIGEST_BYTES: Final = 32
MAX_COUNTED_WRONG: Final = 1000
"""Largest count of wrong PINs; it takes ten days to reach. More wrong PINs make no wait longer."""


class HashedPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The stored hash of a PIN, and the numbers of wrong tries since the last right PIN."""

    salt: Annotated[bytes, msgspec.Meta(min_length=SALT_BYTES, max_length=SALT_BYTES)]
    digest: Annotated[bytes, msgspec.Meta(min_length=DIGEST_BYTES, max_length=DIGEST_BYTES)]
    wrong: Annotated[int, msgspec.Meta(ge=0)] = 0
    wrong_at_desk: Annotated[int, msgspec.Meta(ge=0)] = 0

    def __repr__(self) -> str:
        return f"HashedPin(wrong={self.wrong}+{self.wrong_at_desk})"


def is_pin(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and re.search(PATTERN, text) is not None


def hash_pin(pin: str) -> HashedPin:
    """Return the hash of a PIN with a new salt. Slow by design."""
    salt = os.urandom(SALT_BYTES)
    return HashedPin(salt, _digest(pin, salt))


def is_right(pin: str, kept: HashedPin) -> bool:
    """True if the entered PIN is the stored PIN. Slow by design."""
    return hmac.compare_digest(_digest(pin, kept.salt), kept.digest)


def _digest(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=COST, r=BLOCKS, p=ROUNDS, dklen=DIGEST_BYTES)
