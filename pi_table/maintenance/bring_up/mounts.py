"""What a folder is kept on, and how worn that is, by what the kernel says of its mounts and disks.

``root`` is where the file system begins: `/`, and in tests another.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from pi_table.common.language import say
from pi_table.maintenance.bring_up.findings import Verdict

MOUNTS: Final = "proc/self/mountinfo"
IN_MEMORY: Final = ("tmpfs", "ramfs", "rootfs")
"""Kinds of file systems that live in memory."""
MEMORY_DISKS: Final = ("/dev/zram", "/dev/ram")
"""What disks in memory are called."""
WITHOUT_OWNERS: Final = ("vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk")
"""Kinds that keep neither owners nor permissions of their own."""
IN_THE_NETWORK: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
"""Kinds that another machine keeps."""

UNSAFE: Final = ("nobarrier", "barrier=0", "fsync_mode=nobarrier")
"""Options by which a disk may lose what it has said to have stored."""
WORN_TENTHS: Final = 10
"""Nine tenths of its life are used up (JESD84, `DEVICE_LIFE_TIME_EST`: 10 is 90 to 100 %)."""


class Mount(NamedTuple):
    """One mount."""

    at: str
    """The folder that it is seen at."""
    options: frozenset[str]
    """How it is mounted, here and as a whole; an option with a value is `name=value`."""
    kind: str
    source: str
    """Its device, as the kernel names it."""

    @property
    def is_read_only(self) -> bool:
        return "ro" in self.options

    @property
    def unsafe_option(self) -> str | None:
        """The option by which it may lose what was stored; None if it has none."""
        return next((option for option in UNSAFE if option in self.options), None)

    @property
    def is_in_memory(self) -> bool:
        """True if its content is gone without power. Of an overlay: not by itself."""
        return self.kind in IN_MEMORY or self.source.startswith(MEMORY_DISKS)

    @property
    def upper(self) -> str | None:
        """The folder that keeps what is written to an overlay; None for any other mount."""
        found = [each for each in self.options if each.startswith("upperdir=")]
        return found[0].removeprefix("upperdir=") if self.kind == "overlay" and found else None


def mounts(root: Path) -> list[Mount]:
    """Every mount, in the kernel's order; none where the kernel does not say."""
    try:
        text = (root / MOUNTS).read_text("utf-8", errors="replace")
    except OSError:
        return []
    found = []
    for line in text.splitlines():
        front, _, back = line.partition(" - ")
        here, whole = front.split(" "), back.split(" ")
        if len(here) > 5 and len(whole) > 2:
            options = frozenset((*here[5].split(","), *whole[2].split(",")))
            found.append(Mount(_unescaped(here[4]), options, whole[0], _unescaped(whole[1])))
    return found


def mount_of(folder: str, known: list[Mount]) -> Mount | None:
    """The mount that a folder is on: the deepest of those around it, and the last of several at
    one place, which hides the others."""
    around = {folder, *map(str, PurePosixPath(folder).parents)}
    holding = [(len(each.at), number) for number, each in enumerate(known) if each.at in around]
    return known[max(holding)[1]] if holding else None


def _unescaped(text: str) -> str:
    """A name in which the kernel wrote blanks as `\\040`."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)


def wear(root: Path) -> tuple[Verdict, str, str] | None:
    """What wears out or fails, and what to do; None if the kernel says nothing of it."""
    do = say("Make a backup now (sudo pi-table backup FILE), and replace the card or disk soon.")
    for name, errors in _numbers(root / "sys/fs/ext4", "errors_count", base=10):
        if errors:
            return (
                Verdict.LOOK,
                say(
                    "The file system on {name} has noted {errors} errors since it was checked "
                    "last.",
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
    """The greatest number in that file of each device, with the device's name."""
    for path in sorted(folder.glob(f"*/{file}")):
        with suppress(OSError, ValueError):
            name = path.relative_to(folder).parts[0]
            yield name, max((int(each, base) for each in path.read_text().split()), default=0)
