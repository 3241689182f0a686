"""The operator's phone at a table without a hidden screen: it has the link on the card and the PIN.

It asks through the pages, as a browser does. Seen are the lengths of what it is sent, and what it
shows: both must be the same in both worlds, but for a seat's link, which is random.
"""

import asyncio
import os
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from game_scripts import Line
from pages_session import HOST

from pi_table.protocols.sealing.frames import DESK_DOWN, DESK_KNOCK, DESK_UP, as_text, from_text
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal, unseal
from pi_table.table.engine.storage.card_link import make_card_link
from pi_table.table.engine.storage.pin import hash_pin
from pi_table.table.store.sealed_file import write_sealed

if TYPE_CHECKING:
    from daemon_world import World

PIN: Final = "2468"
SHOWS: Final = ("seats", "now", "offer")
"""What the page asks by itself after each act."""
OF_THE_MACHINE: Final = ("uptime", "temperature")
"""Facts of `now` that come from this machine's own clock and sensor."""


def prepare(state: Path) -> bytes:
    """Do what the settings on the card do before the first start; return the key of the link."""
    state.mkdir(parents=True, exist_ok=True)
    write_sealed(state / "pin.json", msgspec.json.encode(hash_pin(PIN)))
    key = from_text(make_card_link(state, None, is_new=False).key or "", KEY_BYTES)
    assert key is not None
    return key


class DeskInAHand:
    """A desk that was opened with the PIN, and does one act after the other."""

    def __init__(self, world: "World", link: bytes) -> None:
        self.world = world
        self.link = link
        self.device = os.urandom(KEY_BYTES)
        self.session: str | None = None
        self.hello = ""
        self.count = 0
        self.turn = asyncio.Lock()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self.turn = asyncio.Lock()
        self.hello, self.count = as_text(os.urandom(16)), 0
        said = {"k": as_text(self.device), "h": self.hello}
        answer = await self._send(said, DESK_KNOCK, self.link)
        assert answer is not None, "the link on the card opens no desk"
        self.session = answer["s"]
        assert (await self.ask({"act": "unlock", "pin": PIN}))["ok"]

    def happens(self, do: Line) -> None:
        """Do an act, then look at what the desk shows. Acts wait for each other."""
        loop = asyncio.get_running_loop()
        self.tasks.append(loop.create_task(self._happens(do)))

    async def close(self) -> None:
        await asyncio.gather(*self.tasks)
        self.tasks.clear()

    async def _happens(self, do: Line) -> None:
        async with self.turn:
            answer = await self.ask(do)
            if do["act"] == "phone" and self.world.pages is not None:
                if answer["ok"]:
                    self.world.pages.linked(answer["told"].pop("link"))
                else:
                    self.world.pages.not_linked()
            self._show(answer)
            for act in SHOWS:
                answer = await self.ask({"act": act})
                if act == "now" and answer["told"] is not None:
                    for name in OF_THE_MACHINE:
                        answer["told"].pop(name, None)
                self._show(answer)

    def _show(self, answer: Line) -> None:
        shown = {name: value for name, value in answer.items() if name not in ("s", "h")}
        self.world.saw("desk", msgspec.json.encode(shown))  # without what is random in a session

    async def ask(self, do: Line) -> Any:
        self.count += 1
        answer = await self._say({"do": do})
        if "of" not in answer:
            return answer
        whole = b64decode(answer["piece"])
        while len(whole) < answer["of"]:
            self.count += 1
            whole += b64decode((await self._say({"rest": len(whole)}))["piece"])
        return msgspec.json.decode(whole)

    async def _say(self, what: Line) -> Any:
        said = {"s": self.session, "h": self.hello, "n": self.count, **what}
        answer = await self._send(said, DESK_UP, self.device)
        assert answer is not None, f"the desk has no answer to {what}"
        return answer

    async def _send(self, said: Line, use: bytes, key: bytes) -> Any:
        frame = seal(msgspec.json.encode(said), use, os.urandom(NONCE_BYTES), key)
        reply = await self._post(frame)
        self.world.saw("pages, the desk", len(reply))
        plain = unseal(reply, DESK_DOWN, self.device)
        return None if plain is None else msgspec.json.decode(plain)

    async def _post(self, body: bytes) -> bytes:
        """Send one request to the pages; return the body of the answer."""
        data, ended = bytearray(), asyncio.Event()

        def heard(piece: bytes) -> None:
            data.extend(piece)
            if not piece:
                ended.set()

        assert self.world.pages is not None
        line = await self.world.pages.connected(heard)
        head = (
            *("POST /api/1/desk HTTP/1.1", f"Host: {HOST}", "Connection: close"),
            *("Content-Type: application/octet-stream", f"Content-Length: {len(body)}", "", ""),
        )
        line.write("\r\n".join(head).encode() + body)
        await ended.wait()
        return bytes(data).partition(b"\r\n\r\n")[2]
