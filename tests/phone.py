"""A phone as the page ``/seat`` is one: it knocks, says, and puts together what it is sent.

Nothing here is the engine's but the frames: what it refuses, it refuses by itself.
"""

import os
from typing import Any

import msgspec

from pi_table.protocols.sealing.frames import (
    DOWN,
    KNOCK,
    UP,
    as_text,
    from_text,
    pack_up,
    read_down,
)
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal, unseal

MAX_MISSED_BEATS = 6
"""After so many beats that brought nothing a phone knocks anew."""


class Phone:
    """A phone that opened a link such as ``/seat#…``."""

    def __init__(self, link: str, device: bytes | None = None) -> None:
        page, _, key = link.partition("#")
        assert page == "/seat"
        self.key = from_text(key, KEY_BYTES) or b""
        assert len(self.key) == KEY_BYTES
        self.device = device or os.urandom(KEY_BYTES)
        self.session = ""
        self.count = self.heard = self.asked = 0
        self.do: dict[str, Any] | None = None
        self.hold = False
        self.parts: dict[int, bytes] = {}
        self.version = 0
        self.message: Any = None
        """The newest message that came whole; None before the first."""
        self.missed = 0
        """Number of beats since the last accepted message."""
        self.load()

    def load(self) -> None:
        """Load the page anew: the keys stay in its address, all else is forgotten."""
        self.do, self.asked, self.message = None, 0, None
        self.greet()

    def greet(self) -> None:
        """Draw a new hello: with it the phone knocks, until it is heard."""
        self.hello = as_text(os.urandom(16))
        self.session, self.count, self.heard, self.version = "", 0, 0, 0
        self.missed, self.parts = 0, {}

    # Up

    def knock(self, hello: str | None = None) -> bytes:
        """A frame that shows the phone's own key."""
        text = {"k": as_text(self.device), "h": hello or self.hello}
        return self.up(text, KNOCK, self.key)

    def say(self, **fields: Any) -> bytes:
        """A frame that says that the phone is here, and what it wants. ``fields`` are other than
        usual."""
        self.count += 1
        said = {"s": self.session, "h": self.hello, "n": self.count, "b": self.heard}
        said["hold"] = self.hold
        if self.do is not None:
            said |= {"id": self.asked, "do": self.do}
        return self.up(said | fields, UP, self.device)

    def ask(self, act: str, **fields: Any) -> None:
        """Ask for something, from now on in every frame until it is answered."""
        self.asked += 1
        self.do = {"act": act, **fields}

    def next(self) -> bytes:
        """The frame of this beat: a knock, until the phone was heard."""
        return self.say() if self.session else self.knock()

    @staticmethod
    def up(text: object, about: bytes, key: bytes) -> bytes:
        return seal(pack_up(msgspec.json.encode(text)), about, os.urandom(NONCE_BYTES), key)

    # Down

    def hear(self, frames: tuple[bytes, ...]) -> bool:
        """Take the block of a beat; return True if it had a frame for this phone."""
        taken = any([self.take(frame) for frame in frames])  # noqa: C419 - each is to be tried
        self.missed = 0 if taken else self.missed + 1
        if self.missed >= MAX_MISSED_BEATS:
            self.greet()
        return taken

    def take(self, frame: bytes) -> bool:
        """Take a frame; return True if it was new and for this phone."""
        plain = unseal(frame, DOWN, self.device)
        read = None if plain is None else read_down(plain)
        if read is None:
            return False
        header = msgspec.json.decode(read[0])
        if header["h"] != self.hello or (header["s"] == self.session and header["n"] <= self.heard):
            return False
        self.session, self.heard = header["s"], header["n"]
        if header["v"] != self.version:
            self.version, self.parts = header["v"], {}
        self.parts[header["p"]] = read[1]
        if len(self.parts) == header["of"]:
            whole = b"".join(self.parts[part] for part in sorted(self.parts))
            self.message = msgspec.json.decode(whole)
            answer = self.message["answer"]
            if answer is not None and answer["id"] == self.asked:
                self.do = None
        return True

    @property
    def answer(self) -> Any:
        """Return the result of the last request; None while it is not known."""
        answer = None if self.message is None else self.message["answer"]
        return answer if answer is not None and answer["id"] == self.asked else None
