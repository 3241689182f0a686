"""Where chance comes from. Chance is data: what was drawn stands in acts and events."""

import secrets
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Numbered(Protocol[T_co]):
    """Things of which one is to be drawn, each as likely as any other."""

    @property
    def count(self) -> int:
        """How many there are."""

    def numbered(self, number: int, /) -> T_co:
        """The thing with this number, 0 … ``count`` - 1; every thing has one."""


class Chance:
    """The operating system's generator. Tests bring a chance of their own."""

    def below(self, count: int) -> int:
        """An integer from 0 to ``count`` - 1, each equally likely."""
        return secrets.randbelow(count)

    def one_of(self, things: Numbered[T_co]) -> T_co:
        """Any one of the things."""
        return things.numbered(self.below(things.count))
