"""Passwords, and their hashes for Mosquitto."""

import base64
import hashlib
import secrets
from typing import Final

import msgspec

ITERATIONS: Final = 101
"""Rounds of hashing, as in mosquitto_passwd. More would not make a random password safer. The
broker does nothing else during the computation of a hash, and after a power cut it computes one for
each table."""
SALT_BYTES: Final = 12


class Hash(msgspec.Struct, frozen=True):
    """The hash of a password (PBKDF2 with SHA-512); field names as in dynamic-security.json."""

    password: str
    """The hash itself, as Base64."""
    salt: str
    """The salt, as Base64."""
    iterations: int


def new_password() -> str:
    """Return a random password: 32 letters, digits, _ and -, of 192 bits."""
    return secrets.token_urlsafe(24)


def new_salt() -> bytes:
    """Return random bytes, which make the same password look different for each user."""
    return secrets.token_bytes(SALT_BYTES)


def hash_of(password: str, salt: bytes) -> Hash:
    """Return the hash of a password."""
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return Hash(_text(made), _text(salt), ITERATIONS)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
