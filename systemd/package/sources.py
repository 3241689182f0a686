"""The packages' inputs from outside this tree. Each input is downloaded once and cached.

Machines have Debian's names: amd64, arm64, armhf.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote
from urllib.request import urlopen
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
INPUTS = (
    "pi_table",
    "firmware",
    "systemd",
    ".ci/requirements-package.txt",
    "CHANGELOG.md",
    "LICENSE",
    "hardware/BOARDS.md",
    "hardware/wiring.csv",
)
"""Paths of the files and folders of this tree that go into the packages."""
LOCK = ROOT / ".ci/requirements-package.txt"
KNOWN = Path(__file__).with_name("debian.txt")
"""Path of the file with the hashes of the Debian packages that pi-table's packages need. The format
is that of `sha256sum`, with the Debian release at the end of each line."""
TIMEOUT_SECONDS = 60.0
"""Timeout in seconds for the next data of a download from Debian's archive."""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pi-table/package"

MACHINES = {
    "amd64": "x86_64-linux-gnu",
    "arm64": "aarch64-linux-gnu",
    "armhf": "arm-linux-gnueabihf",
}
"""Each supported machine, and how compilers and compiled modules call it in their names."""

PYTHONS = {"3.11": "bookworm", "3.13": "trixie"}
"""Each supported version of Python, with the Debian release that has it."""


class OfDebian(NamedTuple):
    """A package of Debian that is needed for pi-table's packages, once for each Python version."""

    what: str
    """A description; its first word names the folder in the cache."""
    package: str
    source: str
    """Name of the source package, which is also the name of its folder in Debian's archive."""


HEADERS = OfDebian("headers of Python", "libpython{python}-dev", "python{python}")
PYGAME = OfDebian("pygame", "python3-pygame", "pygame")

COMPILED = ("lgpio", "msgspec", "rpi-ws281x")
"""Projects that are compiled from source; all other projects in the lock file are pure Python
wheels."""

READERS = ("packaging", "setuptools", "setuptools-scm", "vcs-versioning")
"""Projects without which pip cannot read names and versions of ``COMPILED``. No package contains
them."""


class RefusalError(Exception):
    """A fault that ends the program. The error's text is a sentence with advice."""


def own_version() -> str:
    text = (ROOT / "pi_table/__init__.py").read_text("utf-8")
    return re.search(r'__version__ = "(.+)"', text)[1]  # type: ignore[index]


def epoch() -> str:
    """Return the modification time of all files in the packages, in seconds since 1970. It is
    SOURCE_DATE_EPOCH, by default the time of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return given or run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip()


def of_the_lock() -> Path:
    """Return the folder with the files that the lock file names. The hash of each file is
    checked."""
    return in_cache(f"locked-{digest(LOCK.read_bytes())}", _download)


def of_debian(wanted: OfDebian, machine: str) -> Path:
    """Return the folder with the contents of a Debian package for one machine. Each Python version
    has its own subfolder, such as 3.11/usr."""
    name = f"{wanted.what.split()[0]}-{machine}-{'-'.join(PYTHONS)}"
    return in_cache(name, lambda folder: _unpack(folder, wanted, machine))


def in_cache(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder ``name`` in the cache.

    If the folder is missing, ``make`` fills it. If ``make`` fails, the folder stays missing.
    """
    folder = CACHE / name
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=CACHE, prefix=f"{name}.", ignore_cleanup_errors=True) as half:
            make(Path(half))
            with suppress(OSError):  # another process was faster; its result is as good
                Path(half).rename(folder)
    return folder


def digest(*contents: bytes) -> str:
    """Return a short hash of these inputs."""
    return hashlib.sha256(b"".join(contents)).hexdigest()[:16]


@contextmanager
def step(what: str) -> Iterator[Callable[[str], None]]:
    """Print a line about a step of the work. Yield a function that adds a word to that line."""
    print(what, end="", flush=True)
    try:
        yield lambda word: print(f" {word}", end="", flush=True)
    finally:
        print(flush=True)


def run(*command: str | Path, **options: object) -> str:
    """Return the output of a command. Raises RefusalError with the output if the command fails, or
    if its program is missing."""
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
    """Return the path of a project's file in the folder of `of_the_lock`: a wheel or a source
    archive."""
    found = [*folder.glob(f"{name.replace('-', '_')}-[0-9]*")]
    if len(found) != 1:
        raise RefusalError(
            f"{folder} has {len(found)} files of {name}, not one: remove that folder."
        )
    return found[0]


def _download(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
    pip += ["--no-deps", "--require-hashes", "--progress-bar", "off", "-d", str(folder)]
    wheels, sdists = folder / "wheels.txt", folder / "sdists.txt"
    # pip reads a source's name and version by running its setup.py. The setup.py must use the
    # setuptools of the lock file, not the newest one.
    readers = folder / "readers"
    entries = [entry for entry in LOCK.read_text("utf-8").replace("\\\n", "").splitlines() if entry]
    compiled = [entry for entry in entries if entry.partition("==")[0] in COMPILED]
    sdists.write_text("\n".join(compiled), "utf-8")
    wheels.write_text("\n".join(entry for entry in entries if entry not in compiled), "utf-8")
    # Some projects also have wheels for this machine, with parts in C. They are not wanted here.
    any_machine = ("--platform", "any", "--implementation", "py", "--abi", "none")
    with step("fetching libraries:") as more:
        _download_all([*pip, "--only-binary", ":all:", *any_machine, "-r", str(wheels)], more)
    for name in READERS:
        ZipFile(wheel_of(folder, name)).extractall(readers)
    given = {**os.environ, "PYTHONPATH": str(readers)}
    with step("fetching sources:") as more:
        command = [*pip, "--no-build-isolation", "--no-binary", ":all:", "-r", str(sdists)]
        _download_all(command, more, given)


def _download_all(
    command: list[str], more: Callable[[str], None], env: dict[str, str] | None = None
) -> None:
    """Run pip. Call `more` with the name of each project when pip reaches that project."""
    piped = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=piped, stderr=subprocess.STDOUT, text=True, env=env
    ) as pip:
        assert pip.stdout is not None
        said = []
        for line in pip.stdout:
            said.append(line)
            if line.startswith("Collecting "):
                more(line.split()[1].partition("==")[0])
    if pip.returncode:
        raise RefusalError(f"{' '.join(command)} failed:\n{''.join(said)}")


def debian_mirror() -> str:
    """Return the address of the Debian archive from which this machine installs packages."""
    form = "$(ORIGIN) $(LABEL) $(REPO_URI)"
    for line in run("apt-get", "indextargets", "--format", form).splitlines():
        if line.startswith("Debian Debian "):
            return line.split()[2]
    raise RefusalError(
        "apt knows no archive of Debian: is this a Debian, and was 'apt-get update' run?"
    )


def _unpack(folder: Path, wanted: OfDebian, machine: str) -> None:
    try:
        files = _newest(folder, wanted, machine)
    except RefusalError as refusal:
        # During an update, an archive may refuse its own index, sometimes for days. The files that
        # the index would name are available all the same.
        files = _by_hash(folder, wanted, machine, refusal)
    for python, file in files.items():
        run("dpkg-deb", "-x", file, folder / python)
        file.unlink()
    shutil.rmtree(folder / "apt")


def _newest(folder: Path, wanted: OfDebian, machine: str) -> dict[str, Path]:
    """Download the package's newest .deb file for each Python version, with Debian's signed index.
    Return the files' paths."""
    apt = _scratch_apt(folder, machine)
    files = {}
    with step(f"fetching {wanted.what} for {machine}: lists") as more:
        run("apt-get", "update", "--error-on=any", env=apt)
        for python, suite in PYTHONS.items():
            more(python)
            where = folder / "apt" / python
            where.mkdir()
            name = f"{wanted.package.format(python=python)}:{machine}/{suite}"
            run("apt-get", "download", name, env=apt, cwd=where)
            (files[python],) = where.glob("*.deb")
    return files


def _by_hash(
    folder: Path, wanted: OfDebian, machine: str, refusal: RefusalError
) -> dict[str, Path]:
    """Download the package's .deb file for each Python version, in the version that `debian.txt`
    names. Check the hash of each file, and return the files' paths."""
    files = {}
    for python, suite in PYTHONS.items():
        names = {each: each.format(python=python) for each in (wanted.package, wanted.source)}
        sha, name = _find_hash(suite, f"{names[wanted.package]}_", f"_{machine}.deb")
        url = f"{debian_mirror().rstrip('/')}/pool/main/p/{names[wanted.source]}/{quote(name)}"
        try:
            with urlopen(url, timeout=TIMEOUT_SECONDS) as answer:
                content = answer.read()
        except OSError as error:
            raise RefusalError(f"{refusal}\n{url} could not be fetched either: {error}.") from error
        if hashlib.sha256(content).hexdigest() != sha:
            raise RefusalError(f"{refusal}\n{url} is not the file that {KNOWN.name} names.")
        files[python] = folder / name
        files[python].write_bytes(content)
    return files


def _find_hash(suite: str, start: str, end: str) -> tuple[str, str]:
    """Find a file in `debian.txt` by its Debian release, and by the start and the end of its name.
    Return the file's hash and its name."""
    for line in KNOWN.read_text("utf-8").splitlines():
        sha, name, release = line.split()
        if release == suite and name.startswith(start) and name.endswith(end):
            return sha, name
    raise RefusalError(f"{KNOWN} names no {start}…{end} of {suite}.")


def _scratch_apt(folder: Path, machine: str) -> dict[str, str]:
    """Return environment variables for an apt that is separate from this machine's apt. The
    separate apt knows all supported Debian releases for one machine."""
    state, lists = folder / "apt", folder / "apt/sources.list"
    for each in ("lists/partial", "cache/archives/partial", "parts"):
        (state / each).mkdir(parents=True)
    (state / "status").touch()
    signed = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
    mirror = debian_mirror()
    lists.write_text(
        "".join(
            f"deb [{signed} arch={machine}] {mirror} {suite} main\n" for suite in PYTHONS.values()
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
    (state / "apt.conf").write_text(f'{text}APT::Architectures {{ "{machine}"; }};\n')
    return {**os.environ, "APT_CONFIG": str(state / "apt.conf")}
