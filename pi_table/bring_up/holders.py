"""Which programs have a device open? From /proc, as far as this user may see."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

PROC: Final = Path("/proc")


class Holder(msgspec.Struct, frozen=True):
    """A process that has the device."""

    process: int
    command: str
    """The words that started it, as far as they are known."""

    @property
    def is_ours(self) -> bool:
        """Is it a pi-table program?"""
        return "pi-table" in self.command or "pi_table" in self.command


def holders(device: str) -> list[Holder]:
    """The processes that have locked the device, as the engine does. If none has, the processes of
    this user that have the device open. This process itself is never among them."""
    try:
        status = os.stat(device)
    except OSError:
        return []
    found = _lockers(status) or _openers(status)
    return [Holder(process, _command(process)) for process in sorted(found - {os.getpid()})]


def named(found: Sequence[Holder]) -> str:
    """The processes as a part of a sentence."""
    return ", ".join(
        f"process {each.process}" + (f" ({each.command})" if each.command else "") for each in found
    )


def _lockers(status: os.stat_result) -> set[int]:
    """The processes that have locked a file, by /proc/locks, whose lines are `1: FLOCK ADVISORY
    WRITE 814 00:18:5 0 EOF`."""
    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    lines = map(str.split, _text(PROC / "locks").splitlines())
    return {int(words[4]) for words in lines if len(words) > 5 and words[5] == device}


def _openers(status: os.stat_result) -> set[int]:
    found = set()
    for process in filter(str.isdigit, os.listdir(PROC)):
        with suppress(OSError):  # it has ended, or is another user's
            for opened in os.scandir(PROC / process / "fd"):
                with suppress(OSError):  # it has been closed
                    if os.path.samestat(status, opened.stat()):
                        found.add(int(process))
    return found


def _command(process: int) -> str:
    return _text(PROC / str(process) / "cmdline").replace("\0", " ").strip()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
