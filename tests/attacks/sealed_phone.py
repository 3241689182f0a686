"""A phone with a seat as its link and its frames are described, written without the table's code.

It has no socket: whoever attacks carries its frames, keeps them, changes them, or sends them again.
"""

import base64
import json
import os
from typing import Any, Final

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt as _decrypt,
)
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_encrypt as _encrypt,
)
from nacl.exceptions import CryptoError

UP, DOWN, PLACES = 512, 1024, 6
"""Bytes of a frame up and down, and how many of the latter every phone is sent at once."""
NONCE, TAG = 24, 16
PLAIN: Final = UP - NONCE - TAG
SILENT: Final = 6
"""After so many blocks without anything for it a phone draws a new hello."""

Json = dict[str, Any]


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sealed(plain: bytes, associated: bytes, key: bytes) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + _encrypt(plain, associated, nonce, key)


def opened(frame: bytes, associated: bytes, key: bytes) -> bytes | None:
    try:
        return _decrypt(frame[NONCE:], associated, frame[:NONCE], key)
    except (CryptoError, ValueError):
        return None


def upward(what: Json, associated: bytes, key: bytes) -> bytes:
    """A frame of 512 bytes, whatever it says."""
    text = json.dumps(what, separators=(",", ":")).encode()
    return sealed((len(text).to_bytes(2, "big") + text).ljust(PLAIN, b"\0"), associated, key)


class Phone:
    """A phone that was led to ``link`` (``/seat#…``); another with the same ``device`` key is the
    same phone, reloaded."""

    def __init__(self, link: str, device: bytes | None = None) -> None:
        self.link_key = from_base64url(link.partition("#")[2])
        self.device = device or os.urandom(32)
        self.hello = base64url(os.urandom(16))
        self.session = ""
        self.n = 0
        self.heard = -1
        self.message: Json = {}
        """The newest whole message; empty before the first one."""
        self._parts: dict[int, bytes] = {}
        self._version = -1
        self._silent = 0
        """So many blocks in a row had nothing for this phone."""

    @property
    def is_heard(self) -> bool:
        return bool(self.session)

    def knock(self, **changes: Any) -> bytes:
        what = {"k": base64url(self.device), "h": self.hello}
        return upward(what | changes, b"pi-table/1 knock", self.link_key)

    def say(self, hold: bool = False, **changes: Any) -> bytes:
        """The next frame; ``changes`` are `id` and `do`, or what else a forger would say."""
        self.n += 1
        what = {"s": self.session, "h": self.hello, "n": self.n, "b": self.heard}
        what["hold"] = hold
        return upward(what | changes, b"pi-table/1 up", self.device)

    def next_frame(self, hold: bool = False, **changes: Any) -> bytes:
        """Return the next frame of an honest phone, which sends another hello if there is no
        answer."""
        if self._silent >= SILENT:
            self.hello, self.session, self._silent = base64url(os.urandom(16)), "", 0
        return self.say(hold, **changes) if self.is_heard else self.knock()

    def hear(self, block: bytes) -> Json | None:
        """Take in what every phone is sent at a beat; the header of what was accepted, if any."""
        accepted = None
        for start in range(0, len(block), DOWN):
            plain = opened(block[start : start + DOWN], b"pi-table/1 down", self.device)
            if plain is None:
                continue
            length = int.from_bytes(plain[:2], "big")
            header: Json = json.loads(plain[2 : 2 + length])
            rest = plain[2 + length :]
            part = rest[2 : 2 + int.from_bytes(rest[:2], "big")]
            if header["h"] != self.hello:
                continue
            if header["s"] != self.session:
                self.session, self.heard = header["s"], -1
            if header["n"] <= self.heard:
                continue
            self.heard = header["n"]
            accepted = header
            self._take(header, part)
        self._silent = 0 if accepted else self._silent + 1
        return accepted

    def _take(self, header: Json, part: bytes) -> None:
        if header["v"] != self._version:
            self._version, self._parts = header["v"], {}
        self._parts[header["p"]] = part
        if len(self._parts) == header["of"]:
            whole = b"".join(self._parts[place] for place in sorted(self._parts))
            self.message = json.loads(whole)
