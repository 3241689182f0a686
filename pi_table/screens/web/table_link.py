"""The connections to the table. Public messages come from the table; encrypted bytes go both ways.

If a connection is lost, this process tries every half second to reconnect. It cannot decrypt the
encrypted bytes.
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
    MAX_RELAYED,
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
from pi_table.protocols.ipc.stream import connect, read_line
from pi_table.screens.web.newest import Newest

MAX_UNACKNOWLEDGED: Final = 4
"""Maximum number of lines that wait for the table's acknowledgement. At this number no more lines
are sent; phones repeat their frames."""
DESK_SECONDS: Final = 10.0
"""Timeout in seconds for the table's answer to a desk."""
MAX_DESK_REQUESTS: Final = 8
"""Maximum number of requests from desks that are being answered or are waiting."""


class TableAway(Exception):  # noqa: N818 - it is no error of ours
    """The table is not connected at the moment."""


class TooBusy(Exception):  # noqa: N818 - it is no error of ours
    """Too many requests from desks are waiting already."""


class PublicLink:
    """The connection that receives the table's public messages."""

    def __init__(self, path: Path, show: Callable[[bool, AnyPublicMessage | None], None]) -> None:
        self._path = path
        self._show = show
        """A callback with two arguments: True if the table is connected, and the newest message or
        None."""

    async def run(self) -> None:
        """Receive messages without end, and reconnect after each lost connection."""
        newest: AnyPublicMessage | None = None
        while True:
            with suppress(OSError, ValueError, RecursionError, EOFError):
                async with connect(self._path) as (reader, _):
                    while True:
                        newest = read_public(await read_line(reader))
                        self._show(True, newest)
            self._show(False, newest)
            await asyncio.sleep(RETRY_SECONDS)


class Relay:
    """Passes frames between the table and the phones, every `BEAT_SECONDS`.

    ``take(most)`` returns at most ``most`` frames of phones. ``opened`` is called with the marks
    (first bytes) of the frames that the table could decrypt; each came from a phone with a seat.
    ``address`` returns the address of the pages.
    """

    def __init__(
        self,
        path: Path,
        take: Callable[[int], tuple[bytes, ...]],
        opened: Callable[[tuple[bytes, ...]], None],
        address: Callable[[], str],
    ) -> None:
        self.blocks: Newest[bytes] = Newest(b"")
        """The newest block, which every phone receives: the frames for all phones, joined."""
        self._path = path
        self._take = take
        self._opened = opened
        self._address = address
        self._writer: asyncio.StreamWriter | None = None
        self._told: str | None = None
        """The address of the pages that was last sent to the table over this connection, or None.
        """
        self._number = 0
        self._unheard = 0

    async def run(self) -> None:
        """Pass frames in both directions, without end."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._hear())
            both.create_task(self._beat())

    async def _hear(self) -> None:
        while True:
            with suppress(OSError, ValueError, EOFError):
                async with connect(self._path) as (reader, writer):
                    self._told, self._unheard, self._writer = None, 0, writer
                    while True:
                        self._on_message(read_to_relay(await read_line(reader)))
            self._writer = None
            await asyncio.sleep(RETRY_SECONDS)

    def _on_message(self, message: ToRelay) -> None:
        if isinstance(message, Heard):
            self._unheard = max(0, self._unheard - 1)
        elif isinstance(message, SealedBlock):
            frames = message.frames
            # A block of another length would show an observer that something is different.
            if [len(each) for each in frames] != [DOWN_BYTES] * PLACES_FOR_PHONES:
                raise ValueError("A block of another size than all blocks have.")
            self.blocks.put(b"".join(frames))
            self._opened(message.opened)

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due = max(due + BEAT_SECONDS, loop.time())  # missed times are skipped
            await asyncio.sleep(due - loop.time())
            frames = self._take(MAX_RELAYED)
            if self._writer is None or self._unheard >= MAX_UNACKNOWLEDGED:
                continue
            address = self._address()
            self._number += 1
            self._unheard += 1
            news = None if address == self._told else address
            self._told = address
            self._writer.write(line(Relayed(self._number, frames, news)))


class DeskRelay:
    """Passes requests from desks to the table, one after the other. Each request has its own
    connection, so a slow answer does not delay the phones."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = asyncio.Lock()
        self._asking = 0
        self._number = 0

    async def ask(self, sealed: bytes) -> bytes:
        """Return the table's encrypted answer to an encrypted request. Raises TableAway, TooBusy or
        TimeoutError if there is no answer."""
        if self._asking >= MAX_DESK_REQUESTS:
            raise TooBusy
        self._asking += 1
        try:
            async with asyncio.timeout(DESK_SECONDS), self._one_at_a_time:
                return await self._answer(sealed)
        except TimeoutError:  # a subclass of OSError, which is caught below
            raise
        except (OSError, ValueError, EOFError):
            raise TableAway from None
        finally:
            self._asking -= 1

    async def _answer(self, sealed: bytes) -> bytes:
        self._number += 1
        async with connect(self._path) as (reader, writer):
            writer.write(line(DeskCall(self._number, sealed)))
            await writer.drain()
            while True:
                message = read_to_relay(await read_line(reader))
                if isinstance(message, DeskReply) and message.id == self._number:
                    return message.sealed
