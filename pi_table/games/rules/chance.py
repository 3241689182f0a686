"""The source of chance. Every draw is recorded in an act or an event, so games can be replayed."""

import secrets
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Numbered(Protocol[T_co]):
    """A set of numbered things. Each thing is equally likely to be drawn."""

    @property
    def count(self) -> int: ...
    def item(self, number: int, /) -> T_co:
        """Return the thing with this number, 0 … ``count`` - 1. Each thing has just one number."""


class Chance:
    """The operating system's random generator. Tests use another one, whose results they choose."""

    def below(self, count: int) -> int:
        """Return a random integer from 0 to ``count`` - 1. All are equally likely."""
        return secrets.randbelow(count)

    def one_of(self, things: Numbered[T_co]) -> T_co:
        """Return a random one of the things. All are equally likely."""
        return things.item(self.below(things.count))
