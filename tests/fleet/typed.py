"""Somebody who sets things up by the pages. A folder stands for the machine's root, and a port of
this machine for the broker's name."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from member import Member
from mosquitto import Mosquitto
from ports import free_port
from provisioned import password_in

TREE: Final = Path(__file__).parents[2]
PAGE: Final = "pi_table/fleet/provisioning/README.md"
OWNER: Final = "-o mosquitto -g mosquitto "
"""Whom only root may give files to."""
OF_THE_MACHINE: Final = ("adduser", "apt", "systemctl")
"""Programs that are not run, for they would change this machine."""


def blocks(page: str, language: str = "sh") -> list[str]:
    """The blocks of a page in a language."""
    text = (TREE / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


class Typed:
    """Somebody who types the blocks of pages: of provisioning, where no other is named. A
    ``program`` is there already, or comes by the pages."""

    def __init__(self, folder: Path, program: bool = True) -> None:
        self.folder = folder
        self.typed: list[tuple[str, str]] = []
        """Each command that was typed, behind its page."""
        self.etc = folder / "etc"
        self.port = free_port()
        self.restarts = 0
        (self.etc / "mosquitto/conf.d").mkdir(parents=True)
        self.programs = folder / "programs"
        self.programs.mkdir()
        if program:
            (self.programs / "pi-table").symlink_to(Path(sys.executable).parent / "pi-table")
        for name in OF_THE_MACHINE:
            stub = self.programs / name
            stub.write_text(f'#!/bin/sh\necho "$*" >>{folder}/{name}.log\n')
            stub.chmod(0o755)
        self.environment = os.environ | {
            "HOME": str(folder),
            "PATH": f"{self.programs}:{os.environ['PATH']}:/usr/sbin",
        }
        self._broker: Mosquitto | None = None

    def type(
        self,
        with_words: str,
        where: str | Path = "",
        page: str = PAGE,
        instead: Sequence[tuple[str, str]] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Type the one block of a page with these words in it, with other words ``instead`` of
        some, as whoever has other names."""
        (block,) = [each for each in blocks(page) if with_words in each]
        return self.type_text(block, where, page, instead)

    def type_text(
        self,
        text: str,
        where: str | Path = "",
        page: str = PAGE,
        instead: Sequence[tuple[str, str]] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Type some lines of a page."""
        self.typed += [(page, line) for line in text.splitlines() if line]
        for there, here in instead:
            assert there in text
            text = text.replace(there, here)
        text = self.here(text)
        if os.geteuid() != 0:
            text = text.replace(OWNER, "")
        return subprocess.run(
            ["bash", "-e"],
            input=text,
            cwd=self.folder / where,
            env=self.environment,
            capture_output=True,
            text=True,
        )

    def here(self, text: str) -> str:
        """A text of a page, with this machine's places."""
        for there, here in (
            ("mqtts://broker.lan", f"mqtts://localhost:{self.port}"),
            ("-h broker.lan", f"-h localhost -p {self.port}"),
            ("broker.lan", "localhost"),
            ("sudo -u postgres ", ""),
            ("sudo ", ""),
            ("/etc/", f"{self.etc}/"),
            ("/opt/", f"{self.folder}/opt/"),
            ("/usr/local/bin", f"{self.programs}"),
        ):
            text = text.replace(there, here)
        return text

    def must_type(
        self,
        with_words: str,
        where: str | Path = "",
        page: str = PAGE,
        instead: Sequence[tuple[str, str]] = (),
    ) -> str:
        done = self.type(with_words, where, page, instead)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(self) -> None:
        """Copy the files to the broker's machine, and type the lines there."""
        there = self.folder / "there"
        there.mkdir(exist_ok=True)
        for file in (*(self.folder / "fleet/broker").iterdir(), *self.folder.glob("server.*")):
            (there / file.name).write_bytes(file.read_bytes())
        self.must_type("sudo install -d", "there")
        asked = (self.folder / "systemctl.log").read_text().splitlines()
        self.restarts += 1
        assert asked == ["daemon-reload", "restart mosquitto"] * self.restarts
        self.start()

    def start(self) -> None:
        """Start the broker that was installed, again if it runs."""
        self.close()
        text = (self.etc / "mosquitto/conf.d/pi-table.conf").read_text()
        lines = text.replace("/etc/", f"{self.etc}/").splitlines()
        lines = ["" if line.startswith("listener ") else line for line in lines]
        kept = self.folder / "run"
        self._broker = Mosquitto(kept, "persistence true", f"persistence_location {kept}/", *lines)
        self._broker.port = self.port
        self._broker.start()

    def close(self) -> None:
        if self._broker is not None:
            self._broker.stop()
            self._broker = None

    def member(self, user: str, secret: str) -> Member:
        return Member(self.port, user, secret, ca=self.folder / "ca.pem")

    def password(self, user: str) -> str:
        return password_in(self.folder / "fleet", user)
