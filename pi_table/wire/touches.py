"""What the controller's states say about fingers, as a course of events that has no gaps."""

from typing import Final

import msgspec

from pi_table.geometry import PLACE_COUNT
from pi_table.wire.messages import State

COUNTERS: Final = 16


class Touches(msgspec.Struct, frozen=True):
    """The touched places, those of them that are heavy, and those that cannot be read; and is the
    table blocked, by water or by something on its rim?"""

    touched: frozenset[int] = frozenset()
    heavy: frozenset[int] = frozenset()
    deaf: frozenset[int] = frozenset()
    blocked: bool = False


NOTHING_READ: Final = Touches(deaf=frozenset(range(PLACE_COUNT)))
"""The controller is away. What was touched before is not known to be touched still, and a finger
that is there when it comes back was not seen to come down."""


def unread(state: State) -> Touches:
    """What is left of a state after which none has come: nobody knows whether what was touched is
    touched still."""
    return Touches(deaf=state.deaf | state.touched, blocked=state.water or state.rim)


def told(before: State | None, now: State) -> list[Touches]:
    """What a state says, after the one that was heard before it (None: none was).

    A finger that was lifted and came down again, unseen, is no finger that stayed: without a state
    that tells of the lift, the counters do. What came and went unseen stays untold.
    """
    touches = Touches(now.touched, now.heavy, now.deaf, now.water or now.rim)
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
        before.touched - lifted, before.heavy - lifted, before.deaf, before.water or before.rim
    )
    return [between, touches]
