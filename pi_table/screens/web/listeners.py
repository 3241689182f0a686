"""The listening sockets: those opened by systemd, and one of our own."""

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
"""The number of the first inherited socket (sd_listen_fds(3))."""
SEND_BYTES: Final = 32 * 1024
"""Size in bytes of the system's buffer for unread output. The system doubles it."""
HEAR_BYTES: Final = 16 * 1024
"""Size in bytes of the system's buffer for input that was not read yet. The system doubles it."""
WAITING: Final = 1024
"""Maximum number of connections that wait at each socket to be accepted.

They use no open files yet. Further connections are dropped silently, and their clients retry after
a second. The number allows twice the connections of eight hostile devices that all reconnect while
the program is not running.
"""
GONE_MS: Final = 15_000
"""Milliseconds after which a connection ends whose other end acknowledges nothing. Viewers are sent
something every five seconds, so a vanished viewer soon frees its place."""


def listeners(
    listen: str, port: int, environment: MutableMapping[str, str] = os.environ
) -> list[socket.socket]:
    """Return the listening sockets, those of systemd first.

    If the pages are for this machine only, systemd's sockets are closed. Raises DeviceError if no
    socket is left to listen.
    """
    found = systemd_sockets(environment)
    if _is_for_this_machine(listen):
        for each in found:
            each.close()
        found = []
    try:
        found.append(_own(listen, port))
    except OSError as error:
        said = say(
            "Cannot listen on {listen}, port {port}: {strerror}. Check [web] listen and port, "
            "and which other program has that port.",
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


def systemd_sockets(environment: MutableMapping[str, str]) -> list[socket.socket]:
    """Return the sockets that systemd opened, and remove their variables from the environment."""
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
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    own = socket.socket(family, socket.SOCK_STREAM)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind((listen, port))
        own.listen(WAITING)  # this fails, too, if another program uses the port
    except BaseException:
        own.close()
        raise
    return own


def _is_for_this_machine(listen: str) -> bool:
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"
