"""The source of chance. Every draw is recorded in an act or an event, so games can be replayed."""

import secrets
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


DRAWN_BYTES: Final = 8
"""Bytes that one draw takes. They are many more than a game needs, so a second draw is rare."""
MAX_COUNT: Final = 256**DRAWN_BYTES
"""Number of different draws."""


class Numbered(Protocol[T_co]):
    """A set of numbered things. Each thing is equally likely to be drawn."""

    @property
    def count(self) -> int: ...
    def item(self, number: int, /) -> T_co:
        """Return the thing with this number, 0 … ``count`` - 1. Each thing has just one number."""


class Chance:
    """The operating system's random generator. Tests use another one, whose results they choose."""

    def __init__(self, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._random_bytes = random_bytes

    def below(self, count: int) -> int:
        """Return a random integer from 0 to ``count`` - 1. All are equally likely.

        ``count`` is at most `MAX_COUNT`.
        """
        assert count <= MAX_COUNT, "No draw would be accepted."
        while True:
            drawn = int.from_bytes(self._random_bytes(DRAWN_BYTES))
            result = drawn % count
            # The numbers are divided into runs of ``count``. The last run may be incomplete: its
            # results would come too often, so a number from it is drawn again.
            if drawn - result <= MAX_COUNT - count:
                return result

    def one_of(self, things: Numbered[T_co]) -> T_co:
        """Return a random one of the things. All are equally likely."""
        return things.item(self.below(things.count))
