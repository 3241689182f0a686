"""The proof of the enclosure: `python -m enclosure.checks`, from the repository's root.

Prints every check's figures, and exits with 1 if anything is wrong. `--write` brings the committed
tables up to date: PRINTED.md, and the figures in PROOF.md.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final

from enclosure import export
from enclosure.assembly import PARTS
from enclosure.checks import cards, hidden_screen, meshes, overlaps, sheets, slicing, table, walls
from enclosure.checks.report import Report
from enclosure.dimensions import MM

PROOF: Final = Path(__file__).parent.parent / "PROOF.md"
BEGIN: Final = "<!-- figures: written by make -C enclosure tables -->"


def reports() -> tuple[list[Report], str]:
    """Every check's report, and the page about the printed parts."""
    bodies = list(table.bodies())
    pieces = {part.name: len(part.places) for part in PARTS}
    materials = {part.name: part.material for part in PARTS}
    bed = (MM["bed_across"], MM["bed_down"], MM["bed_up"])
    printed, sliced = slicing.check(table.printing_poses(), pieces, bed)
    with tempfile.TemporaryDirectory(prefix="pi-table-enclosure-") as folder:
        export.write(Path(folder))
        cut = sheets.check(sorted(Path(folder).glob("dxf/*.dxf")))
    return [
        meshes.check(bodies),
        overlaps.check(bodies),
        walls.check(table.printing_poses()),
        printed,
        cut,
        cards.check(
            (MM["pitch_across"], MM["pitch_down"]),
            (MM["electrode_across"], MM["electrode_down"]),
        ),
        hidden_screen.check(bodies, table.HOOD, table.screen(), table.outline()),
    ], slicing.table(sliced, pieces, materials)


def main() -> int:
    parser = argparse.ArgumentParser(description="Proves the enclosure.")
    parser.add_argument("--write", action="store_true", help="renew the committed tables")
    write = parser.parse_args().write
    found, printed = reports()
    figures = "```\n" + "\n".join(str(report) for report in found) + "\n```\n"
    before = PROOF.read_text("utf-8").partition(BEGIN)[0]
    wrong = sum(len(report.findings) for report in found)
    for report in found:
        print(report)
    for page, text in ((PROOF, f"{before}{BEGIN}\n\n{figures}"), (slicing.TABLE, printed)):
        if write:
            page.write_text(text, "utf-8")
        elif not page.exists() or page.read_text("utf-8") != text:
            print(f"WRONG: {page.name} says something else: run `make -C enclosure tables`.")
            wrong += 1
    print(f"The enclosure: {wrong} things are wrong." if wrong else "The enclosure holds.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
