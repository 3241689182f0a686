"""A loudspeaker of this machine, played by ALSA's program aplay, with one process for each clip.

aplay (from Debian's alsa-utils) is used instead of a library because a device that is pulled out
during a clip may block or crash its caller. Here the caller is another process, which can be
killed. The table's event loop only writes to a pipe. A separate process also keeps a sound library
out of the engine's memory. The price is one process for each clip.

Libraries that were considered: libasound (through ctypes) and pyalsaaudio would use the device in
this process, either in its event loop or in a thread. sounddevice brings PortAudio with a thread
that calls Python. pygame brings SDL, which the engine may not import.

A clip is written to the pipe as fast as the device takes it. To cut a clip short, aplay is killed.
The next clip starts after that process has ended, because many devices accept only one program at a
time.
"""

import asyncio
import os
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from pi_table.common.config import Config
from pi_table.common.realtime import use_ordinary_priority
from pi_table.devices.hal import alsa_trouble
from pi_table.devices.hal.contracts import SAMPLE_BYTES, SAMPLE_RATE, SILENCE, Clip

RETRY_SECONDS: Final = 10.0
"""Seconds from a fault to the next test of the device, unless a clip is played earlier."""
GRACE_SECONDS: Final = 5.0
"""Seconds that aplay may take longer than its clip before the device counts as stuck."""
ENDING_SECONDS: Final = 0.5
"""Maximum time in seconds for which `close` waits until the killed aplay has ended."""
PROBE: Final = Clip(bytes(SAMPLE_BYTES * (SAMPLE_RATE // 50)))
"""Silence of 20 ms, which is played to test the device."""
MAX_KEPT_BYTES: Final = 4096
"""Maximum number of bytes to keep of aplay's error output. The newest bytes are kept."""


class Alsa:
    def __init__(self, device: str, loop: asyncio.AbstractEventLoop, program: str) -> None:
        """``device`` is one of the names that `aplay -L` lists; ``program`` is the command
        aplay."""
        self._device = device
        self._loop = loop
        self._program = program
        self._on_trouble: Callable[[str | None], None] | None = None
        self._playing: _Playing | None = None
        self._next: Clip | None = None
        self._trouble: str | None = None
        self._has_reported = False
        self._retry: asyncio.TimerHandle | None = None

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        self._on_trouble = on_trouble
        self.play(PROBE)

    def play(self, clip: Clip) -> None:
        if self._on_trouble is None:
            return
        self._next = clip
        if self._playing is None:
            self._play_next()
        else:
            self._playing.cut()

    def close(self) -> None:
        self._on_trouble = None
        self._next = None
        self._schedule_retry(False)
        if self._playing is not None:
            self._playing.close()
            self._playing = None

    def _play_next(self) -> None:
        clip, self._next = self._next, None
        if clip is None or clip == SILENCE:
            return
        self._schedule_retry(False)
        command = (self._program, *OPTIONS, "-D", self._device, "-")
        try:
            self._playing = _Playing(command, clip, self._loop, self._report, self._on_end)
        except OSError as error:
            self._report(alsa_trouble.cannot_run(self._program, error))

    def _on_end(self) -> None:
        self._playing = None
        self._play_next()
        if self._playing is None:
            self._schedule_retry(self._trouble is not None)

    def _report(self, trouble: str | None) -> None:
        self._schedule_retry(trouble is not None)
        if self._on_trouble is None or (self._has_reported and trouble == self._trouble):
            return
        self._has_reported, self._trouble = True, trouble
        self._on_trouble(trouble)

    def _schedule_retry(self, yes: bool) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._retry = self._loop.call_later(RETRY_SECONDS, self.play, PROBE) if yes else None


OPTIONS: Final = ("-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(SAMPLE_RATE))


class _Playing:
    """A running aplay: its process, the pipe to the process, and the process's error output."""

    def __init__(
        self,
        command: tuple[str, ...],
        clip: Clip,
        loop: asyncio.AbstractEventLoop,
        tell: Callable[[str | None], None],
        ended: Callable[[], None],
    ) -> None:
        """Start aplay. Raises OSError if aplay cannot be started.

        ``tell`` is called with the device's fault, or with None if the device works. If aplay is
        killed before it ends by itself, ``tell`` is not called. ``ended`` is called after the
        process has ended.
        """
        self._device = command[command.index("-D") + 1]
        self._loop = loop
        self._report = tell
        self._on_end = ended
        self._rest = memoryview(clip.samples)
        self._said = b""
        self._is_judged = False
        """True if aplay was killed: its exit status then says nothing about the device."""
        with ExitStack() as opened:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "LC_ALL": "C"},
                bufsize=0,
                process_group=0,  # Ctrl-C must not reach aplay
            )
            use_ordinary_priority(self._process.pid)
            opened.callback(self._process.wait)
            opened.callback(self._process.kill)
            assert self._process.stdin is not None
            assert self._process.stderr is not None
            self._pipe = opened.enter_context(self._process.stdin)
            self._errors = opened.enter_context(self._process.stderr)
            self._exit = os.pidfd_open(self._process.pid)
            opened.pop_all()
        for file in (self._pipe, self._errors):
            os.set_blocking(file.fileno(), False)
        loop.add_writer(self._pipe, self._write)
        loop.add_reader(self._errors, self._read_errors)
        loop.add_reader(self._exit, self._reap)
        self._deadline = loop.call_later(clip.seconds + GRACE_SECONDS, self._give_up)

    def cut(self) -> None:
        """Kill the process. ``ended`` is called later, when the process has ended."""
        self._is_judged = True
        self._process.kill()

    def close(self) -> None:
        """Kill the process and release everything that belongs to it, without calling ``ended``."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # the kernel may not release the device
            self._process.wait(ENDING_SECONDS)
        self._release()

    def _give_up(self) -> None:
        self.cut()
        self._report(alsa_trouble.stuck(self._device))

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._pipe.fileno(), self._rest) :]
        except BlockingIOError:
            return
        except OSError:
            self._rest = memoryview(b"")  # aplay has ended; its exit status says why
        if not self._rest:
            self._loop.remove_writer(self._pipe)
            self._pipe.close()  # aplay plays the rest and exits

    def _read_errors(self) -> None:
        try:
            said = os.read(self._errors.fileno(), MAX_KEPT_BYTES)
        except BlockingIOError:
            return
        if not said:
            self._loop.remove_reader(self._errors)
        self._said = (self._said + said)[-MAX_KEPT_BYTES:]

    def _reap(self) -> None:
        self._read_errors()
        status = self._process.wait()
        self._release()
        if not self._is_judged:
            said = self._said.decode(errors="replace")
            self._report(alsa_trouble.device_failure(self._device, said) if status else None)
        self._on_end()

    def _release(self) -> None:
        self._deadline.cancel()
        if not self._pipe.closed:
            self._loop.remove_writer(self._pipe)
            self._pipe.close()
        self._loop.remove_reader(self._errors)
        self._errors.close()
        self._loop.remove_reader(self._exit)
        os.close(self._exit)


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Alsa:
    """Open the loudspeaker that the configuration section [sound] names. A missing device may be
    plugged in later."""
    return Alsa(config.sound.device, loop, "aplay")
