"""Calls of Debian's programs. Stand-ins replace the programs; tests/package has the real ones."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pi_table.cli import main
from pi_table.fleet.updating import packages
from pi_table.fleet.updating.packages import CURRENT, Packages

TREE = Path(__file__).parents[2]
Program = Callable[[str, str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Put a script in the place of a program."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=":")

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return put


@pytest.fixture
def debian(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A machine on which both packages are installed, and nothing newer is known."""
    program("dpkg-query", "printf 'installed\\ninstalled\\n'")
    program("apt-mark", "")
    program("apt-cache", "printf 'pi-table:\\n  Installed: 0.7.0\\n  Candidate: 0.7.0\\n'")
    monkeypatch.setattr(packages, "OF_DPKG", tmp_path / "updates")
    monkeypatch.setattr(packages, "MARK", tmp_path / "mark")
    return program


def test_what_dpkg_was_interrupted_in_is_to_be_finished_whosever_package_it_was(
    debian: Program, tmp_path: Path
) -> None:
    """apt installs nothing until then: "dpkg was interrupted, you must manually run …"."""
    assert not Packages().is_interrupted()
    (tmp_path / "updates").mkdir()
    assert not Packages().is_interrupted()
    (tmp_path / "updates/tmp.i").touch()  # dpkg's own, from which nothing follows
    assert not Packages().is_interrupted()
    (tmp_path / "updates/0003").touch()
    assert Packages().is_interrupted()


@pytest.mark.parametrize(
    ("script", "can"),
    [
        ('[ "$*" = "update --check" ]', True),
        ("exit 1", False),
        ("exec sleep 600", False),
        (None, False),
    ],
    ids=["runs", "is not running", "hangs", "is not there"],
)
def test_a_version_that_is_asked_whether_it_can_update(
    program: Program, monkeypatch: pytest.MonkeyPatch, script: str | None, can: bool
) -> None:
    if script is None:
        monkeypatch.setenv("PATH", "")
    else:
        program("pi-table", script)
    if script == "exec sleep 600":
        monkeypatch.setattr(packages, "CHECK_SECONDS", 0.1)
    assert Packages().can_update() is can


def test_an_update_brings_nothing_that_libraries_recommend(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    program("apt-get", f'echo "$*" >>{log}; case "$*" in *download*pi-table=*) touch a.deb;; esac')
    monkeypatch.setattr(packages, "NEW", tmp_path / "new")
    monkeypatch.setattr(shutil, "chown", lambda *_: None)
    assert not Packages().fetch("0.9.0", None)
    assert Packages().install()
    installing = [line for line in log.read_text().splitlines() if " install " in line]
    assert len(installing) == 2
    assert all("--no-install-recommends" in line.split() for line in installing)
    control = (TREE / "systemd/package/debian/pi-table.control").read_text()
    (section,) = re.findall("^Section: (.+)$", control, re.MULTILINE)
    own = f"-o APT::Install-Recommends-Sections::={section} "
    assert all(own in line for line in installing)
    assert own in (TREE / "systemd/package/install.sh").read_text()


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="there is no apt here")
def test_apt_writes_no_index_of_all_packages_to_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real apt, with a source and folders of its own."""
    source, cache = tmp_path / "source", tmp_path / "cache"
    for folder in (source, cache / "archives/partial", tmp_path / "lists/partial"):
        folder.mkdir(parents=True)
    package = "Package: pi-table\nVersion: 0.9.0\nArchitecture: all\nFilename: a.deb\nSize: 1\n"
    (source / "Packages").write_text(package)
    (tmp_path / "sources").write_text(f"deb [trusted=yes] file:{source} ./\n")
    (tmp_path / "status").touch()
    settings = {
        "Dir::Cache": cache,
        "Dir::State": tmp_path,
        "Dir::State::lists": tmp_path / "lists",
        "Dir::State::status": tmp_path / "status",
        "Dir::Etc::sourcelist": tmp_path / "sources",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::parts": "/dev/null",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",
    }
    (tmp_path / "apt.conf").write_text("".join(f'{n} "{v}";\n' for n, v in settings.items()))
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    found = Packages()
    assert found.refresh_sources()
    assert found.newer() == "0.9.0"
    assert [path.name for path in cache.iterdir()] == ["archives"]
    subprocess.run(["apt-get", "-q", "update"], check=True, capture_output=True)
    assert (cache / "pkgcache.bin").exists()  # as apt does by itself


def test_a_check_says_what_there_is(debian: Program, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", "--check"]) == 0
    assert "nothing newer than pi-table 0.7.0 for this table" in capsys.readouterr().err
    debian("apt-cache", "printf 'pi-table:\\n  Installed: 0.7.0\\n  Candidate: 0.7.1\\n'")
    packages.MARK.touch()
    assert main(["update", "--check"]) == 0
    said = capsys.readouterr().err
    assert "There is pi-table 0.7.1 for this table, which has pi-table 0.7.0." in said
    assert "cut short" in said


@pytest.mark.parametrize("held", ["pi-table", "pi-table-libs"])
def test_nothing_is_newer_than_what_somebody_holds(debian: Program, held: str) -> None:
    debian("apt-cache", "printf 'pi-table:\\n  Installed: 0.7.0\\n  Candidate: 0.7.1\\n'")
    assert Packages().newer() == "0.7.1"
    debian("apt-mark", f'case "$*" in *showhold) printf "curl\\n{held}\\n"; esac')
    assert Packages().newer() is None


def test_the_way_back_is_a_kept_package_unless_the_card_has_damaged_it(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    program("apt-get", f'echo "$*" >>{log}')
    monkeypatch.setattr(shutil, "chown", lambda *_: None)
    for name in ("NEW", "BEFORE", "CURRENT"):
        monkeypatch.setattr(packages, name, tmp_path / name.lower())
    kept = [packages.CURRENT / f"{name}_0.7.0_all.deb" for name in packages.NAMES]
    packages.CURRENT.mkdir()
    for path in kept:
        build(path, tmp_path / path.stem)
    assert Packages().fetch("0.7.1", "0.7.0")
    assert "download pi-table-libs=0.7.0" not in log.read_text()

    whole = kept[1].read_bytes()
    kept[1].write_bytes(whole[:-200] + bytes(100) + whole[-100:])
    Packages().fetch("0.7.1", "0.7.0")
    assert "download pi-table-libs=0.7.0 pi-table=0.7.0" in log.read_text()


def build(package: Path, stage: Path) -> None:
    """Build a package with a file that cannot be compressed."""
    name, version, _ = package.stem.split("_")
    (stage / "DEBIAN").mkdir(parents=True)
    (stage / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\n"
        "Maintainer: pi-table\nDescription: as small as can be\n"
    )
    (stage / "file").write_bytes(Random(name).randbytes(1000))
    command = ["dpkg-deb", "--build", "--root-owner-group", str(stage), str(package)]
    subprocess.run(command, check=True, capture_output=True)


def test_a_version_that_was_bad_is_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's own apt says so, of a source that has that version and the next."""
    listed = "".join(
        f"Package: pi-table\nVersion: {version}\nArchitecture: all\nFilename: ./{version}.deb\n"
        f"Size: 1\nSHA256: {'0' * 64}\nMaintainer: pi-table\nDescription: nothing\n\n"
        for version in ("0.7.1", "0.7.2")
    )
    (tmp_path / "Packages").write_text(listed)
    (tmp_path / "sources.list").write_text(f"deb [trusted=yes] file:{tmp_path} ./\n")
    (tmp_path / "preferences.d").mkdir()
    (tmp_path / "apt.conf").write_text(
        f'Dir "{tmp_path}"; Dir::Etc "{tmp_path}"; Dir::State "{tmp_path}/state";\n'
        f'Dir::State::status "{tmp_path}/status"; Dir::Cache "{tmp_path}/cache";\n'
        'APT::Sandbox::User "root";\n'
    )
    (tmp_path / "status").touch()
    (tmp_path / "state/lists/partial").mkdir(parents=True)
    (tmp_path / "cache/archives/partial").mkdir(parents=True)
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    monkeypatch.setattr(packages, "PREFERENCES", tmp_path / "preferences.d")
    assert Packages().refresh_sources()
    assert Packages().newer() == "0.7.2"
    Packages().block_version("0.7.2")
    assert Packages().newer() == "0.7.1"
    Packages().block_version("0.7.1")
    assert Packages().newer() is None


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("echo 'N: Unable to locate package pi-table' >&2", "not installed here as a package"),
        (None, "There is no apt-cache here"),
    ],
)
def test_where_there_is_no_package_a_check_says_so(
    debian: Program,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str | None,
    says: str,
) -> None:
    if answer is None:
        monkeypatch.setenv("PATH", "")
    else:
        debian("apt-cache", answer)
    assert main(["update", "--check"]) == 1
    assert says in capsys.readouterr().err


def test_what_is_kept_goes_with_the_package_that_is_purged() -> None:
    script = Path(__file__).parents[2] / "systemd/package/debian/pi-table.postrm"
    assert re.search(rf"rm -rf .*{re.escape(str(CURRENT.parent))} ", script.read_text("utf-8"))
