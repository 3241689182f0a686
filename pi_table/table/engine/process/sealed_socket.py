"""The engine's side of the sealed socket. It receives frames from phones. At regular times (beats),
it sends a block of frames for all phones.

The time of an output must not depend on its content. Therefore a line of frames is answered before
any of its frames is decrypted. Each block is made a little before the time at which it is sent.
"""

import asyncio
import math
import os
from collections import deque
from pathlib import Path
from typing import Final

from pi_table.common.errors import InputError
from pi_table.protocols.ipc import sealed
from pi_table.protocols.ipc.server import Server, Viewer
from pi_table.protocols.sealing.seal import NONCE_BYTES
from pi_table.table.engine.phones.phones import BLOCK_BYTES
from pi_table.table.engine.table import Table

MODE: Final = 0o660
AHEAD_SECONDS: Final = 0.02
"""Seconds between making a block of frames and sending it. This hides how long making it takes."""
MAX_CONNECTIONS: Final = 4
"""Maximum number of connections at a time: the relay's, one for the desk, and some old ones that
broke unnoticed."""
RELAYED_SECONDS: Final = 0.8 * sealed.BEAT_SECONDS
"""Minimum seconds between two lines of frames from relays. A line that comes earlier waits, because
it takes time to decrypt frames."""


class SealedSocket:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._server = Server(lambda: self._block, self._on_line, MAX_CONNECTIONS, self._on_left)
        self._table: Table | None = None
        self._relay: Viewer | None = None
        """The connection of the relay; None if no relay is connected."""
        self._block = b""
        """The newest block of frames for phones, as a line."""
        self._next_block = b""
        self._beat: asyncio.Handle | None = None
        self._unopened: deque[bytes] = deque()
        """Relayed frames that are not decrypted yet."""
        self._opened: list[bytes] = []
        """The first `MARK_BYTES` of each frame that was accepted since the last block was made."""
        self._relayed_at = -math.inf
        """Time of the last answer to a line of frames."""

    async def open(self, path: Path, table: Table) -> None:
        """Listen for relays to this table. Raises DeviceError."""
        self._table = table
        await self._server.open(path, MODE)

    def close(self) -> None:
        self._table = None
        if self._beat is not None:
            self._beat.cancel()
        self._server.close()

    def see_to_beats(self) -> None:
        """Start sending blocks at regular times if there are phones and a relay; otherwise stop."""
        if self._table is None:
            return
        if self._beat is None and self._table.beats:
            self._beat = self._loop.call_soon(self._make_block, self._loop.time() + AHEAD_SECONDS)
        elif self._beat is not None and not self._table.beats:
            self._beat.cancel()
            self._beat = None

    def take_block(self, frames: tuple[bytes, ...]) -> None:
        self._next_block = sealed.line(sealed.SealedBlock(frames, tuple(self._opened)))
        self._opened.clear()

    # Input

    def _on_line(self, line: bytes, viewer: Viewer) -> None:
        try:
            said = sealed.read_from_relay(line)
        except InputError:
            viewer.cut_off()
            return
        if isinstance(said, sealed.DeskCall):
            self._on_desk_call(said, viewer)
            return
        soonest = self._relayed_at + RELAYED_SECONDS
        if self._loop.time() < soonest:
            self._loop.call_at(soonest, self._on_relayed, said, viewer)
        else:
            self._on_relayed(said, viewer)

    def _on_desk_call(self, said: sealed.DeskCall, viewer: Viewer) -> None:
        def answer(reply: bytes) -> None:
            viewer.answer(sealed.line(sealed.DeskReply(said.id, reply)))

        if self._table is None:
            return
        if len(said.sealed) > sealed.MAX_DESK_BYTES:
            answer(b"")
        else:
            self._table.on_desk_call(said.sealed, os.urandom(NONCE_BYTES), answer)

    def _on_relayed(self, said: sealed.Relayed, viewer: Viewer) -> None:
        """Answer the relay, then process the frames: the time of the answer must not depend on the
        frames."""
        if self._table is None:
            return
        if viewer.has_hung_up():  # while its line waited
            viewer.cut_off()
            return
        self._relay, self._relayed_at = viewer, self._loop.time()
        viewer.answer(sealed.line(sealed.Heard(said.id)))
        is_at_it = bool(self._unopened)
        self._unopened.extend(said.frames[: sealed.MAX_RELAYED - len(self._unopened)])
        self._table.on_relayed((), said.address)
        if self._unopened and not is_at_it:
            self._open_next()

    def _open_next(self) -> None:
        """Decrypt one frame, and schedule the next, so that a touch waits for one frame at most."""
        if self._table is None or not self._unopened:
            return
        frame, before = self._unopened.popleft(), self._table.heard_of_phones
        self._table.on_relayed((frame,), None)
        if self._table.heard_of_phones != before:
            self._opened.append(frame[: sealed.MARK_BYTES])
        if self._unopened:
            # Two passes of the loop: pending input comes first.
            self._loop.call_soon(self._loop.call_soon, self._open_next)

    def _on_left(self, viewer: Viewer) -> None:
        """Process a lost connection, which may be the relay's."""
        if viewer is not self._relay or self._table is None:
            return
        self._relay = None
        self._block = self._next_block = b""
        self._unopened.clear()
        self._opened.clear()
        self._table.on_relay_left()

    # Output

    def _make_block(self, due: float) -> None:
        if self._table is None:
            return
        self._beat = self._loop.call_at(due, self._send, due)
        self._table.beat(os.urandom(BLOCK_BYTES))

    def _send(self, due: float) -> None:
        """Send the block of this beat. If beats were missed, their blocks are not sent later."""
        late = max(0.0, self._loop.time() - due)
        due += sealed.BEAT_SECONDS * (1 + late // sealed.BEAT_SECONDS)
        self._beat = self._loop.call_at(due - AHEAD_SECONDS, self._make_block, due)
        self._block = self._next_block
        self._server.publish()
