"""The driver of the table's controller at a serial port: the touch grid and the lights.

`pi_table.devices.wire` decides which bytes to send and which messages to accept. This module
handles the port.

The controller may be unplugged and plugged in again. While the controller is away, no place can be
read and the frames' ``trouble`` names the fault. The driver tries to open the port until the
controller is back.

Nothing in this module blocks. Bytes that do not fit into the port's buffer are lost, as on any
serial line; the link sends them again. All waiting bytes are read before the link checks its
timeouts. While a place is touched, the newest state is reported even if it changes nothing. Older
states that change nothing are not reported, because the finger may have been lifted since.
"""

import asyncio
import errno
import os
import stat
import termios
from collections.abc import Callable
from typing import Final

from serial import Serial

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.devices.hal import controller_trouble
from pi_table.devices.hal.contracts import LightFrame, Readings, TouchFrame
from pi_table.devices.hal.drain import drain
from pi_table.devices.hal.measuring import Measuring
from pi_table.devices.wire.link import Event, Link, Standing
from pi_table.devices.wire.touches import NOTHING_READ, Touches

BAUD: Final = 250_000
RETRY_SECONDS: Final = 0.5
"""Seconds between two attempts to open a port."""
PSEUDO_TERMINALS: Final = range(136, 144)
"""Major numbers of the devices in /dev/pts (from Linux's devices.txt)."""
SILENT_SECONDS: Final = 2.5
"""Timeout in seconds for the controller's first message (its hello) after the port was opened.
Opening the port restarts a Nano, whose boot loader runs first."""


def open_port(port: str) -> Serial:
    """Open the port for exclusive use, with non-blocking reads, and return it.

    A read of an empty port raises BlockingIOError; a read of an unplugged port returns no bytes.
    Raises DeviceError, which says why the port cannot be opened and what to do.
    """
    try:
        if _is_another_terminal(port):
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
        # inter_byte_timeout=0: a read returns at least one byte or raises BlockingIOError.
        return Serial(port, BAUD, timeout=0, inter_byte_timeout=0, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        raise DeviceError(controller_trouble.cannot_open(port, error)) from None


def _is_another_terminal(port: str) -> bool:
    """True if ``port`` is a symbolic link to a pseudo terminal, and that terminal is newer than the
    link.

    An emulated controller makes a link from its port to its terminal. After the emulator was
    killed, the kernel may give the terminal's number to another program, to which the old link then
    leads.
    """
    try:
        link, device = os.lstat(port), os.stat(port)
    except OSError:
        return False
    is_pseudo = os.major(device.st_rdev) in PSEUDO_TERMINALS
    # Use of a terminal changes its access times, but not its ctime.
    return stat.S_ISLNK(link.st_mode) and is_pseudo and device.st_ctime_ns > link.st_mtime_ns


class Controller:
    """The controller, which is a `TouchGrid` and a `Lights` in one device."""

    def __init__(self, port: str, loop: asyncio.AbstractEventLoop) -> None:
        """Open the controller's port; if that fails, retry later. Raises DeviceError if no port is
        configured."""
        if not port:
            raise DeviceError(
                say(
                    "The controller has no port: give its name as port in [controller] of the "
                    "configuration."
                )
            )
        self._port = port
        self._loop = loop
        self._link = Link()
        self._measuring = Measuring(self._link)
        self._serial: Serial | None = None
        self._opened_at = 0.0
        self._was_up = False
        """True if the link has come up since the port was last opened."""
        self._closed_because: str | None = None
        """A sentence that says why the port is closed; None before the first attempt to open it."""
        self._torn = False
        """True if the last frame was sent only in part. Before the next frame, a zero byte must end
        the partial frame."""
        self._timer: asyncio.TimerHandle | None = None
        self._on_frame: Callable[[TouchFrame], None] | None = None
        self._touches: Touches | None = None
        self._noise = controller_trouble.Noise()
        self._outages = controller_trouble.Outages()
        self._frame: TouchFrame | None = None
        self._closed = False
        self._open()

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        self._on_frame = on_frame
        if self._frame is not None:
            on_frame(self._frame)

    def measure(self, on_readings: Callable[[Readings], None] | None, pads: bool = False) -> None:
        if not self._closed:
            self._measuring.begin(on_readings, pads, self._loop.time())
            self._send_due()

    def show(self, frame: LightFrame) -> None:
        self._link.show(frame)
        self._send_due()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._on_frame = None
        self._measuring.begin(None, False, self._loop.time())
        if self._timer is not None:
            self._timer.cancel()
        if self._serial is not None:
            self._send(self._link.last_words())
            self._release(self._serial)

    # The port

    def _open(self) -> None:
        self._opened_at = self._loop.time()
        self._was_up = False
        try:
            self._serial = open_port(self._port)
        except DeviceError as error:
            self._closed_because = str(error)
        else:
            self._loop.add_reader(self._serial.fd, self._read, self._serial)
            self._link.on_open()
            self._torn = True  # the program before may have cut a frame short
        self._on_events([])

    def _read(self, serial: Serial) -> None:
        data = drain(serial.fd)
        if data is None:
            self._on_events(self._link.tick(self._loop.time()))
            return
        if data:
            self._on_events(self._link.receive(data, self._loop.time()))
            return
        self._closed_because = controller_trouble.unplugged_text(self._port)
        self._release(serial)
        self._on_events(self._link.on_close())

    def _send(self, data: bytes) -> None:
        if self._serial is None or not data:
            return
        whole = b"\0" + data if self._torn else data
        try:
            put = os.write(self._serial.fd, whole)
        except OSError:  # no room; or unplugged, which the next read notices
            return
        self._torn = put < len(whole)

    def _release(self, serial: Serial) -> None:
        self._loop.remove_reader(serial.fd)
        serial.close()
        self._serial = None

    # Events

    def _on_events(self, events: list[Event]) -> None:
        """Process the link's events. An empty list means that only time has passed."""
        if self._link.is_up:
            self._was_up = True
        touches = [event for event in events if isinstance(event, Touches)]
        for felt in touches:
            self._touches = felt
            newest = felt is touches[-1]
            self._report(late=newest and self._link.is_late, again=newest)
        self._report(late=self._link.is_late)
        for event in events:
            if not isinstance(event, Touches):
                self._measuring.on_answer(event, self._loop.time())
        self._send_due()

    def _report(self, late: bool, again: bool = False) -> None:
        """Report the touch frame if it is new. If ``again`` is true, also report an unchanged frame
        while a place is touched."""
        trouble = self._trouble()
        if self._touches is None and trouble is None:
            return  # the port was opened just now
        felt = self._touches or NOTHING_READ
        late = late and bool(felt.touched)
        frame = TouchFrame(
            felt.touched,
            felt.deaf,
            felt.heavy,
            felt.blocked,
            trouble,
            late,
            felt.noisy,
            deaf_briefly=bool(felt.deaf) and trouble is None,  # a lasting outage causes a trouble
            perhaps=felt.perhaps,
        )
        if frame != self._frame or (again and frame.touched):
            self._frame = frame
            if self._on_frame is not None:
                self._on_frame(frame)

    def _trouble(self) -> str | None:
        match self._link.standing:
            case Standing.CLOSED:
                return self._closed_because
            case Standing.OTHER_PROTOCOL:
                assert self._link.other_protocol is not None
                return controller_trouble.other_protocol(self._port, self._link.other_protocol)
            case Standing.GREETING | Standing.MET:
                if self._was_up:
                    return controller_trouble.fallen_silent(self._port)
                if self._loop.time() >= self._opened_at + SILENT_SECONDS:
                    return controller_trouble.silent(self._port)
                return self._closed_because
            case Standing.UP | Standing.BEHIND | Standing.DOUBTED:
                assert self._link.hello is not None
                assert self._link.state is not None
                state = self._outages.without_restarts(self._link.state)
                lasting = self._noise.update(state.noisy, self._loop.time())
                return controller_trouble.of_table(self._link.hello, state, lasting)

    def _send_due(self) -> None:
        if self._closed:
            return
        now = self._loop.time()
        self._measuring.go_on(now)
        self._send(self._link.to_send(now))
        wakes = self._link.wakes
        due = min(now + RETRY_SECONDS if wakes is None else wakes, self._measuring.wakes)
        if self._timer is not None:
            if now < self._timer.when() <= due:
                return  # soon enough
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._serial is None:
            self._open()
        else:
            self._read(self._serial)


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Controller:
    """Open the controller at the port that the configuration section [controller] names. Raises
    DeviceError if no port is named."""
    return Controller(config.controller.port, loop)
