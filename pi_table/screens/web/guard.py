"""The checks on every request, and the headers of every answer.

A page of another site can make a browser in this network send requests to the table. Such a request
uses a foreign name for this machine in its header `Host`. If it sends data, its header `Origin`
also names the foreign page. Requests with such a `Host` or `Origin` are refused.
"""

import re
import socket
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

Headers = list[tuple[bytes, bytes]]

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Header value: pages may load files only from this machine. Inline scripts and styles are
forbidden."""
FEATURES_OFF: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
"""Browser features that are switched off, because no page of the table uses them."""
HEADERS: Final[Headers] = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{name}=()" for name in FEATURES_OFF).encode()),
]
"""Headers of every answer."""
NO_STORE: Final = (b"cache-control", b"no-store")
"""Header of every answer that has no other rule for caches."""


DOMAINS: Final = frozenset(
    {
        "",
        # multicast DNS, and names reserved for private networks (RFC 8375; ICANN, 2024)
        *("local", "home.arpa", "internal"),
        # used by routers; cannot be registered
        *("lan", "home", "homenet", "localdomain", "localnet", "intranet", "private", "corp"),
        *("speedport.ip", "station"),
        # owned by the makers of routers and systems
        *("fritz.box", "mshome.net", "attlocal.net"),
    }
)
"""Domains that may follow this machine's name in a local network. "" stands for a name without a
domain."""
RESOLVER: Final = Path("/etc/resolv.conf")
"""System file that lists the domains given by the network's router (``search``)."""
MAX_RESOLVER_BYTES: Final = 16 * 1024

MAX_HEAD_BYTES: Final = 8 * 1024
"""Maximum number of bytes of a request's first line and headers together."""


OTHER_NAME: Final = (
    "This table does not answer to that name. Open the address that its screens show; another one "
    "is set as address in [web]."
)


class Refusal(NamedTuple):
    status: int
    sentence: str


class Guard:
    """Checks requests, and knows the names by which this machine may be addressed.

    ``address`` is the configured address of the pages, or "". ``hostname`` is the machine's name in
    its network, or "" for the name that the system has.
    """

    def __init__(self, address: str, hostname: str = "", resolver: Path = RESOLVER) -> None:
        self._configured = urlsplit(address).hostname
        self._whole_name = (hostname or socket.gethostname()).lower()
        self._name = self._whole_name.partition(".")[0]
        self._resolver = resolver

    def refusal(self, target: bytes, headers: Headers, sends: bool) -> Refusal | None:
        """Return the reason to refuse a request; None if it is accepted. ``sends`` is True for a
        WebSocket, and for methods other than GET and HEAD."""
        if len(target) + sum(len(name) + len(value) for name, value in headers) > MAX_HEAD_BYTES:
            return Refusal(431, f"A request has {MAX_HEAD_BYTES} bytes at most.")
        names = {name for name, _ in headers}
        if names >= {b"content-length", b"transfer-encoding"}:
            # A proxy may use the other length, and take a part for another request (smuggling).
            return Refusal(400, "A request has one length.")
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or not self.is_ours(hosts[0].decode("latin-1")):
            return Refusal(421, OTHER_NAME)
        origins = [value for name, value in headers if name == b"origin"]
        if sends and not all(is_of(each.decode("latin-1"), hosts[0]) for each in origins):
            return Refusal(403, "Only a page of this machine may ask for that.")
        return None

    def is_ours(self, host: str) -> bool:
        """True if the value ``host`` of a header `Host` is an IP address or a name of this machine.

        Other names in the internet are refused. The owner of such a name could let it point to this
        machine; a browser would then treat the owner's page as one of ours (DNS rebinding).
        """
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower()
        if name.startswith("["):
            return _is_an_address(name[1:-1]) and isinstance(ip_address(name[1:-1]), IPv6Address)
        if _is_an_address(name):
            return True
        name = name.removesuffix(".")
        if name in (self._configured, self._whole_name, "localhost"):
            return True
        own, _, domain = name.partition(".")
        if domain == "local":  # avahi numbers machines with the same name: table-2.local
            number = own.removeprefix(f"{self._name}-")
            return own == self._name or (number != own and _NUMBER.fullmatch(number) is not None)
        return own == self._name and (domain in DOMAINS or domain in self._router_domains())

    def _router_domains(self) -> set[str]:
        """Return the domains given by the router. The file is read each time, because the network
        may change."""
        try:
            lines = self._resolver.read_text("utf-8", "replace")[:MAX_RESOLVER_BYTES].splitlines()
        except OSError:
            return set()
        words = [line.lower().split() for line in lines]
        return {
            each.removesuffix(".")
            for name, *domains in filter(None, words)
            if name in ("search", "domain")
            for each in domains
        }


def is_of(origin: str, host: bytes) -> bool:
    """True if ``origin``, the value of a header `Origin`, names the same host as ``host``."""
    scheme, found, rest = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and rest.lower() == host.decode().lower()


def _is_an_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_HOST: Final = re.compile(
    r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_-][A-Za-z0-9_.-]{0,252})(:[0-9]{1,5})?"
)
