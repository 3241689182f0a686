"""A value of which only the newest counts, for any number of tasks that wait for it."""

import asyncio
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Numbered(NamedTuple, Generic[Value]):
    """A value, and how many there were before it."""

    number: int
    value: Value


class Newest(Generic[Value]):
    """The newest value. Who is slow misses those in between; nothing is kept for anybody."""

    def __init__(self, value: Value) -> None:
        self.now = Numbered(0, value)
        self._changed = asyncio.Event()

    def put(self, value: Value) -> None:
        """Replace the value, and wake whoever waits."""
        self.now = Numbered(self.now.number + 1, value)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, number: int) -> Numbered[Value]:
        """The newest value, as soon as it is another than the one of that number."""
        while self.now.number == number:
            await self._changed.wait()
        return self.now
