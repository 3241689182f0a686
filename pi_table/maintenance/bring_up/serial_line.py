"""The serial line to a real controller, or to an emulated controller behind a terminal device."""

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pi_table.common.errors import DeviceError
from pi_table.devices.hal import controller_trouble
from pi_table.devices.hal.controller import open_port


class SerialLine:
    """Implements `Line` for a conversation. ``file`` is the file descriptor of the open port."""

    def __init__(self, file: int, where: str) -> None:
        self._file = file
        self._where = where

    def now(self) -> float:
        return time.monotonic()

    def send(self, data: bytes) -> None:
        try:
            os.write(self._file, data)  # if the buffer is full, bytes are lost, as on any wire
        except BlockingIOError:
            pass
        except OSError:
            raise self._unplugged_error() from None

    def receive(self, seconds: float) -> bytes:
        if not select.select([self._file], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self._file, 4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            raise self._unplugged_error()
        return data

    def _unplugged_error(self) -> DeviceError:
        return DeviceError(controller_trouble.unplugged_text(self._where))


@contextmanager
def open_line(port: str) -> Iterator[SerialLine]:
    """Yield the serial line of a port. Raises DeviceError if the port cannot be opened, or is in
    use."""
    with open_port(port) as serial:
        yield SerialLine(serial.fileno(), port)
