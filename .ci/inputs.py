"""Print a hash of everything that the checks of hardware and enclosure read.

The hash covers both folders, the project's modules that they import (directly or through others),
the numbers that they share with the firmware, their environments, and the versions of the Debian
programs.
"""

import ast
import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
READ = (
    *("hardware", "enclosure", "firmware/vectors/facts.txt"),
    *(".ci/setup.sh", ".ci/debian.txt", ".ci/made.txt", ".ci/inputs.py"),
    *(f".ci/requirements-{lock}.txt" for lock in ("boards", "hardware", "enclosure")),
)
PROGRAMS = ("graphviz", "prusa-slicer")


def imports_of(file: Path) -> Iterator[Path]:
    """Yield the project's modules that a file imports, and the packages that contain these
    modules."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            place = ROOT
            for part in name.split("."):
                place /= part
                yield from filter(Path.is_file, (place / "__init__.py", place.with_suffix(".py")))


def inputs() -> list[Path]:
    """Return the paths of all files of the project that the checks read, sorted."""
    listed = subprocess.check_output(["git", "ls-files", "-z", *READ], cwd=ROOT, text=True)
    files = {ROOT / name for name in listed.split("\0")[:-1]}
    unread = [file for file in files if file.suffix == ".py"]
    while unread:
        new = {*imports_of(unread.pop())} - files
        files |= new
        unread += new
    return sorted(files)


def main() -> None:
    versions = subprocess.run(["dpkg-query", "-W", *PROGRAMS], capture_output=True, check=False)
    key = hashlib.sha256(versions.stdout)
    for file in inputs():
        key.update(f"{file.relative_to(ROOT)}\0".encode())
        key.update(hashlib.sha256(file.read_bytes()).digest())
    print(key.hexdigest()[:16])


if __name__ == "__main__":
    main()
