"""Where browsers are listened for: sockets that systemd has opened, and one of our own."""

import logging
import os
import socket
from collections.abc import MutableMapping
from ipaddress import ip_address
from typing import Final

from pi_table.common.errors import DeviceError
from pi_table.common.language import say, system_says

log = logging.getLogger("pi_table")

FIRST: Final = 3
"""The number of the first socket that is inherited (sd_listen_fds(3))."""
SEND_BYTES: Final = 32 * 1024
"""Bytes that the system is told to keep of what somebody has not read. It takes twice as many."""
HEAR_BYTES: Final = 16 * 1024
"""The same of what was sent and not taken in yet."""
WAITING: Final = 1024
"""Connections that may wait to be accepted, at each socket. They are no open files yet. One more is
turned away in silence, and its guest tries again after a second. So there is room for twice the
connections of eight hostile devices that all come again while the program does not run."""
GONE_MS: Final = 15_000
"""Milliseconds after which the system ends a connection whose other end takes in nothing. A viewer
is sent something every five seconds, so one that has left without a word leaves its place soon."""


def listeners(
    listen: str, port: int, environment: MutableMapping[str, str] = os.environ
) -> list[socket.socket]:
    """The sockets that listen, those of systemd first. Where the pages are for this machine alone,
    those are closed. Raises DeviceError where there is none at all."""
    found = inherited(environment)
    if _is_for_this_machine(listen):
        for each in found:
            each.close()
        found = []
    try:
        found.append(_own(listen, port))
    except OSError as error:
        said = say(
            "Nobody can be listened for at {listen}, port {port}: {strerror}. Check [web] "
            "listen and port, and which other program has that port.",
            listen=listen,
            port=port,
            strerror=system_says(error) if error.strerror else error,
        )
        if not found:
            raise DeviceError(said) from None
        log.warning(said)
    for each in found:
        each.setblocking(False)
        each.listen(WAITING)
        if each.family != socket.AF_UNIX:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, HEAR_BYTES)
    return found


def inherited(environment: MutableMapping[str, str]) -> list[socket.socket]:
    """The sockets that systemd has opened for this process; nobody else is told of them."""
    told = [environment.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")]
    try:
        meant_for, count = int(told[0]), int(told[1])
    except ValueError:
        return []
    if meant_for != os.getpid():
        return []
    found = []
    for number in range(FIRST, FIRST + count):
        os.set_inheritable(number, False)
        found.append(socket.socket(fileno=number))
    return found


def _own(listen: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if _is_ipv6(listen) else socket.AF_INET
    own = socket.socket(family, socket.SOCK_STREAM)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind((listen, port))
        own.listen(WAITING)  # where another program has the port, this is refused, too
    except BaseException:
        own.close()
        raise
    return own


def _is_for_this_machine(listen: str) -> bool:
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"


def _is_ipv6(listen: str) -> bool:
    try:
        return ip_address(listen).version == 6
    except ValueError:
        return False
