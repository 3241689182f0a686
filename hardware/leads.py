"""Ready leads: wires that are sold with a crimped contact at each end.

parts.csv has a row for each length that is used: ``lead-203`` is 203 mm long. A wire of a cable is
the shortest lead that reaches. A longer wire is two of the longest leads, soldered together.
"""

import re
from functools import cache
from typing import Final

from hardware import parts

JOINT: Final = 0.03
"""Metres of two joined leads that are lost: the cut contacts, and the overlap in the joint."""
_ID: Final = re.compile(r"lead-(\d+)")


@cache
def sold() -> dict[str, float]:
    """Return the length in metres of each ready lead in parts.csv by its id, the shortest first."""
    found = [match for part in parts.read() if (match := _ID.fullmatch(part.id))]
    return {
        match[0]: int(match[1]) / 1000 for match in sorted(found, key=lambda each: int(each[1]))
    }


def choose(metres: float) -> tuple[str, ...]:
    """Return the ids of the leads that make a wire of at least this length: one, or two to be
    joined. Raises ValueError if two leads are too short."""
    for name, length in sold().items():
        if metres <= length:
            return (name,)
    longest, length = [*sold().items()][-1]
    if metres > 2 * length - JOINT:
        raise ValueError(f"A wire of {metres:.2f} m is longer than two {longest}.")
    return longest, longest


def metres_of(metres: float) -> float:
    """Return the length in metres of the wire that is made for this need. One lead is not cut; two
    joined leads are cut to the length that is needed."""
    names = choose(metres)
    return sold()[names[0]] if len(names) == 1 else metres
