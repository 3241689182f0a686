"""The touches of the table, computed from the controller's states."""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.wire.messages import State

COUNTERS: Final = 16
_PLACES: Final = frozenset(range(PLACE_COUNT))


class Touches(msgspec.Struct, frozen=True):
    """The touches of the table, as far as they are known. Places are numbers from 0 to 26."""

    touched: frozenset[int] = frozenset()
    heavy: frozenset[int] = frozenset()
    """The touched places on which something larger than a finger rests."""
    deaf: frozenset[int] = frozenset()
    blocked: bool = False
    """True if the table is wet or something touches its rim."""
    noisy: frozenset[int] = frozenset()
    """The places whose touches are unreliable because of noise. ``touched`` may contain them."""
    perhaps: frozenset[int] = frozenset()
    """The places that a finger has perhaps begun to touch. ``touched`` and ``deaf`` contain none of
    them."""


NOTHING_READ: Final = Touches(deaf=_PLACES)
"""The touches while the controller is away: no place can be read.

An earlier touch no longer counts as held. A finger that is on a place when the controller returns
counts as a finger that was not seen to come down.
"""


def touches_in_doubt(state: State) -> Touches:
    """Return the touches while the next state is overdue. Touched places count as unreadable,
    because their fingers may have been lifted."""
    last = _touches_of(state)
    deaf = last.deaf | last.touched
    return Touches(deaf=deaf, noisy=last.noisy - deaf, blocked=last.blocked)


def touches_between(before: State | None, now: State) -> list[Touches]:
    """Return the touches that the state ``now`` reports; ``before`` is the previous state.

    The touch counters of the two states show if a finger was lifted and came down again. If so,
    return two values: in the first, that finger is lifted. A finger that came and left between the
    two states is not reported.
    """
    touches = _touches_of(now)
    if before is None:
        return [touches]
    lifted = frozenset(
        place
        for place in before.touched & now.touched
        if (now.counters[place] - before.counters[place]) % COUNTERS
    )
    if not lifted:
        return [touches]
    last = _touches_of(before)
    between = replace(last, touched=last.touched - lifted, heavy=last.heavy - lifted)
    return [between, touches]


def _touches_of(state: State) -> Touches:
    blocked, noisy = state.water or state.rim, state.noisy & _PLACES
    return Touches(
        state.touched, state.heavy, state.deaf, blocked, noisy, state.perhaps - state.noisy
    )
