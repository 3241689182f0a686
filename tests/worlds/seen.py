"""What was seen in a world, and the first thing that two worlds do not have in common."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

AROUND = 160
"""Characters shown before and after the first one that differs."""


class Seen(NamedTuple):
    """One thing that somebody who is no spymaster could have observed."""

    what: str
    """The observable, such as ``public view``."""
    value: object
    at: float | None = None
    """Seconds, where time is part of it."""


class Difference(NamedTuple):
    """The first place at which two worlds part."""

    number: int
    here: Seen | None
    there: Seen | None

    def __str__(self) -> str:
        what = (self.here or self.there or Seen("nothing", None)).what
        return (
            f"{what}, item {self.number}, differs:\n"
            f"  in world A: {_shown(self.here, self.there)}\n"
            f"  in world B: {_shown(self.there, self.here)}"
        )


def difference(here: Sequence[Seen], there: Sequence[Seen]) -> Difference | None:
    """The first item in which the two differ; None if there is none."""
    if here == there:
        return None
    for number, (one, other) in enumerate(zip(here, there, strict=False)):
        if one != other:
            return Difference(number, one, other)
    number = min(len(here), len(there))
    return Difference(number, *([*seen[number:], None][0] for seen in (here, there)))


def _shown(seen: Seen | None, other: Seen | None) -> str:
    if seen is None:
        return "(nothing more)"
    text, against = _text(seen), _text(other) if other else ""
    same = 0
    while same < min(len(text), len(against)) and text[same] == against[same]:
        same += 1
    start = max(0, same - AROUND)
    cut = text[start : same + AROUND]
    time = "" if seen.at is None else f"at {seen.at!r} s "
    return f"{time}[{seen.what}] {'…' * (start > 0)}{cut}{'…' * (same + AROUND < len(text))}"


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
