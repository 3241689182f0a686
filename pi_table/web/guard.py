"""Who may ask for anything, and what goes with every answer.

A page of another site that gets a browser in this network to ask is told nothing: by the name under
which it reaches this machine (`Host`), and where something is sent by the page that sends it
(`Origin`).
"""

import re
from ipaddress import IPv6Address, ip_address
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
"""What a page may load: what this machine serves, and nothing that stands in the page itself."""
FEATURES_OFF: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
"""What no page of ours asks a browser for."""
HEADERS: Final[Headers] = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{name}=()" for name in FEATURES_OFF).encode()),
]
"""What goes with every answer."""
NO_STORE: Final = (b"cache-control", b"no-store")
"""What goes with every answer that says nothing else about being kept."""


LONGEST_HEAD: Final = 8 * 1024
"""Bytes of a request's line and headers together."""


class Refusal(NamedTuple):
    """Why somebody is not answered."""

    status: int
    sentence: str


class Guard:
    """Knows under which names this machine is asked; ``address`` is the configured one, or ""."""

    def __init__(self, address: str) -> None:
        self._configured = urlsplit(address).hostname

    def refusal(self, target: bytes, headers: Headers, sends: bool) -> Refusal | None:
        """Why a request is refused; None where it is not. ``sends``: does it bring anything, by
        another method than GET and HEAD, or by a WebSocket?"""
        if len(target) + sum(len(name) + len(value) for name, value in headers) > LONGEST_HEAD:
            return Refusal(431, f"A request has {LONGEST_HEAD} bytes at most.")
        names = {name for name, _ in headers}
        if names >= {b"content-length", b"transfer-encoding"}:
            # A proxy before us may go by the other one, and take a part for a request of its own.
            return Refusal(400, "A request has one length.")
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or not self.is_ours(hosts[0].decode("latin-1")):
            return Refusal(421, "This machine is not asked for by that name.")
        origins = [value for name, value in headers if name == b"origin"]
        if sends and not all(is_of(each.decode("latin-1"), hosts[0]) for each in origins):
            return Refusal(403, "Only a page of this machine may ask for that.")
        return None

    def is_ours(self, host: str) -> bool:
        """May this machine be asked under that name? Names of the internet are none of its own:
        whoever owns one may let it lead here, and a browser then takes his page for one of ours
        (DNS rebinding)."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower()
        if name.startswith("["):
            return _is_an_address(name[1:-1]) and isinstance(ip_address(name[1:-1]), IPv6Address)
        if name == self._configured or _is_an_address(name):
            return True
        name = name.removesuffix(".")
        return "." not in name or name.endswith(".local")


def is_of(origin: str, host: bytes) -> bool:
    """Is an origin the one that is asked?"""
    scheme, found, rest = origin.partition("://")
    return bool(found) and scheme in ("http", "https") and rest.lower() == host.decode().lower()


def _is_an_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


_HOST: Final = re.compile(
    r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_-][A-Za-z0-9_.-]{0,252})(:[0-9]{1,5})?"
)
