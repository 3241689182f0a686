"""A maker's own keys, by GnuPG: forgotten, changed, and with a passphrase."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from subscribed import KEYRING, REPOSITORY

pytestmark = pytest.mark.package


class Maker(NamedTuple):
    """Somebody who makes repositories, with a home and keys of their own."""

    environment: dict[str, str]
    old: str
    new: str
    with_passphrase: str

    def says(self, folder: Path, key: str, *words: str | Path, status: int = 0) -> str:
        """Return the program's output about the repository in ``folder``; it has no terminal."""
        done = subprocess.run(
            [sys.executable, REPOSITORY, "--key", key, folder, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment,
            start_new_session=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def maker() -> Iterator[Maker]:
    with TemporaryDirectory(prefix="maker.", dir="/tmp") as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8"}
        (Path(home) / ".gnupg").mkdir(mode=0o700)
        gpg = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback"]
        for name, passphrase in (("old", ""), ("new", ""), ("other", "long and secret")):
            made = [*gpg, "--passphrase", passphrase, "--quick-generate-key", name]
            subprocess.run([*made, "ed25519", "sign", "never"], env=environment, check=True)
        # The agent remembers the passphrase of a key that it has made.
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=environment, check=True)
        listed = subprocess.run(
            [*gpg, "--with-colons", "--list-keys"], env=environment, capture_output=True, text=True
        ).stdout
        try:
            yield Maker(environment, *re.findall("^fpr:+([0-9A-F]{40}):", listed, re.MULTILINE))
        finally:
            subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=environment, check=True)


@pytest.fixture(scope="module")
def empty_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages with nothing in them but their names."""
    folder = tmp_path_factory.mktemp("packages")
    for name, machine in (("pi-table", "all"), ("pi-table-libs", "amd64")):
        control = folder / "made/DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text(
            f"Package: {name}\nVersion: 1.0\nArchitecture: {machine}\n"
            "Maintainer: nobody <nobody@example.org>\nDescription: nothing\n"
        )
        command: list[str | Path] = ["dpkg-deb", "-b", "-Znone", "--root-owner-group"]
        packed = [*command, folder / "made", folder]
        subprocess.run(packed, check=True, capture_output=True)
        shutil.rmtree(folder / "made")
    return folder


@pytest.fixture
def served(maker: Maker, tmp_path: Path) -> Path:
    """A repository whose tables trust the old key."""
    maker.says(tmp_path / "served", maker.old, "sign")
    return tmp_path / "served"


def files(*folders: str | Path) -> dict[Path, bytes]:
    """Every file and folder below these, with what is in it."""
    return {
        path: path.read_bytes() if path.is_file() else b""
        for folder in folders
        for path in Path(folder).rglob("*")
    }


@pytest.mark.parametrize("is_forgotten", [True, False], ids=["no key", "another key"])
def test_a_key_that_tables_do_not_trust_signs_nothing(
    maker: Maker, served: Path, empty_packages: Path, is_forgotten: bool
) -> None:
    state = Path(maker.environment["HOME"]) / ".local"
    before = files(served, state)
    key = "" if is_forgotten else maker.new
    for words in (("add", empty_packages), ("promote", "1.0"), ("withdraw", "1.0"), ("sign",)):
        said = maker.says(served, key, *words, status=1)
        assert f"tables trust {maker.old}, by {served / KEYRING}" in said
        assert f"signed by {key or 'a throw-away key'}" in said
        assert files(served, state) == before


def test_another_key_takes_over_by_way_of_both(maker: Maker, served: Path) -> None:
    maker.says(served, f"{maker.old} {maker.new}", "sign")
    told = subprocess.run(
        ["gpgv", "--keyring", served / KEYRING, served / "dists/early/InRelease"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert told.count("Good signature") == 2
    maker.says(served, maker.new.lower(), "sign")
    assert "which they refuse" in maker.says(served, maker.old, "sign", status=1)
    # A lost key is given up on purpose.
    (served / KEYRING).unlink()
    maker.says(served, maker.old, "sign")


def test_a_key_whose_passphrase_nobody_can_be_asked_for_changes_nothing(
    maker: Maker, empty_packages: Path, served: Path
) -> None:
    both = f"{maker.old} {maker.with_passphrase}"
    before = files(served)
    for words in (("add", empty_packages), ("--valid-days", "7", "--url", "x", "sign")):
        said = maker.says(served, both, *words, status=1)
        assert "export GPG_TTY=$(tty)" in said
        assert files(served) == before


def test_two_commands_at_once_do_not_lose_what_either_did(
    maker: Maker, served: Path, empty_packages: Path
) -> None:
    before = files(served)
    first = os.open(served, os.O_RDONLY)  # the folder itself, as every command does
    fcntl.flock(first, fcntl.LOCK_EX)
    said = maker.says(served, maker.old, "add", empty_packages, status=1)
    assert f"Another command is at work in {served}" in said
    assert "early" in maker.says(served, maker.old, "list")
    assert files(served) == before
    os.close(first)
    maker.says(served, maker.old, "add", empty_packages)


def test_a_key_is_named_by_its_fingerprint(maker: Maker, served: Path) -> None:
    assert "old is no fingerprint" in maker.says(served, "old", "sign", status=1)
