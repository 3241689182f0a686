"""The source of chance. Chance is data: every draw is recorded in an act or an event."""

import secrets
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Numbered(Protocol[T_co]):
    """A set of numbered things, each of which is drawn with the same chance."""

    @property
    def count(self) -> int: ...
    def item(self, number: int, /) -> T_co:
        """Return the thing with this number, 0 … ``count`` - 1. Each has exactly one number."""


class Chance:
    """The operating system's random generator. Tests use another, whose results they choose."""

    def below(self, count: int) -> int:
        """Return an integer from 0 to ``count`` - 1, each equally likely."""
        return secrets.randbelow(count)

    def one_of(self, things: Numbered[T_co]) -> T_co:
        """Return any one of the things, each equally likely."""
        return things.item(self.below(things.count))
