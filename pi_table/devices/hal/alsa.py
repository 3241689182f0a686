"""A loudspeaker of this machine, by ALSA: aplay plays each clip, in a process of its own.

Why aplay (Debian's alsa-utils), and no library. A device that is pulled out while it plays may
hold a caller for long, or crash it; here that is another process, which can be killed, and the
table's loop only ever writes to a pipe. It also keeps a library for sound out of the engine's
memory. libasound by ctypes and pyalsaaudio put the device into this process, and so into
its loop or a thread; sounddevice brings PortAudio, with a thread that calls Python back; pygame
brings SDL, which the engine may not import. The price is a process for each clip.

A clip is written to the pipe as the device takes it. To cut it short, aplay is killed, and the
next one is begun when that one has ended, for many devices take one program at a time.
"""

import asyncio
import os
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from pi_table.common.config import Config
from pi_table.common.scheduling import be_ordinary
from pi_table.devices.hal import alsa_trouble
from pi_table.devices.hal.contracts import SAMPLE_BYTES, SAMPLE_RATE, SILENCE, Clip

RETRY_SECONDS: Final = 10.0
"""So long after a trouble the device is tried again, if nothing was to be played until then."""
GRACE_SECONDS: Final = 5.0
"""So much longer than its clip aplay may take before the device counts as stuck."""
ENDING_SECONDS: Final = 0.5
"""How long closing waits for aplay, which has been killed."""
PROBE: Final = Clip(bytes(SAMPLE_BYTES * (SAMPLE_RATE // 50)))
"""Silence of 20 ms, by which the device is tried."""
MOST_SAID: Final = 4096
"""Bytes of aplay's errors that are kept, the last of them."""


class Alsa:
    """A loudspeaker that aplay opens for each clip."""

    def __init__(self, device: str, loop: asyncio.AbstractEventLoop, program: str) -> None:
        """``device`` is an ALSA name, as `aplay -L` lists them; ``program`` is aplay's own."""
        self._device = device
        self._loop = loop
        self._program = program
        self._on_trouble: Callable[[str | None], None] | None = None
        self._playing: _Playing | None = None
        self._next: Clip | None = None
        self._trouble: str | None = None
        self._told = False
        self._retry: asyncio.TimerHandle | None = None

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        self._on_trouble = on_trouble
        self.play(PROBE)

    def play(self, clip: Clip) -> None:
        if self._on_trouble is None:
            return
        self._next = clip
        if self._playing is None:
            self._begin()
        else:
            self._playing.cut()

    def close(self) -> None:
        self._on_trouble = None
        self._next = None
        self._try_later(False)
        if self._playing is not None:
            self._playing.close()
            self._playing = None

    def _begin(self) -> None:
        """Play the clip that waits, if one does."""
        clip, self._next = self._next, None
        if clip is None or clip == SILENCE:
            return
        self._try_later(False)
        command = (self._program, *OPTIONS, "-D", self._device, "-")
        try:
            self._playing = _Playing(command, clip, self._loop, self._tell, self._ended)
        except OSError as error:
            self._tell(alsa_trouble.cannot_run(self._program, error))

    def _ended(self) -> None:
        """aplay has ended."""
        self._playing = None
        self._begin()
        if self._playing is None:
            self._try_later(self._trouble is not None)

    def _tell(self, trouble: str | None) -> None:
        self._try_later(trouble is not None)
        if self._on_trouble is None or (self._told and trouble == self._trouble):
            return
        self._told, self._trouble = True, trouble
        self._on_trouble(trouble)

    def _try_later(self, yes: bool) -> None:
        if self._retry is not None:
            self._retry.cancel()
        self._retry = self._loop.call_later(RETRY_SECONDS, self.play, PROBE) if yes else None


OPTIONS: Final = ("-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(SAMPLE_RATE))


class _Playing:
    """An aplay at work: its process, the pipe to it, and what it says."""

    def __init__(
        self,
        command: tuple[str, ...],
        clip: Clip,
        loop: asyncio.AbstractEventLoop,
        tell: Callable[[str | None], None],
        ended: Callable[[], None],
    ) -> None:
        """``tell`` is told what is wrong with the device, or None, unless aplay was cut short
        before that was known; ``ended`` is called when the process is gone. Raises OSError if
        aplay cannot be started."""
        self._device = command[command.index("-D") + 1]
        self._loop = loop
        self._tell = tell
        self._ended = ended
        self._rest = memoryview(clip.samples)
        self._said = b""
        self._is_judged = False
        """Is nothing of the device to be learned any more from how aplay ends?"""
        with ExitStack() as opened:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "LC_ALL": "C"},
                bufsize=0,
                process_group=0,  # Ctrl-C is for the table alone
            )
            be_ordinary(self._process.pid)
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
        loop.add_reader(self._errors, self._hear)
        loop.add_reader(self._exit, self._reap)
        self._deadline = loop.call_later(clip.seconds + GRACE_SECONDS, self._give_up)

    def cut(self) -> None:
        """Fall silent, and end."""
        self._is_judged = True
        self._process.kill()

    def close(self) -> None:
        """Fall silent, and let go of all that belongs to the process; ``ended`` is not called."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # a kernel that does not let go of the device
            self._process.wait(ENDING_SECONDS)
        self._let_go()

    def _give_up(self) -> None:
        self.cut()
        self._tell(alsa_trouble.stuck(self._device))

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._pipe.fileno(), self._rest) :]
        except BlockingIOError:
            return
        except OSError:
            self._rest = memoryview(b"")  # aplay has ended, and its exit says more
        if not self._rest:
            self._loop.remove_writer(self._pipe)
            self._pipe.close()  # aplay plays what it has, and ends

    def _hear(self) -> None:
        try:
            said = os.read(self._errors.fileno(), MOST_SAID)
        except BlockingIOError:
            return
        if not said:
            self._loop.remove_reader(self._errors)
        self._said = (self._said + said)[-MOST_SAID:]

    def _reap(self) -> None:
        """Take leave of the process, which has ended."""
        self._hear()
        status = self._process.wait()
        self._let_go()
        if not self._is_judged:
            said = self._said.decode(errors="replace")
            self._tell(alsa_trouble.failed(self._device, said) if status else None)
        self._ended()

    def _let_go(self) -> None:
        self._deadline.cancel()
        if not self._pipe.closed:
            self._loop.remove_writer(self._pipe)
            self._pipe.close()
        self._loop.remove_reader(self._errors)
        self._errors.close()
        self._loop.remove_reader(self._exit)
        os.close(self._exit)


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Alsa:
    """The loudspeaker that [sound] names. A device that is not there is no error: it may come."""
    return Alsa(config.sound.device, loop, "aplay")
