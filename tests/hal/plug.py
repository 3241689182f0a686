"""A terminal device that is plugged in and unplugged, with a controller at its other end or not.

The device is real, the time is not: whoever writes to it waits until its kernel has passed on what
was written, so that all that is said in an instant is heard in it.
"""

import fcntl
import os
import select
import socket
import struct
import termios
import time
import tty
from itertools import groupby
from pathlib import Path

from patience import PATIENCE
from peer import Peer
from virtual_loop import VirtualLoop

from pi_table.devices.hal.contracts import TouchFrame
from pi_table.devices.hal.controller import Controller

STEP = 0.005
ROOM = 4000
"""Bytes that a terminal device has room for at least."""


class Plug:
    """The name of a port, and now and then a device there."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self._ends = ours, theirs
        self.name.symlink_to(os.ttyname(theirs))

    def unplug(self) -> None:
        if self._ends is not None:
            self.name.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def write(self, data: bytes) -> None:
        """Say this to the driver, if it has left room for it."""
        assert self._ends is not None
        ours, theirs = self._ends
        there = waiting(theirs) + len(data)
        assert os.write(ours, data) == len(data)
        wait_for(theirs, there)

    def read(self) -> bytes:
        """Return the bytes that the driver has sent."""
        assert self._ends is not None
        try:
            return os.read(self._ends[0], 65536)
        except BlockingIOError:
            return b""

    def unread(self) -> int:
        """The bytes that the driver has said and nobody has read."""
        return 0 if self._ends is None else waiting(self._ends[0])

    def drain(self) -> bytes:
        """All that the driver has said; the kernel gives much of it piece by piece."""
        assert self._ends is not None
        found = b""
        while select.select([self._ends[0]], [], [], 0.05)[0]:
            found += self.read()
        return found

    def arrived(self, unread: int) -> None:
        """Wait until so much of what the driver has said is there to be read."""
        if self._ends is not None:
            wait_for(self._ends[0], unread)


def connected(link: str) -> int:
    """The other end of a link that is a socket."""
    world = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    world.connect(link)
    return world.detach()


def wait_for(end: int, count: int) -> None:
    until = time.monotonic() + PATIENCE
    while waiting(end) < count:
        assert time.monotonic() < until, "The terminal device does not pass on what was written."
        os.sched_yield()


def waiting(end: int) -> int:
    """The bytes that can be read at this end of a terminal device."""
    count: int = struct.unpack("i", fcntl.ioctl(end, termios.FIONREAD, bytes(4)))[0]
    return count


class PatientController(Controller):
    """The driver, whose words have arrived when it has said them."""

    plug: Plug

    def _send(self, data: bytes) -> None:
        unread, whole = self.plug.unread(), self._torn + len(data)
        super()._send(data)
        if data and unread + whole < ROOM:
            self.plug.arrived(unread + whole)


class Bench:
    """The driver at a plug, with a controller of the tests' own that answers, unless there is none
    or it stands still."""

    def __init__(self, name: Path, peer: Peer | None, plugged: bool = True) -> None:
        self.loop = VirtualLoop()
        self.plug = Plug(name)
        self.peer = peer
        self.stalled = False
        self.budget: int | None = None
        """Bytes that the controller can say still before it is unplugged."""
        self.frames: list[TouchFrame] = []
        self.told_at: list[float] = []
        """When each of the frames was told."""
        if plugged:
            self.plug.plug()
        PatientController.plug = self.plug
        self.driver = PatientController(str(name), self.loop)
        self.driver.start(self._told)

    def close(self) -> None:
        self.driver.close()
        self.plug.unplug()
        self.loop.close()

    def _told(self, frame: TouchFrame) -> None:
        self.frames.append(frame)
        self.told_at.append(self.loop.time())

    @property
    def changes(self) -> list[TouchFrame]:
        """The frames that differ from the one before."""
        return [frame for frame, _ in groupby(self.frames)]

    @property
    def plugged(self) -> bool:
        return self.plug._ends is not None

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.loop.time() + seconds
        while self.loop.time() < end:
            self.loop.run_until_complete(self.loop.until(self.loop.time() + STEP))
            if self.plugged and not self.stalled:
                self._answer()

    def stand_still(self, seconds: float) -> None:
        """Let time pass in which the controller neither reads nor says anything."""
        self.loop.run_until_complete(self.loop.until(self.loop.time() + seconds))

    def until(self, touched: set[int], trouble: str | None = None, within: float = 10.0) -> float:
        """Let time pass until the newest frame tells this; how long it took."""
        begun = self.loop.time()
        while not self._tells(touched, trouble):
            assert self.loop.time() < begun + within, self.frames[-1:]
            self.run(STEP)
        return self.loop.time() - begun

    def _tells(self, touched: set[int], trouble: str | None) -> bool:
        if not self.frames:
            return False
        frame = self.frames[-1]
        if trouble is None:
            return frame.trouble is None and frame.touched == touched and not frame.deaf
        return trouble in str(frame.trouble)

    def _answer(self) -> None:
        heard = self.plug.read()
        if self.peer is None:
            return
        self.peer.receive(heard)
        for said in self.peer.to_send(self.loop.time()):
            if self.budget is not None:
                said = said[: self.budget]
                self.budget -= len(said)
            self.plug.write(said)
            if self.budget == 0:
                self.plug.unplug()
                self.budget = None
                return
