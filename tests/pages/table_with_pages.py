"""A table whose engine and pages run as processes of their own, without hardware: its hidden screen
is a `Console`, its fingers are a `Finger`."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, Self, TypeVar
from urllib.error import URLError
from urllib.request import urlopen

from ports import free_port

ROOT: Final = Path(__file__).parents[2]
TIMEOUT_SECONDS: Final = 60.0
"""Seconds after which something that was to happen is missed."""
HOLD_MS: Final = 150
HELD_AT_MOST: Final = 3.0
LIFTED: Final = 0.5
"""Seconds for which a finger is held, and lifted before it is held again."""
TRIES: Final = 10
CONFIG: Final = """\
[table]
cards = "dealt"
[touch]
hold_ms = {hold_ms}
[simulated]
link = "{folder}/link.sock"
[web]
listen = "127.0.0.1"
port = {port}
address = "http://127.0.0.1:{port}"
[house]
rules = {{}}
idle_minutes = 0
[paths]
state = "{folder}/state"
runtime = "{folder}"
"""

Message = dict[str, Any]
Found = TypeVar("Found")


class TableWithPages:
    """A context in which the engine and the process of the pages run, in a folder whose name is
    short enough for sockets."""

    program: tuple[str, ...] = ("-m", "pi_table")
    """Arguments of Python for the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._config = folder / "table.toml"
        self._config.write_text(CONFIG.format(folder=folder, port=self.port, hold_ms=HOLD_MS))
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._logs: list[IO[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self.start_engine()
            self.start_web()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *args: object) -> None:
        self.console.hang_up()
        self.finger.hang_up()
        for process in self._processes.values():
            process.kill()
            process.wait()
        for log in self._logs:
            log.close()

    def start_engine(self) -> None:
        self._start("run", lambda: b"The table is ready" in self.log("run"))
        self.console = Console(self.folder / "console.sock")
        self.finger = Finger(self.folder / "link.sock")

    def start_web(self) -> None:
        self._start("web", self._answers)
        self.console.shows(lambda message: message["pages"])

    def kill(self, command: str) -> None:
        """End a process as a power cut does: ``run`` or ``web``."""
        process = self._processes.pop(command)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if command == "run":
            self.console.hang_up()
            self.finger.hang_up()

    def pid(self, command: str) -> int:
        return self._processes[command].pid

    def log(self, command: str) -> bytes:
        """Return the output of the process since its first start."""
        return (self.folder / f"{command}.log").read_bytes()

    def public(self) -> Message:
        """The newest message that everybody is sent."""
        with socket.socket(socket.AF_UNIX) as wire, wire.makefile("rb") as lines:
            wire.connect(str(self.folder / "public.sock"))
            message: Message = json.loads(lines.readline())
            return message

    def guess(self, cell: str) -> Message:
        """Hold a finger on a cell until it counts; what everybody sees then."""
        return self.hold(cell, lambda view, before: view != before)

    def hold(self, place: str, done: Callable[[Message, Message], bool]) -> Message:
        """Hold a finger on a place until what everybody sees is as wanted, by what it was before.
        As people do, lift it and try again where nothing comes of it: a hand that has just been
        somewhere else may not count yet."""
        before = self.public()["view"]

        def after() -> Message | None:
            now = self.public()
            return now if done(now["view"], before) else None

        for _ in range(TRIES):
            self.finger.touch(place)
            try:
                if found := until(after, HELD_AT_MOST):
                    return found
            except TimeoutError:
                pass
            finally:
                self.finger.release(place)
            time.sleep(LIFTED)
        raise AssertionError(f"a finger on {place} did nothing: {before}")

    def _start(self, command: str, ready: Callable[[], bool]) -> None:
        log = (self.folder / f"{command}.log").open("ab")
        self._logs.append(log)
        words = [sys.executable, *self.program, command, "--config", str(self._config)]
        process = subprocess.Popen(words, cwd=ROOT, stderr=log, stdout=log, env=_environment())
        self._processes[command] = process

        def answers() -> bool:
            assert process.poll() is None, self.log(command).decode()
            return ready()

        (self.folder / f"{command}.log").write_bytes(b"")
        until(answers)

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/api/1/about", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


class Console:
    """The hidden screen's end of its socket. It reads all the time, as a screen does."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._asked = 0
        self._answers: dict[int, Message] = {}
        self._newest: Message = {}
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def hang_up(self) -> None:
        with suppress(OSError, ValueError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()

    def ask(self, act: str, seat: str = "operator", **more: object) -> Message:
        """Ask for something; the answer, whatever it is."""
        self._asked += 1
        number = self._asked
        line = json.dumps({"id": number, "do": {"act": act, "seat": seat, **more}})
        self._socket.sendall(line.encode() + b"\n")
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, TIMEOUT_SECONDS), line
            return self._answers.pop(number)

    def do(self, act: str, seat: str = "operator", **more: object) -> Any:
        """Ask for something, and see that it is done; what is told."""
        answer = self.ask(act, seat, **more)
        assert answer["ok"], answer
        return answer["told"]

    def newest(self) -> Message:
        with self._news:
            return self._newest

    def shows(self, wanted: Callable[[Message], Any]) -> Message:
        """The newest message, once it is as wanted."""
        with self._news:
            assert self._news.wait_for(
                lambda: self._newest and wanted(self._newest), TIMEOUT_SECONDS
            ), self._newest
            return self._newest

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._socket.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                with self._news:
                    if message["kind"] == "answer":
                        self._answers[message["id"]] = message
                    else:
                        self._newest = message
                    self._news.notify_all()


class Finger:
    """A finger at the simulated table."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self.lights: list[str] = []
        """The colour of each place, in the newest picture of the lights."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def hang_up(self) -> None:
        with suppress(OSError, ValueError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()

    def touch(self, place: str) -> None:
        self._say({"touch": place})

    def release(self, place: str) -> None:
        self._say({"release": place})

    def _say(self, what: Message) -> None:
        self._socket.sendall(json.dumps(what).encode() + b"\n")

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._socket.makefile("rb") as lines:
            for line in lines:
                self.lights = json.loads(line).get("lights", self.lights)


def until(wanted: Callable[[], Found], seconds: float = TIMEOUT_SECONDS) -> Found:
    """Call ``wanted`` until it returns something, and return that.

    Raises TimeoutError after so many seconds.
    """
    end = time.monotonic() + seconds
    while not (found := wanted()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s")
        time.sleep(0.02)
    return found


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT}/tests", "LANGUAGE": "en"}
