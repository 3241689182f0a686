"""Updates of an image for a booted machine: new versions of it, good and bad ones, and the bundles
that they come in. They lie on a second disk of the machine, as a stick would bring them."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from card import Card
from machine import IMAGES, TREE, Done, Machine
from pi_firmware import find
from played import NO_CONSOLE, PlayedTable, booted
from troubles import partition

sys.path.append(str(TREE / "systemd/image"))
import bundle
import keys

ARCH: Final = "amd64"
NEWER: Final = "99.0.0"
OS_RELEASE: Final = "/usr/lib/os-release"
SLOTS: Final = "/usr/lib/pi-table-image/slots"
STATE: Final = "/var/lib/pi-table/image"
START: Final = ("pi-table", "update", "--now", "--", "/usr/lib/pi-table-image/start-new-slot")
HOST: Final = "10.0.2.2"
NETWORK: Final = ("-netdev", "user,id=network", "-device", "virtio-net-pci,netdev=network")
ABOARD: Final = "/run/bundles"
LIBRARIES: Final = "/usr/lib/x86_64-linux-gnu"
OF_DRIVERS: Final = ("libLLVM-15.so.1", "libz3.so.4", "libicudata.so.72.1")
"""The large libraries that only drivers of screens need."""
FAIL_NOW: Final = "/run/fail-now"
BROKEN: Final = f"""\
#!/bin/sh
until [ "$1" != run ] || [ -e {FAIL_NOW} ]; do sleep 1; done
echo This version does not work. >&2
exit 1
"""
"""A program of the table whose engine fails when the file `FAIL_NOW` is there."""


def change(image: Path, files: Mapping[str, str], scratch: Path, offset: int = 0) -> None:
    """Put files in the place of others in an ext4 file system, which begins at ``offset``."""
    commands = []
    for number, (path, text) in enumerate(files.items()):
        new = scratch / f"new-{number}"
        new.write_text(text)
        new.chmod(0o755)
        commands += [f"rm {path}", f"write {new} {path}"]
    subprocess.run(
        ["debugfs", "-w", "-f", "-", f"{image}?offset={offset}"],
        input="\n".join(commands), text=True, check=True, capture_output=True,
    )  # fmt: skip


def without_drivers(image: Path) -> None:
    """Take out of a root what draws on screens, and what is free: less than two thirds are left,
    and an emulated machine copies slowly."""
    listed = subprocess.check_output(["debugfs", "-R", f"ls -p {LIBRARIES}/dri", image], text=True)
    names = [*OF_DRIVERS, *(f"dri/{name}" for name in re.findall(r"/(\w+_dri\.so)/", listed))]
    commands = "".join(f"rm {LIBRARIES}/{name}\n" for name in names)
    subprocess.run(
        ["debugfs", "-w", "-f", "-", image], input=commands, text=True, check=True,
        capture_output=True,
    )  # fmt: skip
    subprocess.run(["e2fsck", "-fy", image], capture_output=True)  # 1: something was mended
    subprocess.run(["resize2fs", "-M", image], check=True, capture_output=True)


def newer_name(image: Path) -> dict[str, str]:
    """Return the files that turn a root into one of a newer version."""
    named = {**bundle.name_of(image), "IMAGE_VERSION": NEWER}
    return {OS_RELEASE: "".join(f"{name}={value}\n" for name, value in named.items())}


def make_bundle(folder: Path, name: str, more: Mapping[str, str] = {}) -> Path:
    """A bundle with a newer version of the image; ``more`` are files that it has besides."""
    image = folder / f"image-{name}"
    image.mkdir()
    for each in ("root.ext4", "boot.vfat"):
        copy(IMAGES / ARCH / each, image / each)
    change(image / "root.ext4", {**newer_name(image / "root.ext4"), **more}, folder)
    without_drivers(image / "root.ext4")
    out = folder / f"{name}.raucb"
    bundle.make_bundle(image, keys.throw_away(), out)
    shutil.rmtree(image)
    return out


def damaged(whole: Path) -> Path:
    """The same bundle with one bit that is another, where its root begins. That is installed
    first, and lies behind the much smaller boot partition."""
    spoilt = whole.with_name("damaged.raucb")
    copy(whole, spoilt)
    with spoilt.open("r+b") as file:
        file.seek(spoilt.stat().st_size // 6)
        (byte,) = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    return spoilt


def foreign(whole: Path) -> Path:
    """The same bundle, signed by somebody else."""
    signer = keys.new_signer(whole.with_name("foreign-key"), "somebody else")
    signed = whole.with_name("foreign.raucb")
    subprocess.run(
        ["rauc", f"--key={signer.key}", f"--cert={signer.cert}",
         f"--keyring={keys.throw_away().cert}", f"--signing-keyring={signer.cert}",
         "resign", whole, signed],
        check=True, capture_output=True,
    )  # fmt: skip
    return signed


def copy(whole: Path, to: Path) -> None:
    subprocess.run(["cp", "--sparse=always", whole, to], check=True)


def disk(bundles: Sequence[Path], image: Path) -> tuple[str, ...]:
    """Words for QEMU: a disk with these files, as the machine's second one."""
    folder = image.with_suffix(".folder")
    folder.mkdir()
    for each in bundles:
        (folder / each.name).hardlink_to(each)
    mib = sum(each.stat().st_size for each in folder.iterdir()) * 11 // 10 // (1 << 20) + 32
    make: list[str | Path] = [
        "mke2fs",
        "-q",
        "-t",
        "ext4",
        "-O",
        "^has_journal",
        "-d",
        folder,
        image,
        f"{mib}M",
    ]
    subprocess.run(make, check=True, capture_output=True)
    shutil.rmtree(folder)
    drive = f"file={image},format=raw,if=none,id=bundles,readonly=on"
    return ("-drive", drive, "-device", "virtio-blk-pci,drive=bundles")


def started(
    card: Card, scratch: Path, asked: str = "", **more: Any
) -> AbstractContextManager[PlayedTable]:
    """A machine whose firmware has found its kernel on the card."""
    found = find(card.image, scratch, asked)
    return booted(ARCH, card, scratch, boot=found.boot, kernel=NO_CONSOLE, **more)


def install(machine: Machine, name: str) -> Done:
    """Have RAUC install a bundle of the second disk."""
    mount = f"mkdir -p {ABOARD}; mountpoint -q {ABOARD} || mount -r /dev/vdb {ABOARD}"
    machine.ran("sh", "-c", mount)
    return machine.run("rauc", "install", f"{ABOARD}/{name}", seconds=600)


def join_network(machine: Machine) -> None:
    """Join the emulated network, at which the host is `HOST`."""
    machine.ran(
        "sh", "-c", "dev=$(ls /sys/class/net | grep -v lo); ip link set $dev up; "
        "ip address add 10.0.2.15/24 dev $dev",
    )  # fmt: skip


def runs(machine: Machine) -> str:
    """The version of the image that runs."""
    return machine.ran("sed", "-n", "s/^IMAGE_VERSION=//p", OS_RELEASE).strip()


def made() -> str:
    """The version of the image that was made."""
    return bundle.name_of(IMAGES / ARCH / "root.ext4")["IMAGE_VERSION"]


def fill_slot(card: Path, slot: str, scratch: Path, files: Mapping[str, str]) -> None:
    """Lay a newer version into a slot of a card, with these files, as an installation leaves it.
    The other slot is the good one."""
    for name, image in (("root", "root.ext4"), ("boot", "boot.vfat")):
        at, _ = partition(card, f"pi-table-{name}-{slot}")
        new = scratch / image
        copy(IMAGES / ARCH / image, new)
        if name == "root":
            change(new, {**newer_name(new), **files}, scratch)
        subprocess.run(
            ["dd", f"if={new}", f"of={card}", "bs=1M", f"seek={at >> 20}",
             "conv=notrunc,sparse", "status=none"],
            check=True,
        )  # fmt: skip
        new.unlink()
    states = {"a": "good", "b": "good", slot: "tried"}
    say_of_slots(card, "".join(f"{each}={state}\n" for each, state in states.items()))


def say_of_slots(card: Path, text: str) -> None:
    """Write slots.txt."""
    at, _ = partition(card, "pi-table-boot")
    subprocess.run(
        ["mcopy", "-o", "-i", f"{card}@@{at}", "-", "::slots.txt"],
        input=text, text=True, check=True,
    )  # fmt: skip
