"""A bounded number of places, for guests who come from devices, and who gives way to a newcomer.

Nobody is turned away. A device that takes more than its share loses its own oldest place; where all
places are taken, the device with the most loses its oldest. Among equals each stays until as many
have come after it as there are places.
"""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

UNKNOWN: Final = ""
"""The device of a guest whose address nobody knows. It has the share of one device."""


class Place:
    """A place that is taken."""

    def __init__(self, places: "Places", device: str, give_way: Callable[[], None]) -> None:
        self.device = device
        self.give_way = give_way
        self._places = places

    def leave(self) -> None:
        """Make the place free. May be called again, with no effect."""
        self._places.left(self)


class Places:
    """``most`` places, of which one device has at most ``most_a_device``; this machine itself, on
    which a proxy may stand for everybody, as many as there are."""

    def __init__(self, most: int, most_a_device: int) -> None:
        self._most = most
        self._most_a_device = most_a_device
        self._taken: dict[str, dict[Place, None]] = {}
        """The places of each device, the oldest first."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def take(self, device: str, give_way: Callable[[], None]) -> Place:
        """Take a place; ``give_way`` is called if it is wanted back, when it is free already."""
        if not is_this_machine(device) and len(self._of(device)) >= self._most_a_device:
            self._oldest_gives_way(device)
        elif self._count >= self._most:
            self._oldest_gives_way(max(self._taken, key=lambda each: len(self._taken[each])))
        place = Place(self, device, give_way)
        self._taken.setdefault(device, {})[place] = None
        self._count += 1
        return place

    def left(self, place: Place) -> None:
        """The place is free. May be told again, with no effect."""
        of_device = self._of(place.device)
        if place not in of_device:
            return
        del of_device[place]
        self._count -= 1
        if not of_device:
            del self._taken[place.device]

    def _of(self, device: str) -> dict[Place, None]:
        return self._taken.get(device, {})

    def _oldest_gives_way(self, device: str) -> None:
        place = next(iter(self._of(device)))
        self.left(place)
        place.give_way()


def is_this_machine(device: str) -> bool:
    """Is it where a proxy on this machine comes from? All other addresses of the loop are devices
    like any other."""
    return device in ("127.0.0.1", "::1", "::ffff:127.0.0.1")


def is_near(device: str) -> bool:
    """Is a device in this network, or this machine itself? The unit asks the same of the kernel,
    which not every kernel grants."""
    try:
        return ip_address(device).is_private
    except ValueError:
        return True  # a Unix socket, at which a proxy of the house may be
