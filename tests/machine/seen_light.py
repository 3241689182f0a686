"""The frames of the emulated strip as they arrive, for tests of the time at which a cell was
lit."""

import socket
import time
from collections import deque
from pathlib import Path
from threading import Thread
from typing import Final

from pi_table.common.geometry import cell_named, leds_of

BRIGHTER: Final = 40
"""So much brighter than ever before is a glow; all four LEDs of a cell, red, green and blue."""


class SeenLight:
    """Looks on at the strip; as a context it has ended when that is left."""

    def __init__(self, control: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(control))
        self._socket.sendall(b"watch\n")
        self._frames: deque[tuple[float, str]] = deque(maxlen=20_000)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._socket.makefile("r") as lines:
            for line in lines:
                if line.startswith("shown"):
                    self._frames.append((time.monotonic(), line))

    def glowed(self, cell: str, since: float) -> float | None:
        """The seconds from ``since`` until the cell was brighter than in the second before; None:
        it was not yet."""
        place = cell_named(cell)
        assert place is not None
        before = 0
        for at, line in [*self._frames]:
            pulses = [int(word, 16) for word in line.split()[3:]]
            light = sum(sum(pulses[led].to_bytes(4)) for led in leds_of(place))
            if since - 1.0 < at <= since:
                before = max(before, light)
            elif at > since and light > before + BRIGHTER:
                return at - since
        return None

    def __enter__(self) -> "SeenLight":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()
