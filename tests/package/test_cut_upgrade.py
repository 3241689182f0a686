"""dpkg is killed in the middle of an upgrade, before one or another of the calls by which it
changes names of files: what is started then is the old pi-table or the new one, and whole."""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from built_packages import Packages
from debian_root import ENVIRONMENT, DebianRoot, base

CALLS: Final = ("rename", "unlink", "rmdir")
"""By these dpkg changes what stands under a name. It writes new files under other names before."""
MARK: Final = "zz-complete"
PATH: Final = """\
import runpy, sys
sys.argv[1:] = ["--version"]
try:
    runpy.run_path("/usr/bin/pi-table")
except SystemExit:
    print(*sys.path[:2])
"""
"""Prints from where the code and the libraries come that are started."""


class Call(NamedTuple):
    name: str
    which: int
    """The how manyeth of that name it is, from 1."""
    line: str


@pytest.fixture(scope="module")
def old(older: Packages, packages: Packages) -> Iterator[DebianRoot]:
    with DebianRoot.over(base("bookworm")) as root:
        root.install(*older.files)
        for file in packages.files:
            (root.folder / file.name).write_bytes(file.read_bytes())
        yield root


def upgrade(root: DebianRoot, files: Sequence[Path], log: Path, *inject: str) -> list[Call]:
    """Let dpkg unpack the new packages in this order; the calls that changed names of our files."""
    # strace stays outside, where the root's own programs need not know it; it follows no scripts.
    command = ["strace", "-qq", "-o", str(log), "-e", f"trace={','.join(CALLS)}", *inject]
    command += ["chroot", str(root.folder), "dpkg", "--force-unsafe-io", "--unpack"]
    command += [f"/{file.name}" for file in files]
    subprocess.run(command, env=ENVIRONMENT, capture_output=True)
    seen = dict.fromkeys(CALLS, 0)
    found = []
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith(CALLS):
            name = line.partition("(")[0]
            seen[name] += 1
            if line.endswith("= 0") and re.search(r'"/usr/(lib|bin)/pi-table', line):
                found.append(Call(name, seen[name], line))
    return found


def look(root: DebianRoot, older: Packages, packages: Packages) -> str:
    """The version that starts. Raises AssertionError if anything that may start is not whole."""
    home = root.folder / "usr/lib/pi-table"
    for each in (older, packages):
        for file in each.files:
            kind = "libs" if "-libs_" in file.name else "code"
            if (home / f"{kind}-{each.version}" / MARK).exists():
                for size, name in contents(file):
                    path = root.folder / name
                    assert path.exists(), f"{name} is not there"
                    assert path.stat().st_size == size
    said = root.run("pi-table", "--version").strip().removeprefix("pi-table ")
    code, libs = root.run("/usr/bin/python3", "-I", "-c", PATH).split()[-2:]
    assert code.endswith(f"/code-{said}"), f"{code} is started as {said}"
    assert libs.endswith(f"/libs-{said}"), f"{code} is started with {libs}"
    root.run("pi-table", "clue", "flight", "2", "--board", "FLIGHTS,BANK")
    return said


@cache
def contents(package: Path) -> list[tuple[int, str]]:
    """Size and path of each of a package's files that are in our folder."""
    command = ["dpkg-deb", "--contents", str(package)]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = re.findall(
        r"^-\S+ +\S+ +(\d+) \S+ \S+ \./(usr/lib/pi-table/\S+)$", listed, re.MULTILINE
    )
    assert lines
    return [(int(size), name) for size, name in lines]


def cut_at(
    cuts: int,
    old: DebianRoot,
    older: Packages,
    packages: Packages,
    log: Path,
    files: Sequence[Path],
) -> list[tuple[Call, str]]:
    """Cut upgrades right before and after each mark is set or taken, and so many anywhere."""
    with DebianRoot.over(old.folder) as root:
        calls = upgrade(root, files, log)
        assert look(root, older, packages) == packages.version
    assert len(calls) > 1000
    marks = [at for at, call in enumerate(calls) if f'/{MARK}"' in call.line]
    assert len(marks) == 4, "each of two packages sets a mark and takes one away"
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    anywhere = random.Random(seed).sample(range(len(calls)), cuts)
    found = []
    for at in sorted({*marks, *(at + 1 for at in marks), *anywhere}):
        call = calls[at]
        with DebianRoot.over(old.folder) as root:
            done = upgrade(
                root, files, log, "-e", f"inject={call.name}:signal=KILL:when={call.which}"
            )
            assert len(done) == at, f"dpkg was to be killed before {call.line}"
            found.append((call, look(root, older, packages)))
    return found


@pytest.mark.package
@pytest.mark.parametrize("code_first", [False, True], ids=["libraries first", "code first"])
def test_it_is_the_old_one_or_the_new_one(
    old: DebianRoot, older: Packages, packages: Packages, tmp_path: Path, code_first: bool
) -> None:
    """apt has its own mind about which of the two comes first. `test_wherever_it_is_cut` cuts
    them anywhere."""
    files = packages.files[::-1] if code_first else packages.files
    found = cut_at(0, old, older, packages, tmp_path / "log", files)
    versions = [version for _, version in found]
    # First the old one, and from some call on the new one.
    assert versions == sorted(versions, key=[older.version, packages.version].index)
    assert {*versions} == {older.version, packages.version}


@pytest.mark.package
def test_what_was_cut_short_is_mended_by_installing_again(
    old: DebianRoot, older: Packages, packages: Packages, tmp_path: Path
) -> None:
    with DebianRoot.over(old.folder) as root:
        calls = upgrade(root, packages.files, tmp_path / "log")
    call = calls[len(calls) // 2]
    with DebianRoot.over(old.folder) as root:
        kill = f"inject={call.name}:signal=KILL:when={call.which}"
        upgrade(root, packages.files, tmp_path / "log", "-e", kill)
        assert root.run("dpkg", "--audit")
        # As install.sh does: apt wants it so, whether it succeeds or not.
        root.run("dpkg", "--configure", "-a", status=None)
        root.install(*packages.files)
        assert look(root, older, packages) == packages.version
        assert root.run("dpkg", "--audit") == ""
        assert not [*(root.folder / "usr/lib/pi-table").rglob("*.dpkg-*")]
        assert not [*(root.folder / "usr/lib/pi-table").glob(f"*-{older.version}")]


@pytest.mark.torture
def test_wherever_it_is_cut(
    old: DebianRoot, older: Packages, packages: Packages, tmp_path: Path
) -> None:
    found = []
    for files in (packages.files, packages.files[::-1]):
        found += cut_at(150, old, older, packages, tmp_path / "log", files)
    new = sum(version == packages.version for _, version in found)
    print(f"{len(found)} upgrades cut short; {len(found) - new} started the old one, {new} the new")
