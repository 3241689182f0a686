"""The file of passwords as Mosquitto reads it: users, and of each password what is made of it."""

import base64
import hashlib
import re
import secrets
from typing import Final

from pi_table.errors import InputError

ROUNDS: Final = 101
"""As mosquitto_passwd has it. More would make no password safer that is nothing but chance, and the
broker stands still while it reckons: with all tables at once, when the light comes back."""
SALT_BYTES: Final = 12
_LINE: Final = re.compile(r"(?P<user>[^:]+):\$[67]\$\S+")


def new_password() -> str:
    """A password of chance: 32 letters, digits, _ and -, of 192 bits."""
    return secrets.token_urlsafe(24)


def new_salt() -> bytes:
    """What makes the same password look different for each user."""
    return secrets.token_bytes(SALT_BYTES)


def line(user: str, password: str, salt: bytes) -> str:
    """The line of a user: PBKDF2 with SHA-512, which Mosquitto calls 7."""
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"{user}:$7${ROUNDS}${_text(salt)}${_text(made)}"


def read(text: str, where: str) -> dict[str, str]:
    """The lines of such a file, by user. Raises InputError, naming the file as ``where``."""
    lines = {}
    for number, each in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(each)
        if found is None:
            raise InputError(f"Line {number} of {where} is no user with a hashed password.")
        lines[found["user"]] = each
    return lines


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
