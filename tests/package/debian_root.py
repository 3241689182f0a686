"""Debian's root as a folder to install packages in: made once for each release, kept in the cache,
and never changed; a test gets a layer of its own over it."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

TREE: Final = Path(__file__).parents[2]
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pi-table/package"
CONTROLS: Final = (*(TREE / "systemd/package/debian").glob("*.control"),)
SUITES: Final = ("bookworm", "trixie")
"""The releases of Debian that the packages are for."""
ROOTS: Final = Path("/var/tmp")
"""On a disk: memory would be filled by it."""
PREFIX: Final = "pi-table-root-"
GROUPS: Final = {
    "pi-table": "pi-table-hidden",
    "pi-table-controller": "pi-table-devices",
    "pi-table-console": "pi-table-hidden",
    "pi-table-web": "pi-table-sealed",
    "pi-table-bridge": "pi-table-house",
}
"""The group of each of our users."""
ENVIRONMENT: Final = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
}


class Entry(NamedTuple):
    """The facts about a file or folder that are known without reading it."""

    mode: int
    owner: tuple[int, int]
    size: int


class DebianRoot:
    """A root with its own processes and no network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    @contextmanager
    def over(cls, below: Path) -> Iterator[Self]:
        """A root that begins like the folder ``below``, which stays as it is."""
        _sweep()
        scratch = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=ROOTS))
        upper, work, merged = (scratch / name for name in ("upper", "work", "merged"))
        for each in (upper, work, merged):
            each.mkdir()
        # Volatile: nothing in a root that is thrown away waits for the disk.
        layers = f"lowerdir={below},upperdir={upper},workdir={work},volatile"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, merged], check=True)
        try:
            yield cls(merged)
        finally:
            _remove(scratch)

    def command(self, *words: str | Path, user: str | None = None) -> list[str]:
        """The command that runs another in the root, as somebody there (None: as root)."""
        proc = self.folder / "proc"
        inside = [str(word) for word in words]
        if user is not None:
            group = GROUPS.get(user, "nogroup")
            inside = ["setpriv", "--reuid", user, "--regid", group, "--init-groups", *inside]
        apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"]
        return [*apart, f"--mount-proc={proc}", "chroot", str(self.folder), *inside]

    def run(
        self, *words: str | Path, user: str | None = None, given: str = "", status: int | None = 0
    ) -> str:
        """Return both outputs of a command. ``status``: its expected exit status (None: any)."""
        done = subprocess.run(
            self.command(*words, user=user),
            env=ENVIRONMENT,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert status is None or done.returncode == status, f"{words}: {done.stdout}"
        return done.stdout

    def install(self, *packages: Path) -> str:
        """Install package files, as somebody at a table would."""
        where = self.folder / "tmp/packages"
        where.mkdir(exist_ok=True)
        for package in packages:
            shutil.copy(package, where)
        names = [f"/tmp/packages/{package.name}" for package in packages]
        said = self.run("apt-get", "install", "-y", "-q", *names)
        shutil.rmtree(where)
        return said

    def entries(self) -> dict[str, Entry]:
        """Everything in the root that lasts."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            here = folder.removeprefix(str(self.folder))
            if here == "":
                folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "tmp")]
            for name in (*folders, *files):
                status = os.lstat(f"{folder}/{name}")
                size = 0 if name in folders else status.st_size
                found[f"{here}/{name}"] = Entry(
                    status.st_mode, (status.st_uid, status.st_gid), size
                )
        return found


def _sweep() -> None:
    """Take away what tests have left that were killed."""
    for scratch in ROOTS.glob(f"{PREFIX}[0-9]*-*"):
        if not Path("/proc", scratch.name.removeprefix(PREFIX).partition("-")[0]).exists():
            _remove(scratch)


def _remove(scratch: Path) -> None:
    if (scratch / "merged").is_mount():
        subprocess.run(["umount", "--lazy", scratch / "merged"])  # unless another has just done it
    shutil.rmtree(scratch, ignore_errors=True)


def base(suite: str) -> Path:
    """The folder of a fresh Debian of that release that has what pi-table depends on."""
    texts = "".join(control.read_text("utf-8") for control in CONTROLS)
    asked = ", ".join(re.findall(r"^Depends: (.+)$", texts, re.MULTILINE)).split(", ")
    names = sorted({each.split()[0] for each in asked} - {"pi-table-libs"})
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--architectures=amd64"]
    # dpkg waits for the disk with every file, which is worth nothing in a root that is thrown away.
    command += ["--dpkgopt=force-unsafe-io", f"--include={','.join(names)}", "--format=directory"]
    key = hashlib.sha256(repr((suite, command)).encode()).hexdigest()[:16]
    folder = CACHE / f"root-{suite}-{key}"
    if not folder.exists():
        half = CACHE / f"root-{suite}-{key}.{os.getpid()}"
        CACHE.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(half, ignore_errors=True)  # of a test that was out of time
        subprocess.run([*command, suite, half], check=True)
        with suppress(OSError):  # another has been quicker
            half.rename(folder)
    return folder
