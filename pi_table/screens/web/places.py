"""A bounded number of places, for guests who come from devices, and who gives way to a newcomer.

A device is known by its address alone, and behind one address there may be a router with many
guests. So whoever has a place that matters keeps it, and a newcomer of the same address who finds
no room is turned away. Where all places are taken, addresses share them: one that has fewer gets
one of the address that has the most.
"""

from collections.abc import Callable
from enum import Enum
from ipaddress import ip_address
from typing import Final

UNKNOWN: Final = ""
"""The device of a guest whose address nobody knows. It has the share of one device."""


class Gives(Enum):
    """To whom a place gives way where there is no room."""

    TO_ALL = "all"
    """To any newcomer."""
    TO_OTHERS = "others"
    """To another device that has fewer places."""
    TO_NOBODY = "nobody"


class Place:
    """A place that is taken."""

    def __init__(
        self, places: "Places", device: str, give_way: Callable[[], object], gives: Gives
    ) -> None:
        self.device = device
        self._give_way = give_way
        self.gives = gives
        """To whom it gives way."""
        self.is_taken = True
        self._places = places

    def when_wanted(self, give_way: Callable[[], object]) -> None:
        """Call this from now on when the place is wanted back; at once, if it was by now."""
        self._give_way = give_way
        if not self.is_taken:
            give_way()

    def give_way(self) -> None:
        """Make the place free for another."""
        self.leave()
        self._give_way()

    def give(self, gives: Gives) -> None:
        """Let it give way to those from now on, as the newest of its kind."""
        if self.is_taken and gives is not self.gives:
            self._places.leave(self)
            self.gives = gives
            self._places.enter(self)

    def leave(self) -> None:
        """Make the place free. May be called again, with no effect."""
        if self.is_taken:
            self._places.leave(self)
            self.is_taken = False


class _Device:
    """The places of one device, by whom they give way to, the oldest first."""

    def __init__(self) -> None:
        self.count = 0
        self.by_kind: dict[Gives, dict[Place, None]] = {each: {} for each in Gives}


class Places:
    """``most`` places, of which one device has at most ``most_a_device``; this machine itself, on
    which a proxy may stand for everybody, as many as there are.

    Of several places that may give way the oldest does, or the newest where ``oldest_stay``.
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
        """Take a place; ``give_way`` is called if it is wanted back, when it is free already. None
        where there is no room, and nobody gives way."""
        if not self._is_free_for(device):
            leaving = self._leaving_for(device)
            if leaving is None:
                return None
            leaving.give_way()
        place = Place(self, device, give_way, gives)
        self.enter(place)
        return place

    def has_room_for(self, device: str) -> bool:
        """Would a newcomer of this device get a place?"""
        return self._is_free_for(device) or self._leaving_for(device) is not None

    def _is_free_for(self, device: str) -> bool:
        return self._count < self._most and not self._has_its_share(device)

    def _has_its_share(self, device: str) -> bool:
        taken = self._devices.get(device)
        return (
            taken is not None and taken.count >= self._most_a_device and not is_this_machine(device)
        )

    def _leaving_for(self, device: str) -> Place | None:
        """Who gives way to a newcomer from this device; None: nobody."""
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
        """The device with the most places, of those that have one of this kind."""
        return max(self._devices.values(), key=lambda each: (bool(each.by_kind[kind]), each.count))

    # What a place calls

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
    """Give way while there is nothing yet that could end."""


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
