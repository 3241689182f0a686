"""The packages, built from this tree."""

import os
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


def build(folder: Path, version: str, **changed: str) -> Packages:
    """The packages of that version; ``changed``: in the environment."""
    script = TREE / "systemd/package/build.py"
    command = [sys.executable, str(script), "--machine", "amd64", "--version", version, str(folder)]
    subprocess.run(command, check=True, env={**os.environ, **changed})
    return Packages(version, folder)
