"""A value for which tasks can wait. Only the newest value is kept."""

import asyncio
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Numbered(NamedTuple, Generic[Value]):
    """A value and its number. Each new value has a higher number."""

    number: int
    value: Value


class Newest(Generic[Value]):
    """The newest of a series of values. Nothing is queued: a slow reader misses values."""

    def __init__(self, value: Value) -> None:
        self.now = Numbered(0, value)
        self._changed = asyncio.Event()

    def put(self, value: Value) -> None:
        """Replace the value and wake all waiting tasks."""
        self.now = Numbered(self.now.number + 1, value)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, number: int) -> Numbered[Value]:
        """Wait until the value has a number other than ``number``, and return the value with its
        number."""
        while self.now.number == number:
            await self._changed.wait()
        return self.now
