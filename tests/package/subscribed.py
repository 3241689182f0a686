"""A table in a root that is subscribed to a repository; what it has in place of systemd."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import STDOUT
from typing import Final

from built_packages import Packages
from debian_root import ENVIRONMENT, TREE, DebianRoot
from engine_in_root import CONFIG, SIMULATED

REPOSITORY: Final = TREE / "systemd/package/repository.py"
INSIDE: Final = "srv/repository"
"""Where the repository lies in a root."""
KEYRING: Final = "pi-table-archive-keyring.gpg"
SOURCES: Final = "etc/apt/sources.list.d/pi-table.sources"
INVOKE: Final = """\
#!/bin/sh
# Starts and stops the engine, as deb-systemd-invoke has systemd do; of one that ends none is told.
pid=/run/engine.pid
case "$1" in
    stop)
        [ -e $pid ] || exit 0
        kill -TERM "$(cat $pid)" && while kill -0 "$(cat $pid)"; do sleep 0.1; done 2>/dev/null
        rm -f $pid
        ;;
    start)
        [ ! -e $pid ] || exit 0
        setpriv --reuid pi-table --regid pi-table-hidden --init-groups \\
            pi-table run --config /etc/pi-table/simulated.toml >>/tmp/engine.log 2>&1 &
        echo $! >$pid
        ;;
    restart)
        "$0" stop
        "$0" start
        ;;
esac
"""
UPDATED: Final = """\
rm -f /run/engine.pid /run/pi-table/*.sock  # of a machine that lost its power
deb-systemd-invoke start
until [ -S /run/pi-table/house.sock ]; do sleep 0.1; done
"$@"
status=$?
deb-systemd-invoke stop
exit $status
"""
"""Runs a command while the engine runs."""


def repository(folder: Path, *words: str | Path, status: int = 0) -> str:
    """Run the maker's program and return its output. Each folder that holds a ``folder`` is another
    maker: it has a throw-away key of its own."""
    command: list[str | Path] = [sys.executable, REPOSITORY, folder, *words]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder.parent / "state")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


UPDATE: Final = (
    *("sh", "-c", UPDATED, "sh", "pi-table", "update", "--now", "--config", CONFIG),
    *("--within", "60"),
)

WGET: Final = f"""\
#!/bin/sh
# There is no network here: a file of the server is copied.
while [ $# -gt 1 ]; do [ "$1" != -P ] || folder=$2; shift; done
exec cp "/{INSIDE}/${{1#https://HOST/}}" "$folder"
"""


def type_at_table(root: DebianRoot, lines: str) -> None:
    """Type lines of a page at a table, which finds the repository's files."""
    fetch = root.folder / "usr/local/bin/wget"
    fetch.write_text(WGET)
    fetch.chmod(0o755)
    root.run("env", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "sh", "-ec", lines)


class SubscribedTable:
    """A root with the packages installed, whose only package source is a repository of ours."""

    def __init__(self, root: DebianRoot) -> None:
        self.root = root
        self.repository = root.folder / INSIDE

    def prepare(self, repository: Path) -> None:
        """Subscribe the table, and let what takes a systemd do without."""
        root = self.root
        for each in [*(root.folder / "etc/apt").glob("sources.list*")]:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        self.subscribe(repository)
        (root.folder / CONFIG[1:]).write_text(SIMULATED)
        for mode, where in (("0700", "/var/lib/pi-table"), ("0755", "/run/pi-table")):
            root.run("install", "-d", "-o", "pi-table", "-g", "pi-table-hidden", "-m", mode, where)
        # The scripts of the packages are to believe that systemd runs here, and reach none.
        (root.folder / "run/systemd/system").mkdir(parents=True)
        for program in ("usr/bin/systemctl", "usr/bin/systemd-tmpfiles"):
            self._replace(program, "#!/bin/sh\n")
        self._replace("usr/lib/systemd/systemd-sysctl", "#!/bin/sh\n")
        self._replace("usr/bin/deb-systemd-invoke", INVOKE)

    def subscribe(self, repository: Path) -> None:
        """As the documents tell: the keyring and the file of the source, from the repository."""
        shutil.rmtree(self.repository, ignore_errors=True)
        shutil.copytree(repository, self.repository)
        keyrings = self.root.folder / "etc/apt/keyrings"
        sources = (self.root.folder / SOURCES).parent
        for target, name in ((keyrings, KEYRING), (sources, "pi-table.sources")):
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.repository / name, target)

    def publish(self, repository: Path) -> None:
        """The maker's repository has something new; the table keeps the key that it has."""
        shutil.rmtree(self.repository)
        shutil.copytree(repository, self.repository)

    def update(self, status: int = 0) -> str:
        """Return the output of `pi-table update --now` while the engine runs."""
        return self.root.run(*UPDATE, status=status)

    def cut(self, when: Callable[[], bool]) -> None:
        """The power goes in the middle of an update, when it has come so far."""
        process = subprocess.Popen(
            self.root.command(*UPDATE), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=STDOUT
        )
        while not when():
            assert process.poll() is None, "the update is over"
            time.sleep(0.001)
        process.kill()  # and so everything in its namespace
        process.wait()

    def version(self) -> str:
        """The version that starts."""
        return self.root.run("pi-table", "--version").strip().removeprefix("pi-table ")

    def _replace(self, path: str, text: str) -> None:
        target = self.root.folder / path
        target.unlink()
        target.write_text(text)
        target.chmod(0o755)


def bad(
    packages: Packages, folder: Path, of_the_code: str = "table/engine/process/daemon.py"
) -> Packages:
    """Packages of the same version, a file of whose code is broken: the engine does not come up."""
    libs, table = packages.files
    shutil.copy(libs, folder)
    stage = folder / "stage"
    subprocess.run(["dpkg-deb", "-R", table, stage], check=True)
    code = stage / f"usr/lib/pi-table/code-{packages.version}/pi_table" / of_the_code
    code.write_text('raise SystemExit("This version is a bad one.")\n')
    packed: list[str | Path] = [
        "dpkg-deb",
        "-b",
        "--root-owner-group",
        "-Zgzip",
        "-z1",
        stage,
        folder / table.name,
    ]
    subprocess.run(packed, check=True, capture_output=True)
    shutil.rmtree(stage)
    return Packages(packages.version, folder)
