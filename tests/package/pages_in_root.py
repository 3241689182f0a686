#!/usr/bin/env python3
"""Run as root in a root with a network of its own: the process of the pages starts there as its own
user, and what it answers is printed, as JSON."""

import fcntl
import json
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

URL = "http://127.0.0.1:8080"
AS_THE_PAGES = ("setpriv", "--reuid", "pi-table-web", "--regid", "pi-table-sealed", "--init-groups")
SECONDS = 300
SIOCGIFFLAGS, SIOCSIFFLAGS, UP = 0x8913, 0x8914, 1
CONNECT = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"


def main(config: str) -> None:
    switch_the_loop_on()
    pages = subprocess.Popen([*AS_THE_PAGES, "pi-table", "web", "--config", config])
    try:
        end = time.monotonic() + SECONDS
        while not (table := answer("/api/1/table", end)).get("here"):
            assert time.monotonic() < end, table
            time.sleep(0.05)
        found = {
            "about": answer("/api/1/about", end),
            "status": {path: status(path) for path in ("/", "/seat", "/desk", "/texts/it.json")},
            "opens": {name: opens(name) for name in ("public", "sealed", "console")},
        }
    finally:
        pages.terminate()
    print(json.dumps({**found, "ended": pages.wait(SECONDS)}))


def switch_the_loop_on() -> None:
    """A network of one's own begins with its loop switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        flags = fcntl.ioctl(asking, SIOCGIFFLAGS, struct.pack("16sH14x", b"lo", 0))
        (now,) = struct.unpack_from("H", flags, 16)
        fcntl.ioctl(asking, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", now | UP))


def answer(path: str, end: float) -> dict[str, Any]:
    """Return the answer, as soon as there is one."""
    while True:
        try:
            with urllib.request.urlopen(URL + path, timeout=5) as told:
                return dict(json.load(told))
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def status(path: str) -> int:
    try:
        with urllib.request.urlopen(URL + path, timeout=5) as told:
            return int(told.status)
    except urllib.error.HTTPError as error:
        return error.code


def opens(name: str) -> bool:
    """True if the user of the pages may open that socket of the table."""
    words = ["python3", "-c", CONNECT, f"/run/pi-table/{name}.sock"]
    return subprocess.run([*AS_THE_PAGES, *words], stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    main(sys.argv[1])
