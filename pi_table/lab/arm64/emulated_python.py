"""The Python of Raspberry Pi OS 12, run by QEMU, which counts the instructions of the process."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from pi_table.common.errors import InputError

TREE: Final = Path(__file__).parents[3]
ROOT: Final = TREE / "build/arm64"
"""Folder with Debian for arm64, pi-table's libraries, and the plugin that counts."""
QEMU: Final = "qemu-aarch64"
PLUGIN: Final = ROOT / "instructions.so"
SEARCHED: Final = (TREE, ROOT / "libs", ROOT / "libs/python3.11")
"""Folders in which Python looks for modules, as on a table."""
LINKED: Final = (
    ROOT / "lib/aarch64-linux-gnu",
    ROOT / "usr/lib/aarch64-linux-gnu",
    ROOT / "usr/lib/aarch64-linux-gnu/pulseaudio",
)
"""Folders with libraries in C."""
ENVIRONMENT: Final = {
    "PYTHONHOME": ROOT / "usr",
    "PYTHONPATH": ":".join(map(str, SEARCHED)),
    "PYTHONPYCACHEPREFIX": ROOT / "bytecode",
    "PYTHONHASHSEED": "0",  # for the same counts in each run
}
COUNT_BYTES: Final = 8


class EmulatedPython:
    """Runs one process. ``command`` starts Python, ``program`` starts pi-table; arguments follow
    them."""

    def __init__(self, counter: Path) -> None:
        """Make the file ``counter``, in which QEMU counts. Raises InputError if QEMU or the folder
        `ROOT` is missing, or if QEMU takes no plugins."""
        if not is_there():
            raise InputError(
                f"{ROOT} or a {QEMU} that takes plugins is missing: run '.ci/setup.sh small' on "
                "Debian 12. Debian 13's QEMU takes no plugins."
            )
        self._counter = counter
        # The byte code is written, as on every table, even if this machine forbids that.
        given = [word for item in ENVIRONMENT.items() for word in ("-E", "{}={}".format(*item))]
        self.command = [*counted(counter), "-U", "PYTHONDONTWRITEBYTECODE", *given]
        # The loader finds the libraries. If QEMU did, "/" would be `ROOT` for the program.
        self.command += [f"{ROOT}/lib/ld-linux-aarch64.so.1", "--library-path"]
        self.command += [":".join(map(str, LINKED)), f"{ROOT}/usr/bin/python3.11"]
        self.program = [*self.command, "-m", "pi_table"]

    def count(self) -> int:
        """Return how many instructions all threads of the process have executed until now."""
        return read_count(self._counter)


def is_there() -> bool:
    """True if QEMU and its folder are there, and QEMU takes plugins."""
    if shutil.which(QEMU) is None or not (ROOT / "stamp").exists():
        return False
    return "-plugin" in subprocess.run([QEMU, "-help"], capture_output=True, text=True).stdout


def counted(counter: Path) -> list[str]:
    """Return the words that run a program of arm64, and make the file in which QEMU counts."""
    counter.write_bytes(bytes(COUNT_BYTES))
    return [QEMU, "-cpu", "cortex-a53", "-plugin", f"{PLUGIN},counter={counter}"]


def read_count(counter: Path) -> int:
    return int.from_bytes(counter.read_bytes(), "little")
