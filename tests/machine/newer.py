"""The packages of a version newer than the image's, on a disk for a machine."""

import tarfile
from pathlib import Path
from typing import Final

from built_packages import built
from machine import TREE
from played import NO_CONSOLE, PlayedTable

from pi_table import __version__

NEWER: Final = f"{__version__}.1"
WRITABLE: Final = f"{NO_CONSOLE} pi-table.writable"
"""Words for the kernel of a machine whose card is to be updated."""
ABOARD: Final = "/tmp/packages"
"""Where `unpack` puts them."""


def make_packages(arch: str, folder: Path) -> Path:
    """An archive with the packages of the image, and those of a newer version."""
    newer = built(NEWER, arch).folder
    path = folder / "packages.tar"
    of_the_image = [*(TREE / "build/deb").glob("*_all.deb"), *TREE.glob(f"build/deb/*_{arch}.deb")]
    with tarfile.open(path, "w") as archive:
        for each in [*newer.glob("*.deb"), *of_the_image]:
            archive.add(each, each.name)
    return path


def disk(packages: Path) -> tuple[str, ...]:
    """Words for QEMU: the archive as the machine's second disk."""
    drive = f"file={packages},format=raw,if=none,id=packages,readonly=on"
    return ("-drive", drive, "-device", "virtio-blk-pci,drive=packages")


def unpack(table: PlayedTable) -> None:
    table.machine.ran("sh", "-c", f"mkdir {ABOARD} && tar -xf /dev/vdb -C {ABOARD}")
