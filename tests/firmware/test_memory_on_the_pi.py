"""The settings file of the controller on a Raspberry Pi, on a card that is slower than the core."""

import subprocess
from pathlib import Path
from typing import Final

from pi_table.simulator.emulated import BUILT, FIRMWARE, MEMORY_BYTES

PROGRAM: Final = Path(__file__).parent / "programs/slow_card.c"
SYNCS_OF_WRITE: Final = 2
"""Syncs of one write: of the file, and of its folder."""


def test_settings_wait_for_no_more_than_two_writes_of_the_card(tmp_path: Path) -> None:
    """One write may have begun before the settings were complete."""
    built, memory = tmp_path / "slow_card", tmp_path / "memory"
    folders = (f"-I{each}" for each in (BUILT, FIRMWARE / "core", FIRMWARE / "linux"))
    core = (FIRMWARE / f"core/{name}.c" for name in ("kept", "settings", "crc"))
    linux = (FIRMWARE / f"linux/{name}.c" for name in ("memory", "worker", "status", "notify"))
    sources = map(str, (PROGRAM, *core, *linux))
    flags = ("-std=gnu99", "-O1", "-Wall", "-Werror", "-pthread")
    subprocess.run(["gcc", *flags, *folders, *sources, "-o", str(built)], check=True)
    done = subprocess.run([built, memory], capture_output=True, text=True, check=True)
    boot, *stores = ([int(word) for word in line.split()] for line in done.stdout.splitlines())
    assert boot[0] >= SYNCS_OF_WRITE  # the number of a start counts once it is on the card
    assert len(stores) == 3
    assert all(synced <= 2 * SYNCS_OF_WRITE for _, synced in stores), stores
    assert memory.stat().st_size == MEMORY_BYTES
