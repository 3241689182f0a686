"""What the house has ordered over its socket and what holds for a while, as a value.

``now`` is in seconds of the table's clock. A table that is started again has forgotten it.
"""

import msgspec
from msgspec.structs import replace

from pi_table.games.announcer.standing import Closing


class InForce(msgspec.Struct, frozen=True):
    """What the house has ordered, and what holds for a while."""

    located_until: float | None = None
    """Until when the lights blink so that somebody finds the table; None: they do not."""
    free_until: float | None = None
    """Until when the table is kept free of games; None: it is not."""
    closing: Closing | None = None
    """What was said last of the house's closing; None before that."""

    @property
    def wakes(self) -> float | None:
        """When `passed` is due next, None if nothing ends by itself."""
        due = [at for at in (self.located_until, self.free_until) if at is not None]
        return min(due, default=None)


def passed(in_force: InForce, now: float) -> InForce:
    """What still holds at ``now``."""
    due = in_force.wakes
    if due is None or now < due:
        return in_force
    return replace(
        in_force,
        located_until=_still(in_force.located_until, now),
        free_until=_still(in_force.free_until, now),
    )


def _still(until: float | None, now: float) -> float | None:
    return None if until is None or now >= until else until
