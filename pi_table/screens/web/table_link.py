"""The connections to the table: what everybody may see comes in, and sealed bytes go to and fro.

Each is kept up for ever: while the table is away, it is tried again every half second. Nothing of
what is sealed can be opened here.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pi_table.protocols.ipc.client import RETRY_SECONDS
from pi_table.protocols.ipc.messages import AnyPublicMessage, read_public
from pi_table.protocols.ipc.sealed import (
    BEAT_SECONDS,
    DOWN_BYTES,
    MOST_RELAYED,
    PLACES_FOR_PHONES,
    DeskCall,
    DeskReply,
    Heard,
    Relayed,
    SealedBlock,
    ToRelay,
    line,
    read_to_relay,
)
from pi_table.protocols.ipc.stream import connected, read_line
from pi_table.screens.web.newest import Newest

MOST_UNHEARD: Final = 4
"""Lines of a relay that the table has not taken yet, after which none more are sent: what phones
said meanwhile they say again."""
DESK_SECONDS: Final = 10.0
"""How long an answer to a desk may take."""
MOST_AT_DESKS: Final = 8
"""Questions of desks that are asked at a time, or wait for that."""


class TableAway(Exception):  # noqa: N818 - it is no error of ours
    """The table does not answer at the moment."""


class TooBusy(Exception):  # noqa: N818 - it is no error of ours
    """So many ask already that nobody more can."""


class PublicLink:
    """What everybody may see of the table, the newest of it."""

    def __init__(self, path: Path, show: Callable[[bool, AnyPublicMessage | None], None]) -> None:
        self._path = path
        self._show = show
        """Is given whether the table is there, and its newest message, None where none came."""

    async def run(self) -> None:
        """Follow the table, for ever."""
        newest: AnyPublicMessage | None = None
        while True:
            with suppress(OSError, ValueError, RecursionError, EOFError):
                async with connected(self._path) as (reader, _):
                    while True:
                        newest = read_public(await read_line(reader))
                        self._show(True, newest)
            self._show(False, newest)
            await asyncio.sleep(RETRY_SECONDS)


class Relay:
    """What the table has for phones, and what phones have for it, at fixed beats.

    ``take`` gives the frames of phones that are to go now, `MOST_RELAYED` at most; ``opened`` is
    given the marks of those that were of a phone with a seat; ``address`` is what people
    open.
    """

    def __init__(
        self,
        path: Path,
        take: Callable[[int], tuple[bytes, ...]],
        opened: Callable[[tuple[bytes, ...]], None],
        address: Callable[[], str],
    ) -> None:
        self.blocks: Newest[bytes] = Newest(b"")
        """What every phone is sent: the newest block, its frames in a row."""
        self._path = path
        self._take = take
        self._opened = opened
        self._address = address
        self._writer: asyncio.StreamWriter | None = None
        self._told: str | None = None
        """The address that this connection has been told."""
        self._number = 0
        self._unheard = 0

    async def run(self) -> None:
        """Relay, for ever."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._hear())
            both.create_task(self._beat())

    async def _hear(self) -> None:
        while True:
            with suppress(OSError, ValueError, EOFError):
                async with connected(self._path) as (reader, writer):
                    self._told, self._unheard, self._writer = None, 0, writer
                    while True:
                        self._heard(read_to_relay(await read_line(reader)))
            self._writer = None
            await asyncio.sleep(RETRY_SECONDS)

    def _heard(self, message: ToRelay) -> None:
        if isinstance(message, Heard):
            self._unheard = max(0, self._unheard - 1)
        elif isinstance(message, SealedBlock):
            frames = message.frames
            # What is not of the one length would tell who looks on that something is different.
            if [len(each) for each in frames] != [DOWN_BYTES] * PLACES_FOR_PHONES:
                raise ValueError("A block of another size than all blocks have.")
            self.blocks.put(b"".join(frames))
            self._opened(message.opened)

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due = max(due + BEAT_SECONDS, loop.time())  # beats that were missed are not made up for
            await asyncio.sleep(due - loop.time())
            frames = self._take(MOST_RELAYED)
            if self._writer is None or self._unheard >= MOST_UNHEARD:
                continue
            address = self._address()
            self._number += 1
            self._unheard += 1
            news = None if address == self._told else address
            self._told = address
            self._writer.write(line(Relayed(self._number, frames, news)))


class DeskRelay:
    """What desks ask the table, one after the other, each over a connection of its own: an answer
    that takes long holds up no phone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = asyncio.Lock()
        self._asking = 0
        self._number = 0

    async def ask(self, sealed: bytes) -> bytes:
        """The sealed answer to what a desk asks. Raises TableAway, TooBusy and TimeoutError."""
        if self._asking >= MOST_AT_DESKS:
            raise TooBusy
        self._asking += 1
        try:
            async with asyncio.timeout(DESK_SECONDS), self._one_at_a_time:
                return await self._answer(sealed)
        except TimeoutError:  # which is an OSError, too
            raise
        except (OSError, ValueError, EOFError):
            raise TableAway from None
        finally:
            self._asking -= 1

    async def _answer(self, sealed: bytes) -> bytes:
        self._number += 1
        async with connected(self._path) as (reader, writer):
            writer.write(line(DeskCall(self._number, sealed)))
            await writer.drain()
            while True:
                message = read_to_relay(await read_line(reader))
                if isinstance(message, DeskReply) and message.id == self._number:
                    return message.sealed
