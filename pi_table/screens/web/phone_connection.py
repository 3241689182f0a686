"""A phone's WebSocket. The library `websockets` parses frames; this module limits their number and
sends pings."""

import asyncio
import logging
from typing import Final

from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from pi_table.common.pacing import RateLimit
from pi_table.protocols.ipc.sealed import UP_BYTES
from pi_table.screens.web.asgi import Message
from pi_table.screens.web.places import Place
from pi_table.screens.web.turns import PIECE_BYTES

PHONE_FRAMES_AT_ONCE: Final = 40
PHONE_FRAMES_A_SECOND: Final = 10.0
"""Maximum number of frames that a phone may send in a second, including pings.

A ping of six bytes costs as much as a long frame. No frame is longer than `UP_BYTES`, so this
number also limits the bytes.
"""
PHONE_UNREAD_BYTES: Final = 24 * 1024
"""Maximum number of bytes that wait here for a slow phone: the frames of about a second. The system
buffers some more."""
PING_SECONDS: Final = 20.0
"""Seconds between two pings to a phone. The phone must answer each ping before the next ping."""
GOODBYE_SECONDS: Final = 2.0
"""Timeout in seconds for a phone's answer to the closing frame."""
NO_PONG: Final = 1011
"""WebSocket close code: the phone has not answered a ping."""
RESTART: Final = 1012
"""WebSocket close code: the server is stopping."""


class PhoneConnection(asyncio.Protocol):
    """An HTTP connection that has become a WebSocket."""

    def __init__(self, transport: asyncio.Transport, place: Place, lost: asyncio.Event) -> None:
        """Take over the HTTP connection of ``transport``. ``lost`` is set when the connection is
        lost."""
        self._transport = transport
        self._place = place
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        # Silent, because strangers could cause a log line with each frame.
        silent = logging.Logger("phones", logging.CRITICAL)
        self._web_socket = Protocol(Side.SERVER, max_size=UP_BYTES, logger=silent)
        self._frames = RateLimit(PHONE_FRAMES_AT_ONCE, PHONE_FRAMES_A_SECOND)
        self._message = bytearray()
        """The pieces of a message that has not arrived completely."""
        self._is_text = False
        """True if the incomplete message is text, which no phone sends."""
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._awaits_pong = False
        self._timer = self._loop.call_later(PING_SECONDS, self._ping)
        transport.set_protocol(self)
        transport.set_write_buffer_limits(high=PHONE_UNREAD_BYTES)

    # What asyncio calls

    def connection_lost(self, exc: Exception | None) -> None:
        self._place.leave()
        self._timer.cancel()
        self._messages.put_nowait({"type": "websocket.disconnect"})
        self._lost.set()

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), PIECE_BYTES):
            if self._transport.is_closing():
                return
            self._web_socket.receive_data(data[at : at + PIECE_BYTES])
            events = self._web_socket.events_received()
            if not self._frames.spend(len(events), self._loop.time()):
                self._transport.abort()
                return
            for event in events:
                self._take_frame(event)
            self._write_output()

    def pause_writing(self) -> None:
        self._transport.abort()

    def close(self) -> None:
        """Tell the phone that the server is stopping, and end the connection."""
        self._send_close(RESTART)
        self._transport.close()

    # What the application calls (ASGI)

    async def receive(self) -> Message:
        """Return the next message from the phone, or a disconnect message if the connection is
        lost."""
        return await self._messages.get()

    async def send(self, message: Message) -> None:
        """Send a message to the phone, or close the WebSocket. Raises ConnectionError if the
        WebSocket is closed already."""
        if message["type"] == "websocket.close":
            self._send_close(message["code"])
            self._timer.cancel()
            self._timer = self._loop.call_later(GOODBYE_SECONDS, self._transport.close)
        elif self._web_socket.state is State.OPEN:
            self._web_socket.send_binary(message["bytes"])
            self._write_output()
        else:
            raise ConnectionResetError

    def _take_frame(self, event: object) -> None:
        """Handle a frame of a message, or a pong. The library itself answers pings and closing
        frames."""
        assert isinstance(event, Frame)
        if event.opcode in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT):
            if event.opcode is not Opcode.CONT:
                self._is_text = event.opcode is Opcode.TEXT
            self._message += event.data
            if event.fin:
                whole = None if self._is_text else bytes(self._message)
                self._messages.put_nowait({"type": "websocket.receive", "bytes": whole})
                self._message.clear()
        elif event.opcode is Opcode.PONG:
            self._awaits_pong = False

    def _ping(self) -> None:
        """Send a ping. End the connection if the previous ping was not answered."""
        if self._awaits_pong:
            self._web_socket.fail(NO_PONG, "keepalive ping timeout")
        else:
            self._awaits_pong = True
            self._web_socket.send_ping(b"")
            self._timer = self._loop.call_later(PING_SECONDS, self._ping)
        self._write_output()

    def _send_close(self, code: int) -> None:
        if self._web_socket.state is State.OPEN:
            self._web_socket.send_close(code)
            self._write_output()

    def _write_output(self) -> None:
        """Write the bytes that the library wants to send. Close the connection after an empty piece
        (SEND_EOF)."""
        for piece in self._web_socket.data_to_send():
            if piece:
                self._transport.write(piece)
            else:
                self._transport.close()
