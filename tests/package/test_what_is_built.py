"""The package files themselves: the same bytes each time, nothing for lintian to say."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built_packages import Packages
from debian_root import CACHE, TREE

from pi_table.cli import COMMANDS

sys.path.insert(0, str(TREE / "systemd/package"))

from compiled import libraries_for
from sources import (
    HEADERS,
    INPUTS,
    LOCK,
    MACHINES,
    PYGAME,
    PYTHONS,
    OfDebian,
    RefusalError,
    digest,
    of_debian,
    of_the_lock,
)

from build import controller_for, is_made_from, key_of_inputs, lay, of_a_table

COMPILERS = {"amd64": "x86-64", "arm64": "aarch64", "armhf": "ARM,"}
OURS, OF_PYGAME = 6, 46
"""So many modules in C are there for both Pythons together."""


@pytest.mark.package
def test_what_is_made_already_is_not_made_again_and_anew_it_is_the_same(
    older: Packages, tmp_path: Path
) -> None:
    """For others, elsewhere, in another zone, with other rights for new files."""
    shutil.copytree(older.folder, tmp_path, dirs_exist_ok=True)
    debs = [*tmp_path.glob("*.deb")]
    at = {deb: deb.stat().st_mtime_ns for deb in debs}
    words = ("--version", older.version, "--machine=amd64", "--quick")
    assert "of these sources already" in said_by_the_build(tmp_path, *words)
    assert at == {deb: deb.stat().st_mtime_ns for deb in debs}
    debs[0].write_bytes(b"damaged")
    before = os.umask(0o077)
    try:
        said = said_by_the_build(
            tmp_path, *words, TZ="Pacific/Auckland", LC_ALL="C", TMPDIR=str(tmp_path)
        ).splitlines()
    finally:
        os.umask(before)
    assert len(said) <= 30
    for deb in debs:
        assert any(line.startswith(f"packing {deb.name}: ") for line in said)
        alike = deb.read_bytes() == (older.folder / deb.name).read_bytes()
        assert alike, f"{deb.name} is another one"  # pytest would compare megabytes in words


@pytest.mark.package
def test_with_anything_else_that_goes_in_it_is_made_again(
    packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_made_from(packages.folder, key_of_inputs(packages.version, [*MACHINES]))
    assert not is_made_from(packages.folder, key_of_inputs("1.2.3", [*MACHINES]))
    assert not is_made_from(packages.folder, key_of_inputs(packages.version, ["amd64"]))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    assert not is_made_from(packages.folder, key_of_inputs(packages.version, [*MACHINES]))


WATCHED = """
import runpy, sys
opened = set()
sys.addaudithook(lambda event, given: event == "open" and opened.add(str(given[0])))
sys.argv.pop(0)
sys.path[0] = sys.argv[0].rpartition("/")[0]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*opened, sep="\\n", file=sys.stderr)
"""
"""Runs a script and prints the files that it opened."""


def said_by_the_build(folder: Path, *words: str, **changed: str) -> str:
    script = TREE / "systemd/package/build.py"
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, script, folder, *words],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **changed},
    )
    here = f"{TREE}/"
    opened = [line for line in done.stderr.splitlines() if line.startswith(here)]
    paths = {line.removeprefix(here) for line in opened}
    read = {path for path in paths if not path.startswith((".venv", "build/"))}
    assert read, done.stderr
    assert {path for path in read if not path.startswith(INPUTS)} == set(), "not in the key"
    return done.stdout


@pytest.mark.torture
def test_what_is_compiled_again_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = libraries_for("amd64")
    for kept in (of_the_lock(), *CACHE.glob("headers-*"), *CACHE.glob("pygame-*")):
        (tmp_path / kept.name).symlink_to(kept)
    monkeypatch.setattr("sources.CACHE", tmp_path)
    again = libraries_for("amd64")
    assert again.parent == tmp_path
    files = {path.relative_to(first) for path in first.rglob("*") if path.is_file()}
    assert len([path for path in files if path.suffix == ".so"]) == OURS + OF_PYGAME
    assert files == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    for path in files:
        assert (first / path).read_bytes() == (again / path).read_bytes(), path


@pytest.mark.package
def test_a_table_has_no_laboratory(packages: Packages) -> None:
    _, table = packages.files
    done = subprocess.run(["dpkg-deb", "-c", table], check=True, capture_output=True, text=True)
    names = {line.split()[5].partition("/pi_table/")[2] for line in done.stdout.splitlines()}
    assert {"cli.py", "simulator/headless.py"} <= names
    assert not [name for name in names if name.startswith("lab/")]


def test_without_the_laboratory_the_other_commands_are_there(tmp_path: Path) -> None:
    for name in of_a_table():
        lay(TREE / name, tmp_path / name)
    # Without site, which knows a way to the files of this tree.
    path = os.pathsep.join([str(tmp_path), *(each for each in sys.path if "site-packages" in each)])
    environment = {"PYTHONPATH": path, "LANGUAGE": "en"}

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-S", "-P", "-m", "pi_table", *words]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    listed = {line.split()[0] for line in run("--help").stdout.splitlines() if line[:4] == "    "}
    assert listed == {*COMMANDS}
    assert run("play", "--explain", "codex").returncode == 0
    assert "is for developers" in run("gallery", "--out", "x").stderr


@pytest.mark.package
def test_lintian_has_nothing_to_say(packages: Packages) -> None:
    said = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning", *packages.files],
        capture_output=True,
        text=True,
    )
    assert (said.returncode, said.stdout) == (0, "")


@pytest.mark.package
def test_the_sums_are_those_of_the_files(packages: Packages) -> None:
    lines = (packages.folder / "SHA256SUMS").read_text().splitlines()
    summed = {line.split("  ")[1]: line.split("  ")[0] for line in lines}
    assert summed == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in packages.folder.glob("*.deb")
    }


@pytest.fixture
def archive_without_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive that refuses its index, as one that is being brought up to date; its packages of
    headers and of pygame are there, and are those that debian.txt names."""
    archive, known = tmp_path / "archive", tmp_path / "debian.txt"
    monkeypatch.setattr("sources.CACHE", tmp_path / "cache")
    monkeypatch.setattr("sources.KNOWN", known)
    monkeypatch.setattr("sources.debian_mirror", lambda: archive.as_uri())
    lines = []
    for wanted in (HEADERS, PYGAME):
        for python, suite in PYTHONS.items():
            name = wanted.package.format(python=python)
            stage = tmp_path / suite / name
            pool = archive / f"pool/main/p/{wanted.source.format(python=python)}"
            (stage / "DEBIAN").mkdir(parents=True)
            (stage / "DEBIAN/control").write_text(
                f"Package: {name}\nVersion: 1+{suite}\nArchitecture: armhf\n"
                "Maintainer: Nobody <nobody@localhost>\nDescription: made up\n"
            )
            (stage / "usr").mkdir()
            (stage / "usr/inside").write_text(f"{name} of {suite}")
            pool.mkdir(parents=True, exist_ok=True)
            file = pool / f"{name}_1+{suite}_armhf.deb"
            subprocess.run(["dpkg-deb", "-b", stage, file], check=True, capture_output=True)
            sha = hashlib.sha256(file.read_bytes()).hexdigest()
            lines.append(f"{sha}  {file.name}  {suite}\n")
    known.write_text("".join(lines))
    return archive


@pytest.mark.package
@pytest.mark.parametrize("wanted", [HEADERS, PYGAME], ids=["headers", "pygame"])
def test_packages_of_debian_are_found_by_their_hashes_while_the_archive_has_no_index(
    archive_without_index: Path, capsys: pytest.CaptureFixture[str], wanted: OfDebian
) -> None:
    folder = of_debian(wanted, "armhf")
    assert f"fetching {wanted.what} for armhf" in capsys.readouterr().out
    for python, suite in PYTHONS.items():
        there = (folder / python / "usr/inside").read_text()
        assert there == f"{wanted.package.format(python=python)} of {suite}"


@pytest.mark.package
def test_packages_of_debian_that_are_others_are_refused_and_nothing_is_kept(
    archive_without_index: Path, tmp_path: Path
) -> None:
    changed = next(archive_without_index.rglob("libpython3.13*.deb"))
    changed.write_bytes(changed.read_bytes() + b" ")
    with pytest.raises(RefusalError, match=r"3\.13.*is not the file that debian\.txt names"):
        of_debian(HEADERS, "armhf")
    changed.unlink()
    with pytest.raises(RefusalError, match=r"could not be fetched either"):
        of_debian(HEADERS, "armhf")
    assert not [*(tmp_path / "cache").iterdir()]


@pytest.mark.package
def test_every_machine_gets_modules_of_its_own_for_both_pythons(tmp_path: Path) -> None:
    for machine, kind in COMPILERS.items():
        modules = sorted(libraries_for(machine).rglob("*.so"))
        of_pygame = [module for module in modules if module.parent.name == "pygame"]
        assert (len(modules) - len(of_pygame), len(of_pygame)) == (OURS, OF_PYGAME)
        for module in modules:
            assert (
                kind
                in subprocess.run(
                    ["file", "--brief", module], check=True, capture_output=True, text=True
                ).stdout
            )


@pytest.mark.package
@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_gets_a_controller_of_its_own_and_again_the_same(
    machine: str, tmp_path: Path
) -> None:
    made = controller_for(machine)
    said = subprocess.run(
        ["file", "--brief", made], check=True, capture_output=True, text=True
    ).stdout
    assert COMPILERS[machine] in said
    assert "pie executable" in said
    assert said.rstrip().endswith(", stripped")
    for name in ("firmware", "hardware/wiring.csv"):
        source, target = TREE / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("build"))
        else:
            shutil.copy(source, target)
    again = made.relative_to(TREE / "firmware")
    subprocess.run(["make", "-s", "-C", tmp_path / "firmware", again], check=True)
    assert (tmp_path / "firmware" / again).read_bytes() == made.read_bytes()


@pytest.mark.package
def test_every_file_that_was_fetched_is_one_of_the_lock() -> None:
    text = LOCK.read_text("utf-8")
    fetched = [*of_the_lock().glob("*.whl"), *of_the_lock().glob("*.tar.gz")]
    assert len(fetched) == text.count("==")
    for file in fetched:
        assert f"sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}" in text
    assert of_the_lock().name == f"locked-{digest(LOCK.read_bytes())}"


@pytest.mark.package
def test_the_scripts_are_clean() -> None:
    folder = TREE / "systemd/package"
    files = [*folder.rglob("*"), *folder.parent.iterdir()]
    scripts = [path for path in files if path.is_file() and is_of_the_shell(path)]
    assert {"install.sh", "finish-update", "pi-table.postinst", "pi-table-libs.prerm"} | {
        *("keep-usb", "trust-usb", "usb-in-use")
    } <= {path.name for path in scripts}
    subprocess.run(["shellcheck", "--shell=sh", *scripts], check=True)


def is_of_the_shell(path: Path) -> bool:
    return path.read_bytes().startswith(b"#!/bin/sh")
