"""Checks the enclosure: `python -m enclosure.checks`, from the repository's root.

The program prints every check's figures, and exits with 1 if a check has a finding. `--write`
updates the committed figures.txt.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from enclosure import export
from enclosure.assembly import PARTS
from enclosure.checks import (
    cards,
    clearances,
    evening,
    exports,
    held,
    hidden_screen,
    joints,
    leads,
    light,
    meshes,
    options,
    overlaps,
    pitch,
    sheets,
    slicing,
    spill,
    table,
    walls,
    ways,
)
from enclosure.checks.bodies import all_together
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.joints import PLAIN_TABS
from enclosure.levels import COVER_UNDER, HOOD_UNDER
from hardware.places import centre, chain, wiring

FIGURES: Final = Path(__file__).parent.parent / "figures.txt"


def reports() -> list[Report]:
    """Return every check's report."""
    bodies = list(table.bodies())
    pieces = {part.name: part.pieces for part in PARTS}
    bed = (MM["bed_across"], MM["bed_down"], MM["bed_up"])
    printed = slicing.check(table.printing_poses(), pieces, bed)
    with tempfile.TemporaryDirectory(prefix="pi-table-enclosure-") as folder:
        first, second = Path(folder, "first"), Path(folder, "second")
        asked = ["--out", str(first), "--step", str(first / "step")]
        with subprocess.Popen([sys.executable, "-m", "enclosure.export", *asked]) as exporting:
            export.write(second)
        if exporting.returncode:
            sys.exit("The enclosure's files were not exported: see above.")
        drawn = sorted([*second.glob("dxf/*.dxf"), *second.glob("sheets/*.dxf")])
        cut = sheets.check(drawn, {"overlay": table.marks()})
        nested = [
            sheets.check_nesting(
                export.nested(kind),
                {part.name: part.pieces for part in export.plywood(kind)},
                kind,
                export.sheet_of(kind),
            )
            for kind in export.PLYWOOD
        ]
        exported = exports.check(first, second, export.FILES)
    plain = list(table.bodies_without_screen())
    of_plain = [
        overlaps.check(plain),
        joints.check(plain, PLAIN_TABS),
        held.check_covers(plain),
        held.check_nuts(plain, COVER_UNDER),
    ]
    for report in of_plain:
        report.title += ", without a hidden screen"
    return [
        meshes.check(bodies),
        overlaps.check(bodies),
        joints.check(bodies),
        held.check(table.lasting()),
        held.check_covers(bodies),
        held.check_nuts(bodies, HOOD_UNDER),
        *of_plain,
        clearances.check(bodies),
        ways.check(bodies),
        leads.check(bodies),
        walls.check(table.printing_poses()),
        printed,
        cut,
        *nested,
        options.check(),
        exported,
        cards.check(
            (MM["pitch_across"], MM["pitch_down"]),
            (MM["electrode_across"], MM["electrode_down"]),
        ),
        pitch.check(bodies, {name: centre(name) for name in chain(wiring())}),
        light.check(bodies),
        spill.check_ring(bodies),
        spill.check(all_together(table.lasting()), table.outline()),
        hidden_screen.check(bodies, table.HOOD, table.screen(), table.outline()),
        evening.check(bodies, table.screen()),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Proves the enclosure.")
    parser.add_argument("--write", action="store_true", help="renew the committed figures")
    write = parser.parse_args().write
    found = reports()
    figures = "\n".join(str(report) for report in found) + "\n"
    wrong = sum(len(report.findings) for report in found)
    for report in found:
        print(report)
    if write:
        FIGURES.write_text(figures, "utf-8")
    elif FIGURES.read_text("utf-8") != figures:
        print(f"WRONG: {FIGURES.name} has other figures: run `make -C enclosure tables`.")
        wrong += 1
    print(f"The enclosure: {wrong} things are wrong." if wrong else "The enclosure holds.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
