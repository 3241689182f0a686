"""Passwords, and their hashes in Mosquitto's format."""

import base64
import hashlib
import secrets
from typing import Final

import msgspec

ITERATIONS: Final = 101
"""Number of hash rounds, as in mosquitto_passwd. More rounds would not make a random password
safer, and they cost time: the broker stops while it computes a hash, and after a power cut it
computes one for each table."""
SALT_BYTES: Final = 12


class Hash(msgspec.Struct, frozen=True):
    """The hash of a password (PBKDF2 with SHA-512). Field names are as in dynamic-security.json."""

    password: str
    """The hash value, as Base64."""
    salt: str
    """The salt, as Base64."""
    iterations: int


def new_password() -> str:
    """Return a random password of 192 bits: 32 letters, digits, _ and -."""
    return secrets.token_urlsafe(24)


def new_salt() -> bytes:
    """Return a random salt, so that the hashes of equal passwords differ."""
    return secrets.token_bytes(SALT_BYTES)


def hash_of(password: str, salt: bytes) -> Hash:
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return Hash(_text(made), _text(salt), ITERATIONS)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
