"""The process of the pages, beside a table that plays back what a real one published."""

import json
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, Self
from urllib.error import URLError
from urllib.request import urlopen

from ports import free_port
from table_with_pages import ROOT, until

from pi_table.lab.recording import Message

CONFIG: Final = """\
[web]
listen = "127.0.0.1"
port = {port}
address = "http://127.0.0.1:{port}"
[paths]
state = "{folder}/state"
runtime = "{folder}"
"""


class RecordedTable:
    """A context in which `pi-table web` runs, and shows what it is given."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._folder = folder
        self._config = folder / "table.toml"
        self._config.write_text(CONFIG.format(port=port, folder=folder))
        self._newest: Message | None = None
        self._taken: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self.come()
        words = [sys.executable, "-m", "pi_table", "web", "--config", str(self._config)]
        self._log = (self._folder / "web.log").open("wb")
        self._web = subprocess.Popen(words, cwd=ROOT, stdout=self._log, stderr=self._log)
        until(self._answers)
        return self

    def __exit__(self, *args: object) -> None:
        self._web.kill()
        self._web.wait()
        self._log.close()
        self.go()

    def show(self, message: Message) -> None:
        """Publish a message."""
        with self._lock:
            self._newest = message
            for each in self._taken:
                _send(each, message)

    def go(self) -> None:
        """Be away, as a table is that is switched off."""
        with self._lock:
            if self._listening is not None:
                self._listening.close()
                (self._folder / "public.sock").unlink()
            self._listening = None
            for each in self._taken:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
            self._taken = []

    def come(self) -> None:
        """Be there."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self._folder / "public.sock"))
        self._listening.listen()
        threading.Thread(target=self._take, args=(self._listening,), daemon=True).start()

    def _take(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                taken, _ = listening.accept()
                with self._lock:
                    self._taken.append(taken)
                    if self._newest is not None:
                        _send(taken, self._newest)

    def _answers(self) -> bool:
        log = self._folder / "web.log"
        assert self._web.poll() is None, log.read_text()
        try:
            with urlopen(f"{self.url}/api/1/about", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


def _send(to: socket.socket, message: Message) -> None:
    with suppress(OSError):
        to.sendall(json.dumps(message).encode() + b"\n")
