"""What the controller's states say about fingers, as a course of events that has no gaps."""

from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.wire.messages import State

COUNTERS: Final = 16
_PLACES: Final = frozenset(range(PLACE_COUNT))


class Touches(msgspec.Struct, frozen=True):
    """How the places of the table are touched, as far as it is known."""

    touched: frozenset[int] = frozenset()
    """The places that are touched."""
    heavy: frozenset[int] = frozenset()
    """The touched places on which more than a finger lies."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot be read."""
    blocked: bool = False
    """Is the table wet, or does something lie on its rim?"""
    noisy: frozenset[int] = frozenset()
    """The places whose counts noise swings: nobody knows whether they are touched, whatever
    ``touched`` says."""


NOTHING_READ: Final = Touches(deaf=frozenset(range(PLACE_COUNT)))
"""The touches while the controller is away: no place can be read. So what was touched before does
not count as touched still, and a finger that lies there later was not seen to come down."""


def unread(state: State) -> Touches:
    """The touches after a state that no other has followed in time. The places that were touched
    are deaf: nobody knows whether they are touched still."""
    deaf = state.deaf | state.touched
    return Touches(deaf=deaf, noisy=_noisy(state) - deaf, blocked=state.water or state.rim)


def told(before: State | None, now: State) -> list[Touches]:
    """The touches that the state ``now`` tells of; ``before`` is the state that was heard last.

    A finger may have been lifted and have come down again between the two. The counters show it,
    and then there are two touches, of which the first has that finger lifted. A finger that came
    and went between the two is not told of.
    """
    touches = Touches(now.touched, now.heavy, now.deaf, now.water or now.rim, _noisy(now))
    if before is None:
        return [touches]
    lifted = frozenset(
        place
        for place in before.touched & now.touched
        if (now.counters[place] - before.counters[place]) % COUNTERS
    )
    if not lifted:
        return [touches]
    between = Touches(
        before.touched - lifted,
        before.heavy - lifted,
        before.deaf,
        before.water or before.rim,
        _noisy(before),
    )
    return [between, touches]


def _noisy(state: State) -> frozenset[int]:
    return state.noisy & _PLACES
