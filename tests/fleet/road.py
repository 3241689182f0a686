"""The way between a bridge and its broker, on which things can be held up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Road:
    """Hands on what comes from both ends. While ``closed_down`` is set, nothing that the broker
    says reaches the bridge; while ``closed`` is set, nobody new gets through."""

    def __init__(self, to: int) -> None:
        self.port = 0
        self.closed_down = asyncio.Event()
        self.closed = asyncio.Event()
        self._to = to
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on what comes over one connection, both ways."""
        task = asyncio.current_task()
        assert task is not None
        if self.closed.is_set():
            writer.transport.abort()
            return
        self._tasks.add(task)
        there, to = await asyncio.open_connection("127.0.0.1", self._to)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._hand_on(reader, to, down=False))
                both.create_task(self._hand_on(there, writer, down=True))
        except* OSError:
            pass
        finally:
            writer.transport.abort()
            to.transport.abort()
            self._tasks.discard(task)

    async def _hand_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, down: bool
    ) -> None:
        while data := await reader.read(1 << 16):
            if down and self.closed_down.is_set():
                continue
            writer.write(data)
        writer.transport.abort()

    async def end(self) -> None:
        """End every connection."""
        for task in list(self._tasks):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def road_to(port: int) -> AsyncIterator[Road]:
    """A way to a broker at a port."""
    road = Road(port)
    server = await asyncio.start_server(road.serve, "127.0.0.1", 0)
    road.port = server.sockets[0].getsockname()[1]
    try:
        yield road
    finally:
        server.close()
        await road.end()
