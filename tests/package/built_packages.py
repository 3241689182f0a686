"""The packages, built from this tree."""

import fcntl
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from debian_root import TREE


class Packages(NamedTuple):
    version: str
    folder: Path

    @property
    def files(self) -> tuple[Path, Path]:
        """The two that an amd64 machine takes."""
        libs = self.folder / f"pi-table-libs_{self.version}_amd64.deb"
        return libs, self.folder / f"pi-table_{self.version}_all.deb"


def before(version: str) -> str:
    """A version that came before: 0.6.99 before 0.7.0."""
    major, minor, patch = map(int, version.split("."))
    return f"{major}.{minor}.{patch - 1}" if patch else f"{major}.{minor - 1}.99"


def built(version: str, *machines: str) -> Packages:
    """The packages of that version, for these machines or for all, in a folder of ``build``. Those
    for all are as `make deb` makes them, others are packed quickly. Where they are there already,
    made from these sources, they stay. Who asks meanwhile waits."""
    folder = TREE / "build" / ("-".join(("deb", version, *machines)) if machines else "deb")
    script = TREE / "systemd/package/build.py"
    command: list[str | Path] = [sys.executable, script, "--version", version, folder]
    command += [f"--machine={machine}" for machine in machines]
    command += ["--quick"] if machines else []
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(command, check=True)
    return Packages(version, folder)
