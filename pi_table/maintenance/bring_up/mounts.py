"""Finds from the kernel's lists where a folder is mounted, and how worn the disks are.

``root`` is the root of the file system: `/`, or another folder in tests.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from pi_table.common.language import say
from pi_table.maintenance.bring_up.findings import Verdict
from pi_table.maintenance.bring_up.system_files import text_in

MOUNTS: Final = "proc/self/mountinfo"
IN_MEMORY: Final = ("tmpfs", "ramfs", "rootfs")
"""Types of file systems whose files are only in memory."""
MEMORY_DISKS: Final = ("/dev/zram", "/dev/ram")
"""Beginnings of the names of block devices that are only in memory."""
WITHOUT_OWNERS: Final = ("vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk")
"""Types of file systems that store neither owners nor permissions."""
IN_THE_NETWORK: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
"""Types of file systems whose files are on another machine."""

UNSAFE: Final = ("nobarrier", "barrier=0", "fsync_mode=nobarrier")
"""Mount options with which a power cut can lose data that the disk has confirmed."""
WORN_TENTHS: Final = 10
"""Wear, in tenths of a disk's life, from which the disk is reported. 10 means that 90 to 100 % of
the life is used (JESD84, `DEVICE_LIFE_TIME_EST`)."""


class Mount(NamedTuple):
    """A mounted file system."""

    at: str
    """Path of the folder where the file system is mounted."""
    options: frozenset[str]
    """Options of the mount and of its file system, as `name` or `name=value`."""
    kind: str
    source: str
    """The kernel's name for the file system's device."""

    @property
    def is_read_only(self) -> bool:
        return "ro" in self.options

    @property
    def unsafe_option(self) -> str | None:
        """Return an option with which confirmed data may be lost; None if no option is unsafe."""
        return next((option for option in UNSAFE if option in self.options), None)

    @property
    def is_in_memory(self) -> bool:
        """True if a power cut deletes all files. For an overlay, check the mount of `upper`
        instead."""
        return self.kind in IN_MEMORY or self.source.startswith(MEMORY_DISKS)

    @property
    def upper(self) -> str | None:
        """Return the folder that stores an overlay's changes; None for any other mount."""
        found = [each for each in self.options if each.startswith("upperdir=")]
        return found[0].removeprefix("upperdir=") if self.kind == "overlay" and found else None


def mounts(root: Path) -> list[Mount]:
    """Return every mount, in the kernel's order; an empty list if the kernel's list is missing."""
    found = []
    for line in text_in(root / MOUNTS).splitlines():
        front, _, back = line.partition(" - ")
        here, whole = front.split(" "), back.split(" ")
        if len(here) > 5 and len(whole) > 2:
            options = frozenset((*here[5].split(","), *whole[2].split(",")))
            found.append(Mount(_unescape(here[4]), options, whole[0], _unescape(whole[1])))
    return found


def mount_of(folder: str, known: list[Mount]) -> Mount | None:
    """Return the mount that has this folder. Of several mounts at one path, return the last, which
    hides the others."""
    around = {folder, *map(str, PurePosixPath(folder).parents)}
    holding = [(len(each.at), number) for number, each in enumerate(known) if each.at in around]
    return known[max(holding)[1]] if holding else None


def _unescape(text: str) -> str:
    r"""Return a name without the kernel's escape sequences, such as `\040` for a blank."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)


def wear(root: Path) -> tuple[Verdict, str, str] | None:
    """Return verdict, sentence and advice if a disk is worn or failing; None if all is well."""
    do = say("Make a backup now (sudo pi-table backup FILE), and replace the card or disk soon.")
    for name, errors in _numbers(root / "sys/fs/ext4", "errors_count", base=10):
        if errors:
            return (
                Verdict.LOOK,
                say(
                    "The file system on {name} has recorded {errors} errors since its last check.",
                    name=name,
                    errors=errors,
                ),
                do,
            )
    for name, tenths in _numbers(root / "sys/block", "device/life_time", base=16):
        if tenths >= WORN_TENTHS:
            return (
                Verdict.LOOK,
                say("{name} says that 90 % of its life or more is used up.", name=name),
                do,
            )
    return None


def _numbers(folder: Path, file: str, base: int) -> Iterator[tuple[str, int]]:
    """Yield the name of each device, with the greatest number in its file ``file``."""
    for path in sorted(folder.glob(f"*/{file}")):
        with suppress(OSError, ValueError):
            name = path.relative_to(folder).parts[0]
            yield name, max((int(each, base) for each in path.read_text().split()), default=0)
