"""Places: who gives way to a newcomer."""

import asyncio
import socket
from ipaddress import ip_address

import pytest

from pi_table.screens.web.acceptor import Acceptor
from pi_table.screens.web.address import INTERFACE_BYTES, Own, address_of, addresses_in, in_order
from pi_table.screens.web.places import Gives, Place, Places, is_near
from pi_table.screens.web.turns import Turns


class Room:
    """Places, and who has given way."""

    def __init__(self, most: int, most_a_device: int, *, oldest_stay: bool = False) -> None:
        self.places = Places(most, most_a_device, oldest_stay=oldest_stay)
        self.gone: list[str] = []

    def come(self, name: str, device: str, gives: Gives = Gives.TO_ALL) -> Place:
        place = self.places.take(device, lambda: self.gone.append(name), gives)
        assert place is not None
        self.last = place
        return place


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


def test_who_has_to_stay_stays_and_a_newcomer_finds_no_room() -> None:
    room = Room(most=10, most_a_device=3)
    board, phone, _ = (room.come(name, "a") for name in ("board", "phone", "asks"))
    board.give(Gives.TO_OTHERS)
    phone.give(Gives.TO_NOBODY)
    room.come("asks too", "a")
    assert room.gone == ["asks"]
    room.last.give(Gives.TO_OTHERS)
    assert not room.places.has_room_for("a")
    assert room.places.take("a", lambda: None) is None
    assert room.gone == ["asks"]
    board.give(Gives.TO_ALL)
    room.come("asks again", "a")
    assert room.gone == ["asks", "board"]


def test_addresses_share_what_there_is_and_the_newest_gives_way() -> None:
    room = Room(most=6, most_a_device=6, oldest_stay=True)
    for name in ("a1", "a2", "a3", "a4", "b1", "b2"):
        room.come(name, name[0], Gives.TO_OTHERS)
    room.come("c1", "c", Gives.TO_OTHERS)
    assert room.gone == ["a4"]
    room.come("c2", "c", Gives.TO_OTHERS)
    assert room.gone == ["a4", "a3"]
    assert not any(room.places.has_room_for(each) for each in "abc")  # each has two
    assert room.places.has_room_for("d")


def test_where_the_oldest_stay_the_newest_of_those_that_may_go_gives_way() -> None:
    room = Room(most=3, most_a_device=3, oldest_stay=True)
    for name in ("a1", "a2", "a3", "a4", "a5"):
        room.come(name, "a")
    assert room.gone == ["a3", "a4"]


def test_who_gives_way_to_nobody_is_not_wanted_back_whoever_comes() -> None:
    room = Room(most=2, most_a_device=2)
    for name in ("a1", "a2"):
        room.come(name, "a", Gives.TO_NOBODY)
    assert room.places.take("b", lambda: None) is None
    assert room.gone == []


def test_who_is_made_after_its_place_was_wanted_back_is_told_at_once() -> None:
    room = Room(most=1, most_a_device=1)
    first = room.come("a1", "a")
    room.come("b1", "b")
    first.when_wanted(lambda: room.gone.append("a1, which was made since"))
    assert room.gone == ["a1", "a1, which was made since"]


NEAR = ("127.0.0.1", "10.1.2.3", "172.31.0.9", "192.168.4.20", "169.254.7.7", "::1", "fd00::7")
NEAR_TOO = ("fe80::1%wlan0", "::ffff:192.168.4.20", "")
AFAR = ("8.8.8.8", "172.32.0.1", "100.64.1.1", "2606:4700::1111", "::ffff:8.8.8.8")


@pytest.mark.parametrize("device", NEAR + NEAR_TOO)
def test_who_is_in_the_network_is_near(device: str) -> None:
    assert is_near(device)


@pytest.mark.parametrize("device", AFAR)
def test_who_comes_from_afar_is_cut_off(device: str) -> None:
    async def scene() -> None:
        crowd, (near, far) = Places(4, 4), (socket.socket(), socket.socket())
        acceptor = Acceptor(crowd, Turns(), lambda place: asyncio.Protocol())
        with near, far:
            acceptor.admit(near, "192.168.4.20")
            acceptor.admit(far, device)
            assert (near.fileno() >= 0, far.fileno(), len(crowd)) == (True, -1, 1)
            acceptor.close()
            await asyncio.sleep(0)

    asyncio.run(scene())


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
