"""A connection to a broker that is given up: nothing of it is left."""

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiomqtt
import pytest
from patience import PATIENCE

from pi_table.fleet.bridge import broker_link
from pi_table.fleet.bridge.broker import Broker
from pi_table.fleet.bridge.broker_link import (
    KEEP_ALIVE_SECONDS,
    MAX_PACKET_BYTES,
    SUSPICIOUS_LOSSES,
    BrokerClient,
    BrokerLink,
    Hear,
)

TAKEN_IN = b"\x20\x03\x00\x00\x00"
"""A broker's packet that accepts a client (CONNACK; MQTT 5, 3.2)."""
DISCONNECT = b"\xe0"
"""First byte of the packet with which a client disconnects."""


class Silent:
    """A broker that says what it is told to when somebody comes, and then nothing more."""

    def __init__(self, says: bytes = b"") -> None:
        self.says = says
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        """All that each of those who came has said, once it has hung up."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.says)
        heard = b""
        with suppress(ConnectionError):  # it had not read what was said to it
            while more := await reader.read(1024):
                heard += more
        writer.transport.abort()
        self.heard.put_nowait(heard)


@asynccontextmanager
async def serving(broker: Silent) -> AsyncIterator[int]:
    """Let a broker serve at a port, which is given."""
    server = await asyncio.start_server(broker.serve, "127.0.0.1", 0)
    async with server, asyncio.timeout(PATIENCE):
        yield server.sockets[0].getsockname()[1]


def line(
    port: int,
    kind: type[BrokerClient] = BrokerClient,
    hear: Hear = lambda topic, payload, kept: None,
) -> BrokerClient:
    return kind(
        hear,
        "127.0.0.1",
        port=port,
        protocol=aiomqtt.ProtocolVersion.V5,
        keepalive=KEEP_ALIVE_SECONDS,
    )


@pytest.mark.parametrize("says", [b"", TAKEN_IN[:2]])
async def test_a_broker_that_takes_nobody_in_is_let_go_of(
    says: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_link, "CONNECT_SECONDS", 1.0)
    broker = Silent(says)
    async with serving(broker) as port:
        with pytest.raises(TimeoutError):
            await line(port).__aenter__()
        async with asyncio.timeout(KEEP_ALIVE_SECONDS / 2):  # by itself it would go then
            assert DISCONNECT in await broker.heard.get()


async def test_a_connection_that_is_made_too_late_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_link, "CONNECT_SECONDS", 0.2)
    given_up, find = threading.Event(), socket.getaddrinfo

    def find_late(host: str, *how: Any, **more: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            given_up.wait(PATIENCE)
        return find(host, *how, **more)

    broker = Silent(TAKEN_IN)
    async with serving(broker) as port:
        monkeypatch.setattr(socket, "getaddrinfo", find_late)
        with pytest.raises(TimeoutError):
            await line(port).__aenter__()
        given_up.set()
        async with asyncio.timeout(KEEP_ALIVE_SECONDS / 2):
            assert await broker.heard.get() == b""


async def test_who_hangs_up_has_the_broker_say_that_the_table_is_offline() -> None:
    broker = Silent(TAKEN_IN)
    async with serving(broker) as port:
        async with line(port):
            pass
        assert (await broker.heard.get()).endswith(DISCONNECT + b"\x01\x04")


class Slow(BrokerClient):
    """A connection whose thread is slower than what the broker says."""

    def _client_connect(self) -> None:
        super()._client_connect()
        while not self._disconnected.done():
            os.sched_yield()


async def test_a_connection_that_is_lost_while_it_is_made_is_known_to_be_lost() -> None:
    broker = Silent(TAKEN_IN + b"\x30\x06\x00\x02\xff\xfe\x00x")
    async with serving(broker) as port:
        async with line(port, Slow) as it:
            with pytest.raises(ValueError, match="utf-8"):
                await it.until_lost()
        await broker.heard.get()


def test_what_the_broker_says_that_is_no_mqtt_ends_the_connection_and_nothing_else() -> None:
    complaints: list[dict[str, Any]] = []

    async def scene() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
        broker = Silent(TAKEN_IN + b"\x30\x06\x00\x02\xff\xfe\x00x")
        async with serving(broker) as port:
            async with line(port) as it:
                with pytest.raises(ValueError, match="utf-8"):
                    await it.until_lost()
            await broker.heard.get()

    asyncio.run(scene())
    assert not complaints


def head(length: int) -> bytes:
    """Return the head of a message whose packet has so many bytes after this."""
    announced, left = bytearray(), length
    while left or not announced:
        announced.append(left % 128 | (128 if left >= 128 else 0))
        left //= 128
    return b"\x30" + bytes(announced)


@pytest.mark.parametrize("length", [MAX_PACKET_BYTES + 1, 2**28 - 1])
async def test_a_packet_above_the_limit_ends_the_connection_before_any_of_it_comes(
    length: int,
) -> None:
    broker = Silent(TAKEN_IN + head(length))
    async with serving(broker) as port:
        async with line(port) as it:
            with pytest.raises(aiomqtt.MqttError):
                await it.until_lost()
        await broker.heard.get()


async def test_the_largest_packet_that_may_come_is_heard() -> None:
    topic, heard = b"\x00\x01t\x00", list[int]()
    payload = bytes(MAX_PACKET_BYTES - len(topic))
    broker = Silent(TAKEN_IN + head(MAX_PACKET_BYTES) + topic + payload + head(2**28 - 1))
    async with (
        serving(broker) as port,
        line(port, hear=lambda topic, payload, kept: heard.append(len(payload))) as it,
    ):
        with pytest.raises(aiomqtt.MqttError):
            await it.until_lost()
    assert heard == [len(payload)]


async def test_the_log_says_that_packets_are_too_large(caplog: pytest.LogCaptureFixture) -> None:
    speaks = Silent(TAKEN_IN + head(MAX_PACKET_BYTES + 1))
    async with serving(speaks) as port:

        async def served(line: BrokerClient) -> None:
            await line.until_lost()

        broker = Broker("127.0.0.1", port, uses_tls=False, table="near-door")
        link = BrokerLink(broker, (), "here", lambda *heard: None, served)
        running = asyncio.create_task(link.run())
        while "packet larger than 8192 bytes" not in caplog.text:
            await asyncio.sleep(0)
        running.cancel()


SAYS_TAKEN_OVER = b"\xe0\x02\x8e\x00"
"""A broker's DISCONNECT with the reason code 0x8E (MQTT 5, 3.14)."""


async def ended(says: bytes, times: int) -> BrokerLink:
    """A link whose connection this broker has ended so often, each time with these bytes."""

    class Ending(Silent):
        async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1024)
            writer.write(TAKEN_IN + says)
            writer.close()
            self.heard.put_nowait(b"")

    broker, links = Ending(), list[BrokerLink]()
    async with serving(broker) as port:
        there = Broker("127.0.0.1", port, uses_tls=False, table="near-door")
        links.append(
            BrokerLink(there, ("do/+",), "here", lambda *heard: None, BrokerClient.until_lost)
        )
        running = asyncio.create_task(links[0].run())
        for _ in range(times + 1):
            await broker.heard.get()
        running.cancel()
    return links[0]


@pytest.mark.parametrize(
    ("says", "times", "taken_over", "name_twice"),
    [
        (SAYS_TAKEN_OVER, 3, 3, 1),
        (b"", SUSPICIOUS_LOSSES - 1, 0, 0),
        (b"", SUSPICIOUS_LOSSES + 2, 3, 1),
    ],
)
async def test_a_connection_that_another_table_ends_is_counted_and_said_once(
    says: bytes,
    times: int,
    taken_over: int,
    name_twice: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(broker_link, "FIRST_RETRY_SECONDS", 0.001)
    monkeypatch.setattr(broker_link, "MAX_RETRY_SECONDS", 0.001)
    assert (await ended(says, times)).health.taken_over == taken_over
    assert caplog.text.count("by the name of this table, 'near-door'") == name_twice
