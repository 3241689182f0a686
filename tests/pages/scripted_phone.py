"""A phone without a browser, at a running table's pages: it beats on a thread of its own."""

import threading
from contextlib import ExitStack
from typing import Any, Self

from phone import Phone
from table_with_pages import TableWithPages, until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pi_table.protocols.ipc.sealed import BEAT_SECONDS, DOWN_BYTES, UP_BYTES


class ScriptedPhone:
    """A context in which a phone has its seat."""

    def __init__(self, table: TableWithPages, seat: str) -> None:
        self.phone = Phone(table.console.do("phone", **{"for": seat})["link"])
        self._url = table.url.replace("http", "ws") + "/api/1/phones"
        self._origin: Any = table.url
        self._gone = threading.Event()
        self._stack = ExitStack()
        self._threads: list[threading.Thread] = []
        self.heard: list[Any] = []
        """Every message that came, in order."""

    def __enter__(self) -> Self:
        line = connect(self._url, origin=self._origin, compression=None)
        self._wire = self._stack.enter_context(line)
        for run in (self._beat, self._hear):
            self._threads.append(threading.Thread(target=run, daemon=True))
            self._threads[-1].start()
        self.shows("seat")
        return self

    def __exit__(self, *args: object) -> None:
        self._gone.set()
        self._stack.close()
        for thread in self._threads:
            thread.join()

    def shows(self, name: str) -> Any:
        """Return the value of that name in the phone's message, once there is one."""
        return until(lambda: self.phone.message and self.phone.message[name])

    def ask(self, act: str, **fields: object) -> Any:
        """Ask for something; what is answered."""
        self.phone.ask(act, **fields)
        return until(lambda: self.phone.answer)

    def send(self, frame: bytes) -> None:
        """Send a frame that is none."""
        self._wire.send(frame.ljust(UP_BYTES, b"\0"))

    def _beat(self) -> None:
        while not self._gone.wait(BEAT_SECONDS):
            try:
                self._wire.send(self.phone.next())
            except ConnectionClosed:
                return

    def _hear(self) -> None:
        try:
            for block in self._wire:
                assert isinstance(block, bytes)
                starts = range(0, len(block), DOWN_BYTES)
                self.phone.hear(tuple(block[start : start + DOWN_BYTES] for start in starts))
                if self.phone.message is not None:
                    self.heard.append(self.phone.message)
        except ConnectionClosed:
            return
