"""Who gives way to a newcomer, and how much somebody may do."""

import asyncio
from ipaddress import ip_address
from typing import Any, cast

import pytest

from pi_table.web.address import INTERFACE_BYTES, Own, address_of, addresses_in, in_order
from pi_table.web.allowance import Allowance
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


def test_an_allowance_is_spent_and_comes_back() -> None:
    allowance = Allowance(most=3, a_second=2)
    assert [allowance.spend(1, 10.0) for _ in range(4)] == [True, True, True, False]
    assert not allowance.is_full(10.0)
    assert not allowance.spend(1, 10.4)
    assert allowance.spend(1, 10.6)
    assert allowance.is_full(100.0)
    assert [allowance.spend(1, 100.0) for _ in range(4)] == [True, True, True, False]


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


def test_the_addresses_of_interfaces_are_told_without_the_loops() -> None:
    known = (("lo", "127.0.0.1"), ("eth0", "8.8.8.8"), ("wlan0", "192.168.4.20"))
    rows = (
        (name.encode().ljust(16, b"\0") + bytes(4) + ip_address(each).packed).ljust(
            INTERFACE_BYTES, b"\0"
        )
        for name, each in known
    )
    found = addresses_in(b"".join(rows))
    assert found == [Own("8.8.8.8", "eth0"), Own("192.168.4.20", "wlan0")]


@pytest.mark.parametrize(
    ("interfaces", "way_out", "ipv6", "first"),
    [
        ("eth0 8.8.8.8, eth1 192.168.4.20, eth2 9.9.9.9", None, "", "192.168.4.20"),
        ("eth0 192.168.1.5, wlan0 10.42.0.1", "10.42.0.1", "", "10.42.0.1"),
        ("eth0 169.254.7.7, wlan0 10.42.0.1", "169.254.7.7", "", "10.42.0.1"),
        ("lo:1 169.254.7.7, lo:2 10.42.0.1", None, "", "10.42.0.1"),
        ("docker0 172.17.0.1, br-1f2e 172.18.0.1, end0 192.168.1.5", None, "", "192.168.1.5"),
        ("virbr0 192.168.122.1, podman1 10.88.0.1, br0 10.1.2.3", None, "", "10.1.2.3"),
        ("cni0 10.85.0.1, veth1a 10.86.0.1, lxcbr0 10.0.3.1, eth0 10.1.2.3", None, "", "10.1.2.3"),
        ("wg0 10.8.0.2, wlan0 192.168.1.5", "10.8.0.2", "", "192.168.1.5"),
        ("tun0 10.8.0.2, tailscale0 100.64.0.7, eth0 172.16.0.9", None, "", "172.16.0.9"),
        ("tap1 10.9.0.2, eth0 172.16.0.9", None, "", "172.16.0.9"),
        ("ppp0 10.64.1.2, wlan0 192.168.1.5", "10.64.1.2", "", "192.168.1.5"),
        ("wlan0 192.168.1.5", None, "fd00::5", "192.168.1.5"),
        ("docker0 172.17.0.1", None, "fd00::5", "fd00::5"),
        ("eth0 169.254.7.7", None, "fd00::5", "fd00::5"),
        ("docker0 172.17.0.1, eth0 169.254.7.7", None, "", "172.17.0.1"),
        ("eth0 169.254.7.7", "169.254.7.7", "", "169.254.7.7"),
        ("", "192.168.1.5", "", "192.168.1.5"),
    ],
)  # fmt: skip
def test_people_are_told_the_address_that_devices_of_the_house_reach(
    interfaces: str, way_out: str | None, ipv6: str, first: str
) -> None:
    known = [Own(*reversed(each.split())) for each in filter(None, interfaces.split(", "))]
    assert in_order(known, way_out, ipv6.split())[0].address == first
    assert in_order(known[::-1], way_out, ipv6.split())[0].address == first


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
