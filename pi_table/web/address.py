"""Under what address people open the pages: the machine's own in the local network.

It is found without sending anything: a datagram's socket that is connected has an address of its
own, though no datagram ever leaves.
"""

import array
import fcntl
import socket
import struct
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from typing import Final

ELSEWHERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
"""Addresses of documentation, which nobody has (RFC 5737, RFC 3849): what the way to anywhere else
begins with is the machine's own address."""
SIOCGIFCONF: Final = 0x8912
"""netdevice(7): all IPv4 addresses of this machine, without a netlink socket, which the service may
not open."""
INTERFACE_BYTES: Final = 16 + (24 if struct.calcsize("P") == 8 else 16)
"""Bytes that are told of each: a name, and then a union (struct ifreq)."""
ADDRESS_AT: Final = 16 + 4
"""Where in it the IPv4 address stands, behind the family and the port of struct sockaddr_in."""
MOST_INTERFACES: Final = 64


def address_of(listen: str, port: int) -> str:
    """The address for people, where the pages are listened for at ``listen`` and ``port``."""
    host = listen
    with suppress(ValueError):
        if ip_address(listen).is_unspecified:
            host = own_address()
    bare = f"[{host}]" if ":" in host else host
    return f"http://{bare}" if port == 80 else f"http://{bare}:{port}"


def own_address() -> str:
    """This machine's address in the local network: the one by which it reaches everything else;
    else, in a network without a way out, that of its first interface; else its own loop's."""
    way_out, *others = (_by_the_way_to(family, host) for family, host in ELSEWHERE)
    return next((each for each in (way_out, *_of_interfaces(), *others) if each), "127.0.0.1")


def _by_the_way_to(family: socket.AddressFamily, host: str) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unused:
            unused.connect((host, 9))
            found: str = unused.getsockname()[0]
    except OSError:
        return None
    return None if ip_address(found).is_loopback else found


def _of_interfaces() -> list[str]:
    """The IPv4 addresses of the interfaces, as `addresses_in` has them."""
    names = array.array("B", bytes(MOST_INTERFACES * INTERFACE_BYTES))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            request = struct.pack("iP", len(names), names.buffer_info()[0])
            length, _ = struct.unpack("iP", fcntl.ioctl(asking.fileno(), SIOCGIFCONF, request))
    except OSError:
        return []
    return addresses_in(names.tobytes()[:length])


def addresses_in(told: bytes) -> list[str]:
    """The IPv4 addresses in what `SIOCGIFCONF` tells, private ones first, without the loop's."""
    rows = (told[at : at + INTERFACE_BYTES] for at in range(0, len(told), INTERFACE_BYTES))
    found = [IPv4Address(row[ADDRESS_AT : ADDRESS_AT + 4]) for row in rows]
    kept = [each for each in found if not each.is_loopback]
    return [str(each) for each in sorted(kept, key=lambda each: not each.is_private)]
