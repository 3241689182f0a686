"""The operator's PIN: what is kept of it, and whether another one is the same.

Of a PIN nothing is kept but a hash by scrypt with a salt. A hash needs 2 MiB, for what a thread has
had may stay the engine's. It takes its time by eight rounds instead, some 50 ms of this machine's.
No more would be gained: who can read the file can also remove it. Against guessing at the screen
there is the wait (`table.engine.state.lock`), at the desk the end of its link
(`engine.desk.session`).
"""

import hashlib
import hmac
import os
import re
from typing import Annotated, Final, TypeGuard

import msgspec

SIGNS: Final = "0123456789"
LENGTHS: Final = range(4, 9)
"""How many digits a PIN may have."""
PATTERN: Final = rf"^[{SIGNS}]{{{LENGTHS[0]},{LENGTHS[-1]}}}\Z"
"""What a PIN looks like."""
COST: Final = 2**11
"""scrypt's N; with blocks of 8 it needs 128 · 8 · N bytes, which is 2 MiB."""
BLOCKS: Final = 8
ROUNDS: Final = 8
"""scrypt's p: so often, one after another."""
SALT_BYTES: Final = 16
DIGEST_BYTES: Final = 32
MOST_WRONG: Final = 1000
"""So many wrong PINs are counted, which takes ten days of trying; more make no wait longer."""


class HashedPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is kept of a PIN, and how often a wrong one was tried since the right one: at the hidden
    screen, and at the operator's desk."""

    salt: Annotated[bytes, msgspec.Meta(min_length=SALT_BYTES, max_length=SALT_BYTES)]
    digest: Annotated[bytes, msgspec.Meta(min_length=DIGEST_BYTES, max_length=DIGEST_BYTES)]
    wrong: Annotated[int, msgspec.Meta(ge=0)] = 0
    wrong_at_desk: Annotated[int, msgspec.Meta(ge=0)] = 0

    def __repr__(self) -> str:
        return f"HashedPin(wrong={self.wrong}+{self.wrong_at_desk})"


def is_pin(text: object) -> TypeGuard[str]:
    """Can this be a PIN?"""
    return isinstance(text, str) and re.search(PATTERN, text) is not None


def hashed(pin: str) -> HashedPin:
    """What is to be kept of a PIN. Takes its time."""
    salt = os.urandom(SALT_BYTES)
    return HashedPin(salt, _digest(pin, salt))


def is_right(pin: str, kept: HashedPin) -> bool:
    """Is this the PIN that is kept? Takes its time."""
    return hmac.compare_digest(_digest(pin, kept.salt), kept.digest)


def _digest(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=COST, r=BLOCKS, p=ROUNDS, dklen=DIGEST_BYTES)
