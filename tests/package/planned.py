"""Packages that apt would install on another machine, by Debian's lists. Nothing is installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, Self

from debian_root import TREE

sys.path.insert(0, str(TREE / "systemd/package"))

from sources import debian_mirror, digest, in_cache

LITE: Final = Path(__file__).with_name("raspberry_pi_os_lite.txt")
BASE: Final = ("?essential", "?priority(required)", "?priority(important)")
ALONE: Final = "--no-install-recommends"
OURS: Final = (ALONE, "-o", "APT::Install-Recommends-Sections::=games")
"""As install.sh has it."""
CONF: Final = """\
APT::Architecture "{machine}";
APT::Architectures {{ "{machine}"; }};
APT::Sandbox::User "root";
Acquire::GzipIndexes "true";
Acquire::Languages "none";
Dir::Cache "{folder}";
Dir::Etc::main "-";
Dir::Etc::parts "{folder}/parts";
Dir::Etc::preferencesparts "{folder}/parts";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "{folder}/parts";
Dir::State "{folder}";
Dir::State::lists "{lists}";
Dir::State::status "{folder}/status";
"""


class Brought(NamedTuple):
    """The packages of an installation."""

    names: frozenset[str]
    megabytes: float
    """On disk, as apt says."""


class Planned:
    """A machine of a release and an architecture: the packages that it has."""

    def __init__(self, suite: str, machine: str, folder: Path) -> None:
        """``folder`` is empty, and the machine's own; at first the machine has no package."""
        self._folder, self._machine = folder, machine
        self._status = folder / "status"
        self._status.touch()
        for each in ("archives/partial", "parts"):
            (folder / each).mkdir(parents=True)
        signed = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
        source = f"deb [{signed} arch={machine}] {debian_mirror()} {suite} main\n"
        (folder / "sources.list").write_text(source)
        self._configure(in_cache(f"lists-{suite}-{machine}", self._fetch))

    @classmethod
    def lite(cls, suite: str, machine: str, folder: Path) -> Self:
        """One that has Raspberry Pi OS Lite. What that is, is kept: apt plans it for long."""

        def plan(made: Path) -> None:
            with TemporaryDirectory() as scratch:
                listed = cls(suite, machine, Path(scratch))
                listed._have_lite(suite)
                shutil.copy(listed._status, made)

        lite = cls(suite, machine, folder)
        name = f"lite-{suite}-{machine}-{digest(LITE.read_bytes(), Path(__file__).read_bytes())}"
        shutil.copy(in_cache(name, plan) / "status", lite._status)
        return lite

    def _have_lite(self, suite: str) -> None:
        names: dict[bool, list[str]] = {True: [*BASE, "modemmanager-"], False: []}
        with_more = True
        for line in LITE.read_text("utf-8").splitlines():
            name, *only = line.split()
            if name == ALONE:
                with_more = False
            elif name != "#" and (not only or suite in only):
                names[with_more].append(name)
        self.have(*names[True])
        self.have(ALONE, *names[False])

    def have(self, *words: str) -> None:
        """Let it have these packages, and what they bring. Options of apt-get may come first."""
        planned = re.findall(r"^Inst (\S+) ", self._apt("apt-get", "-s", "install", *words), re.M)
        facts = self._apt("apt-cache", "show", "--no-all-versions", *planned)
        with self._status.open("a") as status:
            status.write(re.sub(r"(?m)^(Package: .+)$", r"\1\nStatus: install ok installed", facts))

    def brought(self, *words: str | Path) -> Brought:
        """Return the packages that install.sh would install for these packages and files."""
        said = self._apt("apt-get", "--print-uris", *OURS, "install", *words)
        names = re.search(r"NEW packages will be installed:\n((?: .+\n)+)", said)
        size = re.search(r"After this operation, ([\d.,]+) (kB|MB) of additional", said)
        if names is None or size is None:
            assert " 0 newly installed" in said, said
            return Brought(frozenset(), 0)
        megabytes = float(size[1].replace(",", "")) / (1000 if size[2] == "kB" else 1)
        return Brought(frozenset(names[1].split()), megabytes)

    def _fetch(self, lists: Path) -> None:
        (lists / "partial").mkdir()
        self._configure(lists)
        self._apt("apt-get", "update", "--error-on=any")

    def _configure(self, lists: Path) -> None:
        text = CONF.format(machine=self._machine, folder=self._folder, lists=lists)
        (self._folder / "apt.conf").write_text(text)

    def _apt(self, *words: str | Path) -> str:
        given = {**os.environ, "APT_CONFIG": str(self._folder / "apt.conf"), "LC_ALL": "C"}
        done = subprocess.run(words, capture_output=True, text=True, env=given)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout
