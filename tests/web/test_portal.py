"""Devices that look for a way to the internet: what they are answered, and what leads them here."""

import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE
from ports import free_port
from served import Served, with_pages

import pi_table.screens.web
from pi_table.screens.web.portal import ANY_PATH, PROBES

PAGE = (Path(next(iter(pi_table.screens.web.__path__))) / "NETWORK.md").read_text("utf-8")
LINES = re.findall(r"^```dnsmasq\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
APPLES = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
MOZILLAS = (
    b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)


def test_every_device_can_join_the_network() -> None:
    """WPA2 with AES and without protected management frames, of which a Pi's Wi-Fi is not able."""
    (lines,) = re.findall(r"^nmcli connection add (.*?[^\\])\n", PAGE, re.DOTALL | re.MULTILINE)
    words = [word for word in shlex.split(lines) if word != "\n"]
    nmcli = dict(zip(words[::2], words[1::2], strict=True))
    assert len(nmcli["wifi-sec.psk"]) >= 8
    assert nmcli["wifi-sec.key-mgmt"] == "wpa-psk"
    assert nmcli["wifi-sec.proto"] == "rsn"
    assert nmcli["wifi-sec.pairwise"] == "ccmp"
    assert nmcli["wifi-sec.pmf"] == "disable"
    assert nmcli["wifi.band"] == "bg"


ANSWERS = (
    ("connectivitycheck.gstatic.com/generate_204", 204, b""),
    ("clients3.google.com/generate_204", 204, b""),
    ("www.google.com/gen_204", 204, b""),
    ("captive.apple.com/hotspot-detect.html", 200, APPLES),
    ("captive.apple.com/", 200, APPLES),
    ("www.apple.com/library/test/success.html", 200, APPLES),
    ("www.msftconnecttest.com/connecttest.txt", 200, b"Microsoft Connect Test"),
    ("www.msftncsi.com/ncsi.txt", 200, b"Microsoft NCSI"),
    ("detectportal.firefox.com/success.txt?ipv4", 200, b"success\n"),
    ("detectportal.firefox.com/canonical.html", 200, MOZILLAS),
    ("nmcheck.gnome.org/check_network_status.txt", 200, b"NetworkManager is online\n"),
    ("network-test.debian.org/nm", 200, b"NetworkManager is online\n"),
    ("connectivity-check.ubuntu.com./", 204, b""),
    ("fedoraproject.org/static/hotspot.txt", 200, b"OK\n"),
    ("networkcheck.kde.org/", 200, b"OK\n"),
    # What is no probe
    ("www.google.com/", 421, None),
    ("www.apple.com/", 421, None),
    ("evil.example/generate_204", 421, None),
    ("captive.apple.com.evil.example/", 421, None),
)


@with_pages(portal=True)
async def test_a_probe_is_answered_byte_for_byte(served: Served) -> None:
    for asked, status, content in ANSWERS:
        host, slash, path = asked.partition("/")
        answer = await served.ask(slash + path, host=host)
        assert answer.status == status, asked
        assert content is None or answer.body == content, asked
        assert answer.headers["cache-control"] == "no-store"
        assert not content or answer.headers["content-length"] == str(len(content)), asked
        assert (await served.ask(slash + path, "HEAD", host=host)).status == status, asked
    assert (await served.ask("/api/1/about")).status == 200


@with_pages()
async def test_no_probe_is_answered_unless_somebody_wants_it(served: Served) -> None:
    for host, paths in PROBES.items():
        for path in paths:
            assert (await served.ask(path.replace(ANY_PATH, "/"), host=host)).status == 421


@with_pages(portal=True)
async def test_nothing_is_taken_under_the_names_of_others(served: Served) -> None:
    kind = {"content_type": "application/octet-stream"}
    answer = await served.ask("/api/1/desk", "POST", b"x", host="captive.apple.com", **kind)
    assert answer.status == 421


# --- the resolver's part


def test_the_resolver_leads_every_probe_here() -> None:
    lines = re.findall(r"^host-record=(\S+),10\.42\.0\.1$", LINES, re.MULTILINE)
    assert {name for line in lines for name in line.split(",")} == {*PROBES, "table.home.arpa"}


@pytest.mark.paced
@pytest.mark.skipif(shutil.which("dnsmasq") is None, reason="dnsmasq is not there")
def test_the_lines_do_in_dnsmasq_what_the_page_says(tmp_path: Path) -> None:
    with resolver(tmp_path) as port:
        for name in (*PROBES, "table.home.arpa"):
            assert resolved(name, port) == "10.42.0.1", name
            assert resolved(name, port, AAAA) == "nothing", name  # not: no such name
        assert resolved("dns.msftncsi.com", port) == "131.107.255.255"
        assert resolved("www.example.com", port) == "no such name"


@contextmanager
def resolver(folder: Path) -> Iterator[int]:
    """A dnsmasq with the page's lines; the value is its port. Somebody else may take a free port
    before dnsmasq does, so several are tried."""
    (folder / "pi-table.conf").write_text(LINES)
    for _ in range(TRIES):
        port = free_port()
        command = [
            *("dnsmasq", "--keep-in-foreground", f"--conf-file={folder / 'pi-table.conf'}"),
            *("--no-hosts", "--listen-address=127.0.0.1", "--bind-interfaces", f"--port={port}"),
            *("--user=", "--group=", "--pid-file=", "--log-facility=-"),
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            said = process.stderr.readline()
            try:
                if ": started, " in said:
                    yield port
                    return
            finally:
                process.terminate()
    raise AssertionError(said)


A, AAAA = 1, 28
TRIES = 5


def resolved(name: str, port: int, kind: int = A) -> str:
    """The address that a resolver on this machine has for a name."""
    labels = b"".join(bytes([len(each)]) + each.encode() for each in name.split("."))
    question = (
        b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" + labels + bytes([0, 0, kind, 0, 1])
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(PATIENCE)
        asking.connect(("127.0.0.1", port))
        asking.send(question)
        answer = asking.recv(512)
    if answer[3] & 0xF == 3:
        return "no such name"
    return socket.inet_ntoa(answer[-4:]) if answer[7] else "nothing"
