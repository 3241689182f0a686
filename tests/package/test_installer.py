"""install.sh: what it refuses, in which words, before anything has changed; and what it does."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from built_packages import Packages
from debian_root import TREE, DebianRoot

SCRIPT = TREE / "systemd/package/install.sh"
pytestmark = pytest.mark.package


@pytest.fixture
def stick(root: DebianRoot, packages: Packages) -> Path:
    """A folder in the root, as if it had been brought on a stick."""
    folder = root.folder / "tmp/stick"
    folder.mkdir()
    for file in (*packages.files, packages.folder / "SHA256SUMS", SCRIPT):
        shutil.copy(file, folder)
    return folder


@pytest.mark.parametrize("root", ["bookworm", "trixie"], indirect=True)
def test_it_installs_and_says_what_to_do_next(
    root: DebianRoot, stick: Path, packages: Packages
) -> None:
    said = root.run("sh", "/tmp/stick/install.sh")
    assert f"pi-table {packages.version} is installed." in said
    assert "There is no controller at /dev/pi-table-controller" in said
    assert "Restart the machine." in said
    assert root.run("pi-table", "--version").strip() == f"pi-table {packages.version}"
    assert "is installed" in root.run("sh", "/tmp/stick/install.sh"), "once more does no harm"
    # What was installed is the way back of a later version.
    kept = [file.name for file in (root.folder / "var/cache/pi-table/current").iterdir()]
    assert sorted(kept) == sorted(file.name for file in packages.files)
    assert [file.name for file in (root.folder / "var/cache/pi-table").iterdir()] == ["current"]


def without(pattern: str) -> Callable[[Path], None]:
    def change(stick: Path) -> None:
        for file in stick.glob(pattern):
            file.unlink()

    return change


def damaged(stick: Path) -> None:
    (file,) = stick.glob("pi-table_*")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def two_versions(stick: Path) -> None:
    (file,) = stick.glob("pi-table_*")
    shutil.copy(file, stick / "pi-table_9.9.9_all.deb")


def of_another_system(stick: Path) -> None:
    release = stick.parents[1] / "etc/os-release"
    release.unlink()
    release.write_text("ID=ubuntu\nVERSION_CODENAME=noble\n")


def of_another_machine(stick: Path) -> None:
    program = stick.parents[1] / "usr/local/bin/dpkg"
    program.write_text("#!/bin/sh\necho riscv64\n")
    program.chmod(0o755)


def unnamed(stick: Path) -> None:
    (stick / "SHA256SUMS").write_text("")


REFUSED = [
    (without("pi-table_*"), "pi-table_*_all.deb is not there"),
    (without("pi-table-libs_*"), "pi-table-libs_*_amd64.deb is not there"),
    (without("SHA256SUMS"), "SHA256SUMS is not there"),
    (damaged, "is damaged, or is another one than SHA256SUMS names"),
    (unnamed, "SHA256SUMS does not name pi-table_"),
    (two_versions, "There are 2 packages beside this script where one of them is wanted"),
    (of_another_system, "This is ubuntu noble; pi-table is made for Debian and Raspberry Pi OS"),
    (of_another_machine, "This machine is a riscv64"),
]


@pytest.mark.parametrize("root", ["bookworm"], indirect=True)
@pytest.mark.parametrize(("change", "sentence"), REFUSED, ids=[row[1] for row in REFUSED])
def test_it_refuses_in_a_sentence_and_changes_nothing(
    root: DebianRoot, stick: Path, change: Callable[[Path], None], sentence: str
) -> None:
    change(stick)
    before = root.entries()
    path = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    said = root.run("env", path, "sh", "/tmp/stick/install.sh", status=1)
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert root.entries() == before


@pytest.mark.parametrize("root", ["bookworm"], indirect=True)
def test_nobody_but_root_is_let_in(root: DebianRoot, stick: Path) -> None:
    root.run("chmod", "-R", "a+rX", "/tmp/stick")
    said = root.run("sh", "/tmp/stick/install.sh", user="nobody", status=1)
    assert "A package is installed by root: run 'sudo sh /tmp/stick/install.sh'." in said
