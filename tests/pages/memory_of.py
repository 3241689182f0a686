"""The memory of a process, as in a dump of its core, without writing any of it to a disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

PIECE: Final = 1 << 20


def memory_of(pid: int) -> bytes:
    """All that a process can read of its own memory, mapping by mapping. Takes root, or its user
    and the right to trace it."""
    return b"\0".join(_mappings(pid))


def _mappings(pid: int) -> Iterator[bytes]:
    process = Path(f"/proc/{pid}")
    with (process / "mem").open("rb", buffering=0) as memory:
        for line in (process / "maps").read_text().splitlines():
            where, rights, _, _, inode, *_ = line.split()
            # What is mapped from a file and not written to is the file's, and holds no secret.
            if rights[0] != "r" or (inode != "0" and rights[1] != "w") or "[v" in line:
                continue
            start, end = (int(text, 16) for text in where.split("-"))
            yield _read(memory.fileno(), start, end)


def _read(file: int, start: int, end: int) -> bytes:
    from os import pread

    found = bytearray()
    while start < end:
        try:
            piece = pread(file, min(PIECE, end - start), start)
        except OSError:  # a page that was never touched
            break
        if not piece:
            break
        found += piece
        start += len(piece)
    return bytes(found)
