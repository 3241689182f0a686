"""A desk, as its page speaks: it knocks with the link, and asks one thing after another, sealed."""

import os
from base64 import b64decode, b64encode
from typing import Any

import msgspec
from virtual_table import VirtualTable

from pi_table.protocols.sealing.frames import DESK_DOWN, DESK_KNOCK, DESK_UP, as_text, from_text
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal, unseal
from pi_table.table.engine.storage.transfer import PIECE_BYTES

PIN = "4711"


def link_of(table: VirtualTable) -> bytes:
    """The key of a new link, as the hidden screen is given it; a PIN is set before if none is."""
    table.beat()
    if not table.message.lock.pin:
        table.do("set-pin", pin=PIN)
    elif not table.message.lock.open:
        table.do("unlock", pin=PIN)
    page, key = table.ask("desk").told["link"].split("#")
    assert page == "/desk"
    link = from_text(key, KEY_BYTES)
    assert link is not None
    return link


class DeskPage:
    """A desk with a link's key, and a device key of its own."""

    def __init__(self, table: VirtualTable, link: bytes, device: bytes | None = None) -> None:
        self.table = table
        self.link = link
        self.device = device or os.urandom(KEY_BYTES)
        self.session: str | None = None
        self.hello = ""
        self.count = 0
        self.frames: list[bytes] = []
        """Everything that was sent."""

    def knock(self, hello: bytes | None = None) -> bool:
        """Knock; return True if the desk's answer was heard."""
        self.hello = as_text(hello or os.urandom(16))
        answer = self.send({"k": as_text(self.device), "h": self.hello}, DESK_KNOCK, self.link)
        if answer is None:
            return False
        self.session, self.count = answer["s"], 0
        return bool(answer["h"] == self.hello)

    def ask(self, act: str, **fields: Any) -> Any:
        """Ask for something, and have the answer: a dict as JSON has it; None for none."""
        self.count += 1
        answer = self.say({"do": {"act": act, **fields}})
        if answer is None or "of" not in answer:
            return answer
        whole = b64decode(answer["piece"])
        while len(whole) < answer["of"]:
            self.count += 1
            more = self.say({"rest": len(whole)})
            whole += b64decode(more["piece"])
        return msgspec.json.decode(whole)

    def say(self, what: dict[str, Any]) -> Any:
        said = {"s": self.session, "h": self.hello, "n": self.count, **what}
        return self.send(said, DESK_UP, self.device)

    def send(self, said: dict[str, Any], use: bytes, key: bytes) -> Any:
        frame = seal(msgspec.json.encode(said), use, os.urandom(NONCE_BYTES), key)
        self.frames.append(frame)
        return self.read(self.table.desk_called(frame))

    def read(self, reply: bytes) -> Any:
        plain = unseal(reply, DESK_DOWN, self.device)
        return None if plain is None else msgspec.json.decode(plain)

    def put(self, what: str, content: bytes) -> None:
        """Let something come up, in pieces."""
        for at in range(0, max(1, len(content)), PIECE_BYTES):
            piece = b64encode(content[at : at + PIECE_BYTES]).decode()
            answer = self.ask("put", what=what, at=at, piece=piece)
            assert answer["ok"], answer["sentence"]


def desk_at(table: VirtualTable) -> DeskPage:
    """A desk at which the PIN was entered."""
    desk = DeskPage(table, link_of(table))
    assert desk.knock()
    assert desk.ask("unlock", pin=PIN)["ok"]
    return desk
