"""The steps of a Raspberry Pi's firmware with a card of two slots, as its documents have them. It
reads autoboot.txt on the first partition. It takes the boot partition named there, or the other one
after `reboot "0 tryboot"`. It starts the kernel that config.txt names there.

QEMU has no such firmware: the test reads the card, and starts the kernel that it finds.
"""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from card import SECTOR
from machine import EMULATED, Boot
from troubles import partitions

TRYBOOT: Final = "0 tryboot"
FIRST: Final = 1


class Found(NamedTuple):
    """The firmware's findings on a card."""

    partition: int
    """The boot partition's number: 2 is slot a's, 3 slot b's."""
    boot: Boot


def find(card: Path, scratch: Path, asked: str = "") -> Found:
    """Return the system that is started from a card. ``asked`` is the argument of the reboot."""
    assert asked in ("", TRYBOOT), asked
    tryboot = {"tryboot"} if asked else set()
    autoboot = read(card, FIRST, "autoboot.txt")
    assert len(autoboot) <= SECTOR, "autoboot.txt is longer than the firmware reads."
    settings = settings_that_hold(autoboot.decode(), tryboot)
    assert settings["tryboot_a_b"] == "1"
    number = int(settings["boot_partition"])
    config = settings_that_hold(
        read(card, number, "config.txt").decode(), {f"boot_partition={number}"}
    )
    initrd = config["initramfs"].split()[0]
    for name in (config["kernel"], initrd):
        (scratch / name).write_bytes(read(card, number, name))
    words = read(card, number, config["cmdline"]).decode().strip()
    return Found(number, Boot(scratch / config["kernel"], scratch / initrd, f"{words} {EMULATED}"))


def settings_that_hold(text: str, filters: set[str]) -> dict[str, str]:
    """The settings of a file of the firmware's that hold: those without a filter, those behind
    [all], and those behind a filter that passes. Of two the later one holds."""
    holds, found = True, dict[str, str]()
    for line in text.splitlines():
        if line.startswith("["):
            holds = line.strip("[]") in {"all", *filters}
        elif holds and line and not line.startswith("#"):
            name, _, value = line.partition("=" if "=" in line else " ")
            found[name] = value
    return found


def read(card: Path, number: int, name: str) -> bytes:
    """A file of a FAT partition of a card."""
    at, _ = partitions(card)[number - 1]
    return read_file(card, at, name)


def read_file(image: Path, at: int, name: str) -> bytes:
    """A file of a FAT file system that begins there."""
    return subprocess.check_output(["mcopy", "-n", "-i", f"{image}@@{at}", f"::{name}", "-"])
