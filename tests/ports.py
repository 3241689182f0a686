"""Ports for programs that are told one when they start."""

import socket
from contextlib import suppress
from random import SystemRandom


def free_port(address: str = "127.0.0.1") -> int:
    """Return a port at which nobody listens.

    It lies above 10080, the last port that browsers refuse, and below those that the system gives
    to whoever connects. Another program cannot be given it by chance, nor is somebody who knocks
    before anybody listens connected to themselves. It is drawn, and no other process that draws one
    gets the same until this one ends.
    """
    while True:
        port = SystemRandom().randrange(10_081, 32_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind((address, port))
            with socket.socket(socket.AF_UNIX) as kept:
                kept.bind(f"\0pi-table-test-port-{port}")  # fails if another process has drawn it
                kept.detach()  # until this process ends
            return port
