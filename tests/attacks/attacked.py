"""The real engine and the real process of the pages, for attacks; each is a program of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
from patience import PATIENCE
from ports import free_port
from sealed_phone import Phone
from wires import MY_ADDRESS, Answer, WebSocket, request

from pi_table.lab.running_table import Console, RunningTable, Wire

ADDRESS: Final = "http://192.168.1.7:8080"
"""Where a relay of ours says that the pages are."""

QUICK: Final = {
    "PYTHONPATH": os.pathsep.join(
        [str(Path(__file__).parent / "quick"), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
}
"""Environment that makes beats more frequent, for a table without pages."""

Carry = Callable[[bytes], bytes]
"""Takes a phone's frame; answers with what every phone is sent at the next beat."""


class Relay(Wire):
    """A process of the pages that has been taken over, or any other at the sealed socket."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "run" / "sealed.sock")
        self._asked = self._heard = self._relayed = 0
        try:
            self.hears(self.relay(address=ADDRESS))
        except BaseException:
            self.close()
            raise

    def hears(self, number: int) -> None:
        """Wait until the table has heard this line. Raises ConnectionError where it hangs up."""
        while self._heard < number:
            self.read()

    def read(self) -> dict[str, Any]:
        message = super().read()
        if message["kind"] == "busy":
            raise ConnectionError("Another relay is connected.")
        if message["kind"] == "heard":
            self._heard = max(self._heard, message["id"])
        return message

    def relay(self, *frames: bytes, **changes: Any) -> int:
        """Send frames of phones; the number of the line."""
        self._asked += 1
        line = {"kind": "relayed", "id": self._asked, "frames": list(frames)}
        self.send(line | changes)
        self._relayed = self._asked
        return self._asked

    def ask_desk(self, sealed: bytes) -> bytes:
        """Ask as a desk does; what it is answered."""
        self._asked += 1
        self.send({"kind": "desk", "id": self._asked, "sealed": sealed})
        while True:
            message = self.read()
            if message["kind"] == "desk-reply" and message["id"] == self._asked:
                return msgspec.convert(message["sealed"], bytes, strict=False)

    def block(self) -> bytes:
        """Return the block that every phone gets at the next beat after the table has read all
        relayed frames."""
        while True:
            message = self.read()
            if message["kind"] == "sealed" and self._heard >= self._relayed:
                return b"".join(msgspec.convert(message["frames"], list[bytes], strict=False))

    def carry(self, frame: bytes) -> bytes:
        self.relay(frame)
        return self.block()

    def raw(self, data: bytes) -> None:
        self._socket.sendall(data)


class RunningWeb:
    """``pi-table web`` at a running table; its sockets lie in ``folder``."""

    def __init__(self, folder: Path, port: int, settings: str) -> None:
        self.port = port
        self.log = folder / "web.log"
        self.config = folder / "web.toml"
        self.config.write_text(
            f'[web]\nlisten = "{MY_ADDRESS}"\nport = {port}\n{settings}\n'
            f'[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        )
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pi_table", "web", "--config", str(self.config)],
                env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        """Wait until it answers, and knows of the table."""
        end = monotonic() + PATIENCE
        while monotonic() < end and self.process.poll() is None:
            try:
                answer = request(self.port, "/api/1/table")
            except OSError:
                continue
            if answer.status == 200 and b'"here":true' in answer.body.replace(b" ", b""):
                return
        raise AssertionError(f"The pages do not answer: {self.log.read_text()}")

    def memory(self) -> int:
        """Bytes of memory that the process alone has, and its share of what it shares."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return 1024 * next(int(line.split()[1]) for line in text.split("\n") if line[:4] == "Pss:")

    def files(self) -> int:
        """Return the number of its open file descriptors."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(PATIENCE)


class Attacked:
    """A table with its pages. ``settings`` is TOML for the engine, ``of_web`` more of [web].

    Without ``pages`` somebody else is to be in their place, and beats come more often.
    """

    def __init__(
        self, folder: Path, settings: str = "", of_web: str = "", pages: bool = True
    ) -> None:
        self.folder = folder
        self._settings, self._of_web = settings, of_web
        self._environment = None if pages else QUICK
        self._stack = ExitStack()
        self.port = free_port()
        self.start_engine()
        if pages:
            self.start_pages()

    def start_engine(self) -> None:
        self.engine = RunningTable(self.folder, self._settings, environment=self._environment)
        self._stack.push(self.engine)
        self.engine.wait()

    def start_pages(self) -> None:
        self.pages = RunningWeb(self.folder, self.port, self._of_web)
        self._stack.callback(self._end, self.pages.process)
        self.pages.wait()

    def get(self, target: str = "/", **more: Any) -> Answer:
        return request(self.port, target, **more)

    def phones(self, **more: Any) -> WebSocket:
        """A connection as a phone has one."""
        return WebSocket(self.port, **more)

    def relay(self) -> Relay:
        """A connection in the place of the pages, which must be off; another is waited for that
        has just hung up."""
        end = monotonic() + PATIENCE
        while True:
            try:
                return Relay(self.folder)
            except (ConnectionError, FileNotFoundError):
                assert monotonic() < end, "the table takes no relay"

    def console(self) -> Console:
        return self.engine.console()

    def close(self) -> None:
        self._stack.close()

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)


class WithoutPages:
    """A table without pages: an attack has the sealed socket, and the hidden screen, to itself."""

    def __init__(self, table: Attacked) -> None:
        self.table = table
        self.console: Console = table.console()
        self.relay: Relay = table.relay()

    @property
    def public(self) -> dict[str, Any]:
        """The table as anybody may see it, now."""
        viewer = self.table.engine.public()
        message = viewer.read()
        viewer.close()
        return message

    def close(self) -> None:
        self.relay.close()
        self.console.close()


def new_game(console: Console) -> str:
    """Begin a word game in the place of the one that is played; the team whose turn it is."""
    if console.table["public"] and console.table["public"]["phase"] != "over":
        console.do("abandon")
    console.do("start", profile="codenames")
    turn: str = console.table["public"]["turn"]
    return turn


def link(console: Console, seat: str) -> str:
    """The link of a new QR code for a seat."""
    answer = console.ask("phone", **{"for": seat})
    assert answer["ok"], answer
    text: str = answer["told"]["link"]
    return text


def until(
    phone: Phone,
    carry: Carry,
    seen: Callable[[Phone], bool],
    hold: bool = False,
    **do: Any,
) -> bool:
    """Let a phone speak at each beat until this is so; False where it never is."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        if phone.is_heard and seen(phone):
            return True
        phone.hear(carry(phone.next_frame(hold, **(do if phone.is_heard else {}))))
    return phone.is_heard and seen(phone)


def join(phone: Phone, carry: Carry) -> Phone:
    """Let a phone knock until it is heard, and knows its seat."""
    assert until(phone, carry, lambda phone: bool(phone.message)), "nobody heard the phone"
    return phone


def ask(phone: Phone, carry: Carry, asked: int, /, **do: Any) -> dict[str, Any]:
    """Ask for this as a phone; return the answer."""

    def answered(phone: Phone) -> bool:
        answer = phone.message.get("answer")
        return answer is not None and answer["id"] == asked

    assert until(phone, carry, answered, id=asked, do=do), f"no answer to {do}"
    answer: dict[str, Any] = phone.message["answer"]
    return answer
