"""Writes the files for board manufacturers and for makers of a table, with KiCad's command line.

KiCad adds the date and its version to the files. `_without_date` removes both, so that the same
board gives the same bytes.
"""

import hashlib
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Final

LAYERS: Final = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"
ASSEMBLY: Final = {
    "top": ("F.SilkS,F.Mask,Edge.Cuts", ()),
    "bottom": ("B.SilkS,B.Mask,Edge.Cuts", ("--mirror",)),
}
"""Layers of the assembly drawing of each side, which shows where parts go. The drawing of the
underside is mirrored, so that it looks like the real underside."""
POSITIONS: Final = "Designator,Comment,Package,Mid X,Mid Y,Rotation,Layer"
"""Names that fabricators know of the columns of positions.csv."""
STAMP: Final = "pictures-of.txt"
"""Name of a file beside the pictures, with the checksum of the board that the pictures show."""
_DATED: Final = re.compile(
    r"^%TF\.(CreationDate|GenerationSoftware).*\n"
    r"|^; #@! TF\.(CreationDate|GenerationSoftware).*\n"
    r"|^(G04 Created by KiCad|; DRILL file \{KiCad).*\n"
    r'|^ *"CreationDate": .*\n'
    r'|^ *"Version": "9[^\n]*\n'
    r"|^<title>SVG Image created as .*\n"
    r"|^ *<desc>.*\n",
    re.M,
)


_HOLE: Final = re.compile(r"^T\d+C", re.M)
"""Pattern for a line that defines one diameter of holes in a drill file."""


def run(*command: str | Path, **env: str) -> None:
    """Run a command. Raises RuntimeError with the command's output if the command fails."""
    told = [*map(str, command)]
    done = subprocess.run(
        told, capture_output=True, text=True, check=False, env={**os.environ, **env}
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(told)}: {done.stdout}{done.stderr}")


def _without_date(file: Path) -> None:
    text = _DATED.sub("", file.read_text("utf-8"))
    if file.suffix == ".gbrjob":
        text = text.replace('"Application": "Pcbnew",\n', '"Application": "Pcbnew"\n')
        text = text.replace("    },\n  },", "    }\n  },")
    file.write_text(text, "utf-8")


def fabrication(name: str, folder: Path) -> None:
    """Write gerbers, drill files, positions and assembly drawings beside the board."""
    board = folder / f"{name}.kicad_pcb"
    gerbers = folder / "gerbers"
    gerbers.mkdir(exist_ok=True)
    export = ("kicad-cli", "pcb", "export")
    origin = "--use-drill-file-origin"
    run(*export, "gerbers", "--layers", LAYERS, "--subtract-soldermask", origin,
        "-o", f"{gerbers}/", board)  # fmt: skip
    run(*export, "drill", "--format", "excellon", "--drill-origin", "plot",
        "--excellon-separate-th", "--excellon-units", "mm", "-o", f"{gerbers}/", board)  # fmt: skip
    positions = folder / "positions.csv"
    run(*export, "pos", "--format", "csv", "--units", "mm", "--side", "both", "--smd-only", origin,
        "-o", positions, board)  # fmt: skip
    _, _, placed = positions.read_text("utf-8").partition("\n")
    positions.write_text(f"{POSITIONS}\n{placed}", "utf-8")
    for drill in gerbers.glob("*.drl"):
        if not _HOLE.search(drill.read_text("utf-8")):
            drill.unlink()  # some fabricators' readers reject a drill file without holes
    for side, (layers, more) in ASSEMBLY.items():
        run(*export, "svg", "--mode-single", "--layers", layers, "--page-size-mode", "2",
            "--exclude-drawing-sheet", "--black-and-white", *more,
            "-o", folder / f"assembly-{side}.svg", board)  # fmt: skip
    for file in (*gerbers.iterdir(), *folder.glob("assembly-*.svg")):
        _without_date(file)


def sum_of(board: Path) -> str:
    return f"{hashlib.sha256(board.read_bytes()).hexdigest()}  {board.name}\n"


def pictures(name: str, folder: Path) -> None:
    """Write views of the board with its parts: from above, from below, and at an angle."""
    board = folder / f"{name}.kicad_pcb"
    render = ("kicad-cli", "pcb", "render", "--background", "opaque", "--quality", "basic")
    size = ("-w", "1000", "-h", "1000" if name == "carrier" else "800")
    for side in ("top", "bottom"):
        run(*render, *size, "--side", side, "-o", folder / f"{side}.png", board)
    run(
        *render,
        *size,
        "--rotate",
        "-45,0,30",
        "--perspective",
        "--zoom",
        "0.64" if name == "carrier" else "0.75",
        "--pan",
        "0,0.6,0",
        "-o",
        folder / "view.png",
        board,
    )
    (folder / STAMP).write_text(sum_of(board), "utf-8")


def extras(name: str, folder: Path, out: Path) -> None:
    """Write the files that are not committed: the schematic as PDF, a STEP file, zipped gerbers,
    and an interactive page that helps with soldering."""
    board = folder / f"{name}.kicad_pcb"
    out.mkdir(parents=True, exist_ok=True)
    run(
        "kicad-cli", "sch", "export", "pdf", "-o", out / f"{name}.pdf", folder / f"{name}.kicad_sch"
    )
    run("kicad-cli", "pcb", "export", "step", "--force", "--drill-origin", "--subst-models",
        "-o", out / f"{name}.step", board)  # fmt: skip
    with zipfile.ZipFile(out / f"{name}-gerbers.zip", "w") as packed:
        for file in sorted((folder / "gerbers").iterdir()):
            packed.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    run("python3", "-m", "InteractiveHtmlBom.generate_interactive_bom", "--no-browser",
        "--dest-dir", out, "--name-format", name, "--extra-fields", "Part",
        "--group-fields", "Part,Value", "--dark-mode", board,
        INTERACTIVE_HTML_BOM_NO_DISPLAY="1")  # fmt: skip
