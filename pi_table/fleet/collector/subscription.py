"""The subscription to the tables: each message is acknowledged only after it is stored.

The broker stores unacknowledged messages and delivers them again on a new connection. With
``manual_ack``, the library paho leaves the acknowledgements to this module. MQTT demands them in
the order of the messages. Messages of a lost connection can no longer be acknowledged. This module
forgets them, because the broker delivers them again.
"""

import logging
import time
from contextlib import suppress
from datetime import UTC, datetime
from ssl import SSLSocket
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from pi_table.common.pacing import Backoff
from pi_table.fleet.collector.ingest import Delivery
from pi_table.fleet.collector.record import topics
from pi_table.fleet.collector.settings import Settings
from pi_table.fleet.connection_errors import Asker, certificate_end, sentence
from pi_table.fleet.packet_limit import limit_packets
from pi_table.fleet.provisioning.broker_files import COLLECTOR_AWAY_DAYS

log = logging.getLogger("pi_table")

SESSION_SECONDS: Final = COLLECTOR_AWAY_DAYS * 24 * 3600
"""Seconds for which the broker stores messages for this client while the client is away."""
MAX_UNACKNOWLEDGED: Final = 500
"""Maximum number of unacknowledged messages. At this number, the broker sends no more."""
MAX_PACKET_BYTES: Final = 1024 * 1024
"""Maximum size in bytes of a packet from the broker. The broker drops a message that is larger."""
KEEP_ALIVE_SECONDS: Final = 30
ANSWER_SECONDS: Final = 10.0
"""Timeout in seconds for an answer of the broker."""
FIRST_RETRY_SECONDS: Final = 0.5
MAX_RETRY_SECONDS: Final = 60.0
"""Longest pause in seconds between two attempts to use a broker or a database."""
LASTING_SECONDS: Final = 30.0
"""Seconds after which a connection counts as good. After the end of a good connection, the first
retry comes soon, and every cause of a failure may be logged again."""
QOS: Final = 1
"""MQTT quality of service: the broker stores a message until the client acknowledges it."""
AT_BROKER: Final = "$SYS/broker/store/messages/count"
DROPPED: Final = "$SYS/broker/publish/messages/dropped"
"""Topic of Mosquitto's counter of dropped messages; `AT_BROKER` is the topic of its counter of
stored messages. Every 10 s Mosquitto publishes the counters that changed. Version 2.0.11 retains
them for only a minute (sys_tree.c), version 2.0.22 permanently."""
MAX_DIGITS: Final = 15
"""Maximum number of digits of a broker's counter; any further digits are ignored."""
REFUSED: Final = 128
"""Lowest MQTT reason code that means a refusal."""


class Subscription:
    """Keeps the collector connected to the broker and subscribed to the tables. Raises InputError
    for unusable settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._asker = Asker("collector", "", settings.host, settings.port)
        self._topics = [(topic, QOS) for each in settings.prefixes for topic in topics(each)]
        self._backoff = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
        self._waiting: list[tuple[int | None, Delivery]] = []
        """Received messages in order, each with the packet id for its acknowledgement; None with
        QoS 0."""
        self.ready = False
        """True while the client is connected and the broker has accepted its subscription."""
        self.figures: dict[str, int] = {}
        """The broker's latest counters, by topic: `AT_BROKER` and `DROPPED`."""
        self.certificate_ends: float | None = None
        """Expiry time of the certificate that the broker last showed, in seconds since 1970."""
        self._asked: int | None = None
        """Packet id of the request to subscribe; the broker's answer has the same id."""
        self._asked_at = 0.0
        """Time of the last request to the broker, either to connect or to subscribe."""
        self._has_session = False
        """True after the broker has accepted a subscription: from then on the broker should store
        messages for this client."""
        self._client = Client(
            CallbackAPIVersion.VERSION2, settings.client_id, protocol=MQTTv5, manual_ack=True
        )
        limit_packets(self._client, MAX_PACKET_BYTES)
        self._client.connect_timeout = ANSWER_SECONDS
        if settings.username:
            self._client.username_pw_set(settings.username, settings.password())
        if (context := settings.tls_context()) is not None:
            self._client.tls_set_context(context)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message

    @property
    def waiting(self) -> tuple[Delivery, ...]:
        """Return the messages that are not acknowledged yet, in order."""
        return tuple(delivery for _, delivery in self._waiting)

    @property
    def is_full(self) -> bool:
        """True if the broker sends no more messages before one is acknowledged."""
        return len(self._waiting) >= MAX_UNACKNOWLEDGED

    def turn(self, seconds: float) -> None:
        """Receive messages, waiting at most this many seconds. If there is no connection, connect
        when a retry is due."""
        if not self._client.is_connected() and self._client.socket() is None:
            if (left := self._backoff.seconds_left(time.monotonic())) > 0:
                time.sleep(min(seconds, left))
                return
            self._begin_connection()
        if self.ready and time.monotonic() - self._asked_at > LASTING_SECONDS:
            self._backoff.on_success()
        late = not self.ready and time.monotonic() - self._asked_at > ANSWER_SECONDS
        if late and self._client.socket() is not None:
            self._give_up_connection("It does not answer.")
            self._client.disconnect()
        code = self._client.loop(seconds)
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS and self._client.socket() is None:
            self._give_up_connection(f"{MQTTErrorCode(code).name}.")

    def acknowledge(self, count: int) -> None:
        """Acknowledge the first ``count`` messages of `waiting`, which must be stored already."""
        for number, _ in self._waiting[:count]:
            if number is not None:
                self._client.ack(number, QOS)
        del self._waiting[:count]

    def close(self) -> None:
        """Disconnect. From now on, the broker stores messages for this client."""
        self._client.on_disconnect = None
        self._client.disconnect()
        while self._client.want_write() and self._client.socket() is not None:
            if self._client.loop_write() != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break

    def _begin_connection(self) -> None:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = SESSION_SECONDS
        properties.ReceiveMaximum = MAX_UNACKNOWLEDGED
        properties.MaximumPacketSize = MAX_PACKET_BYTES
        self._asked_at = time.monotonic()
        try:
            self._client.connect(
                self._settings.host,
                self._settings.port,
                KEEP_ALIVE_SECONDS,
                clean_start=False,
                properties=properties,
            )
        except TimeoutError:
            self._give_up_connection("It does not answer.")
        except (OSError, ValueError) as error:
            told = sentence(error, self._asker, time.time())
            self._give_up_connection(f"{getattr(error, 'strerror', None) or error}.", told)

    def _on_connect(
        self, client: Client, userdata: Any, flags: Any, code: ReasonCode, properties: Any
    ) -> None:
        if code.is_failure:
            self._give_up_connection(f"It refuses: {code}. Check username and password_file.")
            return
        log.info(
            "Connected to the broker %s; it %s.",
            self._asker.place,
            "has kept what came meanwhile" if flags.session_present else "begins a new session",
        )
        if self._has_session and not flags.session_present:
            log.warning(
                "The broker %s has forgotten this collector: games that were sent meanwhile may be "
                "missing. Check that it keeps its sessions (persistence of Mosquitto), and that "
                "nobody else has the client_id %r.",
                self._asker.place,
                self._settings.client_id,
            )
        if isinstance(tls_line := client.socket(), SSLSocket):
            self.certificate_ends = certificate_end(tls_line)
        # Subscribe at each connection, so that the broker sends the retained faults again.
        _, self._asked = client.subscribe(self._topics)
        # The broker's own counters are optional: a refusal does not matter.
        client.subscribe([(AT_BROKER, 0), (DROPPED, 0)])

    def _on_subscribe(
        self, client: Client, userdata: Any, mid: int, codes: list[ReasonCode], properties: Any
    ) -> None:
        if mid != self._asked:
            return
        if any(code.value >= REFUSED for code in codes):
            self._give_up_connection(
                f"It does not let {self._settings.username!r} read the tables: allow that user "
                f"to read {' and '.join(topic for topic, _ in self._topics)}."
            )
            client.disconnect()
            return
        if any(code.value < QOS for code in codes):
            self._give_up_connection(
                f"It delivers with QoS {min(code.value for code in codes)}, so it forgets what "
                f"is not stored yet: let it deliver with QoS {QOS} (max_qos of Mosquitto)."
            )
            client.disconnect()
            return
        self.ready = self._has_session = True

    def _on_message(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = ""
        if topic in (AT_BROKER, DROPPED):
            with suppress(ValueError):
                self.figures[topic] = int(message.payload[:MAX_DIGITS])
            return
        # A message may have QoS 0, the default of mosquitto_pub. Its acknowledgement would be an
        # error. The broker never holds such messages back, so drop them here if too many wait.
        number = message.mid if message.qos else None
        if number is None and self.is_full:
            return
        self._waiting.append((number, Delivery(topic, bytes(message.payload), datetime.now(UTC))))

    def _on_disconnect(
        self, client: Client, userdata: Any, flags: Any, code: ReasonCode, properties: Any
    ) -> None:
        self._give_up_connection(f"The connection ended: {code}.")

    def _give_up_connection(self, why: str, told: str | None = None) -> None:
        """Forget the messages of a lost or useless connection. Unless an earlier reason was logged,
        log ``told``. Without ``told``, log a sentence that ends with ``why``."""
        self.ready = False
        self._waiting.clear()
        self.figures.clear()
        if self._backoff.on_failure(time.monotonic()):  # if False, an earlier cause was logged
            self._backoff.say_once(told or f"The broker {self._asker.place} cannot be used. {why}")
