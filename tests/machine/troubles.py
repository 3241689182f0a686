"""Troubles of a machine's card, while it runs: slow, broken, and full."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from card import SECTOR
from machine import Machine

STATE: Final = "/var/lib/pi-table"
FILLER: Final = f"{STATE}/filler"


def slow_down(machine: Machine, milliseconds: int) -> None:
    """From now on each write takes so long at least. QEMU lets a write pass that comes after a
    rest, and so the card is kept busy: whoever writes waits for another's write and for its own."""
    pace = dict.fromkeys(
        (f"{a}-{b}" for a in ("bps", "iops") for b in ("total", "read", "write")), 0
    )
    pace["iops-write"] = max(1, 1000 // milliseconds)
    busy = f"while dd if=/dev/zero of={STATE}/busy bs=512 count=1 oflag=direct; do :; done"
    machine.ran("systemd-run", "--quiet", "sh", "-c", busy)
    machine.monitor("qom-set", path="/objects/pace", property="limits", value=pace)


def fail_writes(machine: Machine) -> None:
    """From now on the card takes no write any more, and says so; it can still be read."""
    rule = {"event": "none", "iotype": "write", "errno": 5, "immediately": True}
    broken = {
        "driver": "blkdebug",
        "node-name": "broken",
        "image": "logged",
        "inject-error": [rule],
    }
    machine.monitor("blockdev-add", **broken)
    card = {"driver": "throttle", "node-name": "card", "throttle-group": "pace", "file": "broken"}
    machine.monitor("blockdev-reopen", options=[card])


def fill_up(machine: Machine) -> None:
    """Leave no room on the partition of the table's state, not even root's."""
    machine.run("dd", "if=/dev/zero", f"of={FILLER}", "bs=1M")
    machine.run("dd", "if=/dev/zero", f"of={FILLER}", "bs=512", "oflag=append", "conv=notrunc")
    machine.ran("sync")
    assert machine.ran("df", "--output=avail", STATE).split()[-1] == "0"


def make_room(machine: Machine) -> None:
    """Free what `fill_up` took."""
    machine.ran("rm", FILLER)


def partition(image: Path, name: str) -> tuple[int, int]:
    """Where a partition of a card begins, and its size, in bytes."""
    (found,) = (each for each in _table(image) if each["name"] == name)
    return found["start"] * SECTOR, found["size"] * SECTOR


def partitions(image: Path) -> list[tuple[int, int]]:
    """The same of every partition, in their order."""
    return [(each["start"] * SECTOR, each["size"] * SECTOR) for each in _table(image)]


def _table(image: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(subprocess.check_output(["sfdisk", "--json", image]))[
        "partitiontable"
    ]["partitions"]
    return found


def destroy(image: Path, name: str) -> None:
    """Zeros over all of a partition."""
    at, size = partition(image, name)
    hole = ["--punch-hole", "--offset", str(at), "--length", str(size)]
    subprocess.run(["fallocate", *hole, image], check=True)
