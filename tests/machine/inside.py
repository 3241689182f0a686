"""The witness: what a test has inside the booted machine. The image knows nothing of it.

It is started by a unit that the test lays into /run before systemd starts, and talks to the test
by lines of JSON over a port of the machine. Each request has an `id`:

- `{"id", "run": [words], "user": name or null, "input": text, "seconds": N}` runs a program, and is
  answered by `{"id", "status", "out", "err"}`;
- `{"id", "watch": path, "user": …}` connects to a Unix socket, and is answered by `{"id", "ok"}`;
  what comes from it is told as `{"from": path, "line": text}`, and its end as
  `{"from": path, "end": true}`;
- `{"id", "say": path, "line": text}` says a line to a socket that is watched.

It needs Python alone, and runs as root, so that it can try what others may not.
"""

import json
import os
import pwd
import socket
import subprocess
import sys
import threading
import time
from typing import Any

PORT = "/dev/virtio-ports/pi-table.witness"

while not os.path.exists(PORT):  # its module is loaded later
    time.sleep(0.1)
port = os.open(PORT, os.O_RDWR)
one_at_a_time = threading.Lock()
watched: dict[str, socket.socket] = {}


def tell(said: dict[str, Any]) -> None:
    """Say it to the test."""
    data = (json.dumps(said) + "\n").encode()
    with one_at_a_time:
        while data:
            data = data[os.write(port, data) :]


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run a program, as whoever is asked for."""
    user = request.get("user")
    more: dict[str, Any] = {}
    if user:
        found = pwd.getpwnam(user)
        groups = os.getgrouplist(user, found.pw_gid)
        more = {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": groups}
    try:
        done = subprocess.run(
            request["run"],
            input=request.get("input", ""),
            text=True,
            capture_output=True,
            timeout=request.get("seconds", 60),
            **more,
        )
        return {"status": done.returncode, "out": done.stdout, "err": done.stderr}
    except subprocess.TimeoutExpired:
        return {"status": None, "out": "", "err": "It took too long."}
    except OSError as error:
        return {"status": None, "out": "", "err": str(error)}


def watch(path: str) -> dict[str, Any]:
    """Connect, and tell all that comes."""
    there = socket.socket(socket.AF_UNIX)
    try:
        there.connect(path)
    except OSError as error:
        return {"ok": False, "err": str(error)}
    watched[path] = there

    def read() -> None:
        with there.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                tell({"from": path, "line": line})
        tell({"from": path, "end": True})

    threading.Thread(target=read, daemon=True).start()
    return {"ok": True}


def say(path: str, line: str) -> dict[str, Any]:
    """Say a line to a socket."""
    try:
        watched[path].sendall(line.encode() + b"\n")
    except (OSError, KeyError) as error:
        return {"ok": False, "err": str(error)}
    return {"ok": True}


def answer(request: dict[str, Any]) -> None:
    """Do what is asked for, and tell what came of it."""
    if "run" in request:
        said = run(request)
    elif "watch" in request:
        said = watch(request["watch"])
    else:
        said = say(request["say"], request["line"])
    tell({"id": request["id"], **said})


tell({"here": True})
with open(port, "rb", closefd=False) as lines:
    for line in lines:
        threading.Thread(target=answer, args=(json.loads(line),), daemon=True).start()
sys.exit("The test has hung up.")
