"""The address at which people open the pages: the machine's own address in the local network.

It is found without sending anything: a datagram socket that is connected has a local address,
although no datagram is ever sent.
"""

import array
import fcntl
import socket
import struct
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from typing import Final, NamedTuple

ELSEWHERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
"""Documentation addresses that no machine has (RFC 5737, RFC 3849). The local end of a route to
such an address is the machine's own address."""
NOT_THE_HOUSE: Final = (
    # bridges and cables of containers and virtual machines
    *("docker", "br-", "veth", "lxc", "lxd", "virbr", "vnet", "vboxnet", "vmnet", "cni", "podman"),
    *("flannel", "cali", "cilium", "kube", "nerdctl", "incus", "waydroid", "dummy"),
    # tunnels
    *("tun", "tap", "wg", "tailscale", "zt", "ppp", "ipsec", "gre", "sit", "ham", "nebula", "wt"),
    *("nordlynx", "proton", "mullvad", "cloudflare", "warp", "utun"),
)
"""Prefixes of the names of interfaces that lead to no device in the house."""
SIOCGIFCONF: Final = 0x8912
"""The ioctl number of netdevice(7) that lists all IPv4 addresses of this machine without a netlink
socket, which the service may not open."""
INTERFACE_BYTES: Final = 16 + (24 if struct.calcsize("P") == 8 else 16)
"""Bytes of each entry in the result of `SIOCGIFCONF`: a name, and then a union (struct ifreq)."""
NAME_BYTES: Final = 16
ADDRESS_AT: Final = NAME_BYTES + 4
"""Offset of the IPv4 address, after the family and port of struct sockaddr_in."""
MAX_INTERFACES: Final = 64


class Own(NamedTuple):
    """An address of this machine, and its interface ("" if unknown)."""

    address: str
    interface: str = ""

    @property
    def is_of_the_house(self) -> bool:
        """True if other devices of the house may reach this address."""
        return not (
            self.interface.startswith(NOT_THE_HOUSE) or ip_address(self.address).is_link_local
        )


def address_of(listen: str, port: int) -> str:
    """Return the address for people, if the pages listen at ``listen`` and ``port``."""
    host = listen
    with suppress(ValueError):
        if ip_address(listen).is_unspecified:
            host = own_address()
    bare = f"[{host}]" if ":" in host else host
    return f"http://{bare}" if port == 80 else f"http://{bare}:{port}"


def own_address() -> str:
    """Return this machine's address in the local network, or else the loopback address."""
    return own_addresses()[0].address


def own_addresses() -> list[Own]:
    """Return all known addresses, the most reachable first; without any, the loopback address."""
    way_out, *others = (_by_the_way_to(family, host) for family, host in ELSEWHERE)
    known = in_order(_of_interfaces(), way_out, [each for each in others if each])
    return known or [Own("127.0.0.1")]


def in_order(interfaces: list[Own], way_out: str | None, ipv6: list[str]) -> list[Own]:
    """Return the addresses of the interfaces and those of ``ipv6``, in the order in which people
    should try them.

    Addresses of the house come first: first ``way_out``, from which this machine reaches other
    networks, then private ones. IPv6 comes next, because it is longer to type. Then come containers
    and tunnels, and last the link-local addresses that a machine gives itself.
    """
    every = [*interfaces, *(Own(each) for each in ipv6)]
    if way_out is not None and way_out not in {each.address for each in every}:
        every.append(Own(way_out))

    def rank(own: Own) -> tuple[bool, ...]:
        address = ip_address(own.address)
        return (
            address.is_link_local,
            not own.is_of_the_house,
            address.version == 6,
            own.address != way_out,
            not address.is_private,
        )

    return sorted(every, key=rank)


def _by_the_way_to(family: socket.AddressFamily, host: str) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unused:
            unused.connect((host, 9))
            found: str = unused.getsockname()[0]
    except OSError:
        return None
    return None if ip_address(found).is_loopback else found


def _of_interfaces() -> list[Own]:
    names = array.array("B", bytes(MAX_INTERFACES * INTERFACE_BYTES))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            request = struct.pack("iP", len(names), names.buffer_info()[0])
            length, _ = struct.unpack("iP", fcntl.ioctl(asking.fileno(), SIOCGIFCONF, request))
    except OSError:
        return []
    return addresses_in(names.tobytes()[:length])


def addresses_in(told: bytes) -> list[Own]:
    """Return the IPv4 addresses in the result of `SIOCGIFCONF`, without the loopback address."""
    rows = (told[at : at + INTERFACE_BYTES] for at in range(0, len(told), INTERFACE_BYTES))
    found = [
        Own(
            str(IPv4Address(row[ADDRESS_AT : ADDRESS_AT + 4])),
            row[:NAME_BYTES].partition(b"\0")[0].decode("ascii", "replace"),
        )
        for row in rows
    ]
    return [each for each in found if not ip_address(each.address).is_loopback]
