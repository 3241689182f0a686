"""The mark: a small file beside the journal that holds its latest act, and how far the journal got.

The mark is written first. An act is on the disk when its mark is, and may be told; then it is
entered in the tables. So the tables may be one act behind the mark: that act is entered from it
when the journal is opened again. Tables that are further behind have lost something.

The file has two regions, and a mark goes to the one that the mark before did not go to: while it is
written, the mark before stays. A region has two pages with the same sectors, and a mark fills both.
A sector holds the serial of its mark, a tag of all of it, its own number, a part of it, and the
SHA-256 of all that. A disk writes a sector whole or not at all: one that does not fit its seal is
damaged, and one of an earlier serial was not written. The file is made with a mark of serial 0 in
both regions, so that a sector of zeros is one that was lost.
"""

from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

import msgspec

from pi_table.common.language import say
from pi_table.table.store.entries import Entry

SECTOR: Final = 512
"""Bytes that a disk writes whole or not at all."""
PAGE: Final = 4096
"""Bytes that a file system writes at once, and that a card may lose at once."""
REGION: Final = 2 * PAGE
MARK_BYTES: Final = 2 * REGION

_HEAD: Final = Struct(">Q8sHH")
"""The head of a sector: the serial and the tag of its mark, its own number from 0, and how many
bytes of the mark follow. The tag is of the mark's bytes: a mark that was torn, and the one that was
written in its place, have the same serial."""
_SEAL_BYTES: Final = 32
_PART: Final = SECTOR - _HEAD.size - _SEAL_BYTES
"""Bytes of a mark that one sector holds."""
_SECTORS: Final = PAGE // SECTOR
"""Sectors of a mark."""
_SPARE: Final = 64
"""Bytes by which a mark may grow whose act stays: by its numbers."""


class Act(msgspec.Struct, frozen=True):
    """The events that were stored last, all of them at once, in a game that was begun before."""

    entries: tuple[Entry, ...]
    wall: str
    """When the act was stored: ISO 8601, UTC."""
    follows: bytes
    """The last link of the game before the act."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.entries)} events, …)"

    def __rich_repr__(self) -> list[tuple[str, int]]:
        return [("events", len(self.entries))]


class Mark(msgspec.Struct, frozen=True):
    """The end of the journal, and the reading of the game's clock."""

    game: int = 0
    """The number of the latest game; 0 before the first."""
    count: int = 0
    """How many events the latest game has."""
    last: bytes = b""
    """The last link of the latest game's chain."""
    noted_at: float | None = None
    """Seconds of game time: what was last given to ``note_time`` for the latest game."""
    serial: int = 0
    """1 for the first mark in the file, 2 for the next: the greater of two is the newer. The
    file is made with 0."""
    act: Act | None = None
    """The act that brought the journal so far; None where it is in the tables for certain."""
    leaves: bool = False
    """Is the journal being set aside? Nothing is missing then where its database is gone."""

    def __str__(self) -> str:
        return (
            say("event {count} of game {game}", count=self.count, game=self.game)
            if self.game
            else say("no game")
        )


def offset(mark: Mark) -> int:
    """Where in the file the region of a mark begins."""
    return mark.serial % 2 * REGION


def fits(mark: Mark) -> bool:
    """Whether there is room for a mark, now and with a reading of the clock in it, and more."""
    return len(msgspec.msgpack.encode(mark)) + _SPARE <= _SECTORS * _PART


def encode(mark: Mark) -> bytes:
    """What stands in the region of a mark: ``REGION`` bytes, for a mark that fits."""
    body = msgspec.msgpack.encode(mark)
    tag = sha256(body).digest()[:8]
    parts = (body[start : start + _PART] for start in range(0, _SECTORS * _PART, _PART))
    return (
        b"".join(_sector(mark.serial, tag, number, part) for number, part in enumerate(parts)) * 2
    )


def image(mark: Mark) -> bytes:
    """A whole file that holds this mark alone, in both regions: ``MARK_BYTES`` bytes."""
    return encode(mark) * 2


def decode(data: bytes) -> Mark | None:
    """The mark in a file; None where none was written, or no more than the file was made.

    Raises ValueError for damage.
    """
    found = [_read(data[start : start + REGION]) for start in (0, REGION)]
    if all(region.damaged == 0 and region.serials <= {0} for region in found):
        return None
    marks = [region.mark for region in found if region.mark is not None]
    if not marks or len(data) < MARK_BYTES:
        raise ValueError(say("neither of its two regions can be read"))
    newest = max(marks, key=lambda mark: mark.serial)
    # One sector has another that is as good; without two, a mark that was there may be gone.
    if any(region.mark is not newest and region.damaged + region.empty > 1 for region in found):
        raise ValueError(say("one of its two regions cannot be read, and it may be the newer one"))
    return newest


class _Region(NamedTuple):
    """What was found in a region."""

    mark: Mark | None
    """The newest mark that is whole."""
    serials: set[int]
    """The serials of all its sectors."""
    damaged: int
    """How many sectors do not fit their seal."""
    empty: int
    """How many sectors hold nothing but zeros: none does since the file was made."""


def _read(region: bytes) -> _Region:
    damaged = empty = 0
    found: dict[tuple[int, bytes], dict[int, bytes]] = {}
    for start in range(0, len(region), SECTOR):
        sector = region[start : start + SECTOR]
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
    except RecursionError:  # its seal has no key: a mark may have been made up
        raise ValueError(say("neither of its two regions can be read")) from None
    return _Region(mark, serials, damaged, empty)


def _sector(serial: int, tag: bytes, number: int, part: bytes) -> bytes:
    sealed = _HEAD.pack(serial, tag, number, len(part)) + part.ljust(_PART, b"\0")
    return sealed + sha256(sealed).digest()
