"""``pi-table words``: looking at word packs, and checking those of one's own."""

import random
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TextIO

import msgspec
from msgspec.structs import replace

from pi_table.errors import InputError
from pi_table.language import for_reader
from pi_table.words.pack import Pack, checked, pack_named, packs, spelt, text_of
from pi_table.words.report import Knows, figures, tell


def check(files: Sequence[Path], out: TextIO) -> int:
    """Tell what is wrong with each file, line by line; the answer is 1 if anything is."""
    status = 0
    for file in files:
        found = checked(file)
        if isinstance(found, Pack):
            print(for_reader(f"{file} is in order: {len(found.words)} words."), file=out)
            continue
        status = 1
        for fault in found:
            print(for_reader(str(replace(fault, file=str(file)))), file=out)
    return status


def list_packs(folder: Path | None, out: TextIO, err: TextIO) -> int:
    """Tell which packs there are, and on ``err`` what is wrong with the others; 1 if any is."""
    found = packs(folder)
    known = sorted((*found.packs, *found.growing), key=lambda pack: pack.name)
    width = max(len(pack.name) for pack in known)
    for pack in known:
        growing = for_reader(" (too few to deal as yet)") if pack in found.growing else ""
        print(
            f"{pack.name:<{width}}  {pack.language}  {pack.audience.value:<9}  "
            f"{len(pack.words):>5}  {pack.title}{growing}",
            file=out,
        )
    for fault in found.faults:
        print(for_reader(str(fault)), file=err)
    return 1 if found.faults else 0


def show(name: str, folder: Path | None, spelling: str | None, out: TextIO) -> int:
    """Write out one pack as its file has it, without comments; in one ``spelling`` alone if that is
    given. Raises InputError."""
    pack = pack_named(name, folder)
    if spelling is not None:
        pack = replace(spelt(pack, american=spelling == "american"), twins={})
    out.write(text_of(pack))
    return 0


def report(
    names: Sequence[str],
    folder: Path | None,
    spelling: str,
    deals: int,
    seed: int,
    as_json: bool,
    knows: Knows,
    out: TextIO,
) -> int:
    """Tell the figures of these packs, or of all that can be dealt, for people or as JSON, an
    object a line; 1 if kin lay together on a board. Raises InputError."""
    if deals < 1:
        raise InputError(f"{deals} boards tell nothing; deal one at least.")
    known = {pack.name: pack for pack in packs(folder).packs}
    known |= {name: pack_named(name, folder) for name in names if name not in known}
    shelf = [spelt(pack, american=spelling == "american") for pack in known.values()]
    status = 0
    for pack in shelf:
        if names and pack.name not in names:
            continue
        found = figures(pack, shelf, deals, random.Random(seed), knows)
        if found.deals_with_kin:
            status = 1
        if as_json:
            print(msgspec.json.encode(found).decode(), file=out)
        else:
            text = StringIO()
            tell(found, text)
            print(for_reader(text.getvalue()), end="", file=out)
    return status
