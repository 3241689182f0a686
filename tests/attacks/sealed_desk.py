"""An operator's desk as its sealed bytes are described, written without the table's code."""

import base64
import json
import os
from collections.abc import Callable
from typing import Any, Final

from sealed_phone import Json, base64url, from_base64url, opened, sealed

KNOCK, UP, DOWN = b"pi-table/1 desk knock", b"pi-table/1 desk up", b"pi-table/1 desk down"
PIECE: Final = 24 * 1024

Post = Callable[[bytes], bytes]
"""Sends sealed bytes; answers with those that come back."""


class Desk:
    """A browser that was led to ``link`` (``/desk#…``)."""

    def __init__(self, link: str, post: Post, device: bytes | None = None) -> None:
        self.link_key = from_base64url(link.partition("#")[2])
        self.device = device or os.urandom(32)
        self.post = post
        self.hello = self.session = ""
        self.n = 0
        self.sent: list[bytes] = []
        """Every frame that went out."""

    def send(self, what: Json, use: bytes, key: bytes) -> Json | None:
        """Return the answer; None if nobody could open what was sent."""
        frame = sealed(json.dumps(what).encode(), use, key)
        self.sent.append(frame)
        plain = opened(self.post(frame), DOWN, self.device)
        return None if plain is None else json.loads(plain)

    def knock(self) -> bool:
        """Knock with a new hello; return True if it was heard."""
        self.hello, self.n = base64url(os.urandom(16)), 0
        what = {"k": base64url(self.device), "h": self.hello}
        answer = self.send(what, KNOCK, self.link_key)
        if answer is None or answer.get("h") != self.hello:
            return False
        self.session = answer["s"]
        return True

    def ask(self, act: str, **fields: Any) -> Json | None:
        """Return the answer to an act; None if nobody received it."""
        self.n += 1
        do = {"act": act, **fields}
        while True:
            said = {"s": self.session, "h": self.hello, "n": self.n, "do": do}
            answer = self.send(said, UP, self.device)
            if answer is None or not answer.get("wait"):
                return answer

    def why(self, act: str, **fields: Any) -> str | None:
        """Why an act was refused; None where it was done, ``unheard`` where nobody heard it."""
        answer = self.ask(act, **fields)
        if answer is None or answer.get("anew"):
            return "unheard"
        return None if answer["ok"] else str(answer["reason"])

    def put(self, content: bytes, what: str = "text") -> str | None:
        """Let something come up, in pieces; why a piece was refused."""
        for at in range(0, max(1, len(content)), PIECE):
            piece = base64.b64encode(content[at : at + PIECE]).decode()
            if (why := self.why("put", what=what, at=at, piece=piece)) is not None:
                return why
        return None
