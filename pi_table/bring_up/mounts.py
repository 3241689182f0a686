"""What a folder is kept on, by what the kernel says of its mounts.

``root`` is where the file system begins: `/`, and in tests another.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

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
