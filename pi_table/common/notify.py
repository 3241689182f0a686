"""Telling systemd how the table is, by the protocol of sd_notify(3). Silent elsewhere."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a state such as ``READY=1``; without a service manager that hears it, do nothing."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    with manager, suppress(OSError):  # that it does not hear us is no reason to end a game
        manager.sendto(state.encode(), address)


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often to send ``WATCHDOG=1``: twice in the time that systemd waits; None: never."""
    try:
        seconds = int(environment["WATCHDOG_USEC"]) / 2e6
        meant_for = int(environment.get("WATCHDOG_PID", os.getpid()))
    except (KeyError, ValueError):
        return None
    return seconds if meant_for == os.getpid() and seconds > 0 else None


def keep_telling(later: Callable[[float, Callable[[], None]], object]) -> None:
    """Tell the watchdog from now on that a loop still turns. ``later`` has the loop call something
    after so many seconds."""
    seconds = watchdog_seconds()
    if seconds is None:
        return

    def alive() -> None:
        notify("WATCHDOG=1")
        later(seconds, alive)

    alive()


class Heartbeat:
    """The same for a loop that is nobody's but the program's own."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._seconds = watchdog_seconds(environment)
        self._due = float("-inf")

    def beat(self, now: float) -> None:
        """Call this each time round, at ``now`` (seconds, never falling)."""
        if self._seconds is not None and now >= self._due:
            self._due = now + self._seconds
            notify("WATCHDOG=1", self._environment)
