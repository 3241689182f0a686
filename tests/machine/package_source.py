"""An APT repository on the host's loopback, and a booted machine that is subscribed to it."""

import base64
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from built_packages import Packages, built
from machine import TREE, Machine
from subscribed import KEYRING, bad, repository
from updates import HOST

from pi_table import __version__

NEWER: Final = f"{__version__}.1"
BAD: Final = f"{__version__}.2"
UNIT: Final = "pi-table-update.service"
TIMERS: Final = ("pi-table-update.timer", "pi-table-update-at-start.timer")
SOURCES: Final = "pi-table.sources"
WITHIN: Final = 240
"""Seconds in which an emulated machine's engine comes up, which a table's does in 60."""


def patient(*words: str) -> dict[str, str]:
    """The update's own unit, with an emulated machine's patience, and these words more."""
    command = " ".join(("/usr/bin/pi-table update", *words, f"--within {WITHIN}"))
    return {
        f"systemd/system/{UNIT}.d/emulated.conf": (
            f"[Service]\nExecStart=\nExecStart={command} --config /etc/pi-table/table.toml\n"
        )
    }


AT_ONCE: Final = patient("--now")
"""The unit, which does not wait for the hour."""


class Repositories:
    """Package repositories for a server, each a folder. They are built on demand from this tree's
    packages, with throw-away keys."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def image(self) -> Path:
        """The image's own version, and no other."""
        return self._first("image")

    @cached_property
    def foreign(self) -> Path:
        """A newer version as well, which somebody else has signed."""
        foreign = self._first("foreign")
        offer(foreign, built(NEWER, "amd64").folder, NEWER)
        return foreign

    @cached_property
    def newer(self) -> Path:
        """A newer version."""
        return self._after(self.image, "newer", built(NEWER, "amd64"))

    @cached_property
    def bad(self) -> Path:
        """A version that is newer still, whose engine does not come up."""
        spoilt = self._folder / "spoilt"
        spoilt.mkdir()
        return self._after(self.newer, "bad", bad(built(BAD, "amd64"), spoilt))

    def _first(self, name: str) -> Path:
        own = self._folder / f"{name}-own"
        own.mkdir()
        for each in [*TREE.glob("build/deb/*_all.deb"), *TREE.glob("build/deb/*_amd64.deb")]:
            (own / each.name).symlink_to(each)
        made = self._folder / name / "repository"
        made.parent.mkdir()
        offer(made, own, __version__)
        return made

    def _after(self, before: Path, name: str, packages: Packages) -> Path:
        """Return the next offer of the maker of ``before``."""
        made = self._folder / name / "repository"
        subprocess.run(["cp", "-a", before.parent, made.parent], check=True)
        offer(made, packages.folder, packages.version)
        return made


def offer(into: Path, packages: Path, version: str) -> None:
    """Have a repository offer a version to every table."""
    repository(into, "add", packages)
    repository(into, "promote", version)


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder which is another one from time to time, so that no time of a file tells
    whether it has changed."""

    def translate_path(self, path: str) -> str:
        assert isinstance(self.server, Source)
        self.directory = str(self.server.folder)
        return super().translate_path(path)

    def send_head(self) -> Any:
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, *_: object) -> None:
        pass


class Source(ThreadingHTTPServer):
    """A web server on loopback, of what lies in the ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(("127.0.0.1", 0), _Handler)


@contextmanager
def served(folder: Path) -> Iterator[Source]:
    """Serve a folder while the block lasts."""
    with Source(folder) as source:
        thread = threading.Thread(target=partial(source.serve_forever, 0.05))
        thread.start()
        try:
            yield source
        finally:
            source.shutdown()
            thread.join()


def put(machine: Machine, path: str, content: bytes) -> None:
    """Write a file of the machine, and the folders above it."""
    write = 'mkdir -p "$(dirname "$0")" && base64 -d >"$0"'
    done = machine.run("sh", "-c", write, path, given=base64.b64encode(content).decode())
    assert done.status == 0, done.err


def subscribe(machine: Machine, source: Source) -> None:
    """As the documents tell: the keyring, and the file of the source. Updates begin when a test
    says so."""
    text = (source.folder / SOURCES).read_text()
    (local,) = [line for line in text.splitlines() if line.startswith("URIs: ")]
    text = text.replace(local, f"URIs: http://{HOST}:{source.server_address[1]}")
    put(machine, f"/etc/apt/keyrings/{KEYRING}", (source.folder / KEYRING).read_bytes())
    put(machine, f"/etc/apt/sources.list.d/{SOURCES}", text.encode())
    machine.ran("systemctl", "stop", *TIMERS)
    # Debian's own sources are outside, and nothing of theirs is wanted.
    machine.ran("sh", "-c", "rm -f /etc/apt/sources.list /etc/apt/sources.list.d/[!p]*")
