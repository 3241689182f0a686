"""Connections of an attack to the pages: bytes over TCP, from any address of this machine alone.

Nothing here knows a well-formed request except from its arguments. Every wait is bounded.
"""

import base64
import os
import re
import select
import socket
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple

from patience import PATIENCE

MY_ADDRESS: Final = "127.0.0.1"


OPENED: Final[list[socket.socket]] = []
"""Every connection that was made; whoever attacks may leave them open."""


def close_all() -> None:
    """Hang up, on every connection."""
    while OPENED:
        OPENED.pop().close()


class Answer(NamedTuple):
    """An answer over HTTP; ``status`` is 0 where the other end hung up without one."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in small letters."""
    body: bytes

    def header(self, name: str) -> str:
        """The header of that name; all of them, if there are several."""
        return ", ".join(value for each, value in self.headers if each == name)


def connected(
    port: int, device: str = MY_ADDRESS, seconds: float = PATIENCE, buffer: int = 0
) -> socket.socket:
    """A connection that comes from the address ``device`` (127.…); ``buffer`` is how many bytes
    the system keeps unread, 0 for as many as it likes."""
    wire = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if buffer:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    wire.settimeout(seconds)
    try:
        wire.bind((device, 0))
        wire.connect((MY_ADDRESS, port))
    except BaseException:
        wire.close()
        raise
    OPENED.append(wire)
    return wire


def everything(wire: socket.socket, seconds: float) -> bytes:
    """Return everything received until the other end hangs up or ``seconds`` have passed."""
    end = monotonic() + seconds
    data = b""
    while (left := end - monotonic()) > 0.0:
        wire.settimeout(left)
        try:
            more = wire.recv(65536)
        except (TimeoutError, ConnectionError):
            break
        if not more:
            break
        data += more
    return data


def hung_up(wire: socket.socket, seconds: float = PATIENCE) -> bool:
    """True if the other end hangs up within these seconds. The bytes before are discarded."""
    end = monotonic() + seconds
    while (left := end - monotonic()) > 0.0:
        if not select.select([wire], [], [], left)[0]:
            return False
        try:
            if not wire.recv(65536):
                return True
        except ConnectionError:
            return True
    return False


def read_answer(wire: socket.socket, rest: bytes = b"", head: bool = False) -> tuple[Answer, bytes]:
    """The next answer, and what came after it. Raises OSError where none comes in time."""
    while b"\r\n\r\n" not in rest:
        try:
            more = wire.recv(65536)
        except ConnectionError:
            more = b""
        if not more:
            return Answer(0, (), rest), b""
        rest += more
    top, _, rest = rest.partition(b"\r\n\r\n")
    first, *lines = top.decode("latin-1").split("\r\n")
    headers = tuple(
        (name.strip().lower(), value.strip())
        for name, _, value in (line.partition(":") for line in lines)
    )
    status = int(first[9:12])
    answer = Answer(status, headers, b"")
    length = answer.header("content-length")
    if head or status in (101, 204, 304):
        return answer, rest
    if length:
        while len(rest) < int(length):
            more = wire.recv(65536)
            if not more:
                break
            rest += more
        return answer._replace(body=rest[: int(length)]), rest[int(length) :]
    return answer._replace(body=rest), b""


def exchange(port: int, data: bytes, device: str = MY_ADDRESS) -> Answer:
    """Send these bytes, and read one answer."""
    with connected(port, device) as wire:
        with suppress(ConnectionError):  # it may answer and hang up before it has read all
            wire.sendall(data)
        return read_answer(wire, head=data.startswith(b"HEAD "))[0]


def request(
    port: int,
    target: str = "/",
    method: str = "GET",
    body: bytes = b"",
    device: str = MY_ADDRESS,
    host: str | None = None,
    **headers: str,
) -> Answer:
    """A well-formed request; ``headers`` with _ for -."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host or f'{MY_ADDRESS}:{port}'}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body or method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    lines += ["Connection: close", "", ""]
    return exchange(port, "\r\n".join(lines).encode("latin-1") + body, device)


class Events:
    """A viewer of the board: server-sent events, read when they are asked for."""

    def __init__(self, port: int, device: str = MY_ADDRESS, buffer: int = 0) -> None:
        """``buffer``: bytes that the system keeps unread; 0: as many as it likes."""
        self.wire = connected(port, device, buffer=buffer)
        ask = f"GET /api/1/events HTTP/1.1\r\nHost: {MY_ADDRESS}:{port}\r\n\r\n"
        self.wire.sendall(ask.encode())
        self._rest = b""

    def status(self) -> int:
        """Return the status of the answer; 0 if the other end hung up."""
        while b"\r\n\r\n" not in self._rest:
            if not self._more():
                return 0
        return int(self._rest.split()[1])

    def next(self) -> bytes:
        """The data of the next event. Raises ConnectionError where the other end hangs up."""
        while True:
            found = re.search(rb"(?:^|\n)data: ?([^\r\n]*)\r?\n", self._rest)
            if found:
                self._rest = self._rest[found.end() :]
                return found[1]
            if not self._more():
                raise ConnectionError("The pages hung up.")

    def close(self) -> None:
        self.wire.close()

    def _more(self) -> bool:
        try:
            more = self.wire.recv(65536)
        except ConnectionError:
            return False
        self._rest += more
        return bool(more)


class WebSocket:
    """A WebSocket of which every bit can be wrong."""

    def __init__(
        self,
        port: int,
        target: str = "/api/1/phones",
        device: str = MY_ADDRESS,
        host: str | None = None,
        origin: str | None = "",
        more: str = "",
    ) -> None:
        """``origin``: "" for that of the pages themselves, None for none."""
        host = host or f"{MY_ADDRESS}:{port}"
        lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Upgrade: websocket"]
        lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += [f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        if origin is not None:
            lines.append(f"Origin: {origin or f'http://{host}'}")
        self.wire = connected(port, device)
        self.wire.sendall(("\r\n".join(lines) + "\r\n" + more + "\r\n").encode("latin-1"))
        self.answer, self._rest = read_answer(self.wire)

    @property
    def is_open(self) -> bool:
        return self.answer.status == 101

    def send(
        self, payload: bytes, opcode: int = 2, fin: bool = True, masked: bool = True, bits: int = 0
    ) -> None:
        """One frame; ``bits`` are the reserved ones."""
        self.wire.sendall(ws_frame(payload, opcode, fin, masked, bits))

    def read(self) -> tuple[int, bytes]:
        """The next frame's opcode and payload; (8, b"") where the other end hung up."""
        header = self._take(2)
        if len(header) < 2:
            return 8, b""
        length = header[1] & 127
        if length == 126:
            length = int.from_bytes(self._take(2), "big")
        elif length == 127:
            length = int.from_bytes(self._take(8), "big")
        return header[0] & 15, self._take(length)

    def block(self) -> bytes:
        """The next binary message. Raises ConnectionError where the other end hangs up."""
        while True:
            opcode, payload = self.read()
            if opcode == 2:
                return payload
            if opcode == 8:
                raise ConnectionError("The pages hung up.")
            if opcode == 9:
                self.send(payload, opcode=10)

    def carry(self, frame: bytes) -> bytes:
        """Send a phone's frame, and wait for what every phone is sent at the next beat."""
        self.send(frame)
        return self.block()

    def close(self) -> None:
        self.wire.close()

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            try:
                more = self.wire.recv(65536)
            except ConnectionError:
                more = b""
            if not more:
                taken, self._rest = self._rest, b""
                return taken
            self._rest += more
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken


def ws_frame(
    payload: bytes, opcode: int = 2, fin: bool = True, masked: bool = True, bits: int = 0
) -> bytes:
    first = bytes([fin << 7 | bits << 4 | opcode])
    mask = masked << 7
    if len(payload) < 126:
        head = first + bytes([mask | len(payload)])
    elif len(payload) < 65536:
        head = first + bytes([mask | 126]) + len(payload).to_bytes(2, "big")
    else:
        head = first + bytes([mask | 127]) + len(payload).to_bytes(8, "big")
    if not masked:
        return head + payload
    key = os.urandom(4)
    length = len(payload)
    repeated = int.from_bytes((key * (length // 4 + 1))[:length], "big")
    return head + key + (int.from_bytes(payload, "big") ^ repeated).to_bytes(length, "big")
