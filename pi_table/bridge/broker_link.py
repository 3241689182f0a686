"""The connection to the broker, kept up for ever: what waits is told, and commands are heard.

One message is on its way at a time, so that what the broker says of it is known to be of it. While
the broker is away it is tried again, at longer and longer intervals; why, stands in the log once.
"""

import asyncio
import logging
import math
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from pi_table.bridge.broker import Broker
from pi_table.bridge.broker_trouble import sentence
from pi_table.bridge.outbox import Message
from pi_table.bridge.pace import DEAF_SECONDS
from pi_table.errors import InputError

log = logging.getLogger("pi_table")

SOONEST_SECONDS: Final = 1.0
LATEST_SECONDS: Final = 40.0
"""From one try to connect to the next; by chance up to half as much is added."""
LASTING_SECONDS: Final = 30.0
"""A connection that was there for so long was a good one: the next try comes soon again, and what
was wrong before it is told anew."""
KEEP_ALIVE_SECONDS: Final = 20
CONNECT_SECONDS: Final = 30.0
"""How long it may take to find the broker, and to be taken in there."""
ANSWER_SECONDS: Final = 10.0
"""How long the broker may take to acknowledge something."""
FAREWELL_SECONDS: Final = 3.0
MOST_PACKET_BYTES: Final = 8 * 1024
"""The largest packet that a broker sends on; a command is smaller."""
NOBODY_LISTENS: Final = 16
"""MQTT's reason code for a message that was taken, and that nobody had asked for."""
REFUSED: Final = 128
"""MQTT's reason codes from this one on: the message was not taken."""

Hear = Callable[[str, bytes, bool], None]
"""Is given the topic of a message, its payload, and whether it was sent to be kept."""


class NotTaken(Exception):  # noqa: N818 - it is no error of ours
    """The broker does not take a message."""


class Line(aiomqtt.Client):
    """aiomqtt's client, which has what comes heard at once, so that no queue fills up, and knows
    what the broker says of a message: of both the library tells nothing.

    It is the clock here that says when something takes too long. Where the library waits so long
    by itself (`asyncio.wait_for`), Python 3.11 may lose the wish to end.
    """

    def __init__(self, hear: Hear, host: str, **settings: Any) -> None:
        super().__init__(host, timeout=math.inf, **settings)
        self._hear = hear
        self._one_at_a_time = asyncio.Lock()
        self._said = 0

    async def __aenter__(self) -> Self:
        async with asyncio.timeout(CONNECT_SECONDS):
            return await super().__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await super().__aexit__(kind, error, trace)

    async def tell(self, message: Message) -> bool:
        """Send a message, and wait until the broker has it; had anybody asked for it? Raises
        MqttError or TimeoutError where the connection is lost, and NotTaken."""
        async with self._one_at_a_time, asyncio.timeout(ANSWER_SECONDS):
            await self.publish(message.topic, message.payload, 1, message.kept)
            if self._said >= REFUSED:
                raise NotTaken
            return self._said != NOBODY_LISTENS

    async def hear(self, topics: tuple[str, ...]) -> bool:
        """Ask for topics; may the table hear all of them? Raises as `tell` does."""
        # What the broker has kept is not sent at all, and what is sent to be kept is marked so.
        options = SubscribeOptions(
            qos=1, retainAsPublished=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND
        )
        async with asyncio.timeout(ANSWER_SECONDS):
            codes = await self.subscribe([(each, options) for each in topics])
        return all(getattr(code, "value", code) < REFUSED for code in codes)

    async def hear_no_more(self, topics: tuple[str, ...]) -> None:
        """Ask for topics no longer. Raises as `tell` does."""
        async with asyncio.timeout(ANSWER_SECONDS):
            await self.unsubscribe(list(topics))

    async def until_lost(self) -> None:
        """Wait for the end of the connection, which is an error: MqttError, or what ended it."""
        await asyncio.shield(self._disconnected)
        raise aiomqtt.MqttError("The broker has ended the connection")

    def _on_disconnect(
        self, client: Any, userdata: Any, flags: Any, reason_code: Any, properties: Any = None
    ) -> None:
        if not self._connected.done():  # the library would go on waiting to be taken in
            self._connected.set_exception(aiomqtt.MqttError("It hung up at once"))
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
    """The connection to a broker."""

    def __init__(
        self,
        broker: Broker,
        commands: tuple[str, ...],
        availability: str,
        hear: Hear,
        serve: Callable[[Line], Coroutine[Any, Any, None]],
    ) -> None:
        self._broker = broker
        self._commands = commands
        """The topics of commands."""
        self._availability = availability
        """The topic that says whether the table can be reached."""
        self._hear = hear
        self._serve = serve
        """What is done while there is a connection."""
        self.flooded = asyncio.Event()
        """Set it to hear no commands for a while."""
        self._since: float | None = None
        """Since when there is a connection."""
        self._told: set[str] = set()
        """What the log says already."""
        self._notes = _Notes()
        if not broker.sealed:
            log.warning(
                "The connection to the broker %s is not sealed: whoever is on its way reads it.",
                broker.place,
            )

    async def run(self) -> None:
        """Be connected, for ever. Cancelled, it takes leave of the broker."""
        wait = SOONEST_SECONDS
        while True:
            self._since = None
            try:
                await self._be_connected()
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                if self._since and time.monotonic() - self._since >= LASTING_SECONDS:
                    wait = SOONEST_SECONDS
                    self._told.clear()
                why = str(error)
                if not isinstance(error, InputError):
                    why = sentence(error, self._broker, time.time(), self._notes.last)
                self.say_once(why)
            # Tables that lose their broker together do not come back together.
            await asyncio.sleep(wait * random.uniform(1.0, 1.5))
            wait = min(2 * wait, LATEST_SECONDS)

    def say_once(self, what: str) -> None:
        """Log something unless the log says it already."""
        if what not in self._told:
            self._told.add(what)
            log.warning("%s", what)

    def say_not_taken(self, topic: str) -> None:
        """Log, once, that the broker takes no message of a topic."""
        self.say_once(
            f"The broker {self._broker.place} does not let this table write to {topic}: check what "
            f"the user {self._broker.table!r} may do there."
        )

    async def _be_connected(self) -> None:
        self._notes.last = ""
        async with self._line() as line:
            self._since = time.monotonic()
            log.info("Connected to the broker %s.", self._broker.place)
            lost = None
            try:
                await self._hear_commands(line)  # first, so that a table that is online hears
                async with asyncio.TaskGroup() as tasks:
                    for each in (line.until_lost(), self._mind_floods(line), self._serve(line)):
                        tasks.create_task(each)
            except BaseExceptionGroup as errors:
                lost = _first(errors)
            finally:
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    await self._take_leave(line)
            if lost is not None:
                raise lost  # here, where what caused it is kept

    async def _take_leave(self, line: Line) -> None:
        with suppress(aiomqtt.MqttError, NotTaken, TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await line.tell(Message(self._availability, b"offline", kept=True))

    async def _hear_commands(self, line: Line) -> None:
        self.flooded.clear()
        if not await line.hear(self._commands):
            self.say_once(
                f"The broker {self._broker.place} does not let this table hear commands: check "
                f"what the user {self._broker.table!r} may read there."
            )

    async def _mind_floods(self, line: Line) -> None:
        """After a flood of commands, let the broker keep what comes to itself for a while."""
        while True:
            await self.flooded.wait()
            await line.hear_no_more(self._commands)
            await asyncio.sleep(DEAF_SECONDS)
            await self._hear_commands(line)

    def _line(self) -> Line:
        """A line that is not connected yet. Raises InputError."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = MOST_PACKET_BYTES
        return Line(
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
            tls_context=self._broker.seal(),
            will=aiomqtt.Will(self._availability, b"offline", qos=1, retain=True),
            logger=self._notes.logger,
        )


class _Notes(logging.Handler):
    """What the library notes of a connection: kept for a sentence, and not logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = ""
        self.logger = logging.Logger("mqtt")  # nobody else's
        self.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


def _first(errors: BaseExceptionGroup[Any]) -> BaseException:
    """One of several errors of one connection."""
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
