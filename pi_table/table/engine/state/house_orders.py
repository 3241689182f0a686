"""Orders of the house, and states that hold for a while, as an immutable value.

``now`` is in seconds of the table's clock. A restart of the table clears these orders and states.
"""

import msgspec
from msgspec.structs import replace

from pi_table.games.announcer.standing import Closing


class HouseOrders(msgspec.Struct, frozen=True):
    located_until: float | None = None
    """Time until which the lights blink so that somebody finds the table."""
    free_until: float | None = None
    """Time until which no game may begin at the table."""
    closing: Closing | None = None
    """The last announcement that the house closes."""

    @property
    def wakes(self) -> float | None:
        """Time at which `advance_orders` is due, or None."""
        due = [at for at in (self.located_until, self.free_until) if at is not None]
        return min(due, default=None)


def advance_orders(in_force: HouseOrders, now: float) -> HouseOrders:
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
