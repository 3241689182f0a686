"""Makes the boards: `kicad.sh python3 -m hardware.boards.make [BOARD…]`. kicad.sh runs it inside
KiCad's root, a folder with KiCad and its libraries.

With `--quick` it writes schematics, boards and the manufacturer's files, but no pictures.
"""

import json
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hardware import parts
from hardware.boards import bom, layout, outputs, sheet, wires
from hardware.boards.board import Board
from hardware.boards.carrier_board import carrier
from hardware.boards.electrode_board import electrode
from hardware.boards.tile_board import tile

HERE: Final = Path(__file__).parent
BUILD: Final = HERE.parents[1] / "build" / "hardware"
"""Folder for output that is not committed."""
BOARDS: Final[dict[str, Callable[[list[dict[str, str]]], Board]]] = {
    "tile": tile,
    "electrode": electrode,
    "carrier": carrier,
}
RULES: Final = {
    "min_clearance": 0.2,
    "min_copper_edge_clearance": 0.5,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.25,
    "min_through_hole_diameter": 0.3,
    "min_track_width": 0.25,
    "min_via_annular_width": 0.13,
    "min_via_diameter": 0.6,
    "min_text_height": 0.7,
    "min_text_thickness": 0.1,
    "min_silk_clearance": 0.0,
    "solder_mask_to_copper_clearance": 0.0,
}
"""Limits in mm for KiCad's check of a board: those of the manufacturers' cheapest class, plus a
margin."""


def project(name: str) -> str:
    """Return the text of the board's .kicad_pro."""
    text: dict[str, Any] = {
        "board": {"design_settings": {"rules": RULES, "rule_severities": {}}},
        "meta": {"filename": f"{name}.kicad_pro", "version": 3},
        "net_settings": {
            "classes": [
                {
                    "name": "Default",
                    "clearance": 0.2,
                    "track_width": 0.3,
                    "via_diameter": 0.7,
                    "via_drill": 0.35,
                }
            ],
            "meta": {"version": 4},
        },
    }
    return json.dumps(text, indent=2) + "\n"


def table(kind: str) -> str:
    """Return the text of the file that tells KiCad where this project's library is. ``kind`` is
    "fp" for footprints, "sym" for symbols."""
    uri = "pi-table.pretty" if kind == "fp" else "pi-table.kicad_sym"
    return (
        f"({kind}_lib_table\n  (version 7)\n"
        f'  (lib (name "pi-table")(type "KiCad")(uri "${{KIPRJMOD}}/../library/{uri}")'
        '(options "")(descr ""))\n)\n'
    )


def _alone(function: Callable[..., None], *arguments: object) -> None:
    """Run the function in a separate process. KiCad's identifiers depend on everything that a
    process drew before."""
    process = multiprocessing.get_context("fork").Process(target=function, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{function.__name__} ended with {process.exitcode}: see above.")


def make(name: str, rows: list[dict[str, str]], out: Path) -> None:
    """Write schematic, board, project and the manufacturer's files into the folder."""
    board = BOARDS[name](rows)
    nets = wires.nets(board, rows)
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.kicad_sch").write_text(sheet.draw(board, nets), "utf-8")
    (out / f"{name}.kicad_pro").write_text(project(name), "utf-8")
    _alone(layout.save, board, nets, out / f"{name}.kicad_pcb")
    (out / "fp-lib-table").write_text(table("fp"), "utf-8")
    (out / "sym-lib-table").write_text(table("sym"), "utf-8")
    (out / "bom.csv").write_text(bom.text(board, parts.read()), "utf-8")
    outputs.fabrication(name, out)


if __name__ == "__main__":
    asked = [each for each in sys.argv[1:] if each != "--quick"]
    for each in asked or BOARDS:
        make(each, wires.rows_of(), HERE / each)
        if "--quick" not in sys.argv:
            outputs.pictures(each, HERE / each)
            outputs.extras(each, HERE / each, BUILD)
