#!/usr/bin/env python3
"""A table of USB devices: how to make each for a booted machine, and what may come of it there.

Outside, a harness reads `DEVICES`. One `made` of lines is typed at QEMU's monitor; one made of a
`Gadget` is made inside, by dummy_hcd and configfs. Inside, this file is run as root, by the Python
that is there and without anything else:

    usb_devices.py plug NAME      make a gadget, and plug it in
    usb_devices.py unplug NAME
    usb_devices.py appeared [VVVV:PPPP]  print what there is, as JSON, once such a device is settled

`wrong` says what of it should not be.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SCREEN: Final = "pi-table-console"
NAME: Final = Path("/dev/pi-table-controller")
USB: Final = Path("/sys/bus/usb/devices")
GADGETS: Final = Path("/sys/kernel/config/usb_gadget")
WAIT_SECONDS: Final = 60.0

KEYBOARD: Final = bytes.fromhex(
    "05010906a101050719e029e71500250175019508810295017508810395067508150025650507190029658100c0"
)
"""The report descriptor of any keyboard: eight modifiers, six keys."""
TOUCH: Final = bytes.fromhex(
    "050d0904a1018501"  # digitizer, touch screen
    "0922a102094215002501750195018102950781030951250a75089501810205012600107510950109308102"
    "09318102c0"  # a finger: down, which, x, y
    "050d0954250a750895018102"  # how many
    "85020955250a75089501b102c0"
)
"""The report descriptor of a touch screen."""


@dataclass(frozen=True)
class Hid:
    descriptor: bytes
    protocol: int = 0
    """1: the boot protocol of keyboards."""


@dataclass(frozen=True)
class Gadget:
    ids: str
    functions: tuple[str | Hid, ...]
    """Names of configfs, or descriptions of HID."""


@dataclass(frozen=True)
class Device:
    name: str
    ids: str
    made: tuple[str, ...] | Gadget
    allowed: tuple[str, ...] = ()
    """The classes of interfaces that may get a driver; all others are to get none."""
    controller: bool = False
    """True if there is a port with the table's own name."""
    sound: bool = False
    touch: bool = False
    """True if the console may read its input."""
    trusted: bool = False
    """True if the house trusts it, by `TRUST`."""


TRUST: Final = (
    'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="1d6b", '
    'ATTR{idProduct}=="0106", ENV{PI_TABLE_USB}="trusted"\n'
)
"""The house's /etc/udev/rules.d/71-pi-table-trusted.rules for the last devices."""


def gadget(name: str, ids: str, *functions: str | Hid, **rest: Any) -> Device:
    return Device(name, ids, Gadget(ids, functions), **rest)


def qemu(name: str, ids: str, *lines: str, **rest: Any) -> Device:
    """Its identifier for ``device_del`` is ``strange``."""
    return Device(name, ids, lines, **rest)


DEVICES: Final = (
    qemu(
        "controller with FTDI's chip",
        "0403:6001",
        "chardev-add null,id=line",
        "device_add usb-serial,id=strange,chardev=line,always-plugged=on",
        allowed=("ff",),
        controller=True,
    ),
    qemu("keyboard", "0627:0001", "device_add usb-kbd,id=strange"),
    qemu("mouse", "0627:0001", "device_add usb-mouse,id=strange"),
    # It calls itself neither, so it gets a driver; then it is no touch screen, and heard by nobody.
    qemu("tablet", "0627:0001", "device_add usb-tablet,id=strange", allowed=("03",)),
    qemu(
        "stick",
        "46f4:0001",
        "drive_add 0 if=none,id=disk,format=raw,file.driver=null-co,file.size=1048576",
        "device_add usb-storage,id=strange,drive=disk",
    ),
    qemu("hub", "0409:55aa", "device_add usb-hub,id=strange", allowed=("09",)),
    qemu(
        "sound card",  # the machine is started with: -audiodev none,id=quiet
        "46f4:0002",
        "device_add usb-audio,id=strange,audiodev=quiet",
        allowed=("01", "01"),
        sound=True,
    ),
    qemu(
        "network card",
        "0525:a4a2",
        "netdev_add hubport,id=net,hubid=0",
        "device_add usb-net,id=strange,netdev=net",
    ),
    gadget("rubber ducky", "1d6b:0104", Hid(KEYBOARD, 1), "mass_storage.0"),
    gadget("keyboard that does not say so", "1d6b:0105", Hid(KEYBOARD), allowed=("03",)),
    gadget("touch screen", "1d6b:0107", Hid(TOUCH), allowed=("03",), touch=True),
    # It may be touched; what it types, nobody hears.
    gadget(
        "touch screen that types",
        "1d6b:0108",
        Hid(TOUCH + KEYBOARD),
        allowed=("03",),
        touch=True,
    ),
    gadget(
        "controller with an Uno's chip", "2341:0043", "acm.0", allowed=("02", "0a"), controller=True
    ),
    gadget(
        "controller with CH9102's chip",
        "1a86:55d4",
        "acm.0",
        allowed=("02", "0a"),
        controller=True,
    ),
    # The gadget does not answer as a CH340 would, so there is no port; its interface is let in.
    gadget("controller with CH340's chip", "1a86:7523", "gser.0", allowed=("ff",)),
    gadget("controller that types", "1a86:7523", "gser.0", Hid(KEYBOARD), allowed=("ff",)),
    gadget("controller that stores", "2341:0001", "mass_storage.0"),
    gadget("controller that is a network", "2341:0043", "ecm.0", allowed=("0a",)),
    gadget("Uno that is a network of Windows", "2341:0043", "rndis.0", allowed=("0a",)),
    gadget("network chip of a Pi in a stranger's port", "0424:ec00", "ecm.0"),
    gadget("port of another maker", "1d6b:0109", "acm.0"),
    gadget("instrument", "1d6b:010a", "midi.0", allowed=("01",)),
    gadget(
        "keyboard that the house trusts",
        "1d6b:0106",
        Hid(KEYBOARD, 1),
        allowed=("03",),
        touch=True,
        trusted=True,
    ),
)


def named(name: str) -> Device:
    return next(device for device in DEVICES if device.name == name)


# What there is


@dataclass(frozen=True)
class Appeared:
    """The output of `appeared`."""

    controller: str | None = None
    """Target of the table's own name."""
    disks: list[str] = field(default_factory=list)
    networks: list[str] = field(default_factory=list)
    sound: list[str] = field(default_factory=list)
    serial: list[str] = field(default_factory=list)
    interfaces: list[dict[str, str | None]] = field(default_factory=list)
    """Of the device that was asked for: class, authorized, driver."""
    inputs: list[dict[str, Any]] = field(default_factory=list)
    """Inputs that can send something by USB: name, node, True if it has keys, True if somebody
    listens to it, and True if the console can read it."""


def wrong(device: Device, before: Appeared, after: Appeared) -> Iterator[str]:
    """Yield the wrong or missing effects after the device was plugged in."""
    let_in = sorted(str(each["class"]) for each in after.interfaces if each["authorized"] == "1")
    if not after.interfaces:
        yield "it has no interfaces: was it plugged in?"
    if let_in != sorted(device.allowed):
        yield f"let in are {let_in}, and not {sorted(device.allowed)}"
    for each in after.interfaces:
        if each["driver"] and each["authorized"] != "1":
            yield f"{each['driver']} drives what is not let in"
    if bool(after.controller) is not device.controller:
        yield f"the table's own name is that of {after.controller}"
    if not device.controller and after.serial != before.serial:
        yield f"there is a port {after.serial}"
    if after.disks != before.disks:
        yield f"there is a disk {after.disks}"
    if after.networks != before.networks:
        yield f"there is a network {after.networks}"
    if (after.sound != before.sound) is not device.sound:
        yield f"sound cards are {after.sound}"
    readable = [each for each in after.inputs if each["console"]]
    if bool(readable) is not device.touch:
        yield f"the console can read {[each['name'] for each in readable]}"
    for each in after.inputs:
        if each["keys"] and not device.trusted and (each["heard"] or each["console"]):
            yield f"{each['name']} types, and is heard"
        if each["heard"] and not each["console"]:
            yield f"{each['name']} is heard by the kernel's text screens"


def come_to_rest(ids: str | None) -> Appeared:
    """Return the devices after udev has finished. It judges a new device a little later."""
    found = appeared(ids)
    while True:
        subprocess.run(["udevadm", "settle"], check=True)
        again = appeared(ids)
        if again == found:
            return found
        found = again


def appeared(ids: str | None) -> Appeared:
    """Return the present devices. With ``ids``, wait until that device is there and settled."""
    device = _settled(ids) if ids else None
    return Appeared(
        controller=str(NAME.resolve()) if NAME.exists() else None,
        disks=_names("/sys/block", "sd"),
        networks=[each for each in _names("/sys/class/net", "") if each != "lo"],
        sound=_names("/sys/class/sound", "card"),
        serial=_names("/sys/class/tty", "ttyUSB") + _names("/sys/class/tty", "ttyACM"),
        interfaces=[
            {
                "class": _text(each / "bInterfaceClass"),
                "authorized": _text(each / "authorized"),
                "driver": (each / "driver").resolve().name if (each / "driver").exists() else None,
            }
            for each in sorted(device.glob("*:*") if device else ())
        ],
        inputs=[*_inputs()],
    )


def _inputs() -> Iterator[dict[str, Any]]:
    for each in sorted(Path("/sys/class/input").glob("event*")):
        if "/usb" not in str(each.resolve()):
            continue
        node = Path("/dev/input") / each.name
        test = ["runuser", "-u", SCREEN, "--", "test", "-r", str(node)]
        yield {
            "node": str(node),
            "name": _text(each / "device" / "name"),
            # keys of keyboards are numbers below 0x100; above are buttons
            "keys": any(
                int(word, 16)
                for word in _text(each / "device" / "capabilities" / "key").split()[-4:]
            ),
            "heard": _text(each / "device" / "inhibited") == "0",
            "console": subprocess.run(test, check=False).returncode == 0,
        }


def _settled(ids: str) -> Path:
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        for each in USB.iterdir():
            if f"{_text(each / 'idVendor')}:{_text(each / 'idProduct')}" != ids:
                continue
            if _text(each / "bNumInterfaces").strip() not in ("", "0") and [*each.glob("*:*")]:
                for _ in range(3):  # what udev does may be news to udev
                    subprocess.run(["udevadm", "settle"], check=True)
                return each.resolve()
        time.sleep(0.1)
    raise SystemExit(f"No device {ids} came.")


def _names(folder: str, beginning: str) -> list[str]:
    """Those in a folder of classes; not what a gadget has at its own end of the cable."""
    path = Path(folder)
    return sorted(
        each.name
        for each in (path.iterdir() if path.exists() else ())
        if each.name.startswith(beginning) and "/gadget" not in str(each.resolve())
    )


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


# Gadgets


def plug(device: Device) -> None:
    made = device.made
    assert isinstance(made, Gadget), f"{device.name} is made outside, at QEMU's monitor."
    for module in ("dummy_hcd", "libcomposite"):
        subprocess.run(["modprobe", module], check=True)
    place = GADGETS / "strange"
    configuration = place / "configs" / "c.1"
    (place / "strings" / "0x409").mkdir(parents=True)
    configuration.mkdir()
    vendor, product = made.ids.split(":")
    (place / "idVendor").write_text(f"0x{vendor}")
    (place / "idProduct").write_text(f"0x{product}")
    (place / "strings" / "0x409" / "product").write_text(device.name)
    for number, function in enumerate(made.functions):
        name = f"hid.{number}" if isinstance(function, Hid) else function
        folder = place / "functions" / name
        folder.mkdir()
        if isinstance(function, Hid):
            (folder / "protocol").write_text(str(function.protocol))
            (folder / "subclass").write_text(str(function.protocol))
            (folder / "report_length").write_text("8")
            (folder / "report_desc").write_bytes(function.descriptor)
        elif name.startswith("mass_storage"):
            disk = Path("/run/strange-disk")
            disk.write_bytes(bytes(1 << 20))
            (folder / "lun.0" / "file").write_text(str(disk))
        elif name.startswith("rndis"):  # as Windows has it: nearly a modem
            for key, value in (("class", "02"), ("subclass", "02"), ("protocol", "ff")):
                (folder / key).write_text(value)
        (configuration / name).symlink_to(folder)
    (place / "UDC").write_text(os.listdir("/sys/class/udc")[0])


def unplug(device: Device) -> None:
    place = GADGETS / "strange"
    if _text(place / "UDC"):  # else it was never plugged in, for want of something
        (place / "UDC").write_text("\n")
    configuration = place / "configs" / "c.1"
    for link in configuration.iterdir():
        if link.is_symlink():
            link.unlink()
    configuration.rmdir()
    for folder in (place / "functions").iterdir():
        folder.rmdir()
    (place / "strings" / "0x409").rmdir()
    place.rmdir()
    subprocess.run(["udevadm", "settle"], check=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["plug", name]:
            plug(named(name))
        case ["unplug", name]:
            unplug(named(name))
        case ["appeared", *asked]:
            print(json.dumps(vars(come_to_rest(asked[0] if asked else None))))
        case _:
            raise SystemExit(__doc__)
