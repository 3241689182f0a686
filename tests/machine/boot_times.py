"""Seconds from power-on of a table's machine, and the bare system's share of them.

    PYTHONPATH=.:tests python tests/machine/boot_times.py amd64 FOLDER

boots the image twice: as it is, and without our units. It prints JSON lines on standard output, one
for each measurement. FOLDER is for the machine's card. The seconds are those of the emulator: only
the share applies to a board.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any, Final

from lit_strip import LitStrip
from machine import Machine
from played import PlayedTable, booted
from plugs import new_card
from screens_expected import until_first_screen

UNITS: Final = ("pi-table-engine.service", "pi-table-console.service")
BARE: Final = " ".join(f"systemd.mask={unit}" for unit in UNITS)
"""Words for the kernel of a machine in which our services are not there."""


def booting(table: PlayedTable, strip: LitStrip) -> dict[str, float]:
    """Follow a machine that has just been switched on: the seconds to each sign of life."""
    machine = table.machine

    def lit() -> bool:
        strip.hear()
        return any(strip.is_the_tables(frame) for _, frame in strip.since)

    found = {"witness": machine.here()}
    machine.until(lit)
    found["first_light"] = (
        next(at for at, frame in strip.since if strip.is_the_tables(frame)) - machine.began
    )
    found["table_answers"] = table.look(console=False)
    found["first_screen"] = until_first_screen(table)
    return found


def booted_in_full(machine: Machine) -> float:
    """Wait until systemd has nothing to do any more; the seconds from power-on."""
    machine.run("systemctl", "is-system-running", "--wait")
    return time.monotonic() - machine.began


def blamed(machine: Machine) -> dict[str, str]:
    """Return the start time of each of our services, according to systemd."""
    said = (line.split() for line in machine.ran("systemd-analyze", "blame").splitlines())
    return {words[-1]: " ".join(words[:-1]) for words in said if words[-1] in UNITS}


def print_measured(arch: str, times: dict[str, float], **more: Any) -> None:
    for name, seconds in times.items():
        line = {"name": f"boot/{arch}/{name}_s", "value": round(seconds, 2), "unit": "s", **more}
        print(json.dumps(line), flush=True)


def main(arch: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with booted(arch, new_card(arch, folder), folder, kernel="", screen=True) as table:
        strip = LitStrip(folder / "control")
        times = booting(table, strip)
        blame = blamed(table.machine)
        strip.close()
    with booted(arch, new_card(arch, folder), folder, kernel=BARE, screen=True) as table:
        table.machine.here()
        bare = booted_in_full(table.machine)
    print_measured(arch, {**times, "bare_system": bare})
    for unit, took in blame.items():
        print(json.dumps({"name": f"boot/{arch}/blame", "unit_file": unit, "value": took}))
    for name in ("first_light", "first_screen"):
        share = {"value": round(times[name] / bare, 2), "unit": "of the bare system's boot"}
        print(json.dumps({"name": f"boot/{arch}/{name}_share", **share}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
