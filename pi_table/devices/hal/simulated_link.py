"""A connection through which another process touches a simulated table and reads its lights.

The connection is a Unix socket or a terminal device. The format is JSON lines. The other process
sends ``{"touch": "B3"}``, ``{"lean": "B3"}``, ``{"release": "B3"}``, ``{"fail": "B3"}``,
``{"disturb": "B3"}`` (each with any place of the table), ``{"mend": true}``, ``{"wet": true}``,
``{"hold": "switch-off"}`` for the button on the case, and ``{"ail": "…"}``, a sentence for the
staff. The methods of `SimulatedTable` with these names say what each line does.

When the other process connects, and for each new frame, it receives ``{"lights": [27 times
"#rrggbb"], "leds": [104 times "#rrggbb"]}``; a place's colour in ``lights`` is the mean of its
LEDs. If the case has a status LED, the line also has ``"lamp"``, the LED's pattern (`Lamp`), and
each new pattern also causes a line. A slow reader misses frames, but never the newest frame.

A socket serves one process at a time: a new connection replaces the previous one. When the process
disconnects, its fingers are lifted.
"""

import asyncio
import fcntl
import os
import socket
import termios
import tty
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.geometry import LED_SLICES, place_named
from pi_table.common.language import say
from pi_table.common.unix_socket import listen
from pi_table.devices.hal.contracts import Lamp, LightFrame
from pi_table.devices.hal.drain import drain
from pi_table.devices.hal.simulated import SimulatedTable, mean_of_leds, to_hex

MAX_LINE_BYTES: Final = 4096


class LinkedTable(SimulatedTable):
    """A simulated table whose touches another process controls."""

    def __init__(self, link: str, loop: asyncio.AbstractEventLoop, layout: str = "tiles") -> None:
        """Open ``link``. Raises DeviceError if the link cannot be opened, or if another table uses
        it."""
        super().__init__(loop, layout)
        self._link = Path(link)
        self._loop = loop
        self._world: _World | None = None
        self._listener: socket.socket | None = None
        self.on_show = self._witness
        self.on_shine = self._witness
        try:
            if self._link.is_char_device():
                self._world = _World(_open_terminal(self._link), self, loop)
            else:
                self._listener = listen(self._link, 0o600)
                self._listener.setblocking(False)
                loop.add_reader(self._listener, self._accept)
        except (OSError, termios.error) as error:
            raise DeviceError(
                say(
                    "The simulated table's link {link} cannot be opened: {args}. Check the path "
                    "and its rights, and that no other table uses it.",
                    link=link,
                    args=error.args[-1],
                )
            ) from None

    def read(self) -> None:
        """Process all waiting lines first, because one of them may lift a finger. Then report the
        touches again."""
        if self._world is not None:
            self._world.read()
        super().read()

    def close(self) -> None:
        super().close()
        if self._listener is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None
            with suppress(OSError):  # the next start removes a file that remains
                self._link.unlink()
        if self._world is not None:
            self._world.close()
            self._world = None

    def hear(self, line: bytes) -> None:
        """Apply a line from the other process; ignore an invalid line."""
        try:
            said = msgspec.json.decode(line, type=dict[str, str | bool])
        except ValueError:
            return
        for act, name in said.items():
            place = place_named(name)
            if act == "mend":
                self.mend()
            elif act == "wet":
                self.wet(bool(name))
            elif act == "ail":
                self.ail(str(name))
            elif act == "hold" and name == "switch-off":
                self.hold_button()
            elif place is not None and act in ("touch", "lean", "release", "fail", "disturb"):
                getattr(self, act)(place)

    def on_disconnect(self) -> None:
        self._world = None
        self.release()

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # the other process has already disconnected
        if self._world is not None:
            self._world.close()
            self._world = None  # first, so that the old process is not sent the new lights
            self.release()
        self._world = _World(connection.detach(), self, self._loop)
        self._witness()

    def _witness(self, seen: LightFrame | Lamp | None = None) -> None:
        if self._world is not None:
            self._world.show(self.shown, self.lamp)


def lights_line(frame: LightFrame, lamp: Lamp | None = None) -> bytes:
    """Return a line for the other process. ``lamp`` is None if the case has no LED."""
    means, leds = zip(*(_texts_of(frame[leds]) for leds in LED_SLICES), strict=True)
    of_case = "" if lamp is None else f',"lamp":"{lamp.value}"'
    return f'{{"lights":[{",".join(means)}],"leds":[{",".join(leds)}]{of_case}}}\n'.encode()


@lru_cache(1 << 12)  # as JSON, a frame would take longer than all the rest of it
def _texts_of(colours: tuple[int, ...]) -> tuple[str, str]:
    """Return, as JSON, the mean of the colours of a place's LEDs, and these colours."""
    mean, *each = (f'"{colour}"' for colour in to_hex([mean_of_leds(colours), *colours]))
    return mean, ",".join(each)


class _World:
    """The connection to the other process; ``file`` is its file descriptor.

    The connection never blocks. If the other process does not read, the rest of the current frame
    is sent later, and then the newest frame follows.
    """

    def __init__(self, file: int, table: LinkedTable, loop: asyncio.AbstractEventLoop) -> None:
        self._file = file
        self._table = table
        self._loop = loop
        self._heard = b""
        self._begun = b""
        self._newest: tuple[LightFrame, Lamp | None] | None = None
        os.set_blocking(file, False)
        loop.add_reader(file, self.read)

    def show(self, frame: LightFrame, lamp: Lamp | None) -> None:
        self._newest = frame, lamp
        self._write()

    def close(self) -> None:
        self._loop.remove_reader(self._file)
        self._loop.remove_writer(self._file)
        os.close(self._file)

    def read(self) -> None:
        data = drain(self._file)
        if data is None:
            return
        if not data:
            self.close()
            self._table.on_disconnect()
            return
        *lines, rest = (self._heard + data).split(b"\n")
        self._heard = rest if len(rest) <= MAX_LINE_BYTES else b""
        for line in lines:
            self._table.hear(line)

    def _write(self) -> None:
        try:
            while self._begun or self._newest is not None:
                if self._newest is not None and not self._begun:
                    self._begun, self._newest = lights_line(*self._newest), None
                self._begun = self._begun[os.write(self._file, self._begun) :]
        except BlockingIOError:
            self._loop.add_writer(self._file, self._write)
            return
        except OSError:
            self._begun, self._newest = b"", None  # disconnected, which the next read notices
        self._loop.remove_writer(self._file)


def _open_terminal(path: Path) -> int:
    file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tty.setraw(file)
    except BaseException:
        os.close(file)
        raise
    return file


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> SimulatedTable:
    link, layout = config.simulated.link, config.lights.layout
    return LinkedTable(link, loop, layout) if link else SimulatedTable(loop, layout)
