"""The packages of the table: which are there, how they are fetched, installed, and put back.

Everything is done by Debian's own programs. What they fetch for us lies in folders of our own, from
where ``finish-update`` finishes what the power cut short, and the version before can be put back
without a network. Those of the version that was found good last stay, for no source may have them
any more on the day on which the next one is not good.
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
from pi_table.common.language import in_english, say
from pi_table.fleet.updating.asking import NOTHING_WELL, Fares

NAMES: Final = ("pi-table-libs", "pi-table")
HOME: Final = Path("/usr/lib/pi-table")
OF_DPKG: Final = Path("/var/lib/dpkg/updates")
"""Where dpkg keeps what it has not yet entered into its list: files named by numbers, which stay
where it was interrupted. apt installs nothing until dpkg has dealt with them."""
MARK: Final = HOME / "update-to-be-finished"
FINISH: Final = HOME / "finish-update"
CACHE: Final = Path("/var/cache/pi-table")
NEW: Final = CACHE / "update"
BEFORE: Final = CACHE / "before"
"""The packages of the version before, while the new one has not proved itself."""
CURRENT: Final = CACHE / "current"
"""The packages of the version that was installed last, as far as we installed it."""
FARES: Final = "fares.json"
"""Beside those packages: how the table fared with them."""
PREFERENCES: Final = Path("/etc/apt/preferences.d")
CHECK_SECONDS: Final = 120.0
"""For so long a version may think about whether it can update the table."""
ENVIRONMENT: Final = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
KEEP_WHAT_THE_HOUSE_CHANGED: Final = ("--force-confdef", "--force-confold")
SPARING: Final = ("-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=")
"""Options of each apt program, by which it keeps its index of all packages in memory. apt-get
update writes that to the disk each time, also where nothing is new: 74 MB for Debian's main
archive, twice an hour."""
APT: Final = (
    *("apt-get", *SPARING, "-q", "-y", "--no-remove", "-o", "DPkg::Lock::Timeout=300"),
    # Of recommended packages only those of pi-table, by its section: its libraries' are a desktop.
    *("--no-install-recommends", "-o", "APT::Install-Recommends-Sections::=games"),
    *(word for each in KEEP_WHAT_THE_HOUSE_CHANGED for word in ("-o", f"Dpkg::Options::={each}")),
)


class Packages:
    """The packages of this machine. All that changes something takes root."""

    def installed(self) -> str | None:
        """The version that is installed, or was about to be; None: none is."""
        return _policy("Installed")

    def ask_anew(self) -> bool:
        """Ask the package sources what they have. Did each answer, with a signature that holds?"""
        return _done("apt-get", *SPARING, "-qq", "--error-on=any", "update")

    def newer(self) -> str | None:
        """The version that the package sources are known to have for this table; None: they have
        none but what is installed, or that is held."""
        if {*NAMES} & {*_told(["apt-mark", *SPARING, "showhold"]).split()}:
            return None
        candidate = _policy("Candidate")
        return None if candidate == self.installed() else candidate

    def is_cut_short(self) -> bool:
        """Is there an update that is to be finished, because the power went in the middle? It may
        be one of other packages, what the table needs or what somebody brought by hand."""
        if MARK.exists() or any(OF_DPKG.glob("[0-9]*")):
            return True
        command = ["dpkg-query", "--show", "--showformat=${db:Status-Status}\n", *NAMES]
        return {*_told(command).split()} != {"installed"}

    def finish(self) -> bool:
        """Finish such an update. Was it done?"""
        return _done(FINISH) and not self.is_cut_short()

    def fetch(self, version: str, before: str | None) -> bool:
        """Fetch a version with what it needs, and the one before where it is not kept, so that it
        can be put back.

        Answers whether the latter is there too. Raises TableError if the former cannot be fetched.
        """
        if not _download(version, NEW):
            raise TableError(
                say(
                    "pi-table {version} could not be fetched, and nothing has changed: what "
                    "apt-get says stands above.",
                    version=version,
                )
            )
        if not _done(*APT, "--download-only", "install", *_files(NEW)):
            raise TableError(
                say(
                    "What pi-table {version} needs could not be fetched, and nothing has "
                    "changed: what apt-get says stands above.",
                    version=version,
                )
            )
        if before is None:
            return False
        return _kept(before, _aside(BEFORE)) or _download(before, _aside(BEFORE))

    def begin_trial(self, fares: Fares) -> None:
        """From now on, the version before is put back if the table does not come up. ``fares``: how
        the table fares with that one."""
        write_whole(_aside(BEFORE) / FARES, [msgspec.json.encode(fares, enc_hook=in_english)])
        shutil.rmtree(BEFORE, ignore_errors=True)
        _aside(BEFORE).rename(BEFORE)
        sync_folder(CACHE)

    def on_trial(self) -> str | None:
        """The version that is put back if the table does not come up; None: no trial is on."""
        return next(iter(_versions(BEFORE)), None)

    def fared(self) -> Fares:
        """How the table fared with the version before, as far as that is known."""
        try:
            return msgspec.json.decode((BEFORE / FARES).read_bytes(), type=Fares)
        except (OSError, ValueError):
            return NOTHING_WELL

    def end_trial(self) -> None:
        """The table has proved itself, or nothing more can be done for it. The packages of the
        version that is installed stay."""
        installed = self.installed()
        for folder in (BEFORE, NEW):
            if _versions(folder) == {installed}:
                (folder / FARES).unlink(missing_ok=True)
                shutil.rmtree(CURRENT, ignore_errors=True)
                folder.rename(CURRENT)
                sync_folder(CACHE)
                break
        for folder in (BEFORE, _aside(BEFORE), NEW):
            shutil.rmtree(folder, ignore_errors=True)

    def can_update(self) -> bool:
        """Can the version that is installed bring the next one, or would it be the last?"""
        return _done("pi-table", "update", "--check", seconds=CHECK_SECONDS)

    def install(self) -> bool:
        """Install what was fetched, also where it is what was being installed. Was it done?"""
        return _done(*APT, "install", "--reinstall", *_files(NEW))

    def put_back(self) -> bool:
        """Install the version before. Was it done?"""
        return _done("dpkg", *KEEP_WHAT_THE_HOUSE_CHANGED, "--install", *_files(BEFORE))

    def remember_as_bad(self, version: str) -> None:
        """Have apt never install a version again."""
        path = PREFERENCES / f"pi-table-not-{re.sub('[^A-Za-z0-9.-]', '_', version)}.pref"
        text = (
            f"# pi-table {version} was not kept on this table, and the version before was put\n"
            "# back: the log says why. Where this file is taken away, it is tried again.\n"
            f"Package: {' '.join(NAMES)}\nPin: version {version}\nPin-Priority: -1\n"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [text.encode()], 0o644)


def _versions(folder: Path) -> set[str]:
    """The versions of our packages in a folder."""
    return {path.name.split("_")[1] for path in _files(folder)}


def _kept(version: str, folder: Path) -> bool:
    """Lay the packages of that version into a folder of their own, if they are kept whole."""
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
    """Has the card kept what a package holds? Its compression has a checksum."""
    command: list[str | Path] = ["dpkg-deb", "--fsys-tarfile", package]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def _download(version: str, folder: Path) -> bool:
    """Fetch our packages of that version, and nothing else, into a folder of their own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with suppress(LookupError, PermissionError):  # apt fetches as this user, where there is one
        shutil.chown(folder, "_apt")
    names = (f"{name}={version}" for name in NAMES)
    fetched = _done("apt-get", *SPARING, "-q", "download", *names, cwd=folder)
    shutil.chown(folder, "root", "root")  # nobody else changes its names from now on
    for path in folder.iterdir():
        if not path.is_file() or path.is_symlink():  # apt fetches none: it is not followed
            raise TableError(
                say("{path} is no file that apt-get has fetched. Nothing was installed.", path=path)
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
    """Our packages in a folder, in the order in which they are unpacked."""
    return sorted(folder.glob("*.deb"))


def _policy(line: str) -> str | None:
    """What apt knows of the package: the version that is ``Installed``, or the ``Candidate``."""
    told = _told(["apt-cache", *SPARING, "policy", "pi-table"])
    found = re.search(rf"^ +{line}: (\S+)$", told, re.MULTILINE)
    return None if found is None or found[1] == "(none)" else found[1]


def _told(command: Sequence[str]) -> str:
    """What a command says that only looks. Raises TableError where it is not there."""
    try:
        done = subprocess.run(
            command, env=_environment(), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise TableError(
            say(
                "There is no {command} here: packages are updated on Debian and what is made of "
                "it.",
                command=command[0],
            )
        ) from None
    return done.stdout


def _done(*command: str | Path, cwd: Path | None = None, seconds: float | None = None) -> bool:
    """Run a command, whose words go where ours go. Did it succeed, within so many seconds?"""
    try:
        done = subprocess.run(
            command,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            cwd=cwd,
            timeout=seconds,
            check=False,
        )
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return False
    return done.returncode == 0


def _environment() -> dict[str, str]:
    return {**os.environ, **ENVIRONMENT}
