"""The connection to the broker: publishes waiting messages and receives commands.

Only one message is sent at a time, so each reply of the broker belongs to that message. After a
loss, the client connects again. The pauses between failed attempts grow, and the log names each
cause only once.
"""

import asyncio
import logging
import math
import random
import socket
import ssl
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import aiomqtt
from msgspec.structs import replace
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from pi_table.common.errors import InputError
from pi_table.common.pacing import Backoff
from pi_table.fleet.bridge.broker import Broker
from pi_table.fleet.bridge.facts import LinkHealth
from pi_table.fleet.bridge.mqtt_errors import (
    SILENT,
    ends_soon,
    is_lost,
    is_taken_over,
    own_ends_soon,
    repeated_loss,
    sentence,
)
from pi_table.fleet.bridge.outbox import Message
from pi_table.fleet.bridge.rate_limit import DEAF_SECONDS
from pi_table.fleet.connection_errors import (
    certificate_end,
    fetch_certificate_end,
    own_certificate_end,
)
from pi_table.fleet.packet_limit import limit_packets

log = logging.getLogger("pi_table")

FIRST_RETRY_SECONDS: Final = 1.0
MAX_RETRY_SECONDS: Final = 40.0
"""Longest pause in seconds between two attempts to connect, without its random part. Each pause is
lengthened at random, by at most half, so that tables that lose their broker together do not all
reconnect together."""
LASTING_SECONDS: Final = 30.0
"""Seconds after which a connection counts as good. After the end of a good connection, the first
retry comes soon, and every cause of a failure may be logged again."""
EARLY_LOSS_SECONDS: Final = 120.0
"""Maximum length in seconds of a connection whose end counts as an early loss. If two tables have
the same name, they end each other's connections in turn, each after at most 60 s."""
SUSPICIOUS_LOSSES: Final = 5
"""Number of consecutive early losses after which another table with the same name is likely."""
KEEP_ALIVE_SECONDS: Final = 20
CONNECT_SECONDS: Final = 30.0
"""Timeout in seconds for reaching the broker and logging in."""
ANSWER_SECONDS: Final = 10.0
"""Timeout in seconds for the broker's acknowledgement of a packet."""
FAREWELL_SECONDS: Final = 3.0
HOUR_SECONDS: Final = 3600.0
"""Seconds between two checks of the certificates' expiry dates."""
DAY_SECONDS: Final = 24 * HOUR_SECONDS
"""Seconds between two warnings about a certificate that expires soon."""
WARNING_SECONDS: Final = 14 * DAY_SECONDS
"""Seconds of validity left to a certificate when the warnings begin."""
MAX_PACKET_BYTES: Final = 8 * 1024
"""Maximum size in bytes of a packet that is accepted from a broker. Commands are smaller."""
NOBODY_LISTENS: Final = 16
"""MQTT reason code: the broker accepted the message, but no client has subscribed to it."""
REFUSED: Final = 128
"""Lowest MQTT reason code that means that the broker did not accept the message."""

_WITH_THE_WILL: Final = ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message")
"""MQTT reason code for a disconnect after which the broker still publishes the will. The will is
the message which says that the table is offline."""

Hear = Callable[[str, bytes, bool], None]
"""Callback for a received message: its topic, its payload, and True if it was sent as retained."""


class NotAccepted(Exception):  # noqa: N818 - it is no error of ours
    """The broker did not accept a message."""


class BrokerClient(aiomqtt.Client):
    """An aiomqtt client that passes each message to the callback ``hear`` at once, so that no queue
    fills up. It also knows the broker's reply to each sent message. aiomqtt's own client can do
    neither.

    The client has timeouts of its own, because aiomqtt's use `asyncio.wait_for`, which may lose a
    cancellation in Python 3.11.
    """

    def __init__(self, hear: Hear, host: str, **settings: Any) -> None:
        super().__init__(host, timeout=math.inf, **settings)
        limit_packets(self._client, MAX_PACKET_BYTES)
        self._hear = hear
        self._one_at_a_time = asyncio.Lock()
        self._said = 0
        self._hung_up = False

    async def __aenter__(self) -> Self:
        lost = self._disconnected
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await super().__aenter__()
        except BaseException:
            await self._hang_up()
            raise
        # The library forgets a connection that is lost while its thread is still making it.
        self._disconnected = lost
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._hang_up()

    async def tell(self, message: Message) -> bool:
        """Publish a message and wait for the reply; return True if any client has subscribed to its
        topic.

        Raises MqttError or TimeoutError if the connection is lost, NotAccepted for a refusal.
        """
        async with self._one_at_a_time, asyncio.timeout(ANSWER_SECONDS):
            self._said = 0
            await self.publish(
                message.topic,
                message.payload,
                0 if message.renewal else 1,
                message.kept,
                _expiring(message.expires),
            )
            if self._said >= REFUSED:
                raise NotAccepted
            return self._said != NOBODY_LISTENS

    async def hear(self, topics: tuple[str, ...]) -> bool:
        """Subscribe to topics; return True if the broker accepts all of them. Raises MqttError or
        TimeoutError if the connection is lost."""
        # The broker sends no message that it has retained. A new message keeps its retain flag.
        options = SubscribeOptions(
            qos=1, retainAsPublished=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND
        )
        async with asyncio.timeout(ANSWER_SECONDS):
            codes = await self.subscribe([(each, options) for each in topics])
        return all(getattr(code, "value", code) < REFUSED for code in codes)

    async def hear_no_more(self, topics: tuple[str, ...]) -> None:
        """Unsubscribe from topics. Raises the same errors as `hear`."""
        async with asyncio.timeout(ANSWER_SECONDS):
            await self.unsubscribe(list(topics))

    async def until_lost(self) -> None:
        """Wait until the connection ends, and raise the error that ended it. If no error ended the
        connection, raise MqttError."""
        await asyncio.shield(self._disconnected)
        raise aiomqtt.MqttError("The broker has ended the connection")

    def why_lost(self) -> BaseException | None:
        """Return the error that ended the connection, or None. This error has more detail than the
        error of a call that failed because of the lost connection."""
        ended = self._disconnected
        return ended.exception() if ended.done() and not ended.cancelled() else None

    def certificate_ends(self) -> float | None:
        """Return when the broker's certificate expires (seconds since 1970); None without TLS."""
        line = self._client.socket()
        return certificate_end(line) if isinstance(line, ssl.SSLSocket) else None

    async def _hang_up(self) -> None:
        """Close the connection for good, even while a thread is still connecting. Otherwise the
        thread could complete this connection later. The broker would then end the next connection,
        because both have the same client id."""
        self._hung_up = True
        for each in (self._connected, self._disconnected):
            if each.done() and not each.cancelled():
                each.exception()  # mark the error as seen, or asyncio warns
        try:
            await asyncio.sleep(0)  # let the loop run the library's callbacks
        finally:
            self._client.disconnect(_WITH_THE_WILL)
            self._client.loop_write()
            left: Any = self._client.socket()
            if left is not None:  # the broker has stopped reading
                with suppress(OSError):
                    left.shutdown(socket.SHUT_RDWR)

    def _on_socket_open(self, client: Any, userdata: Any, sock: Any) -> None:
        if self._hung_up:  # a thread was still connecting
            sock.close()
            raise ConnectionAbortedError
        super()._on_socket_open(client, userdata, sock)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:
        if not self._hung_up:
            super()._on_socket_register_write(client, userdata, sock)

    def _on_disconnect(
        self, client: Any, userdata: Any, flags: Any, reason_code: Any, properties: Any = None
    ) -> None:
        if self._hung_up:
            return  # the connection was given up
        if not self._connected.done():  # otherwise the library would wait for the login forever
            why = "timed out" if reason_code.value == SILENT else "It hung up at once"
            self._connected.set_exception(aiomqtt.MqttError(why))
            return
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        self._hear(message.topic, message.payload, message.retain)

    def _on_publish(
        self, client: Any, userdata: Any, mid: int, reason_code: ReasonCode, properties: Any
    ) -> None:
        self._said = reason_code.value
        super()._on_publish(client, userdata, mid, reason_code, properties)


class BrokerLink:
    """Keeps a bridge connected to its broker."""

    def __init__(
        self,
        broker: Broker,
        commands: tuple[str, ...],
        availability: str,
        hear: Hear,
        serve: Callable[[BrokerClient], Coroutine[Any, Any, None]],
    ) -> None:
        self._broker = broker
        self._commands = commands
        """Filters of the topics on which the table receives commands."""
        self._availability = availability
        self._hear = hear
        self._serve = serve
        """Coroutine function that runs for as long as a connection lasts."""
        self.health = LinkHealth()
        self.flooded = asyncio.Event()
        """Set by the bridge if commands arrive too fast; the link then receives none for a
        while."""
        self._since: float | None = None
        """Time at which the current connection began; None without a connection."""
        self._warns_at = float("-inf")
        self._lost_in_a_row = 0
        """Number of early losses in a row. A good connection or a failed attempt to connect resets
        it."""
        self._backoff = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
        self._notes = _Notes()
        if not broker.uses_tls:
            log.warning(
                "The connection to the broker %s is not encrypted: anybody on its way can read it.",
                broker.place,
            )

    async def run(self) -> None:
        """Stay connected forever. When cancelled, publish that the table is offline, and
        disconnect."""
        now = asyncio.get_running_loop().time
        while True:
            self._since = None
            try:
                await self._be_connected()
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                taken_over = self._is_taken_over(error)
                # Two tables with the same name may end each other's good connections in turn.
                if self._seconds() >= LASTING_SECONDS and not taken_over:
                    self._backoff.on_success()
                self.say_once(self._why(error))
            self._backoff.on_failure(now())
            await asyncio.sleep(self._backoff.seconds_left(now()) * random.uniform(1.0, 1.5))

    def _seconds(self) -> float:
        """Return the length of the current connection in seconds; 0 without a connection."""
        return 0.0 if self._since is None else time.monotonic() - self._since

    def _is_taken_over(self, error: BaseException) -> bool:
        """True if another table with the same name ended the connection, certainly or probably.

        Some brokers only close the connection, which they also do when they restart. So an early
        loss counts as a takeover only after several early losses in a row.
        """
        soon = self._since is not None and self._seconds() < EARLY_LOSS_SECONDS
        self._lost_in_a_row = self._lost_in_a_row + 1 if soon and is_lost(error) else 0
        if not is_taken_over(error) and self._lost_in_a_row < SUSPICIOUS_LOSSES:
            return False
        self.health = replace(self.health, taken_over=self.health.taken_over + 1)
        return True

    def _why(self, error: BaseException) -> str:
        if isinstance(error, InputError):
            return str(error)
        if self._lost_in_a_row >= SUSPICIOUS_LOSSES:
            return repeated_loss(self._broker, SUSPICIOUS_LOSSES)
        return sentence(error, self._broker, time.time(), self._notes.last)

    def say_once(self, what: str) -> None:
        """Log a sentence, unless it was already logged since the last good connection."""
        self._backoff.say_once(what)

    def say_not_taken(self, topic: str) -> None:
        """Log once that the broker accepts no message on a topic."""
        self.say_once(
            f"The broker {self._broker.place} does not let this table write to {topic}: check what "
            f"the user {self._broker.table!r} may do there."
        )

    async def _be_connected(self) -> None:
        self._notes.last = ""
        async with self._line() as line:
            self._since = time.monotonic()
            self.health = replace(self.health, certificate_ends=line.certificate_ends())
            log.info("Connected to the broker %s.", self._broker.place)
            # In a task of its own: a task group that fails while it is cancelled raises only the
            # failure, so the cancellation would be lost.
            attending = asyncio.create_task(self._attend(line))
            try:
                await asyncio.wait([attending])
            except asyncio.CancelledError:
                attending.cancel()
                await asyncio.gather(attending, return_exceptions=True)
                await self._take_leave(line)
                raise
            attending.result()

    async def _attend(self, line: BrokerClient) -> None:
        """Run all tasks of a connection. Raises the error that ended the connection."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(line.until_lost())
                await self._hear_commands(line)  # first, so that an online table receives commands
                tasks.create_task(self._mind_floods(line))
                tasks.create_task(self._mind_certificate())
                tasks.create_task(self._serve(line))
        except BaseExceptionGroup as errors:
            lost = line.why_lost() or _first(errors)
        raise lost  # outside the except block, so its own cause is kept

    async def _take_leave(self, line: BrokerClient) -> None:
        with suppress(aiomqtt.MqttError, NotAccepted, TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await line.tell(Message(self._availability, b"offline", kept=True))

    async def _hear_commands(self, line: BrokerClient) -> None:
        self.flooded.clear()
        if not await line.hear(self._commands):
            self.say_once(
                f"The broker {self._broker.place} does not let this table hear commands: check "
                f"what the user {self._broker.table!r} may read there."
            )

    async def _mind_floods(self, line: BrokerClient) -> None:
        """After a flood of commands, unsubscribe from the commands for a while."""
        while True:
            await self.flooded.wait()
            await line.hear_no_more(self._commands)
            await asyncio.sleep(DEAF_SECONDS)
            await self._hear_commands(line)

    async def _mind_certificate(self) -> None:
        """Warn once a day if the certificate of the broker or of the table expires soon."""
        while (ends := self.health.certificate_ends) is not None:
            soon = time.time() + WARNING_SECONDS
            if ends < soon:
                ends = await asyncio.to_thread(fetch_certificate_end, self._broker) or ends
                self.health = replace(self.health, certificate_ends=ends)
            known = {ends_soon: ends, own_ends_soon: own_certificate_end(self._broker)}
            said = [warn(self._broker, at) for warn, at in known.items() if at and at < soon]
            if said and time.monotonic() >= self._warns_at:
                self._warns_at = time.monotonic() + DAY_SECONDS
                log.warning("%s", " ".join(said))
            await asyncio.sleep(HOUR_SECONDS)

    def _line(self) -> BrokerClient:
        """Return an unconnected client. Raises InputError for unusable connection settings."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = MAX_PACKET_BYTES
        return BrokerClient(
            self._hear,
            self._broker.host,
            port=self._broker.port,
            username=self._broker.table,
            password=self._broker.password(),
            identifier=f"pi-table-{self._broker.table}",
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=True,
            keepalive=KEEP_ALIVE_SECONDS,
            properties=properties,
            tls_context=self._broker.tls_context(),
            will=aiomqtt.Will(self._availability, b"offline", qos=1, retain=True),
            logger=self._notes.logger,
        )


class _Notes(logging.Handler):
    """A log handler that only remembers paho's last warning, for the sentence about a lost
    connection."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = ""
        self.logger = logging.Logger("mqtt")  # a private logger
        self.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


def _expiring(seconds: int | None) -> Properties | None:
    """Return MQTT properties that make the broker drop a message after this many seconds. Return
    None if ``seconds`` is None."""
    if seconds is None:
        return None
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = seconds
    return properties


def _first(errors: BaseExceptionGroup[Any]) -> BaseException:
    """Return the first error in a group of errors, which may contain further groups."""
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
