"""The address at which people open the pages: this machine's own address in the local network.

To find it, a datagram socket is connected to an address in another network. This gives the socket a
local address, and nothing is sent.
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
"""Addresses for documentation, which no machine has (RFC 5737, RFC 3849). A socket that is
connected to such an address gets this machine's own address as its local address."""
NOT_THE_HOUSE: Final = (
    # bridges and cables of containers and virtual machines
    *("docker", "br-", "veth", "lxc", "lxd", "virbr", "vnet", "vboxnet", "vmnet", "cni", "podman"),
    *("flannel", "cali", "cilium", "kube", "nerdctl", "incus", "waydroid", "dummy"),
    # tunnels
    *("tun", "tap", "wg", "tailscale", "zt", "ppp", "ipsec", "gre", "sit", "ham", "nebula", "wt"),
    *("nordlynx", "proton", "mullvad", "cloudflare", "warp", "utun"),
)
"""Name prefixes of the network interfaces that do not lead to other devices in the house."""
SIOCGIFCONF: Final = 0x8912
"""Number of the ioctl that lists the IPv4 addresses of this machine (netdevice(7)). A netlink
socket could list them too, but is forbidden to this service."""
INTERFACE_BYTES: Final = 16 + (24 if struct.calcsize("P") == 8 else 16)
"""Bytes of each entry in the result of `SIOCGIFCONF` (struct ifreq): a name, then a union."""
NAME_BYTES: Final = 16
ADDRESS_AT: Final = NAME_BYTES + 4
"""Offset in bytes of the IPv4 address in an entry: after the name, the family and the port (struct
sockaddr_in)."""
MAX_INTERFACES: Final = 64


class Own(NamedTuple):
    """An address of this machine, and the network interface that has it ("" if unknown)."""

    address: str
    interface: str = ""

    @property
    def is_of_the_house(self) -> bool:
        """True if other devices of the house may reach this address."""
        return not (
            self.interface.startswith(NOT_THE_HOUSE) or ip_address(self.address).is_link_local
        )


def address_of(listen: str, port: int) -> str:
    """Return the address at which people open the pages of a server that listens at ``listen`` and
    ``port``."""
    host = listen
    with suppress(ValueError):
        if ip_address(listen).is_unspecified:
            host = own_address()
    bare = f"[{host}]" if ":" in host else host
    return f"http://{bare}" if port == 80 else f"http://{bare}:{port}"


def own_address() -> str:
    """Return this machine's address in the local network; the loopback address if there is none."""
    return own_addresses()[0].address


def own_addresses() -> list[Own]:
    """Return all known addresses of this machine, in the order in which people should try them. If
    no address is known, return the loopback address."""
    way_out, *others = (_by_the_way_to(family, host) for family, host in ELSEWHERE)
    known = in_order(_of_interfaces(), way_out, [each for each in others if each])
    return known or [Own("127.0.0.1")]


def in_order(interfaces: list[Own], way_out: str | None, ipv6: list[str]) -> list[Own]:
    """Return the addresses of the interfaces and the addresses ``ipv6``, in the order in which
    people should try them.

    Addresses in the house come first: ``way_out``, which this machine uses to reach other networks;
    then other IPv4 addresses, private ones first; then IPv6 addresses, which are longer to type.
    The addresses of containers and tunnels follow. The last are link-local addresses, which a
    machine gives itself.
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
