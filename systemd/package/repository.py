#!/usr/bin/env python3
"""Keeps a signed APT repository of the packages. `make repository` calls this program.

A repository is a folder that any web server can serve. Its folder `pool` has the packages of every
version that was ever added. Its folder `rings` has a file for each ring, with the versions that are
offered to tables of that ring. The other files (`dists`, the signatures, the keyring) are made from
`pool` and `rings` each time.

New files are made and signed in a separate folder, and moved into the repository when all of them
are complete. So a command that fails, or that gpg refuses to sign, changes nothing.
"""

import argparse
import fcntl
import hashlib
import lzma
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from tempfile import TemporaryDirectory

from signing import THROW_AWAY, Signer, signer
from sources import MACHINES, RefusalError, run

PACKAGES = ("pi-table", "pi-table-libs")
FIRST, LAST = RINGS = ("early", "stable")
"""Names of the rings. A new version is added to the first ring, and later promoted to the last. APT
calls a ring a suite."""
VALID_DAYS = 90
"""Days for which tables accept a signature. An attacker between tables and server can hide a new
version for at most that long."""
KEYRING = "pi-table-archive-keyring.gpg"
SOURCES = "pi-table.sources"
DAYS = "valid-days"
"""Name of the file with the number of days for which signatures are valid. The file exists only if
an operator has chosen the number."""
MACHINES_AND_ALL = ("all", *MACHINES)
FTPARCHIVE = "APT::FTPArchive"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the repository")
    parser.add_argument("--key", default="", help="fingerprints; none: a throw-away key is made")
    parser.add_argument("--url", help="where tables find the repository; it is remembered")
    parser.add_argument(
        "--valid-days",
        type=int,
        help=f"tables refuse what was signed longer ago ({VALID_DAYS}); 0: never; it is remembered",
    )
    what = parser.add_subparsers(required=True, dest="what")
    what.add_parser("add", help="new packages").add_argument("packages", type=Path)
    what.add_parser("promote", help="a version, for every table").add_argument("version")
    what.add_parser("withdraw", help="a version, from all rings").add_argument("version")
    what.add_parser("sign", aliases=["renew"], help="sign all again, for as many days")
    what.add_parser("list", help="the versions of each ring")
    given = parser.parse_args()
    os.umask(0o022)
    try:
        if given.what == "list":
            repository = Repository(given.folder)
            for ring in RINGS:
                print(f"{ring}: {' '.join(repository.versions(ring)) or 'none'}")
            return 0
        keys = tuple(given.key.split())
        with alone_in(given.folder), signer(keys, given.folder, given.folder / KEYRING) as signing:
            repository = Repository(given.folder)
            if given.what == "add":
                repository.add(given.packages)
            elif given.what == "promote":
                repository.promote(given.version)
            elif given.what == "withdraw":
                repository.withdraw(given.version)
            until = repository.publish(signing, given.url, given.valid_days)
            print(f"{given.folder} is signed by {' '.join(signing.keys)}.")
            if until:
                print(f"Tables accept it until {until}: sign it again before.")
            else:
                print("Tables accept it for ever: --valid-days sets a limit.")
        if not given.key:
            print(f"This is a {THROW_AWAY}: name your own with --key, or KEY=…")
    except RefusalError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Return a context manager that locks a repository against other commands. A missing repository
    is made.

    The lock is needed because each command reads and writes the whole repository. Raises
    RefusalError if another command holds the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusalError(
                f"Another command is at work in {folder}: run this one again when that has ended. "
                "Nothing was changed."
            ) from None
        yield
    finally:
        os.close(descriptor)


class Repository:
    """An APT repository in a folder; the folder may be empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rings = {ring: {*self._read(f"rings/{ring}").split()} for ring in RINGS}
        self._added: list[Path] = []

    def versions(self, ring: str) -> list[str]:
        """Return the versions that are offered to a ring, oldest first."""
        return sorted(self._rings[ring], key=lambda each: [*map(int, re.findall("[0-9]+", each))])

    def add(self, packages: Path) -> None:
        """Add the packages in a folder, all of one version, to the first ring.

        Raises RefusalError in three cases: the packages have several versions; the package with the
        code or every package with libraries is missing; or the version exists with other packages,
        which tables may already have. For each kind of machine without its libraries, a warning is
        printed: its tables could not fetch that version.
        """
        files = sorted(packages.glob("*.deb"))
        versions = {run("dpkg-deb", "--field", file, "Version").strip() for file in files}
        if len(versions) != 1:
            raise RefusalError(f"{packages} has packages of {len(versions)} versions, not of one.")
        (version,) = versions
        if not {f"pi-table_{version}_all.deb"} < {file.name for file in files}:
            raise RefusalError(f"{packages} lacks packages of {version}: run make deb again.")
        for file in files:
            there = self.folder / "pool" / file.name
            if there.exists() and there.read_bytes() != file.read_bytes():
                raise RefusalError(
                    f"{there} is another package of that version, which tables may have: give "
                    "this one a version of its own."
                )
        libraries = {machine: f"pi-table-libs_{version}_{machine}.deb" for machine in MACHINES}
        lacking = [each for each, name in libraries.items() if not (packages / name).exists()]
        if lacking:
            print(
                f"Tables of {', '.join(lacking)} cannot have {version}: {packages} has no "
                "pi-table-libs for them. 'make deb' makes those of all machines.",
                file=sys.stderr,
            )
        self._added = files
        self._rings[FIRST].add(version)

    def promote(self, version: str) -> None:
        """Offer a version of the first ring to every table. Raises RefusalError if the first ring
        does not have the version."""
        if version not in self.versions(FIRST):
            known = ", ".join(self.versions(FIRST)) or "none"
            raise RefusalError(f"The ring {FIRST} has no {version}; it has: {known}.")
        self._rings[LAST].add(version)

    def withdraw(self, version: str) -> None:
        """Stop offering a version to tables. Raises RefusalError if no ring has the version."""
        if not any(version in ring for ring in self._rings.values()):
            raise RefusalError(f"No ring has {version}.")
        for ring in self._rings.values():
            ring.discard(version)

    def publish(self, signing: Signer, url: str | None, valid_days: int | None) -> str:
        """Make, sign and publish the files for tables: the indexes of each ring and their
        signature, the keyring, and the file that subscribes a table.

        ``url`` is the repository's address for tables; None keeps the earlier address, or uses the
        path of this folder. ``valid_days`` is the number of days for which a signature is valid: 0
        means forever, None keeps the earlier number, or uses `VALID_DAYS`.

        Return the time at which the signature expires, "" for never. If that time is in the past,
        or if signing fails, RefusalError is raised and nothing has changed.
        """
        days = int(self._read(DAYS) or VALID_DAYS) if valid_days is None else valid_days
        signed = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        until = signed + days * 24 * 3600
        if days and until <= time.time():
            raise RefusalError(
                f"What is signed as of {formatdate(signed, usegmt=True)} holds for {days} days, "
                "which are over: say --valid-days, or unset SOURCE_DATE_EPOCH."
            )
        limit = formatdate(until, usegmt=True) if days else ""
        with TemporaryDirectory(dir=self.folder, prefix=".new.") as scratch:
            new = Path(scratch)
            for file in self._added:
                write(new / "pool" / file.name, file.read_bytes())
            stanzas = self._stanzas(new)
            for ring in RINGS:
                versions = self.versions(ring)
                write(new / "rings" / ring, "".join(f"{each}\n" for each in versions).encode())
                suite = new / "dists" / ring
                lay_indexes(suite, stanzas, versions)
                lay_release(suite, signed, limit)
                signing.sign(suite / "Release", suite / "InRelease", suite / "Release.gpg")
            signing.export(new / KEYRING)
            if valid_days is not None:
                write(new / DAYS, f"{days}\n".encode())
            if url is not None or not (self.folder / SOURCES).exists():
                write(new / SOURCES, self._sources(url).encode())
            # In reverse order of names: packages and indexes before the signature that names them.
            for file in sorted(new.rglob("*"), reverse=True):
                if file.is_file():
                    target = self.folder / file.relative_to(new)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    file.replace(target)
        return limit

    def _sources(self, url: str | None) -> str:
        return (
            f"Types: deb\nURIs: {url or f'file:{self.folder.resolve()}'}\n"
            f"Suites: {LAST}\nComponents: main\nSigned-By: /etc/apt/keyrings/{KEYRING}\n"
        )

    def _stanzas(self, new: Path) -> list[str]:
        """Return the index entries of the packages in two pools: this repository's pool, and the
        pool in the folder ``new``."""
        found = set()
        for folder in (self.folder, new):
            if (folder / "pool").exists():
                text = run("apt-ftparchive", *NO_OLD_HASHES, "packages", "pool", cwd=folder)
                found |= {f"{each}\n" for each in text.strip().split("\n\n") if each}
        return sorted(found)

    def _read(self, name: str) -> str:
        path = self.folder / name
        return path.read_text("utf-8") if path.exists() else ""


NO_OLD_HASHES = [f"-o{FTPARCHIVE}::{name}=false" for name in ("MD5", "SHA1")]
OF_INDEXES = [
    f"-o{FTPARCHIVE}::Release::Default-Patterns=false",
    *(f"-o{FTPARCHIVE}::Release::Patterns::={name}" for name in ("Packages", "Packages.xz")),
]
"""Options that make apt-ftparchive write only hashes of index files to a Release file. By default,
it would also write a hash of the previous Release file."""


def write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def field(stanza: str, name: str) -> str:
    found = re.search(f"^{name}: (.+)$", stanza, re.MULTILINE)
    return found[1] if found else ""


def lay_indexes(suite: Path, stanzas: list[str], versions: list[str]) -> None:
    """Write the indexes of a ring with these versions, plain and compressed. Each index is also
    written under a name that is its hash.

    Old indexes keep these names: a table that has read the previous signature still requests them.
    """
    for machine in MACHINES_AND_ALL:
        mine = (each for each in stanzas if field(each, "Architecture") == machine)
        plain = "\n".join(each for each in mine if field(each, "Version") in versions).encode()
        folder = suite / "main" / f"binary-{machine}"
        for name, content in (("Packages", plain), ("Packages.xz", lzma.compress(plain))):
            write(folder / name, content)
            write(folder / "by-hash/SHA256" / hashlib.sha256(content).hexdigest(), content)


def lay_release(suite: Path, signed: int, limit: str) -> None:
    """Write the Release file of a ring, with the hashes of its indexes.

    ``signed`` is the time of signing in seconds since 1970. ``limit`` is the time at which the
    signature expires, as text; "" means never.
    """
    facts = {
        "Origin": "pi-table",
        "Label": "pi-table",
        "Suite": suite.name,
        "Codename": suite.name,
        "Architectures": " ".join(MACHINES_AND_ALL),
        "Components": "main",
        "Acquire-By-Hash": "yes",
        "Date": formatdate(signed, usegmt=True),
    }
    options = [f"-o{FTPARCHIVE}::Release::{name}={fact}" for name, fact in facts.items()]
    text = run("apt-ftparchive", *options, *OF_INDEXES, *NO_OLD_HASHES, "release", suite)
    if limit:  # not by apt-ftparchive, which counts from the present time
        text = f"Valid-Until: {limit}\n{text}"
    write(suite / "Release", text.encode())


if __name__ == "__main__":
    sys.exit(main())
