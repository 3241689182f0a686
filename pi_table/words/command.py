"""``pi-table words``: looking at word packs, and checking those of one's own."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from msgspec.structs import replace

from pi_table.words.pack import Pack, checked, pack_named, packs, text_of


def check(files: Sequence[Path], out: TextIO) -> int:
    """Tell what is wrong with each file, line by line; the answer is 1 if anything is."""
    status = 0
    for file in files:
        found = checked(file)
        if isinstance(found, Pack):
            print(f"{file} is in order: {len(found.words)} words.", file=out)
            continue
        status = 1
        for fault in found:
            print(replace(fault, file=str(file)), file=out)
    return status


def list_packs(folder: Path | None, out: TextIO, err: TextIO) -> int:
    """Tell which packs there are, and on ``err`` what is wrong with the others; 1 if any is."""
    found = packs(folder)
    known = sorted((*found.packs, *found.growing), key=lambda pack: pack.name)
    width = max(len(pack.name) for pack in known)
    for pack in known:
        growing = " (too few to deal as yet)" if pack in found.growing else ""
        print(
            f"{pack.name:<{width}}  {pack.language}  {pack.audience.value:<9}  "
            f"{len(pack.words):>5}  {pack.title}{growing}",
            file=out,
        )
    for fault in found.faults:
        print(fault, file=err)
    return 1 if found.faults else 0


def show(name: str, folder: Path | None, out: TextIO) -> int:
    """Write out one pack as its file has it, without comments. Raises InputError."""
    out.write(text_of(pack_named(name, folder)))
    return 0
