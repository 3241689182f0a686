"""Report the table's state to systemd by sd_notify(3). Without systemd, nothing happens."""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a state such as ``READY=1``; do nothing if no service manager listens."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    with manager, suppress(OSError):  # a missing service manager must not end a game
        manager.sendto(state.encode(), address)


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between ``WATCHDOG=1`` messages: half of systemd's timeout. None if
    systemd expects no messages from this process."""
    try:
        seconds = int(environment["WATCHDOG_USEC"]) / 2e6
        meant_for = int(environment.get("WATCHDOG_PID", os.getpid()))
    except (KeyError, ValueError):
        return None
    return seconds if meant_for == os.getpid() and seconds > 0 else None


def keep_telling(later: Callable[[float, Callable[[], None]], object]) -> None:
    """Tell the watchdog at regular intervals that this program still runs. ``later`` must call the
    given function after the given number of seconds."""
    seconds = watchdog_seconds()
    if seconds is None:
        return

    def alive() -> None:
        notify("WATCHDOG=1")
        later(seconds, alive)

    alive()


class Heartbeat:
    """Sends the watchdog messages of a program that has its own loop."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._seconds = watchdog_seconds(environment)
        self._due = float("-inf")

    def beat(self, now: float) -> None:
        """Send a message if one is due. Call this in each round of the loop, at ``now`` (monotonic
        seconds)."""
        if self._seconds is not None and now >= self._due:
            self._due = now + self._seconds
            notify("WATCHDOG=1", self._environment)
