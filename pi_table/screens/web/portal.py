"""Answers to the probes by which devices look for a way to the internet.

Where there is none, a phone leaves such a network for the mobile one, or pushes a page for logging
in over everything. A table with a network of its own tells it, where `[web]` says so, what it wants
to hear. `NETWORK.md` beside this file has the resolver's part of it.
"""

from typing import Final

import msgspec

from pi_table.screens.web.guard import Headers


class Probe(msgspec.Struct, frozen=True):
    """What a probe is answered, byte for byte."""

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
    # Android, Chrome, and what is built on them
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
    # iPhone, iPad, Mac. The first was asked for other paths too.
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
"""What is answered, by the name under which it is asked for, and the path."""


def probe(host: str, path: str) -> Probe | None:
    """What a probe for that path is answered, asked under that name; None for what is no probe."""
    name = host.lower().removesuffix(":80").removesuffix(".")
    paths = PROBES.get(name, {})
    return paths.get(path) or paths.get(ANY_PATH)
