"""Who gives way to a newcomer."""

import asyncio
from ipaddress import ip_address
from typing import Any, cast

import pytest

from pi_table.web.address import INTERFACE_BYTES, address_of, addresses_in
from pi_table.web.connections import Crowd
from pi_table.web.places import Place, Places, is_near


class Room:
    """Places, and who has given way."""

    def __init__(self, most: int, most_a_device: int) -> None:
        self.places = Places(most, most_a_device)
        self.gone: list[str] = []

    def come(self, name: str, device: str) -> Place:
        return self.places.take(device, lambda: self.gone.append(name))


def test_a_device_has_its_share_and_then_its_oldest_gives_way() -> None:
    room = Room(most=10, most_a_device=2)
    for name in ("a1", "a2", "b1", "a3", "a4"):
        room.come(name, name[0])
    assert room.gone == ["a1", "a2"]
    assert len(room.places) == 3


def test_when_all_is_taken_the_device_with_the_most_gives_way() -> None:
    room = Room(most=4, most_a_device=3)
    for name in ("a1", "b1", "b2", "b3", "c1", "d1"):
        room.come(name, name[0])
    assert room.gone == ["b1", "b2"]
    assert len(room.places) == 4


def test_a_proxy_of_this_machine_has_room_for_everybody_and_is_one_device_all_the_same() -> None:
    room = Room(most=4, most_a_device=1)
    for number in range(4):
        room.come(f"p{number}", "127.0.0.1")
    assert room.gone == []
    room.come("a1", "10.0.0.1")
    assert room.gone == ["p0"]


def test_a_place_that_was_left_is_free_and_can_be_left_again() -> None:
    room = Room(most=1, most_a_device=1)
    first = room.come("a1", "a")
    first.leave()
    first.leave()
    room.come("b1", "b")
    first.leave()
    assert room.gone == []
    assert len(room.places) == 1


NEAR = ("127.0.0.1", "10.1.2.3", "172.31.0.9", "192.168.4.20", "169.254.7.7", "::1", "fd00::7")
NEAR_TOO = ("fe80::1%wlan0", "::ffff:192.168.4.20", "")
AFAR = ("8.8.8.8", "172.32.0.1", "100.64.1.1", "2606:4700::1111", "::ffff:8.8.8.8")


@pytest.mark.parametrize("device", NEAR + NEAR_TOO)
def test_who_is_in_the_network_is_near(device: str) -> None:
    assert is_near(device)


class Made:
    """A connection from somewhere, which a test cannot have in earnest."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.aborted = False

    def get_extra_info(self, name: str) -> Any:
        return {"peername": (self.device, 50_000)}[name]

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize("device", AFAR)
def test_who_comes_from_afar_is_cut_off(device: str) -> None:
    crowd, near, far = Crowd(), Made("192.168.4.20"), Made(device)
    for each in (near, far):
        crowd.enter(cast(asyncio.Transport, each))
    assert (near.aborted, far.aborted, len(crowd)) == (False, True, 1)
    crowd.leave(cast(asyncio.Transport, far))
    assert len(crowd) == 1


def test_people_are_told_an_address_of_the_house_before_any_other() -> None:
    known = ("127.0.0.1", "8.8.8.8", "192.168.4.20", "9.9.9.9", "10.1.2.3")
    head = b"eth0".ljust(16, b"\0") + bytes(4)
    rows = ((head + ip_address(each).packed).ljust(INTERFACE_BYTES, b"\0") for each in known)
    assert addresses_in(b"".join(rows)) == ["192.168.4.20", "10.1.2.3", "8.8.8.8", "9.9.9.9"]


@pytest.mark.parametrize(
    ("listen", "port", "address"),
    [
        ("192.168.4.20", 80, "http://192.168.4.20"),
        ("192.168.4.20", 8080, "http://192.168.4.20:8080"),
        ("fd00::7", 80, "http://[fd00::7]"),
        ("table.lan", 8080, "http://table.lan:8080"),
    ],
)
def test_an_address_is_written_as_people_type_it(listen: str, port: int, address: str) -> None:
    assert address_of(listen, port) == address
