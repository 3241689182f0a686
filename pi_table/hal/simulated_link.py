"""The simulated table's two sides for another process: over a Unix socket or a terminal device.

JSON lines. In, the world side: ``{"touch": "B3"}``, ``{"release": "B3"}``, ``{"fail": "B3"}``,
``{"mend": true}``, with any place of the table. Out, the witness side: ``{"lights": [27 times
"#rrggbb"]}`` for each new frame, and the present one to whoever connects. On a socket there is one
world at a time, and the newest wins; when it goes away its fingers are lifted.
"""

import asyncio
import os
import stat
import tty
from pathlib import Path

import msgspec

from pi_table.errors import DeviceError
from pi_table.geometry import place_named
from pi_table.hal.contracts import LightFrame
from pi_table.hal.simulated import SimulatedTable

LONGEST_LINE = 4096


class LinkedTable(SimulatedTable):
    """A simulated table whose fingers and eyes are in another process."""

    def __init__(self, link: str, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._link = Path(link)
        self._loop = loop
        self._world: asyncio.WriteTransport | None = None
        self._server: asyncio.Server | None = None
        self._terminal: _Terminal | None = None
        self.on_show = self._witness
        try:
            if self._link.exists() and stat.S_ISCHR(self._link.stat().st_mode):
                self._terminal = _Terminal(self._link, self, loop)
            else:
                self._link.unlink(missing_ok=True)
                self._listening = loop.create_task(self._listen())
        except OSError as error:
            raise DeviceError(
                f"The simulated table's link {link} cannot be opened: {error.strerror}."
            ) from None

    async def _listen(self) -> None:
        self._server = await self._loop.create_unix_server(lambda: _World(self), str(self._link))
        os.chmod(self._link, 0o600)

    def close(self) -> None:
        super().close()
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None
        if self._server is not None:
            self._server.close()
            self._server = None
            self._link.unlink(missing_ok=True)
        if self._world is not None:
            self._world.close()

    def hear(self, line: bytes) -> None:
        """Do what a line of the world side says; a line that says nothing does nothing."""
        try:
            said = msgspec.json.decode(line, type=dict[str, str | bool])
        except ValueError:
            return
        for act, name in said.items():
            place = place_named(name)
            if act == "mend":
                self.mend()
            elif place is not None and act in ("touch", "release", "fail"):
                {"touch": self.touch, "release": self.release, "fail": self.fail}[act](place)

    def _witness(self, frame: LightFrame) -> None:
        if self._terminal is not None:
            self._terminal.write(lights_line(frame))
        if self._world is not None and self._world.get_write_buffer_size() < 65536:
            self._world.write(lights_line(frame))

    def connected(self, world: asyncio.WriteTransport) -> None:
        if self._world is not None:
            self._world.close()
            self.release()
        self._world = world
        world.write(lights_line(self.shown))

    def disconnected(self, world: asyncio.WriteTransport) -> None:
        if self._world is world:
            self._world = None
            self.release()


def lights_line(frame: LightFrame) -> bytes:
    """A frame as a line of the witness side."""
    return msgspec.json.encode({"lights": [f"#{colour:06x}" for colour in frame]}) + b"\n"


class _Lines:
    """Bytes as they come, whole lines as they are complete; what is too long is dropped."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest if len(rest) <= LONGEST_LINE else b""
        return lines


class _World(asyncio.Protocol):
    def __init__(self, table: LinkedTable) -> None:
        self._table = table
        self._lines = _Lines()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._table.connected(transport)

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._table.hear(line)

    def connection_lost(self, error: Exception | None) -> None:
        self._table.disconnected(self._transport)


class _Terminal:
    """A terminal device as the link; a frame that does not fit its buffer is dropped."""

    def __init__(self, path: Path, table: LinkedTable, loop: asyncio.AbstractEventLoop) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._file)
        self._loop = loop
        self._table = table
        self._lines = _Lines()
        loop.add_reader(self._file, self._readable)

    def _readable(self) -> None:
        try:
            data = os.read(self._file, 65536)
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._file)
            self._table.release()
        for line in self._lines.feed(data):
            self._table.hear(line)

    def write(self, line: bytes) -> None:
        try:
            os.write(self._file, line)
        except OSError:
            return

    def close(self) -> None:
        self._loop.remove_reader(self._file)
        os.close(self._file)
