"""Answers to the probes with which devices test whether they have an internet connection.

If a probe fails, a phone leaves the Wi-Fi or covers the screen with a login page. So a table with
its own Wi-Fi sends the expected answers, if `portal` in `[web]` is true. `NETWORK.md` beside this
file describes the DNS side.
"""

from typing import Final

import msgspec

from pi_table.screens.web.guard import Headers


class Probe(msgspec.Struct, frozen=True):
    """The answer to a probe, byte for byte as devices expect it."""

    status: int
    headers: Headers
    content: bytes


def _text(content: str, *more: tuple[bytes, bytes], kind: bytes = b"text/plain") -> Probe:
    return Probe(200, [(b"content-type", kind), *more], content.encode())


ONLINE: Final = (b"x-networkmanager-status", b"online")
NOTHING: Final = Probe(204, [], b"")
APPLE: Final = _text(
    "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n", kind=b"text/html"
)
FIREFOX: Final = (
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)
NETWORK_MANAGER: Final = _text("NetworkManager is online\n", ONLINE)

ANY_PATH: Final = "*"
_GENERATE_204: Final = {"/generate_204": NOTHING, "/gen_204": NOTHING}
_CONNECT_TEST: Final = {"/connecttest.txt": _text("Microsoft Connect Test")}
_APPLES: Final = {"/library/test/success.html": APPLE}
_NCSI: Final = {"/ncsi.txt": _text("Microsoft NCSI")}

PROBES: Final[dict[str, dict[str, Probe]]] = {
    # Android, Chrome, and systems based on them
    **dict.fromkeys(
        (
            *("connectivitycheck.gstatic.com", "connectivitycheck.android.com"),
            *("clients1.google.com", "clients3.google.com", "www.google.com", "www.gstatic.com"),
            *("play.googleapis.com", "connect.rom.miui.com", "fireoscaptiveportal.com"),
            *("connectivitycheck.platform.hicloud.com",),
        ),
        _GENERATE_204,
    ),
    "edge-http.microsoft.com": {"/captiveportal/generate_204": NOTHING},
    # iPhone, iPad, Mac. Devices probe the first host at other paths too.
    "captive.apple.com": {ANY_PATH: APPLE},
    **dict.fromkeys(
        (
            *("www.apple.com", "www.appleiphonecell.com", "www.airport.us", "www.ibook.info"),
            *("www.itools.info", "www.thinkdifferent.us"),
        ),
        _APPLES,
    ),
    # Windows
    "www.msftconnecttest.com": _CONNECT_TEST,
    "ipv6.msftconnecttest.com": _CONNECT_TEST,
    "www.msftncsi.com": _NCSI,
    "ipv6.msftncsi.com": _NCSI,
    # Firefox
    "detectportal.firefox.com": {
        "/success.txt": _text("success\n"),
        "/canonical.html": _text(FIREFOX, kind=b"text/html"),
    },
    # Linux: GNOME, Debian, Arch, openSUSE, Ubuntu, Fedora, KDE
    "nmcheck.gnome.org": {"/check_network_status.txt": NETWORK_MANAGER},
    "network-test.debian.org": {"/nm": NETWORK_MANAGER},
    "ping.archlinux.org": {"/": NETWORK_MANAGER, "/nm-check.txt": NETWORK_MANAGER},
    "conncheck.opensuse.org": {"/": NETWORK_MANAGER},
    "connectivity-check.ubuntu.com": {"/": Probe(204, [ONLINE], b"")},
    "fedoraproject.org": {"/static/hotspot.txt": _text("OK\n")},
    "networkcheck.kde.org": {"/": _text("OK\n")},
}
"""The answers to probes, by host name and path."""


def probe(host: str, path: str) -> Probe | None:
    """Return the answer to a probe for this host and path; None if the request is not a probe."""
    name = host.lower().removesuffix(":80").removesuffix(".")
    paths = PROBES.get(name, {})
    return paths.get(path) or paths.get(ANY_PATH)
