"""The collector's queue, over a connection to a scripted broker."""

import socket
from collections.abc import Iterator
from select import select
from typing import Final

import pytest

from pi_table.fleet.collector.settings import Settings
from pi_table.fleet.collector.subscription import (
    AT_BROKER,
    DROPPED,
    MAX_DIGITS,
    MAX_UNACKNOWLEDGED,
    Subscription,
)

# Packets of MQTT 5: a kind, the bytes that follow, and what the standard's chapter 3 says.
CONNACK: Final = bytes([0x20, 3, 0, 0, 0])
SUBSCRIBE: Final = 0x82
SUBACK: Final = 0x90
PUBACK: Final = 0x40
STEP: Final = 0.05
"""Seconds for which a client waits for what is not there."""


def published(
    payload: bytes, number: int | None = None, topic: bytes = b"pi-table/near-door/record"
) -> bytes:
    """A message, by QoS 1 if it has a number; else by QoS 0."""
    packet_id = b"" if number is None else number.to_bytes(2)
    body = len(topic).to_bytes(2) + topic + packet_id + bytes(1) + payload
    return bytes([0x30 | bool(packet_id) << 1, len(body)]) + body


class Broker:
    """A broker with one client, which sends nothing by itself."""

    def __init__(self, listener: socket.socket, client: Subscription) -> None:
        client.turn(0)
        self._client = client
        self.line, _ = listener.accept()
        self._packet()
        self.line.sendall(CONNACK)
        kind, body = self._packet()
        assert kind == SUBSCRIBE
        self.line.sendall(bytes([SUBACK, 5]) + body[:2] + bytes([0, 1, 1]))
        while not client.ready:
            client.turn(STEP)
        kind, of_itself = self._packet()  # whose answer the client does not wait for
        assert kind == SUBSCRIBE
        assert b"$SYS/" in of_itself
        self.line.sendall(bytes([SUBACK, 5]) + of_itself[:2] + bytes([0, 0x87, 0x87]))

    def acknowledged(self) -> int:
        """The number in the next packet, which acknowledges something."""
        kind, body = self._packet()
        assert kind == PUBACK
        return int.from_bytes(body[:2])

    def _packet(self) -> tuple[int, bytes]:
        """The next packet; all of them are short."""
        kind, length = self._bytes(2)
        return kind, self._bytes(length)

    def _bytes(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            while not select([self.line], [], [], 0)[0]:
                self._client.turn(STEP)
            found += self.line.recv(count - len(found))
        return found


@pytest.fixture
def subscription() -> Iterator[tuple[Subscription, Broker]]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        client = Subscription(Settings(f"mqtt://127.0.0.1:{port}", "sqlite:///none", username=""))
        broker = Broker(listener, client)
        with broker.line:
            yield client, broker
            client.close()


def test_what_nobody_acknowledges_waits_in_no_larger_number_than_the_rest(
    subscription: tuple[Subscription, Broker],
) -> None:
    client, broker = subscription
    broker.line.sendall(published(b"{}") * (MAX_UNACKNOWLEDGED + 20) + published(b"last", 7))
    while not client.waiting or client.waiting[-1].payload != b"last":
        client.turn(STEP)
    assert (
        len(client.waiting) == MAX_UNACKNOWLEDGED + 1
    )  # of QoS 1, the broker itself sends no more
    client.acknowledge(MAX_UNACKNOWLEDGED)
    client.acknowledge(1)
    assert broker.acknowledged() == 7
    assert client.waiting == ()


def test_what_the_broker_tells_of_itself_is_a_figure_and_no_delivery(
    subscription: tuple[Subscription, Broker],
) -> None:
    client, broker = subscription
    told = [
        (AT_BROKER, b"17"),
        (DROPPED, b"3"),
        (AT_BROKER, b"many"),
        (DROPPED, b"9" * 60),
    ]
    broker.line.sendall(
        b"".join(published(payload, topic=topic.encode()) for topic, payload in told)
        + published(b"last")
    )
    while not client.waiting:
        client.turn(STEP)
    assert client.ready
    assert client.figures == {AT_BROKER: 17, DROPPED: int("9" * MAX_DIGITS)}
    assert [each.payload for each in client.waiting] == [b"last"]


def test_a_packet_above_the_limit_ends_the_connection_before_any_of_it_comes(
    subscription: tuple[Subscription, Broker],
) -> None:
    client, broker = subscription
    broker.line.sendall(b"\x30\xff\xff\xff\x7f")
    while client.ready:
        client.turn(STEP)
    assert broker.line.recv(1) == b""
