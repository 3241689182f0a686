"""Observations of a world, and the first difference between two worlds."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

AROUND = 160
"""Characters shown before and after the first one that differs."""


class Seen(NamedTuple):
    """One thing that somebody who is no spymaster could have observed."""

    what: str
    """The observable, such as ``public view``."""
    value: object
    at: float = 0.0
    """Seconds."""


class Difference(NamedTuple):
    """The first place at which one observable is not the same in two worlds."""

    what: str
    number: int
    here: Seen | None
    there: Seen | None

    def __str__(self) -> str:
        return (
            f"{self.what}, item {self.number}, differs:\n"
            f"  in world A: {_shown(self.here, self.there)}\n"
            f"  in world B: {_shown(self.there, self.here)}"
        )

    @property
    def at(self) -> float:
        return min(seen.at for seen in (self.here, self.there) if seen is not None)


def differences(here: Sequence[Seen], there: Sequence[Seen]) -> list[Difference]:
    """The first difference in each observable that has one, the earliest first."""
    if here == there:
        return []
    ours, theirs = _by_observable(here), _by_observable(there)
    found = [
        Difference(what, number, one, other)
        for what in dict.fromkeys((*ours, *theirs))
        for number, (one, other) in enumerate(zip_longest(ours.get(what, ()), theirs.get(what, ())))
        if one != other
    ]
    firsts = {difference.what: difference for difference in reversed(found)}
    return sorted(firsts.values(), key=lambda difference: difference.at)


def _by_observable(seen: Sequence[Seen]) -> dict[str, list[Seen]]:
    grouped = defaultdict(list)
    for one in seen:
        grouped[one.what].append(one)
    return grouped


def _shown(seen: Seen | None, other: Seen | None) -> str:
    if seen is None:
        return "(nothing more)"
    text, against = _text(seen), _text(other) if other else ""
    same = 0
    while same < min(len(text), len(against)) and text[same] == against[same]:
        same += 1
    start = max(0, same - AROUND)
    cut = text[start : same + AROUND]
    return f"at {seen.at!r} s: {'…' * (start > 0)}{cut}{'…' * (same + AROUND < len(text))}"


def _text(seen: Seen) -> str:
    return seen.value.decode() if isinstance(seen.value, bytes) else str(seen.value)


def told_by_error(error: BaseException | None) -> list[Any]:
    """Everything that an exception tells, and those that led to it."""
    told: list[Any] = []
    while error is not None and len(told) < 10:
        told.append(
            (
                type(error).__name__,
                str(error),
                repr(error),
                repr(error.args),
                getattr(error, "__notes__", None),
                repr(vars(error)),
            )
        )
        error = error.__cause__ or error.__context__
    return told


def as_lines(script: Sequence[object]) -> str:
    """A script as lines of JSON, to be read or run."""
    return "\n".join(msgspec.json.encode(line).decode() for line in script)
