"""A crowd of simulated viewers of the web pages. Many come and go; one device floods the pages with
requests.

The crowd is a separate program, because it stands for other people's machines: ``python -m
pi_table.lab.bench.crowd PORT VIEWERS``.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from random import Random
from typing import Final

from pi_table.protocols.ipc.sealed import UP_BYTES

STAYS: Final = (0.5, 4.0)
"""Shortest and longest time in seconds until a viewer leaves and another one comes."""
A_DEVICE: Final = 10
"""Number of viewers on one device. Each device has its own address on the loopback interface."""
FLOODS: Final = 8
"""Number of HTTP connections, and also of WebSockets, on which the flooding device sends without a
pause."""
UPGRADE: Final = (
    "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def crowd(port: int, viewers: int) -> None:
    async with asyncio.TaskGroup() as everybody:
        for number in range(viewers):
            device = f"127.0.1.{1 + number // A_DEVICE}"
            everybody.create_task(again(look_on, port, device))
        for kind in (_ask, say):
            for _ in range(FLOODS):
                everybody.create_task(again(kind, port, "127.0.2.1"))


async def again(what: Callable[[int, str], Awaitable[None]], port: int, device: str) -> None:
    while True:
        with suppress(OSError, EOFError):
            await what(port, device)
        await asyncio.sleep(0)


async def look_on(port: int, device: str) -> None:
    reader, writer = await connect(port, device, "/api/1/events")
    with suppress(TimeoutError):
        async with asyncio.timeout(Random().uniform(*STAYS)):
            while await reader.read(65536):
                pass
    writer.transport.abort()


async def _ask(port: int, device: str) -> None:
    """Request a file again and again: send a hundred requests before reading an answer."""
    reader, writer = await connect(port, device, "/texts/en.json")
    wish = f"GET /texts/en.json HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode()
    for _ in count():
        writer.write(100 * wish)
        if not await reader.read(65536):
            return


async def say(port: int, device: str) -> None:
    """Send as many frames over a WebSocket as the server accepts."""
    reader, writer = await connect(port, device, "/api/1/phones", UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    frame = b"\x82\xfe" + UP_BYTES.to_bytes(2, "big") + bytes(4) + os.urandom(UP_BYTES)
    while not reader.at_eof():
        writer.write(frame)
        await writer.drain()


async def connect(
    port: int, device: str, path: str, more: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(device, 0))
    wish = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{more}\r\n"
    writer.write(wish.encode())
    return reader, writer


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(crowd(int(sys.argv[1]), int(sys.argv[2])))
