"""install.sh: what it refuses, in which words, before anything has changed; and what it does."""

import re
import shutil
import subprocess
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


PLAN = r"This installs (\d+) packages: (.+) to fetch, (\d+) MB more on disk, up to (\d+) MB while"


def megabytes(root: DebianRoot) -> float:
    """Return the root's size on disk, without the stick and the files of apt itself."""
    du = ("du", "-s", "-k", "-x", "--exclude=tmp", "--exclude=apt", str(root.folder))
    done = subprocess.run(du, capture_output=True, check=True, text=True)
    return int(done.stdout.split()[0]) * 1024 / 1e6


@pytest.mark.parametrize("root", ["bookworm", "trixie"], indirect=True)
def test_it_installs_and_says_what_to_do_next(
    root: DebianRoot, stick: Path, packages: Packages
) -> None:
    before = megabytes(root)
    said = root.run("sh", "/tmp/stick/install.sh")
    assert f"pi-table {packages.version} is installed." in said
    plan = re.search(PLAN, said)
    assert plan is not None, said
    assert plan.groups() == ("2", "0 B", plan[3], plan[3])
    # With the byte code of its modules, and the packages that are the way back.
    assert float(plan[3]) == pytest.approx(megabytes(root) - before, rel=0.1)
    assert "There is no controller at /dev/pi-table-controller" in said
    # Steps 3 and 4 of INSTALL.md, in their order: the restart reads the board's lines.
    assert [said.index(each) for each in ("config.txt", "Restart the", "pi-table flash")] == sorted(
        said.index(each) for each in ("config.txt", "Restart the", "pi-table flash")
    )
    assert root.run("pi-table", "--version").strip() == f"pi-table {packages.version}"
    assert "is installed" in root.run("sh", "/tmp/stick/install.sh"), "once more does no harm"
    # What was installed is the way back of a later version.
    kept = [file.name for file in (root.folder / "var/cache/pi-table/current").iterdir()]
    assert sorted(kept) == sorted(file.name for file in packages.files)
    assert [file.name for file in (root.folder / "var/cache/pi-table").iterdir()] == ["current"]


RECOMMENDED = ("alsa-utils", "avrdude", "espeak-ng")
KILLED_ONCE = """#!/bin/sh
[ -e /var/killed ] || { touch /var/killed; kill -9 $PPID; sleep 60; }
"""


@pytest.fixture
def sources(root: DebianRoot) -> None:
    """Package sources that have what pi-table recommends, which recommends a desktop in turn. The
    first time that one of them is configured, dpkg is killed."""
    folder = root.folder / "srv/debian"
    folder.mkdir(parents=True)
    for name in (*RECOMMENDED, "desktop"):
        stage = root.folder / "tmp" / name
        (stage / "DEBIAN").mkdir(parents=True)
        recommends = "" if name == "desktop" else "Recommends: desktop\n"
        (stage / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: 9\nArchitecture: all\nInstalled-Size: 2000\n{recommends}"
            "Maintainer: Nobody <nobody@localhost>\nDescription: a stand-in\n"
        )
        if name == "avrdude":
            (stage / "DEBIAN/postinst").write_text(KILLED_ONCE)
            (stage / "DEBIAN/postinst").chmod(0o755)
        subprocess.run(["dpkg-deb", "-b", stage, folder], check=True, capture_output=True)
        shutil.rmtree(stage)
    listed = subprocess.run(
        ["apt-ftparchive", "packages", "."], cwd=folder, check=True, capture_output=True
    )
    (folder / "Packages").write_bytes(listed.stdout)
    for file in (root.folder / "etc/apt").glob("sources.list*/*"):
        file.unlink()
    (root.folder / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/srv/debian ./\n")


@pytest.mark.parametrize("root", ["bookworm", "trixie"], indirect=True)
def test_it_brings_what_we_recommend_and_no_desktop_and_mends_what_was_cut_short(
    root: DebianRoot, stick: Path, sources: None
) -> None:
    cut = root.run("sh", "/tmp/stick/install.sh", status=1)
    assert "run this script again" in cut.splitlines()[-1]
    plan = re.search(PLAN, cut)
    assert plan is not None, cut
    assert cut.index(plan[0]) < cut.index("Unpacking"), cut
    assert plan[1] == "5"
    assert int(plan[3]) > 8  # ours take more, the stand-ins two each
    assert "is installed. What it needs" in root.run("sh", "/tmp/stick/install.sh")
    assert root.run("dpkg", "--audit") == ""
    # They go with it, and no later upgrade brings what they recommend.
    assert {*RECOMMENDED} <= {*root.run("apt-mark", "showauto").split()}
    assert "delaying package configuration" not in cut
    wished = root.run("apt-get", "--simulate", "dist-upgrade")
    assert "desktop" not in wished
    assert "desktop" not in root.run("dpkg-query", "-W", "-f", "${Package}\n")
    autoremoved = root.run("apt-get", "--simulate", "autoremove")
    assert not {*RECOMMENDED} & {*autoremoved.split()}


@pytest.mark.parametrize("root", ["bookworm"], indirect=True)
def test_where_it_cannot_be_told_how_much_it_would_install_that_is_said(root: DebianRoot) -> None:
    folder = root.folder / "tmp/stick"
    for name, machine in (("pi-table", "all"), ("pi-table-libs", "amd64")):
        (folder / name / "DEBIAN").mkdir(parents=True)
        (folder / name / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: 1.0\nArchitecture: {machine}\nDepends: not-anywhere\n"
            "Maintainer: nobody <nobody@example.org>\nDescription: cannot be installed\n"
        )
        root.run(
            "dpkg-deb", "--build", f"/tmp/stick/{name}", f"/tmp/stick/{name}_1.0_{machine}.deb"
        )
    shutil.copy(SCRIPT, folder)
    root.run("sh", "-c", "cd /tmp/stick && sha256sum *.deb >SHA256SUMS")
    said = root.run("sh", "/tmp/stick/install.sh", "--check", status=1)
    assert "How much it would install cannot be told. apt-get says: " in said
    assert "not-anywhere" in said


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
