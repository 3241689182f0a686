"""The tree's tests, and what they need beside what is installed, on a disk for a machine.

As a program, `suite.py FOLDER` runs them in the booted aarch64 machine, which takes most of an
hour, and `suite.py FOLDER bench` measures there and here what `pi-table bench` does, in fewer
rounds: JSON lines on standard output, with how many times as slow the emulated machine is.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from machine import TREE, Done, Machine
from played import booted
from plugs import new_card

from pi_table import __version__

PARTS: Final = ("rules", "store", "engine", "referee")
"""The folders of tests that are run inside."""
NEEDED: Final = ("apsw", "execnet", "hypothesis", "iniconfig", "packaging", "pluggy", "pygments",
                 "pytest", "pytest-timeout", "pytest-xdist", "sortedcontainers")  # fmt: skip
"""Packages that the tests need and a table does not, as in the lock file."""
LOCK: Final = TREE / ".ci/requirements-dev.txt"
INSTALLED: Final = "/usr/lib/pi-table"
AT: Final = "/run/suite"
"""Where the disk is mounted."""
CODE: Final = f"{AT}/code"
"""A copy of the code that is installed, with the laboratory, which packages do not carry."""
LEFT_OUT: Final = "not readme"
"""The package has no pages for developers, and so nothing in it to compare a diagram with."""
HOURS: Final = 3 * 3600.0
MEASURE: Final = {
    group: (
        f"import json\nfrom pi_table.lab.bench.{group} import measure\n"
        f"for each in measure({arguments}): print(json.dumps(each), flush=True)"
    )
    for group, arguments in (
        ("rules", "rounds=3"),
        ("table", "guesses=60, rest=10.0, starts=3"),
    )
}
"""Programs to run inside and here: the groups of `pi-table bench`, with fewer rounds."""


def locked(names: tuple[str, ...]) -> str:
    """The part of the lock that these packages are."""
    chosen, on = [], False
    for line in LOCK.read_text().splitlines(keepends=True):
        if line[:1].isalpha():
            on = line.partition("==")[0] in names
        if on:
            chosen.append(line)
    return "".join(chosen)


def make_disk(folder: Path) -> Path:
    """An ext4 disk with the tests, and the modules of NEEDED for arm64 and Debian's Python."""
    content, lock, disk = folder / "suite", folder / "lock.txt", folder / "suite.img"
    content.mkdir()
    lock.write_text(locked(NEEDED))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check",
         "--target", content / "modules", "--platform", "manylinux_2_28_aarch64",
         "--platform", "manylinux2014_aarch64", "--python-version", "3.11",
         "--implementation", "cp", "--only-binary=:all:", "--no-deps", "--require-hashes",
         "-r", lock],
        check=True,
    )  # fmt: skip
    files = ["tests", "pi_table/lab", "pyproject.toml", "firmware", "README.md"]
    listed = subprocess.check_output(["git", "ls-files", "-z", *files], cwd=TREE)
    subprocess.run(
        ["cpio", "--null", "-pdm", "--quiet", content], input=listed, cwd=TREE, check=True
    )
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", content, disk, "512M"], check=True)
    return disk


@contextmanager
def at_the_suite(folder: Path, cores: int) -> Iterator[Machine]:
    """The aarch64 machine with that disk, and no game at its table."""
    drive = f"file={make_disk(folder)},format=raw,if=none,id=suite"
    devices = ("-drive", drive, "-device", "virtio-blk-pci,drive=suite")
    card = new_card("arm64", folder)
    with booted("arm64", card, folder, cores=cores, devices=devices) as table:
        table.look(console=False)
        table.machine.ran("systemctl", "stop", "pi-table-engine")
        table.machine.ran("sh", "-c", f"mkdir {AT} && mount /dev/vdb {AT}")
        table.machine.ran("cp", "-a", f"{INSTALLED}/code-{__version__}", CODE)
        table.machine.ran("cp", "-a", f"{AT}/pi_table/lab", f"{CODE}/pi_table")
        yield table.machine


def environment() -> str:
    """Python's, for what is installed inside, and what the disk has besides."""
    libs = f"{INSTALLED}/libs-{__version__}"
    # pygame is another one for each Python; that of the image is Debian bookworm's.
    paths = (CODE, libs, f"{libs}/python3.11", f"{AT}/modules")
    return f"PYTHONPATH={':'.join(paths)}"


def run_suite(machine: Machine, *more: str) -> Done:
    """Run the tests inside, upon the code that is installed there."""
    folders = " ".join(f"tests/{part}" for part in PARTS)
    script = (
        f"cd {AT} && {environment()} exec python3 -P -m pytest -p no:cacheprovider"
        f" -o timeout=0 -o faulthandler_timeout=0 -k '{LEFT_OUT}' {folders} {' '.join(more)}"
    )
    return machine.run("sh", "-c", script, seconds=HOURS)


def measured(machine: Machine, group: str) -> Iterator[dict[str, Any]]:
    """The measurements of a group inside, each with what it is here, while the machine stands
    still."""
    inside = machine.ran("env", environment(), "python3", "-P", "-c", MEASURE[group], seconds=HOURS)
    machine.monitor("stop")
    command = [sys.executable, "-c", MEASURE[group]]
    here = figures(subprocess.check_output(command, cwd=TREE, text=True))
    machine.monitor("cont")
    for name, each in figures(inside).items():
        if name in here and each["value"] and here[name]["value"]:
            one, other = sorted((each["value"], here[name]["value"]))
            each |= {"here": here[name]["value"], "emulation_factor": round(other / one, 1)}
        yield each


def figures(said: str) -> dict[str, dict[str, Any]]:
    """Measurements, by their names."""
    return {each["name"]: each for each in map(json.loads, said.splitlines())}


def main(folder: Path, what: str = "tests") -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with at_the_suite(folder, cores=2) as machine:
        if what == "bench":
            for group in MEASURE:
                for each in measured(machine, group):
                    print(json.dumps(each), flush=True)
            return
        done = run_suite(machine, "-n", "2")
    print(done.out, done.err, sep="\n")
    raise SystemExit(done.status)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
