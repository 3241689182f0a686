"""A card that loses what was not flushed when its power goes.

While a machine runs, QEMU's filter `blklogwrites` keeps a log of every write and flush of the card,
in the form of Linux's dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst), and
the writes themselves go to an overlay that is thrown away. After the plug is pulled, the log says
what the card would hold: everything up to the last flush, and of what came later as much as the
controller happened to have written.
"""

import random
import struct
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

SECTOR: Final = 512
MAGIC: Final = (0x6A736677736872).to_bytes(8, "little")
FLUSH: Final = 1
FUA: Final = 2
DISCARD: Final = 4


class Entry(NamedTuple):
    """One request of the machine to its card."""

    at: int
    """Where it goes, in bytes."""
    flags: int
    data: bytes


class Lost(NamedTuple):
    """The losses from a pulled plug."""

    flushed: int
    """Writes up to the last flush: the card has them all."""
    later: int
    """Writes after it."""
    kept: int
    """Number of these that the card has all the same."""


class Card:
    """The card of a machine: a raw image, which changes only when a plug was pulled, or the
    machine was switched off."""

    def __init__(self, image: Path, scratch: Path) -> None:
        self.image = image
        self.overlay = scratch / "overlay.qcow2"
        self.log = scratch / "writes.log"

    def insert(self) -> list[str]:
        """Return QEMU's arguments for the card as the node `card`, with an empty log. A filter
        above the log can hold a trouble of the card (`troubles.py`)."""
        self.overlay.unlink(missing_ok=True)
        make = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b"]
        subprocess.run([*make, self.image, self.overlay], check=True)
        self.log.write_bytes(b"")
        return [
            "-blockdev", f"driver=file,node-name=log-file,filename={self.log}",
            "-blockdev", "driver=raw,node-name=log,file=log-file",
            "-blockdev", f"driver=file,node-name=overlay-file,filename={self.overlay}",
            "-blockdev", "driver=qcow2,node-name=overlay,file=overlay-file",
            "-blockdev", "driver=blklogwrites,node-name=logged,file=overlay,log=log,"
                         f"log-sector-size={SECTOR}",
            "-object", "throttle-group,id=pace",
            "-blockdev", "driver=throttle,node-name=card,throttle-group=pace,file=logged",
        ]  # fmt: skip

    def switched_off(self) -> None:
        """The machine was switched off in order: the card has everything."""
        self._write(list(self.entries()))

    def power_cut(self, chance: random.Random | None = None) -> Lost:
        """The power went: the card has what was flushed, and of later writes those that
        ``chance`` picks; None: none of them."""
        held, lost = held_after_a_cut([*self.entries()], chance)
        self._write(held)
        return lost

    def entries(self) -> Iterator[Entry]:
        with self.log.open("rb") as log:
            magic = log.read(8)  # written with the first flush
            assert magic in (b"", bytes(8), MAGIC), "This is no log of writes."
            log.seek(SECTOR)
            yield from _entries(log)

    def _write(self, entries: Sequence[Entry]) -> None:
        write(entries, self.image)
        self.log.unlink()
        self.overlay.unlink()


def held_after_a_cut(
    entries: Sequence[Entry], chance: random.Random | None
) -> tuple[list[Entry], Lost]:
    """Return the requests that a card holds if the power fails after the last of them.

    It holds all that was flushed. Of later writes it holds those that ``chance`` picks; None: none.
    """
    flushes = [number for number, entry in enumerate(entries) if entry.flags & FLUSH]
    end = flushes[-1] + 1 if flushes else 0
    kept = list(entries[:end])
    later = [entry for entry in entries[end:] if entry.data]
    picked = [] if chance is None else [entry for entry in later if chance.random() < 0.5]
    lost = Lost(len([entry for entry in kept if entry.data]), len(later), len(picked))
    return kept + picked, lost


def write(entries: Iterable[Entry], image: Path) -> None:
    """Put what was written where it was to go."""
    with image.open("r+b") as file:
        for entry in entries:
            file.seek(entry.at)
            file.write(entry.data)


def _entries(log: BinaryIO) -> Iterator[Entry]:
    while True:
        head = log.read(SECTOR)
        if len(head) < 32:
            return
        at, count, flags, _ = struct.unpack("<QQQQ", head[:32])
        if not (count or flags):
            return  # the log's end: what follows was never written
        data = b"" if flags & DISCARD else log.read(count * SECTOR)
        if len(data) < count * SECTOR and not flags & DISCARD:
            return  # the entry under way when the machine ended
        yield Entry(at * SECTOR, flags, data)
