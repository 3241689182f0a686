"""Findings about USB devices that the USB rules refuse, now or after the next start."""

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.config import Config
from pi_table.common.language import say
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.system_files import text_in

IN_USE: Final = Path("/usr/lib/pi-table/usb-in-use")
"""Path of the program that lists the machine's uses of a device (`systemd/usb-in-use`)."""
IN_USE_SECONDS: Final = 20
DISK: Final = "08"
"""Number of the USB interface class of disks."""
MAX_NAME_LENGTH: Final = 40
"""Maximum number of characters of a device's own name that the doctor shows."""


class RefusedDevice(msgspec.Struct, frozen=True):
    """A USB device with an interface that the rules refuse."""

    name: str
    """The device's vendor and product numbers, and the name that the device gives itself."""
    needed_for: tuple[str, ...]
    """The machine's important uses of the device, such as `network eth1` or `disk /`."""
    is_dark_disk: bool
    """True if the device is a disk that is refused now, so it has no driver."""


def usb(config: Config, root: Path = Path("/"), program: Path = IN_USE) -> Finding:
    """Return the finding about refused USB devices, above all those that the machine needs."""
    if not (root / "sys/bus/usb/devices").is_dir():
        return Finding("usb", Verdict.NOT_HERE, say("This machine has no USB."))
    folders = (Path("/"), Path("/boot/firmware"), config.paths.journal.parent)
    refused = [*_find_refused(root, program, folders)]
    finding = partial(Finding, "usb", figures={"refused": [each.name for each in refused]})
    if not refused:
        return finding(Verdict.OK, say("No device is refused."))
    needed = [f"{each.name} ({', '.join(each.needed_for)})" for each in refused if each.needed_for]
    if needed:
        return finding(
            Verdict.BROKEN,
            say(
                "The machine needs a device that will be refused after a restart: {needed}.",
                needed=", ".join(needed),
            ),
            say(
                "Before you restart, write its numbers into pi-table.toml on the boot partition, "
                "under trust in [usb]."
            ),
        )
    names = ", ".join(each.name for each in refused)
    missing = ", ".join(_not_mounted(root))
    if missing and any(each.is_dark_disk for each in refused):
        return finding(
            Verdict.BROKEN,
            say(
                "A disk is refused ({names}), and {missing} of /etc/fstab is not mounted.",
                names=names,
                missing=missing,
            ),
            say(
                "Write its numbers into pi-table.toml on the boot partition, under trust in "
                "[usb], and restart."
            ),
        )
    return finding(
        Verdict.LOOK,
        say("Refused, now or after a restart: {names}.", names=names),
        say(
            "To use one, write its numbers into pi-table.toml on the boot partition, under trust "
            "in [usb], or under controller if it is the table's controller, and restart."
        ),
    )


def _find_refused(root: Path, program: Path, folders: tuple[Path, ...]) -> Iterator[RefusedDevice]:
    devices = root / "sys/bus/usb/devices"
    for device in sorted(each for each in devices.iterdir() if ":" not in each.name):
        interfaces = [each for each in devices.glob(f"{device.name}:*") if _is_refused(root, each)]
        if not interfaces:
            continue
        needs = [need for each in interfaces for need in _needs(root, each, program)]
        yield RefusedDevice(
            name=_name(device),
            needed_for=tuple(need for need in needs if _matters(need, folders)),
            is_dark_disk=any(
                text_in(each / "bInterfaceClass") == DISK and text_in(each / "authorized") == "0"
                for each in interfaces
            ),
        )


def _is_refused(root: Path, interface: Path) -> bool:
    """True if the rules refuse an interface now, or will refuse it after the next start. udev has
    already stored the verdict for the next start."""
    known = text_in(root / "run/udev/data" / f"+usb:{interface.name}").splitlines()
    verdicts = [
        line.partition("=")[2] for line in known if line.startswith("E:PI_TABLE_USB_VERDICT=")
    ]
    return verdicts == ["refused"] or text_in(interface / "authorized") == "0"


def _needs(root: Path, interface: Path, program: Path) -> list[str]:
    path = interface.resolve().relative_to(root.resolve() / "sys")
    command = [str(program), f"/{path}", "" if root == Path("/") else str(root)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=IN_USE_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()


def _matters(need: str, folders: tuple[Path, ...]) -> bool:
    """True if this need is important: a network, swap, or a file system that contains one of
    ``folders``."""
    kind, _, what = need.partition(" ")
    place = Path(what)
    return (
        kind == "network"
        or not place.is_absolute()
        or any(place == folder or place in folder.parents for folder in folders)
    )


def _not_mounted(root: Path) -> Iterator[str]:
    """Yield each folder that /etc/fstab should have mounted at boot, but that is not mounted
    now."""
    fields = [line.split() for line in text_in(root / "proc/self/mountinfo").splitlines()]
    mounted = {each[4] for each in fields if len(each) > 4}
    for line in text_in(root / "etc/fstab").splitlines():
        match line.split():
            case [device, place, _, options, *_] if not device.startswith("#"):
                if place[0] == "/" and place not in mounted and "noauto" not in options.split(","):
                    yield place


def _name(device: Path) -> str:
    """Return a device's numbers and its own name. Unprintable characters are left out."""
    numbers = f"{text_in(device / 'idVendor')}:{text_in(device / 'idProduct')}"
    product = "".join(sign for sign in text_in(device / "product") if sign.isprintable())
    return f"{numbers} {product[:MAX_NAME_LENGTH]}".strip()
