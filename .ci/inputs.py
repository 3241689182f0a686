"""Print a hash of everything that a check of hardware or enclosure reads: `inputs.py CHECK`.

The hash covers the check's own files, the project's modules that they import (directly or through
others), its environment, and the versions of the Debian programs. No check reads a page, a comment
or a docstring.
"""

import ast
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOTH = (
    *("hardware/*.toml", "hardware/*.csv", "enclosure/*.toml"),
    *(".ci/setup.sh", ".ci/debian.txt", ".ci/made.txt", ".ci/inputs.py"),
)
READ = {
    "hardware": (
        *("hardware", "firmware/vectors/facts.txt"),
        *(".ci/requirements-boards.txt", ".ci/requirements-hardware.txt"),
    ),
    "enclosure": ("enclosure", ".ci/requirements-enclosure.txt"),
}
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


def inputs(check: str) -> list[Path]:
    """Return the paths of all files of the project that a check reads, sorted."""
    command = ["git", "ls-files", "-z", *BOTH, *READ[check], ":!*.md"]
    listed = subprocess.check_output(command, cwd=ROOT, text=True)
    files = {ROOT / name for name in listed.split("\0")[:-1]}
    unread = [file for file in files if file.suffix == ".py"]
    while unread:
        new = {*imports_of(unread.pop())} - files
        files |= new
        unread += new
    return sorted(files)


class WithoutDocstrings(ast.NodeTransformer):
    """Removes the statements that are only a text."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def content(file: bytes, name: str) -> bytes:
    """Return the part of a file that matters: of Python, the code."""
    if not name.endswith(".py"):
        return file
    return ast.dump(WithoutDocstrings().visit(ast.parse(file))).encode()


def main(check: str) -> None:
    versions = subprocess.run(["dpkg-query", "-W", *PROGRAMS], capture_output=True, check=False)
    key = hashlib.sha256(versions.stdout)
    for file in inputs(check):
        key.update(f"{file.relative_to(ROOT)}\0".encode())
        key.update(hashlib.sha256(content(file.read_bytes(), file.name)).digest())
    print(key.hexdigest()[:16])


if __name__ == "__main__":
    main(sys.argv[1])
