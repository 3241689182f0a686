"""Run another program with limits on time and output, and clean up after that program."""

import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from threading import Lock
from typing import Final

import msgspec

from pi_table.common.realtime import use_ordinary_priority

MAX_ERROR_BYTES: Final = 4096
"""Maximum number of bytes of standard error that are kept; the last bytes are kept."""


class Answer(msgspec.Struct, frozen=True):
    """The exit status and the output of a program that ended."""

    status: int
    """Exit status; if negative, the number of the signal that ended the program."""
    output: bytes
    said: str
    """The end of the program's standard error."""


class Child:
    """A child process. One thread uses it, and another thread can stop it."""

    def __init__(self, command: tuple[str, ...], stderr: int = subprocess.DEVNULL) -> None:
        """Start the program. Raises OSError if the program cannot be started."""
        self._lock = Lock()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            process_group=0,  # so that its children can be killed too
        )
        use_ordinary_priority(self._process.pid)

    def stop(self) -> None:
        """Kill the program and everything that it has started. Any thread may call this."""
        with self._lock, suppress(ProcessLookupError):
            if self._process.returncode is None:  # after the end, its id may be reused
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the program, reap it and close its pipes."""
        self.stop()
        with self._lock:
            self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            if file is not None:
                file.close()


class BoundedProcess(Child):
    """A program that answers once and then ends."""

    def __init__(self, command: tuple[str, ...]) -> None:
        super().__init__(command, subprocess.PIPE)

    def answer(self, given: bytes, seconds: float, most: int) -> Answer:
        """Write ``given`` to the program's standard input, and return the answer. ``given`` must
        fit into the buffer of a pipe.

        Raises TimeoutError if the program has not ended after ``seconds``, and OverflowError if it
        writes more than ``most`` bytes. In every case the program has ended when this method
        returns.
        """
        try:
            output, said = self._read(given, time.monotonic() + seconds, most)
        finally:
            self.end()
        return Answer(self._process.returncode, output, said.decode(errors="replace"))

    def _read(self, given: bytes, end: float, most: int) -> tuple[bytes, bytes]:
        """Return what the program writes to standard output and to standard error until it ends.

        The program is reaped only later, so until then its process id cannot be reused.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with suppress(BrokenPipeError):  # the program does not read its input
            process.stdin.write(given)
            process.stdin.close()
        output, said = bytearray(), b""
        with ExitStack() as opened:
            exit_of_it = os.pidfd_open(process.pid)
            opened.callback(os.close, exit_of_it)
            ready = opened.enter_context(selectors.DefaultSelector())
            for file in (process.stdout, process.stderr, exit_of_it):
                ready.register(file, selectors.EVENT_READ)
            while ready.get_map():
                for key, _ in ready.select(_seconds_left(end)):
                    data = os.read(key.fd, 1 << 16) if key.fd != exit_of_it else b""
                    if not data:
                        ready.unregister(key.fileobj)
                    elif key.fileobj is process.stdout:
                        output += data
                    else:
                        said = (said + data)[-MAX_ERROR_BYTES:]
                if len(output) > most:
                    raise OverflowError
        return bytes(output), said


def _seconds_left(end: float) -> float:
    """Return the remaining seconds. Raises TimeoutError if no time remains."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
