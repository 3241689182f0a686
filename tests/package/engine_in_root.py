"""An engine that runs in a root as its own user, as its unit would start it."""

import json
import os
import signal
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

from debian_root import ENVIRONMENT, DebianRoot

CONFIG: Final = "/etc/pi-table/simulated.toml"
SIMULATED: Final = """\
[table]
cards = "dealt"
"""
"""A table without hardware: its drivers are the simulated ones where nothing else is said."""

Message = dict[str, Any]


class EngineInRoot:
    """A context in which the engine runs; it is ready from the beginning, and ends in order."""

    def __init__(self, root: DebianRoot) -> None:
        self.root = root
        (root.folder / CONFIG[1:]).write_text(SIMULATED)
        # Its unit has these made: StateDirectory, RuntimeDirectory.
        for mode, folder in (("0700", "/var/lib/pi-table"), ("0755", "/run/pi-table")):
            root.run("install", "-d", "-o", "pi-table", "-g", "pi-table-hidden", "-m", mode, folder)

    def __enter__(self) -> Self:
        command = self.root.command("pi-table", "run", "--config", CONFIG, user="pi-table")
        self._process = subprocess.Popen(
            command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
        )
        said = ""
        assert self._process.stderr
        while "ready" not in said:
            line = self._process.stderr.readline()
            assert line, f"The engine has ended: {said}"
            said += line
        return self

    def __exit__(self, *args: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ask it to end, as systemd does, and see that it ends well."""
        (child,) = (
            Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        )
        os.kill(int(child), signal.SIGTERM)
        self._process.communicate()
        assert self._process.returncode == 0

    def public(self) -> Message:
        """Return the newest public message."""
        with Wire(self.root.folder / "run/pi-table/public.sock") as wire:
            view: Message = wire.read()["view"]
            return view

    def console(self) -> "Wire":
        return Wire(self.root.folder / "run/pi-table/console.sock")


class Wire:
    """One end of a socket of the table."""

    def __init__(self, path: Path) -> None:
        with ExitStack() as unless_connected:
            self._socket = unless_connected.enter_context(socket.socket(socket.AF_UNIX))
            self._socket.connect(str(path))
            unless_connected.pop_all()
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self._lines.close()
        self._socket.close()

    def read(self) -> Message:
        message: Message = json.loads(self._lines.readline())
        return message

    def do(self, act: str, seat: str, **more: object) -> None:
        """Ask for something, and see that it is done."""
        line = json.dumps({"id": 1, "do": {"act": act, "seat": seat, **more}})
        self._socket.sendall(line.encode() + b"\n")
        while (answer := self.read())["kind"] != "answer":
            pass
        assert answer["ok"], answer
