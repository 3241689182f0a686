"""What the packages are made from besides this tree: other people's files, each fetched once into a
cache, where `machines` of the package are those of Debian: amd64, arm64, armhf."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
LOCK = ROOT / ".ci/requirements-package.txt"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pi-table/package"

MACHINES = {
    "amd64": "x86_64-linux-gnu",
    "arm64": "aarch64-linux-gnu",
    "armhf": "arm-linux-gnueabihf",
}
"""Each machine, and its name in the names of compilers and of compiled modules."""

PYTHONS = {"3.11": "bookworm", "3.13": "trixie"}
"""Each Python that the packages serve, and the release of Debian that has it."""

COMPILED = ("lgpio", "msgspec", "rpi-ws281x")
"""What is compiled from its source; everything else in the lock is pure Python, and a wheel."""

READERS = ("packaging", "setuptools", "setuptools-scm", "vcs-versioning")
"""What pip needs to look at those sources; nothing of it goes into a package."""


class RefusalError(Exception):
    """A sentence: what is missing, and what to do."""


def of_the_lock() -> Path:
    """The folder with the files that the lock names, each with a hash that stands there."""
    return kept(f"locked-{digest(LOCK.read_bytes())}", _download)


def headers() -> Path:
    """The folder with Python's C headers: PYTHON/MACHINE/usr/include."""
    return kept(f"headers-{'-'.join(PYTHONS)}", _unpack_headers)


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in the cache; it is made if it is not there, whole or not at all."""
    folder = CACHE / name
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=CACHE, prefix=f"{name}.", ignore_cleanup_errors=True) as half:
            make(Path(half))
            with suppress(OSError):  # where another has been quicker, theirs is as good
                Path(half).rename(folder)
    return folder


def digest(*contents: bytes) -> str:
    """A short name for what something is made from."""
    return hashlib.sha256(b"".join(contents)).hexdigest()[:16]


def run(*command: str | Path, **options: object) -> str:
    """What a command writes. Raises RefusalError, with what it says, if it fails or is missing."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, capture_output=True, text=True, **options)  # type: ignore
    except FileNotFoundError:
        raise RefusalError(
            f"There is no {words[0]} here. '.ci/setup.sh package' installs what is needed."
        ) from None
    if done.returncode:
        raise RefusalError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def wheel_of(folder: Path, name: str) -> Path:
    """The file of that project among those of the lock."""
    found = [*folder.glob(f"{name.replace('-', '_')}-[0-9]*")]
    if len(found) != 1:
        raise RefusalError(
            f"{folder} has {len(found)} files of {name}, not one: remove that folder."
        )
    return found[0]


def _download(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q"]
    pip += ["--no-deps", "--require-hashes", "-d", str(folder)]
    wheels, sdists = folder / "wheels.txt", folder / "sdists.txt"
    # pip wants to know a source's name and version from the source itself: that runs its setup.py,
    # with our setuptools and not with whatever is the newest one today.
    readers = folder / "readers"
    entries = [entry for entry in LOCK.read_text("utf-8").replace("\\\n", "").splitlines() if entry]
    compiled = [entry for entry in entries if entry.partition("==")[0] in COMPILED]
    sdists.write_text("\n".join(compiled), "utf-8")
    wheels.write_text("\n".join(entry for entry in entries if entry not in compiled), "utf-8")
    run(*pip, "--only-binary", ":all:", "-r", wheels)
    for name in READERS:
        ZipFile(wheel_of(folder, name)).extractall(readers)
    given = {**os.environ, "PYTHONPATH": str(readers)}
    run(*pip, "--no-build-isolation", "--no-binary", ":all:", "-r", sdists, env=given)


def debian_mirror() -> str:
    """The address of Debian's archive that this machine itself installs from."""
    form = "$(ORIGIN) $(LABEL) $(REPO_URI)"
    for line in run("apt-get", "indextargets", "--format", form).splitlines():
        if line.startswith("Debian Debian "):
            return line.split()[2]
    raise RefusalError(
        "apt knows no archive of Debian: is this a Debian, and was 'apt-get update' run?"
    )


def _unpack_headers(folder: Path) -> None:
    apt = _scratch_apt(folder)
    run("apt-get", "update", env=apt)
    for python in PYTHONS:
        for machine in MACHINES:
            package = f"libpython{python}-dev:{machine}"
            where = folder / python / machine
            where.mkdir(parents=True)
            run("apt-get", "download", package, env=apt, cwd=where)
            (file,) = where.glob("*.deb")
            run("dpkg-deb", "-x", file, where)
            file.unlink()


def _scratch_apt(folder: Path) -> dict[str, str]:
    """The environment for an apt that knows all releases and machines, beside the machine's own."""
    state, lists = folder / "apt", folder / "apt/sources.list"
    for each in ("lists/partial", "cache/archives/partial", "parts"):
        (state / each).mkdir(parents=True)
    (state / "status").touch()
    signed = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
    mirror = debian_mirror()
    lists.write_text(
        "".join(
            f"deb [{signed} arch={','.join(MACHINES)}] {mirror} {suite} main\n"
            for suite in PYTHONS.values()
        )
    )
    settings = {
        "Dir::Etc::sourcelist": lists,
        "Dir::Etc::sourceparts": state / "parts",
        "Dir::State": state,
        "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",
    }
    text = "".join(f'{key} "{value}";\n' for key, value in settings.items())
    machines = "; ".join(f'"{machine}"' for machine in MACHINES)
    (state / "apt.conf").write_text(f"{text}APT::Architectures {{ {machines}; }};\n")
    return {**os.environ, "APT_CONFIG": str(state / "apt.conf")}
