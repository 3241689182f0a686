"""Messages to systemd: their senders, and how often they are sent."""

import os
import socket
from pathlib import Path

from pi_table.common.notify import Heartbeat, notify, watchdog_seconds


def test_somebody_elses_watchdog_is_not_fed() -> None:
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000"}) == 1.5
    mine, other = str(os.getpid()), str(os.getppid())
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": mine}) == 1.5
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": other}) is None
    for nonsense in ("", "soon", "0", "-5"):
        assert watchdog_seconds({"WATCHDOG_USEC": nonsense}) is None
    assert watchdog_seconds({}) is None


def test_a_manager_may_listen_at_an_abstract_address() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"pi-table-test-{os.getpid()}"
        manager.bind(f"\0{name}")
        notify("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
        assert manager.recv(100) == b"READY=1"
    notify("READY=1", {"NOTIFY_SOCKET": f"@{name}"})
    notify("READY=1", {})


def test_a_heart_beats_twice_in_the_time_that_the_watchdog_waits(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"}
        heart = Heartbeat(told)
        beats = []
        for now in (0.0, 0.02, 4.98, 5.02, 5.04, 9.9, 10.1):
            heart.beat(now)
            try:
                assert manager.recv(100) == b"WATCHDOG=1"
                beats.append(now)
            except BlockingIOError:
                pass
        assert beats == [0.0, 5.02, 10.1]


def test_a_heart_that_nobody_listens_to_is_still(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        Heartbeat({"NOTIFY_SOCKET": str(tmp_path / "notify")}).beat(0.0)
        try:
            told = manager.recv(100)
        except BlockingIOError:
            told = b""
        assert told == b""
