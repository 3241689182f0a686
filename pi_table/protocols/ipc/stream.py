"""A viewer's end of a socket for a program that has an asyncio loop: lines over a connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pi_table.protocols.ipc.messages import LONGEST_ANSWER


@asynccontextmanager
async def connected(
    path: Path,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to a socket of the table, which ends with the context. Raises OSError."""
    reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST_ANSWER)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def read_line(reader: asyncio.StreamReader) -> bytes:
    """The next line. Raises EOFError at the end, ValueError for one that is too long."""
    read = await reader.readline()
    if not read.endswith(b"\n"):
        raise EOFError
    return read
