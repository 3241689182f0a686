"""The current orders of the house, as an immutable value.

``now`` is in seconds of the table's clock. A restart of the table clears the orders.
"""

import msgspec
from msgspec.structs import replace

from pi_table.games.announcer.standing import Closing


class HouseOrders(msgspec.Struct, frozen=True):
    located_until: float | None = None
    """Time until which the lights blink to help the staff find the table."""
    free_until: float | None = None
    """Time until which no game may begin at the table."""
    closing: Closing | None = None
    """The latest announcement that the house will close."""

    @property
    def wakes(self) -> float | None:
        """Time at which `advance_orders` is due; None if no order ends by itself."""
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
