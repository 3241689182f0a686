"""Finds the programs that have a device open. Other users' programs may be hidden in /proc."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import dropwhile
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.language import join_texts, say
from pi_table.maintenance.bring_up.system_files import text_in

PROC: Final = Path("/proc")
_PYTHON: Final = re.compile(r"python[\d.]*")


class Holder(msgspec.Struct, frozen=True):
    """A process that has a device open."""

    process: int
    words: tuple[str, ...] = ()
    """The command line: the program and its arguments. It is empty if this user may not read it."""

    def runs(self, command: str) -> bool:
        """True if the process runs `pi-table` with this subcommand, directly or through Python."""
        words: Iterable[str] = self.words
        if _PYTHON.fullmatch(os.path.basename("".join(self.words[:1]))):
            words = dropwhile(lambda word: word.startswith("-"), self.words[1:])
        program, first, *_ = *words, "", ""
        return os.path.basename(program) in ("pi-table", "pi_table") and first == command


def holders(device: str) -> list[Holder]:
    """Return the other processes that have locked the device; the engine locks its port. If no
    process has locked it, return the processes of this user that have it open."""
    try:
        status = os.stat(device)
    except OSError:
        return []
    found = _lockers(status) or _openers(status)
    return [Holder(process, _words(process)) for process in sorted(found - {os.getpid()})]


def is_running(command: str) -> bool:
    """True if a process of any user runs `pi-table` with this subcommand."""
    processes = map(int, filter(str.isdigit, os.listdir(PROC)))
    return any(Holder(process, _words(process)).runs(command) for process in processes)


def name_holders(found: Sequence[Holder]) -> str:
    """Return the numbers and command lines of the processes, as a phrase for a sentence."""
    return join_texts(
        ", ",
        (
            say("process {process}", process=each.process)
            + (f" ({' '.join(each.words)})" if each.words else "")
            for each in found
        ),
    )


def _lockers(status: os.stat_result) -> set[int]:
    """Return the ids of the processes that have locked a file. /proc/locks has lines such as `1:
    FLOCK ADVISORY WRITE 814 00:18:5 0 EOF`."""
    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    lines = map(str.split, text_in(PROC / "locks").splitlines())
    return {int(words[4]) for words in lines if len(words) > 5 and words[5] == device}


def _openers(status: os.stat_result) -> set[int]:
    found = set()
    for process in filter(str.isdigit, os.listdir(PROC)):
        with suppress(OSError):  # the process has ended, or is another user's
            for opened in os.scandir(PROC / process / "fd"):
                with suppress(OSError):  # the file has been closed
                    if os.path.samestat(status, opened.stat()):
                        found.add(int(process))
    return found


def _words(process: int) -> tuple[str, ...]:
    text = text_in(PROC / str(process) / "cmdline")
    return tuple(text.removesuffix("\0").split("\0")) if text else ()
