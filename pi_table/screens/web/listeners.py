"""The listening sockets: sockets that systemd has opened, and one that this process opens."""

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
"""The file descriptor of the first socket that systemd has opened (sd_listen_fds(3))."""
SEND_BYTES: Final = 32 * 1024
"""Bytes of the system's buffer for data that the client has not read. The system doubles this."""
HEAR_BYTES: Final = 16 * 1024
"""Bytes of the system's buffer for data that this process has not read. The system doubles this."""
WAITING: Final = 1024
"""Maximum number of connections that wait at each socket to be accepted.

Waiting connections use no open files. Further connections are dropped silently, and their clients
retry after a second. The number is twice what eight hostile devices need to reconnect after a
restart.
"""
GONE_MS: Final = 15_000
"""Timeout in milliseconds for the other side to acknowledge data; then the connection ends. Viewers
are sent something every five seconds, so the place of a viewer who vanishes is free soon."""


def listeners(
    listen: str, port: int, environment: MutableMapping[str, str] = os.environ
) -> list[socket.socket]:
    """Return the listening sockets; the sockets of systemd come first.

    If ``listen`` is an address that only this machine can reach, the sockets of systemd are closed
    and left out. Raises DeviceError if there is no socket to listen at.
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
    """Return the sockets that systemd has opened. Remove the variables about them from
    ``environment``."""
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
        own.listen(WAITING)  # like bind, this fails if another program uses the port
    except BaseException:
        own.close()
        raise
    return own


def _is_for_this_machine(listen: str) -> bool:
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"
