"""How a word may have been made from another."""

import msgspec


class Making(msgspec.Struct, frozen=True):
    """What a word may be made from by one affix, one of several if there is more than one.

    ``sure``: does the affix speak for itself, or is it often only a string of letters? Where there
    is a ``proof``, that must be a word, or the affix is none. ``else_from``: the bases where none
    of the others is a word.
    """

    bases: tuple[str, ...]
    sure: bool = True
    proof: str | None = None
    else_from: tuple[str, ...] = ()


def affixes(listed: str) -> tuple[str, ...]:
    """Those of a list that is parted by spaces."""
    return tuple(listed.split())
