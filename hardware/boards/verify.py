"""Checks the boards for `make check`, inside KiCad's root. It makes all boards again, compares them
with the committed files, and runs KiCad's own checks.

The program exits with 1 if there is a fault.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hardware import parts
from hardware.boards import check, make, outputs, wires
from hardware.boards.outputs import run

LIBRARY: Final = make.HERE / "library"


def _read(report: Path) -> Any:
    return json.loads(report.read_text("utf-8"))


def _sentences(kind: str, name: str, found: list[dict[str, Any]]) -> Iterator[str]:
    for each in found:
        what = ", ".join(item["description"] for item in each["items"])
        yield f"{kind} of the {name}: {each['description']} ({what})."


def rule_faults(name: str, folder: Path) -> Iterator[str]:
    """Yield the errors and warnings that KiCad reports for schematic and board."""
    report = folder / "report.json"
    severe = ("--severity-all", "--format", "json", "-o", report)
    run("kicad-cli", "sch", "erc", *severe, folder / f"{name}.kicad_sch")
    for sheet in _read(report)["sheets"]:
        yield from _sentences("ERC", name, sheet["violations"])
    run("kicad-cli", "pcb", "drc", *severe, "--schematic-parity", folder / f"{name}.kicad_pcb")
    found = _read(report)
    yield from _sentences("DRC", name, found["violations"])
    yield from _sentences("Unconnected", name, found["unconnected_items"])
    yield from _sentences("Parity", name, found["schematic_parity"])


def old_faults(name: str, made: Path) -> Iterator[str]:
    """Yield a sentence for each committed file that differs from the generated file, is missing, or
    is no longer generated."""
    there = make.HERE / name
    for file in sorted({each.relative_to(made) for each in made.rglob("*") if each.is_file()}):
        if not (there / file).is_file():
            yield f"boards/{name}/{file} is not there: run make -C hardware."
        elif (there / file).read_bytes() != (made / file).read_bytes():
            yield f"boards/{name}/{file} is not what is made now: run make -C hardware."
    for file in sorted((there / "gerbers").iterdir()):
        if not (made / "gerbers" / file.name).is_file():
            yield f"boards/{name}/gerbers/{file.name} is made no more: take it away."
    shown = there / outputs.STAMP
    if not shown.is_file() or shown.read_text("utf-8") != outputs.sum_of(
        made / f"{name}.kicad_pcb"
    ):
        yield f"The pictures in boards/{name} show another board: run make -C hardware."


def faults(name: str, scratch: Path) -> Iterator[str]:
    """Yield every fault of one board."""
    made = scratch / name
    rows = wires.rows_of()
    make.make(name, rows, made)
    yield from old_faults(name, made)
    yield from rule_faults(name, made)
    written = made / "netlist.net"
    run("kicad-cli", "sch", "export", "netlist", "-o", written, made / f"{name}.kicad_sch")
    wired = wires.nets(make.BOARDS[name](rows), rows)
    board = (made / f"{name}.kicad_pcb").read_text("utf-8")
    sheet = check.netlist(written.read_text("utf-8"))
    yield from check.wire_faults(name, "schematic", sheet, wired)
    yield from check.wire_faults(name, "board", check.board_nets(board), wired)
    yield from check.part_faults(name, board, {part.id for part in parts.read()})
    yield from check.place_faults(name, board)


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(LIBRARY, Path(scratch) / "library")
        for name in make.BOARDS:
            try:
                found = [*faults(name, Path(scratch))]
            except (wires.WiringError, RuntimeError) as error:
                found = [f"The {name} cannot be made. {error}"]
            wrong += len(found)
            for fault in found:
                print(fault)
            if not found:
                rows = wires.rows_of()
                nets = len(wires.nets(make.BOARDS[name](rows), rows))
                print(
                    f"{name}: ERC 0, DRC 0, unconnected 0; nets as in wiring.csv ({nets}); parts, "
                    "places and files as they ought to be."
                )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
