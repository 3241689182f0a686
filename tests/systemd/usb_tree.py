"""As much of /sys and /proc as shows USB devices, and what a machine uses them for."""

import os
from pathlib import Path
from typing import Final

from udev_rules import Device

HOST: Final = "/devices/platform/soc/xhci"
INTERFACE: Final = ("bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol")


class UsbTree:
    """The files below ``root``. Devices are named as the kernel does, and so are their interfaces:
    1-1 at the first port, 1-1.2 at the second port of a hub there, 1-1:1.0."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in (
            "bus/usb/devices",
            "class/block",
            "class/net",
            "dev/block",
            "fs/ext4/features",
        ):
            (root / "sys" / name).mkdir(parents=True)
        self.write("proc/self/mountinfo", "22 1 0:21 / /proc rw - proc proc rw\n")
        self.write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
        self.write("etc/fstab", "")
        (root / "run/udev/data").mkdir(parents=True)
        self.plug("usb1", "1d6b:0002", "09/00/01", device_class="09")

    def write(self, name: str, text: str, more: bool = False) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a" if more else "w") as opened:
            opened.write(text)

    def devpath(self, name: str) -> str:
        """The path of a device or interface below /sys."""
        device, _, configuration = name.partition(":")
        hubs = device.split(".")
        path = f"{HOST}/usb1"
        if not device.startswith("usb"):
            path += "".join(f"/{'.'.join(hubs[: n + 1])}" for n in range(len(hubs)))
        return f"{path}/{name}" if configuration else path

    def plug(
        self,
        name: str,
        ids: str,
        *interfaces: str,
        device_class: str = "00",
        serial: str = "",
        product: str = "",
        node: str = "",
    ) -> str:
        """``interfaces``: class, subclass and protocol of each. ``node``: what the board's own
        description calls what is at this port. Returns the name."""
        vendor, _, number = ids.partition(":")
        about = {"idVendor": vendor, "idProduct": number, "bDeviceClass": device_class}
        about |= {"serial": serial} if serial else {}
        about |= {"product": product} if product else {}
        self._folder(self.devpath(name), about, f"bus/usb/devices/{name}")
        if node:
            self.write(f"sys{self.devpath(name)}/of_node/compatible", f"{node}\0")
        for at, each in enumerate(interfaces):
            its_name = f"{name}:1.{at}"
            numbers = dict(zip(INTERFACE, each.split("/"), strict=True))
            link = f"bus/usb/devices/{its_name}"
            self._folder(self.devpath(its_name), numbers | {"authorized": "1"}, link)
        return name

    def _folder(self, devpath: str, files: dict[str, str], *links: str) -> None:
        for name, text in files.items():
            self.write(f"sys{devpath}/{name}", f"{text}\n")
        (self.root / f"sys{devpath}").mkdir(parents=True, exist_ok=True)
        for link in links:
            at = self.root / "sys" / link
            at.symlink_to(os.path.relpath(self.root / f"sys{devpath}", at.parent))

    def disk(self, interface: str, name: str, **partitions: str) -> None:
        """A disk that the driver of an interface has found: ``sda1="8:1"``."""
        top = f"{self.devpath(interface)}/host0/target0:0:0/0:0:0:0/block/{name}"
        self._folder(top, {}, f"class/block/{name}")
        for each, number in partitions.items():
            self._folder(f"{top}/{each}", {}, f"class/block/{each}", f"dev/block/{number}")

    def made_of(self, name: str, number: str, *below: str) -> None:
        """A device of device mapper, of the block devices with these names."""
        path = f"/devices/virtual/block/{name}"
        self._folder(path, {}, f"class/block/{name}", f"dev/block/{number}")
        for each in below:
            link = self.root / f"sys{path}/slaves/{each}"
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(os.path.relpath(self.root / "sys/class/block" / each, link.parent))

    def mount(self, number: str, place: str, kind: str = "ext4") -> None:
        line = f"30 1 {number} / {place} rw,noatime shared:1 - {kind} /dev/x rw\n"
        self.write("proc/self/mountinfo", line, more=True)

    def network(self, interface: str, name: str, carrier: str = "1") -> None:
        path = f"{self.devpath(interface)}/net/{name}"
        self._folder(path, {"carrier": carrier}, f"class/net/{name}")

    def device(self, name: str, action: str = "add") -> Device:
        """The device as udev is told of it."""
        folder = self.root / f"sys{self.devpath(name)}"
        files = [file for file in folder.iterdir() if file.is_file()]
        node = {"of_node/compatible"} if (folder / "of_node/compatible").exists() else set()
        return Device(
            "usb",
            name,
            {file.name: file.read_text().strip() for file in files},
            {"DEVTYPE": "usb_interface" if ":" in name else "usb_device"},
            files=frozenset(node),
            action=action,
            path=self.devpath(name),
            root=self.root,
        )
