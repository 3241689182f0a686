"""An asyncio client of the table's sockets, which send and receive lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pi_table.protocols.ipc.messages import MAX_ANSWER_BYTES


@asynccontextmanager
async def connect(path: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Context manager: connect to the table's socket at ``path``. Raises OSError if that fails."""
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_ANSWER_BYTES)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def read_line(reader: asyncio.StreamReader) -> bytes:
    """Return the next line. Raises EOFError if the stream ends first, ValueError if the line is too
    long."""
    read = await reader.readline()
    if not read.endswith(b"\n"):
        raise EOFError
    return read
