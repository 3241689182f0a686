"""Build products of the firmware are written at once; a reader never meets a partial file."""

import subprocess

from pi_table.simulator.emulated import BUILT, FIRMWARE


def test_a_binary_that_is_up_to_date_is_not_written_again() -> None:
    """Several builds of packages, which read it, ask for it at the same time."""
    binary = BUILT / "controller.hex"
    before = binary.stat()
    subprocess.run(["make", "-s", "-C", FIRMWARE, "avr"], check=True, capture_output=True)
    after = binary.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_is_built_is_up_to_date() -> None:
    """So that a set-up with nothing left to do is silent."""
    subprocess.run(["make", "-s", "-C", FIRMWARE, "all"], check=True, capture_output=True)
    asked = subprocess.run(["make", "-q", "-C", FIRMWARE, "all"], check=False, capture_output=True)
    assert asked.returncode == 0
