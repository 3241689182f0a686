"""A limited number of places for guests, and the rule for who loses a place to a newcomer.

A device is known only by its address, and one address may be a router with many guests. So a
newcomer can take a place from a guest with the same address only if everybody may take that place
(`Gives.TO_ALL`). Otherwise the newcomer is refused. When all places are taken, addresses share
them: an address with fewer places gets a place from the address with the most places.
"""

from collections.abc import Callable
from enum import Enum
from ipaddress import ip_address
from typing import Final

UNKNOWN: Final = ""
"""The device of all guests whose address is unknown. They share the places of one device."""


class Gives(Enum):
    """Which newcomers may take a place away if no place is free."""

    TO_ALL = "all"
    """Any newcomer may take the place."""
    TO_OTHERS = "others"
    """A newcomer from another device with at least two fewer places may take the place."""
    TO_NOBODY = "nobody"


class Place:
    """A place that a guest has taken."""

    def __init__(
        self, places: "Places", device: str, give_way: Callable[[], object], gives: Gives
    ) -> None:
        self.device = device
        self._give_way = give_way
        self.gives = gives
        """The newcomers that may take this place away."""
        self.is_taken = True
        self._places = places

    def when_wanted(self, give_way: Callable[[], object]) -> None:
        """Set the function to call when another guest takes this place. If that has happened
        already, call the function now."""
        self._give_way = give_way
        if not self.is_taken:
            give_way()

    def give_way(self) -> None:
        """Free the place for another guest, and call the function that `when_wanted` has set."""
        self.leave()
        self._give_way()

    def give(self, gives: Gives) -> None:
        """Change which newcomers may take this place away. The place then counts as the newest of
        all places with the same `gives`."""
        if self.is_taken and gives is not self.gives:
            self._places.leave(self)
            self.gives = gives
            self._places.enter(self)

    def leave(self) -> None:
        """Free the place. A second call has no effect."""
        if self.is_taken:
            self._places.leave(self)
            self.is_taken = False


class _Device:
    """The places of one device, by their `gives`; the oldest place of each kind is first."""

    def __init__(self) -> None:
        self.count = 0
        self.by_kind: dict[Gives, dict[Place, None]] = {each: {} for each in Gives}


class Places:
    """A limited number of places: ``most`` in all, at most ``most_a_device`` for one device.

    This machine itself may take all places, because a proxy on it may serve all guests. If several
    places may be taken away, the oldest of them is taken; with ``oldest_stay``, the newest.
    """

    def __init__(self, most: int, most_a_device: int, *, oldest_stay: bool = False) -> None:
        self._most = most
        self._most_a_device = most_a_device
        self._next = reversed if oldest_stay else iter
        self._devices: dict[str, _Device] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def take(
        self, device: str, give_way: Callable[[], object], gives: Gives = Gives.TO_ALL
    ) -> Place | None:
        """Take a place; return None if none is free and none may be taken away. ``give_way`` is
        called if another guest takes the place later."""
        if not self._is_free_for(device):
            leaving = self._leaving_for(device)
            if leaving is None:
                return None
            leaving.give_way()
        place = Place(self, device, give_way, gives)
        self.enter(place)
        return place

    def has_room_for(self, device: str) -> bool:
        """True if a newcomer from this device would get a place now."""
        return self._is_free_for(device) or self._leaving_for(device) is not None

    def _is_free_for(self, device: str) -> bool:
        return self._count < self._most and not self._has_its_share(device)

    def _has_its_share(self, device: str) -> bool:
        taken = self._devices.get(device)
        return (
            taken is not None and taken.count >= self._most_a_device and not is_this_machine(device)
        )

    def _leaving_for(self, device: str) -> Place | None:
        """Return the place that a newcomer from this device may take away, or None."""
        mine = self._devices.get(device, _Device())
        if self._has_its_share(device):
            return self._one_of(mine, Gives.TO_ALL)
        loose = self._one_of(self._fullest(Gives.TO_ALL), Gives.TO_ALL)
        if loose is not None:
            return loose
        largest = self._fullest(Gives.TO_OTHERS)
        return self._one_of(largest, Gives.TO_OTHERS) if largest.count > mine.count + 1 else None

    def _one_of(self, device: _Device, kind: Gives) -> Place | None:
        return next(self._next(device.by_kind[kind]), None)

    def _fullest(self, kind: Gives) -> _Device:
        """Return, of the devices with a place of this kind, the device with the most places."""
        return max(self._devices.values(), key=lambda each: (bool(each.by_kind[kind]), each.count))

    # Called by a place

    def enter(self, place: Place) -> None:
        device = self._devices.setdefault(place.device, _Device())
        device.by_kind[place.gives][place] = None
        device.count += 1
        self._count += 1

    def leave(self, place: Place) -> None:
        device = self._devices[place.device]
        del device.by_kind[place.gives][place]
        device.count -= 1
        self._count -= 1
        if not device.count:
            del self._devices[place.device]


def do_nothing() -> None:
    """Do nothing. This is the callback if the loss of a `Place` needs no action."""


def is_this_machine(device: str) -> bool:
    """True if the device is this machine, for example a proxy on it. Other loopback addresses are
    ordinary devices."""
    return device in ("127.0.0.1", "::1", "::ffff:127.0.0.1")


def is_near(device: str) -> bool:
    """True if the device is in the local network or this machine. The service unit sets the same
    rule in the kernel, but not every kernel supports it."""
    try:
        return ip_address(device).is_private
    except ValueError:
        return True  # a Unix socket, used by a proxy of the house
