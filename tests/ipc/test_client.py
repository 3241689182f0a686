"""The client's end of a socket, with a real socket on the other side."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pi_table.protocols.ipc.client import (
    BUSY_SECONDS,
    RETRY_SECONDS,
    Client,
    Connected,
    Disconnected,
)
from pi_table.protocols.ipc.messages import (
    MAX_ANSWER_BYTES,
    Answer,
    Busy,
    Request,
    ToConsole,
    line,
    read_to_console,
)


class Table:
    """The other side."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        self.listener.listen()
        self.connection: socket.socket | None = None

    def accept(self) -> socket.socket:
        if self.connection is not None:
            self.connection.close()
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(10.0)
        return self.connection

    def close(self) -> None:
        self.listener.close()
        if self.connection is not None:
            self.connection.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table(tmp_path / "console.sock")
    yield opened
    opened.close()


@pytest.fixture
def client(table: Table) -> Iterator[Client[ToConsole]]:
    opened = Client(table.path, read_to_console)
    yield opened
    opened.close()


def test_messages_come_in_order_whole_or_in_pieces(table: Table, client: Client[ToConsole]) -> None:
    assert client.poll(0.0) == [Connected()]
    connection = table.accept()
    assert client.poll(0.0) == []
    answers = [Answer(number, ok=True, told="…" * number) for number in range(3)]
    sent = b"".join(map(line, answers))
    heard: list[object] = []
    for piece in (sent[:1], sent[1:60], sent[60:]):
        connection.sendall(piece)
        heard += client.poll(0.0)
    assert heard == answers


def test_a_table_that_is_away_is_tried_every_half_second(tmp_path: Path) -> None:
    path = tmp_path / "late.sock"
    client = Client(path, read_to_console)
    assert client.poll(0.0) == []
    assert client.fileno() is None
    table = Table(path)
    assert client.poll(RETRY_SECONDS - 0.01) == []
    assert client.poll(RETRY_SECONDS) == [Connected()]
    assert client.fileno() is not None
    client.close()
    table.close()


def test_the_client_comes_back_after_the_table_has_hung_up(
    table: Table, client: Client[ToConsole]
) -> None:
    client.poll(0.0)
    connection = table.accept()
    connection.sendall(line(Answer(1, ok=True)))
    connection.close()
    assert client.poll(1.0) == [Answer(1, ok=True), Disconnected()]
    assert client.poll(1.0 + RETRY_SECONDS / 2) == []
    assert client.poll(1.0 + RETRY_SECONDS) == [Connected()]


def test_a_client_that_another_is_before_tries_again_every_few_seconds(
    table: Table, client: Client[ToConsole]
) -> None:
    for begun in (0.0, BUSY_SECONDS, 2 * BUSY_SECONDS):
        assert client.poll(begun) == [Connected()]
        connection = table.accept()
        connection.sendall(line(Busy()))
        assert client.poll(begun) == [Busy()]
        connection.close()
        assert client.poll(begun) == [Disconnected()]
        assert client.poll(begun + BUSY_SECONDS - 0.01) == []
    assert client.poll(3 * BUSY_SECONDS) == [Connected()]
    table.accept().close()
    assert client.poll(3 * BUSY_SECONDS) == [Disconnected()]
    assert client.poll(3 * BUSY_SECONDS + RETRY_SECONDS) == [Connected()]


RUBBISH = [
    b"no JSON\n",
    b'{"kind": "answer"}\n',
    b'{"kind": "secret"}\n',
    b"\xff\xfe\n",
    b'{"kind": "answer", "id": 1, "ok": true, "told": ' + b"[" * 20_000 + b"\n",
    b"x" * (MAX_ANSWER_BYTES + 1),
]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=lambda given: str(given[:20]))
def test_rubbish_ends_the_connection_after_what_was_good_before_it(
    table: Table, client: Client[ToConsole], rubbish: bytes
) -> None:
    client.poll(0.0)
    connection = table.accept()
    connection.setblocking(False)
    sent = line(Answer(1, ok=True)) + rubbish
    heard: list[object] = []
    for _ in range(2000):
        with suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            sent = sent[connection.send(sent) :]
        heard += client.poll(0.0)
        if Disconnected() in heard:
            break
    assert heard == [Answer(1, ok=True), Disconnected()]
    connection.setblocking(True)
    with suppress(ConnectionResetError):  # hung up on, with some of it unread
        assert connection.recv(1) == b""


def test_what_was_said_before_hanging_up_is_heard_although_nothing_can_be_sent_any_more(
    table: Table, client: Client[ToConsole]
) -> None:
    assert client.poll(0.0) == [Connected()]
    connection = table.accept()
    connection.sendall(line(Busy()))
    connection.close()
    for number in range(3):
        client.send(line(Request(number, {})))
    assert client.poll(0.1) == [Busy(), Disconnected()]


def test_many_lines_at_once_are_all_heard(table: Table, client: Client[ToConsole]) -> None:
    client.poll(0.0)
    connection = table.accept()
    connection.setblocking(False)
    lines = b"".join(line(Answer(number, ok=True)) for number in range(5000))
    heard: list[object] = []
    while len(heard) < 5000:
        if lines:
            with suppress(BlockingIOError):
                lines = lines[connection.send(lines) :]
        heard += client.poll(0.0)
    assert heard == [Answer(number, ok=True) for number in range(5000)]


def test_requests_are_sent_and_to_a_table_that_is_away_they_are_not(
    table: Table, client: Client[ToConsole]
) -> None:
    lost, sent = Request(1, {"act": "stop"}), Request(2, {"act": "clue"})
    client.send(line(lost))
    client.poll(0.0)
    client.send(line(sent))
    assert table.accept().recv(4096) == line(sent)


def test_a_table_that_does_not_read_is_given_up(table: Table, client: Client[ToConsole]) -> None:
    client.poll(0.0)
    table.accept()
    heard: list[object] = []
    for _ in range(1000):
        client.send(line(Request(1, {"act": "x" * 1000})))
        heard += client.poll(0.0)
        if heard:
            break
    assert heard == [Disconnected()]


def test_sending_to_a_table_that_has_hung_up_is_found_out_at_the_next_poll(
    table: Table, client: Client[ToConsole]
) -> None:
    client.poll(0.0)
    table.accept().close()
    client.send(line(Request(1, {"act": "stop"})))
    assert client.poll(0.0) == [Disconnected()]
    client.close()
    client.close()
