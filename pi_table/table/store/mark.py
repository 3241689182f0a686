"""The mark: a small file beside the journal. It holds the journal's latest act, and says where the
journal ends.

The mark is written first. Once the mark is on the disk, its act is stored and may be shown; the
tables receive the act later. The tables may therefore be one act behind the mark. Opening the
journal enters that act from the mark. Tables that are further behind have lost something.

The file has two regions, written in turn: while one region is written, the other keeps the previous
mark. A region has two pages with the same sectors, and a mark fills both. A sector holds the serial
of its mark, a tag (a hash of the whole mark), the sector's own number, a part of the mark, and a
seal: the SHA-256 of all these. A disk writes a sector whole or not at all. A sector that does not
match its seal is damaged; a sector with an earlier serial was not overwritten yet. A new file holds
a mark of serial 0 in both regions, so a sector of zeros has lost its contents.
"""

from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

import msgspec

from pi_table.common.language import say
from pi_table.table.store.entries import Entry

SECTOR_BYTES: Final = 512
"""Number of bytes that a disk writes whole or not at all."""
PAGE_BYTES: Final = 4096
"""Number of bytes that a file system writes together, and that a card may lose together."""
REGION_BYTES: Final = 2 * PAGE_BYTES
MARK_BYTES: Final = 2 * REGION_BYTES

_HEAD: Final = Struct(">Q8sHH")
"""Serial and tag of a sector's mark, number of the sector, number of bytes that follow.

The tag is a hash of the mark's bytes. It is needed because a mark that was written only in part has
the same serial as the mark that replaces it.
"""
_SEAL_BYTES: Final = 32
_PART_BYTES: Final = SECTOR_BYTES - _HEAD.size - _SEAL_BYTES
"""Number of bytes of a mark that fit into one sector."""
_SECTORS: Final = PAGE_BYTES // SECTOR_BYTES
"""Number of sectors that one mark needs."""
_SPARE_BYTES: Final = 64
"""Number of bytes that stay free in a mark: a later mark with the same act has larger numbers,
which take more bytes."""


class Act(msgspec.Struct, frozen=True):
    """The latest events. They were stored together, in a game that had already begun."""

    entries: tuple[Entry, ...]
    wall: str
    """Wall clock when the act was stored: ISO 8601, UTC."""
    follows: bytes
    """The last link of the game's hash chain before the act."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.entries)} events, …)"

    def __rich_repr__(self) -> list[tuple[str, int]]:
        return [("events", len(self.entries))]


class Mark(msgspec.Struct, frozen=True):
    """The end of the journal, its latest act, and a reading of the game's clock."""

    game: int = 0
    """The number of the latest game; 0 before the first game."""
    count: int = 0
    last: bytes = b""
    """The last link of the latest game's hash chain."""
    noted_at: float | None = None
    """The latest clock reading given to `Journal.note_time`, in seconds of game time."""
    serial: int = 0
    """Serial number of the mark; 0 in a new file. Of two marks, the one with the greater serial is
    newer."""
    act: Act | None = None
    """The journal's latest act; None if this act is certainly in the tables."""
    leaves: bool = False
    """True while the journal is being set aside. Then a missing database is not a loss."""

    def __str__(self) -> str:
        return (
            say("event {count} of game {game}", count=self.count, game=self.game)
            if self.game
            else say("no game")
        )


def offset(mark: Mark) -> int:
    """Return the start of a mark's region in the file, in bytes."""
    return mark.serial % 2 * REGION_BYTES


def fits(mark: Mark) -> bool:
    """True if a mark fits into its region, with room for a clock reading and larger numbers."""
    return len(msgspec.msgpack.encode(mark)) + _SPARE_BYTES <= _SECTORS * _PART_BYTES


def encode(mark: Mark) -> bytes:
    """Return the bytes of a mark's region (``REGION_BYTES`` bytes). The mark must fit."""
    # Split the mark over the sectors of one page, each with its own seal, and write the page twice:
    # a card may lose a whole page, and the other copy still has every sector.
    body = msgspec.msgpack.encode(mark)
    tag = sha256(body).digest()[:8]
    parts = (
        body[start : start + _PART_BYTES] for start in range(0, _SECTORS * _PART_BYTES, _PART_BYTES)
    )
    return (
        b"".join(_sector(mark.serial, tag, number, part) for number, part in enumerate(parts)) * 2
    )


def image(mark: Mark) -> bytes:
    """Return a whole file (``MARK_BYTES`` bytes) that holds this mark in both regions."""
    return encode(mark) * 2


def decode(data: bytes) -> Mark | None:
    """Return the mark in a file; None for an empty or new file. Raises ValueError if the file is
    damaged."""
    # Step 1: read both regions. Only a new file has nothing but sectors of serial 0, all intact.
    found = [_read(data[start : start + REGION_BYTES]) for start in (0, REGION_BYTES)]
    if all(region.damaged == 0 and region.serials <= {0} for region in found):
        return None
    # Step 2: take the newest mark that is complete in either region.
    marks = [region.mark for region in found if region.mark is not None]
    if not marks or len(data) < MARK_BYTES:
        raise ValueError(say("neither of its two regions can be read"))
    newest = max(marks, key=lambda mark: mark.serial)
    # Step 3: make sure that the other region did not hold a newer one. Each sector is there twice,
    # so the loss of one proves nothing. If two are lost, a complete newer mark may have been there.
    # A mark that a power cut interrupted leaves no lost sector: all its sectors are intact.
    if any(region.mark is not newest and region.damaged + region.empty > 1 for region in found):
        raise ValueError(say("one of its two regions cannot be read, and it may be the newer one"))
    return newest


class _Region(NamedTuple):
    mark: Mark | None
    """The newest complete mark in the region."""
    serials: set[int]
    """The serials of all sectors of the region."""
    damaged: int
    """Number of sectors that do not match their seal."""
    empty: int
    """Number of sectors that contain only zeros. They have lost their contents: a new file has
    none."""


def _read(region: bytes) -> _Region:
    damaged = empty = 0
    found: dict[tuple[int, bytes], dict[int, bytes]] = {}
    # Collect the intact sectors by mark. The key includes the tag, because an unfinished mark and
    # the mark that replaces it have the same serial, and their parts must not be mixed.
    for start in range(0, len(region), SECTOR_BYTES):
        sector = region[start : start + SECTOR_BYTES]
        sealed, seal = sector[:-_SEAL_BYTES], sector[-_SEAL_BYTES:]
        if sha256(sealed).digest() == seal:
            serial, tag, number, size = _HEAD.unpack_from(sealed)
            found.setdefault((serial, tag), {})[number] = sealed[_HEAD.size : _HEAD.size + size]
        elif any(sector):
            damaged += 1
        else:
            empty += 1
    serials = {serial for serial, _ in found}
    whole = [mark for mark, parts in found.items() if len(parts) == _SECTORS]
    if not whole:
        return _Region(None, serials, damaged, empty)
    parts = found[max(whole)]
    body = b"".join(parts[number] for number in range(_SECTORS))
    try:
        mark = msgspec.msgpack.decode(body, type=Mark)
    except RecursionError:  # the seal has no key: a mark can be forged
        raise ValueError(say("neither of its two regions can be read")) from None
    return _Region(mark, serials, damaged, empty)


def _sector(serial: int, tag: bytes, number: int, part: bytes) -> bytes:
    sealed = _HEAD.pack(serial, tag, number, len(part)) + part.ljust(_PART_BYTES, b"\0")
    return sealed + sha256(sealed).digest()
