"""Sends valid messages of phones and forged messages to a table, on a separate thread."""

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Final

import msgspec

from pi_table.lab.running_table import Console, Wire
from pi_table.protocols.ipc.phones import Header, PhoneBeat
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, MAX_RELAYED, UP_BYTES, Relayed, SealedBlock
from pi_table.protocols.sealing.frames import (
    DOWN,
    KNOCK,
    UP,
    as_text,
    from_text,
    pack_up,
    read_down,
)
from pi_table.protocols.sealing.handshake import Knock
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal, unseal

ADDRESS: Final = "http://127.0.0.1:8080"
SEATS: Final = ("red-spymaster", "blue-spymaster", "red-operatives", "blue-operatives")


class _Phone:
    """A phone with a seat. From time to time a finger is held on its screen."""

    def __init__(self, link: str) -> None:
        self._link_key = from_text(link.partition("#")[2], KEY_BYTES) or b""
        self._device = os.urandom(KEY_BYTES)
        self._hello = as_text(os.urandom(16))
        self.session: str | None = None
        self._count = self._heard = 0

    def frame(self, holds: bool) -> bytes:
        said: Knock | PhoneBeat = Knock(as_text(self._device), self._hello)
        about, key = KNOCK, self._link_key
        if self.session is not None:
            self._count += 1
            said = PhoneBeat(self.session, self._hello, self._count, self._heard, holds)
            about, key = UP, self._device
        plain = pack_up(msgspec.json.encode(said))
        return seal(plain, about, os.urandom(NONCE_BYTES), key)

    def hear(self, frames: tuple[bytes, ...]) -> None:
        for frame in frames:
            plain = unseal(frame, DOWN, self._device)
            read = None if plain is None else read_down(plain)
            if read is not None:
                header = msgspec.json.decode(read[0], type=Header)
                if header.h == self._hello:
                    self.session, self._heard = header.s, header.n


HOLD: Final = 6
"""Number of messages in a row in which a phone reports a finger on its screen."""
HOLD_AND_REST: Final = 12
"""Number of messages in a cycle: first `HOLD` messages with a finger, then messages without one."""


class Relay:
    """Sends the messages of one phone for each seat, and forged messages. Every `BEAT_SECONDS` it
    sends as many messages in all as the table decrypts in that time."""

    def __init__(self, folder: Path) -> None:
        """Connect to the table's sealed socket in ``folder``."""
        self._wire = Wire(folder / "sealed.sock")
        self._phones: list[_Phone] = []
        self._over = Event()
        self._thread = Thread(target=self._go, daemon=True)
        self._send(0, [])
        self._wire.read()  # the answer: the relay is registered

    def seat(self, console: Console) -> None:
        """Add a phone for every seat, and wait until the table has answered each phone."""
        for seat in SEATS:
            answer = console.ask("phone", **{"for": seat})
            self._phones.append(_Phone(answer["told"]["link"]))
        self._thread.start()
        while any(phone.session is None for phone in self._phones):
            self._over.wait(BEAT_SECONDS)

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._wire.close()

    def _go(self) -> None:
        due, number = monotonic(), 0
        with suppress(OSError):  # the table has ended
            while not self._over.is_set():
                number, due = number + 1, due + BEAT_SECONDS
                # A phone held for more than a second also keeps its seat in the next game.
                frames = [
                    phone.frame((number + place) % HOLD_AND_REST < HOLD)
                    for place, phone in enumerate(self._phones)
                ]
                frames += [os.urandom(UP_BYTES) for _ in range(MAX_RELAYED - len(frames))]
                self._send(number, frames)
                while self._wire.waiting(max(0.0, due - monotonic())):
                    said = self._wire.read()
                    if said["kind"] == "sealed":
                        block = msgspec.convert(said, SealedBlock)
                        for phone in self._phones:
                            phone.hear(block.frames)

    def _send(self, number: int, frames: list[bytes]) -> None:
        said = Relayed(number, tuple(frames), ADDRESS)
        self._wire.send(msgspec.to_builtins(said))
