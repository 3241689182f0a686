"""The table's packages: functions to find, fetch, install and roll back versions.

Debian's own programs do all the work. Fetched packages are stored in folders of the table. With
these packages, ``finish-update`` completes an update that a power cut interrupted, and the previous
version can be restored without a network. The packages of the last good version are kept, because
package sources may no longer have them when the next version fails.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.files import sync_folder, write_whole
from pi_table.common.language import say, to_json
from pi_table.fleet.updating.asking import NOTHING_HEALTHY, TableHealth

NAMES: Final = ("pi-table-libs", "pi-table")
HOME: Final = Path("/usr/lib/pi-table")
OF_DPKG: Final = Path("/var/lib/dpkg/updates")
"""Folder with changes that dpkg's list of packages does not have yet. After an interruption,
numbered files remain; apt installs nothing until dpkg has processed them."""
MARK: Final = HOME / "update-to-be-finished"
FINISH: Final = HOME / "finish-update"
CACHE: Final = Path("/var/cache/pi-table")
NEW: Final = CACHE / "update"
BEFORE: Final = CACHE / "before"
"""Folder with the packages of the previous version while the new version is on trial."""
CURRENT: Final = CACHE / "current"
"""Folder with the packages of the installed version, if an update installed them."""
HEALTH_FILE: Final = "fares.json"
"""Name of a file beside a version's packages. It stores the table's health with that version."""
PREFERENCES: Final = Path("/etc/apt/preferences.d")
CHECK_SECONDS: Final = 120.0
"""Timeout in seconds for the check whether a new version can update the table."""
ENVIRONMENT: Final = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
KEEP_WHAT_THE_HOUSE_CHANGED: Final = ("--force-confdef", "--force-confold")
SPARING: Final = ("-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=")
"""Options that make apt's programs keep the package index in memory. Without them, apt-get update
writes the index to disk each time, even if nothing is new: 74 MB for Debian's main archive, twice
an hour."""
APT: Final = (
    *("apt-get", *SPARING, "-q", "-y", "--no-remove", "-o", "DPkg::Lock::Timeout=300"),
    # Install recommended packages only of pi-table, which its section identifies. Those of its
    # libraries would be a whole desktop.
    *("--no-install-recommends", "-o", "APT::Install-Recommends-Sections::=games"),
    *(word for each in KEEP_WHAT_THE_HOUSE_CHANGED for word in ("-o", f"Dpkg::Options::={each}")),
)


class Packages:
    """The table's packages on this machine. Every change needs root."""

    def installed_version(self) -> str | None:
        """Return the version that is installed or half installed; None if pi-table is not
        installed."""
        return _policy("Installed")

    def refresh_sources(self) -> bool:
        """Refresh the package sources; return True if each answered with a valid signature."""
        return _run("apt-get", *SPARING, "-qq", "--error-on=any", "update")

    def newer(self) -> str | None:
        """Return the version that apt would install; None if that version is already installed, or
        if apt must hold the present version."""
        if {*NAMES} & {*_output_of(["apt-mark", *SPARING, "showhold"]).split()}:
            return None
        candidate = _policy("Candidate")
        return None if candidate == self.installed_version() else candidate

    def is_interrupted(self) -> bool:
        """True if a power cut interrupted the installation of any packages."""
        if MARK.exists() or any(OF_DPKG.glob("[0-9]*")):
            return True
        command = ["dpkg-query", "--show", "--showformat=${db:Status-Status}\n", *NAMES]
        return {*_output_of(command).split()} != {"installed"}

    def finish(self) -> bool:
        """Complete an interrupted installation; return True if that succeeded."""
        return _run(FINISH) and not self.is_interrupted()

    def fetch(self, version: str, before: str | None) -> bool:
        """Fetch a version with its dependencies. Also fetch the previous version ``before``, unless
        that is stored here.

        Return True if ``before`` is available. Raises TableError if the new version is not
        available.
        """
        if not _download(version, NEW):
            raise TableError(
                say(
                    "pi-table {version} could not be fetched, and nothing has changed: the "
                    "messages of apt-get are above.",
                    version=version,
                )
            )
        if not _run(*APT, "--download-only", "install", *_files(NEW)):
            raise TableError(
                say(
                    "What pi-table {version} needs could not be fetched, and nothing has "
                    "changed: the messages of apt-get are above.",
                    version=version,
                )
            )
        if before is None:
            return False
        return _link_stored(before, _aside(BEFORE)) or _download(before, _aside(BEFORE))

    def begin_trial(self, health: TableHealth) -> None:
        """Begin a trial: from now on, the previous version is restored if the table does not come
        up. ``health`` is the table's health with the previous version."""
        write_whole(_aside(BEFORE) / HEALTH_FILE, [to_json(health)])
        shutil.rmtree(BEFORE, ignore_errors=True)
        _aside(BEFORE).rename(BEFORE)
        sync_folder(CACHE)

    def fallback_version(self) -> str | None:
        """Return the version to restore if the table does not come up; None without a trial."""
        return next(iter(_versions(BEFORE)), None)

    def health_before(self) -> TableHealth:
        """Return the table's health with the previous version, as far as it is known."""
        try:
            return msgspec.json.decode((BEFORE / HEALTH_FILE).read_bytes(), type=TableHealth)
        except (OSError, ValueError):
            return NOTHING_HEALTHY

    def end_trial(self) -> None:
        """End the trial, and keep the packages of the installed version."""
        installed = self.installed_version()
        for folder in (BEFORE, NEW):
            if _versions(folder) == {installed}:
                (folder / HEALTH_FILE).unlink(missing_ok=True)
                shutil.rmtree(CURRENT, ignore_errors=True)
                folder.rename(CURRENT)
                sync_folder(CACHE)
                break
        for folder in (BEFORE, _aside(BEFORE), NEW):
            shutil.rmtree(folder, ignore_errors=True)

    def can_update(self) -> bool:
        """True if the installed version could install a later version."""
        return _run("pi-table", "update", "--check", seconds=CHECK_SECONDS)

    def install(self) -> bool:
        """Install the fetched packages, even over a half installed version; True on success."""
        return _run(*APT, "install", "--reinstall", *_files(NEW))

    def roll_back(self) -> bool:
        """Install the packages of the previous version; return True on success."""
        return _run("dpkg", *KEEP_WHAT_THE_HOUSE_CHANGED, "--install", *_files(BEFORE))

    def block_version(self, version: str) -> None:
        """Configure apt never to install this version again."""
        path = PREFERENCES / f"pi-table-not-{re.sub('[^A-Za-z0-9.-]', '_', version)}.pref"
        text = (
            f"# pi-table {version} was not kept on this table, and the version before was put\n"
            "# back: the log says why. Where this file is taken away, it is tried again.\n"
            f"Package: {' '.join(NAMES)}\nPin: version {version}\nPin-Priority: -1\n"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [text.encode()], 0o644)


def _versions(folder: Path) -> set[str]:
    return {path.name.split("_")[1] for path in _files(folder)}


def _link_stored(version: str, folder: Path) -> bool:
    """Link a version's stored packages into a folder; return True if all are intact."""
    shutil.rmtree(folder, ignore_errors=True)
    files = _files(CURRENT)
    if _versions(CURRENT) != {version} or len(files) != len(NAMES):
        return False
    if not all(_can_be_unpacked(path) for path in files):
        return False
    folder.mkdir(parents=True)
    for path in files:
        os.link(path, folder / path.name)
    sync_folder(folder)
    return True


def _can_be_unpacked(package: Path) -> bool:
    """True if a package file can be unpacked. Unpacking checks the file's checksum."""
    command: list[str | Path] = ["dpkg-deb", "--fsys-tarfile", package]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def _download(version: str, folder: Path) -> bool:
    """Download a version's packages without dependencies; return True on success."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with suppress(LookupError, PermissionError):  # apt downloads as this user, if it exists
        shutil.chown(folder, "_apt")
    names = (f"{name}={version}" for name in NAMES)
    fetched = _run("apt-get", *SPARING, "-q", "download", *names, cwd=folder)
    shutil.chown(folder, "root", "root")  # from now on, only root can add or rename files in it
    for path in folder.iterdir():
        if not path.is_file() or path.is_symlink():  # not made by apt: never follow it
            raise TableError(
                say(
                    "{path} is not a file that apt-get has fetched. Nothing was installed.",
                    path=path,
                )
            )
        shutil.chown(path, "root", "root")
    if fetched:
        for path in folder.iterdir():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
        sync_folder(folder)
    return fetched


def _aside(folder: Path) -> Path:
    return folder.with_suffix(".new")


def _files(folder: Path) -> list[Path]:
    """Return the paths of the table's packages in a folder, in the order of unpacking."""
    return sorted(folder.glob("*.deb"))


def _policy(line: str) -> str | None:
    """Return `apt-cache policy`'s version for ``Installed`` or ``Candidate``; None if it shows no
    version."""
    told = _output_of(["apt-cache", *SPARING, "policy", "pi-table"])
    found = re.search(rf"^ +{line}: (\S+)$", told, re.MULTILINE)
    return None if found is None or found[1] == "(none)" else found[1]


def _output_of(command: Sequence[str]) -> str:
    """Return the output of a read-only command. Raises TableError if the command is missing."""
    try:
        done = subprocess.run(
            command, env=os.environ | ENVIRONMENT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise TableError(
            say(
                "There is no {command} here: packages can be updated only on Debian and its "
                "derivatives.",
                command=command[0],
            )
        ) from None
    return done.stdout


def _run(*command: str | Path, cwd: Path | None = None, seconds: float | None = None) -> bool:
    """Run a command, showing its output; return True if it succeeds within this many seconds."""
    try:
        done = subprocess.run(
            command,
            env=os.environ | ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            cwd=cwd,
            timeout=seconds,
            check=False,
        )
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return False
    return done.returncode == 0
