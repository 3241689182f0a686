"""The referee's opinions of clues from phones, made by a separate process.

The engine has keys, and the referee must not see them. Therefore the engine does not import the
referee. It asks a program, which receives only a clue and public information about the game. The
program is started for the first question, and ended after some minutes without a question. Every
question is answered, even if the program fails.
"""

import asyncio
import os
import selectors
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final

import msgspec

from pi_table.common.bounded_process import Child
from pi_table.common.realtime import follow_main_thread
from pi_table.table.engine.inputs import Judged
from pi_table.table.engine.outputs import AskReferee

COMMAND: Final = (sys.executable, "-P", "-m", "pi_table", "clue", "--lines")
ANSWER_SECONDS: Final = 20.0
"""Timeout of an answer, in seconds. The first answer is slow, because dictionaries are
read first."""
IDLE_SECONDS: Final = 180.0
"""Seconds without a question until the program is ended, because it uses some 100 MiB of memory."""
MAX_ANSWER_BYTES: Final = 4096
"""Maximum length of an answer, in bytes. A longer answer is not accepted."""

Hear = Callable[[Judged], None]


class Referee:
    """The referee's program, which judges clues one after another. Call its methods from the event
    loop's thread."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        command: tuple[str, ...] = COMMAND,
        answer_seconds: float = ANSWER_SECONDS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._loop = loop
        self._command = command
        self._answer_seconds = answer_seconds
        self._idle_seconds = idle_seconds
        self._asked: SimpleQueue[tuple[AskReferee, Hear] | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._child: _Child | None = None
        self._closed = False

    def ask(self, what: AskReferee, hear: Hear) -> None:
        """Ask for an opinion of a clue; ``hear`` receives it later, on the event loop."""
        with self._lock:
            if self._closed:
                return
            self._asked.put((what, hear))
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="referee", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the program. No question is answered after this returns."""
        with self._lock:
            self._closed = True
            thread, child = self._thread, self._child
        self._asked.put(None)
        if child is not None:
            child.stop()
        if thread is not None:
            thread.join()

    def _serve(self) -> None:
        """Answer questions until there was no question for ``idle_seconds``."""
        follow_main_thread()
        try:
            while True:
                try:
                    asked = self._asked.get(timeout=self._idle_seconds)
                except Empty:
                    with self._lock:
                        if not self._asked.empty():
                            continue
                        self._thread = None
                        self._end()
                    return
                if asked is None or self._closed:
                    return
                what, hear = asked
                judged = Judged(what.to, self._opinion(what.clue))
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(partial(hear, judged))
        finally:
            if self._closed:
                self._end()

    def _opinion(self, clue: dict[str, Any]) -> dict[str, Any] | None:
        if self._child is None:
            try:
                child = _Child(self._command)
            except OSError:
                return None
            with self._lock:
                self._child = child
                if self._closed:
                    child.stop()
        answer = self._child.answer(msgspec.json.encode(clue), self._answer_seconds)
        found: dict[str, Any] | None = None
        if answer is not None:
            with suppress(ValueError):
                found = msgspec.json.decode(answer, type=dict[str, Any])
        if found is None:
            self._end()  # the next question starts a new one
        return found

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class _Child(Child):
    def answer(self, question: bytes, seconds: float) -> bytes | None:
        """Send a line, and return the line that answers it. The sent line must fit into a pipe's
        buffer. Return None if the answer does not come in time, or is longer than
        `MAX_ANSWER_BYTES`."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        end, line = time.monotonic() + seconds, b""
        try:
            process.stdin.write(question + b"\n")
        except OSError:
            return None
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                left = end - time.monotonic()
                if left <= 0 or not ready.select(left):
                    return None
                data = os.read(process.stdout.fileno(), MAX_ANSWER_BYTES)
                line += data
                if not data or len(line) > MAX_ANSWER_BYTES:
                    return None
        return line
