"""An asyncio client of the table's sockets: lines over a connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pi_table.protocols.ipc.messages import MAX_ANSWER_BYTES


@asynccontextmanager
async def connect(path: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection to a socket of the table for a context. Raises OSError."""
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_ANSWER_BYTES)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def read_line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line. Raises EOFError at the stream's end, ValueError for too long a line."""
    read = await reader.readline()
    if not read.endswith(b"\n"):
        raise EOFError
    return read
