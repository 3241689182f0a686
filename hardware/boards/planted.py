"""Plants faults in a board and runs KiCad's checks, inside KiCad's root. It exits with 1 if a fault
is not found.

Faults that are found without KiCad are planted in tests/hardware/test_boards.py.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hardware.boards import check, make, outputs, verify, wires


def _edit(file: Path, pattern: str, new: str) -> None:
    """Replace every match of the pattern in the text. Raises ValueError if there is no match."""
    text, count = re.subn(pattern, new, file.read_text("utf-8"))
    if not count:
        raise ValueError(f"{file.name} has no {pattern}")
    file.write_text(text, "utf-8")


def _lose_tracks(tile: Path) -> Iterator[str]:
    board = tile / "tile.kicad_pcb"
    (number,) = re.findall(r'\(net (\d+) "light-1"\)', board.read_text("utf-8"))[:1]
    _edit(board, rf"\t\(segment\n(?:\t\t.*\n){{4}}\t\t\(net {number}\)\n(?:\t\t.*\n)*\t\)\n", "")
    yield from verify.rule_faults("tile", tile)


def _move_part(tile: Path) -> Iterator[str]:
    _edit(tile / "tile.kicad_pcb", r"\(at 142 68 90\)", "(at 143.5 68 90)")
    yield from verify.rule_faults("tile", tile)


def _rename_label(tile: Path) -> Iterator[str]:
    sheet = tile / "tile.kicad_sch"
    _edit(sheet, r'(?s)\(global_label "light-in"(.*)', r'(global_label "light-on"\1')
    written = tile / "netlist.net"
    outputs.run("kicad-cli", "sch", "export", "netlist", "-o", written, sheet)
    rows = wires.rows_of()
    wired = wires.nets(make.BOARDS["tile"](rows), rows)
    drawn = check.netlist(written.read_text("utf-8"))
    yield from check.wire_faults("tile", "schematic", drawn, wired)


def _change_gerber(tile: Path) -> Iterator[str]:
    _edit(tile / "gerbers" / "tile-F_Cu.gtl", r"(?s)X(\d+)Y(.*)", r"X9\1Y\2")
    yield from verify.old_faults("tile", tile)


PLANTED: Final[dict[str, tuple[Callable[[Path], Iterator[str]], str]]] = {
    "a net without its tracks": (_lose_tracks, "Unconnected of the tile"),
    "a light moved by 1.5 mm": (_move_part, "DRC of the tile"),
    "a net's name misspelt on the sheet": (_rename_label, "The schematic of the tile has a net"),
    "a gerber that is not what is made": (_change_gerber, "boards/tile/gerbers/tile-F_Cu.gtl is"),
}


def main() -> int:
    missed = 0
    for what, (plant, expected) in PLANTED.items():
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(verify.LIBRARY, Path(scratch) / "library")
            folder = Path(scratch) / "tile"
            shutil.copytree(make.HERE / "tile", folder)
            found = [fault for fault in plant(folder) if fault.startswith(expected)]
        print(f"planted: {what}: {'found' if found else 'MISSED'}")
        missed += not found
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
