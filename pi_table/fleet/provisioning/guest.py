"""A test client for MQTT. It reports the broker's answers to logins, subscriptions and messages."""

import ssl
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar, Final, NamedTuple, Self

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

ANSWER_SECONDS: Final = 10.0
"""Timeout in seconds for an answer of the broker."""


class Place(NamedTuple):
    """The address of a broker for a `Guest`."""

    host: str
    port: int
    tls: ssl.SSLContext | None
    """The TLS context of the connection; None means no encryption."""


class Guest:
    """A client that connects to the broker. If the broker refuses the login, ``refusal`` is the
    reason, otherwise "". Raises OSError for a broker that cannot be reached or does not answer.

    ``client`` is a paho client with special settings, or None. ``how`` are keyword arguments for
    paho's `connect`.
    """

    patience: ClassVar[float] = ANSWER_SECONDS

    def __init__(
        self,
        place: Place,
        user: str | None,
        password: str | None,
        client: Client | None = None,
        **how: Any,
    ) -> None:
        self.user = user
        self.refusal: str | None = None
        self.heard: list[tuple[str, bytes]] = []
        """The received messages, each as a topic and a payload."""
        self.had_session = False
        """True if the broker had stored a session for this client."""
        self.lost = threading.Event()
        """Event that is set when the broker has ended the connection."""
        self._is_leaving = False
        self._came = threading.Condition()
        self._answers: dict[int | None, str] = {}
        self._client = client or Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"pi-table-{user}",
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        if place.tls is not None:
            self._client.tls_set_context(place.tls)
        if user is not None:
            self._client.username_pw_set(user, password)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_answer
        self._client.on_subscribe = self._on_answer
        self._client.on_message = self._on_message
        self._client.connect_timeout = self.patience
        self._client.connect(place.host, place.port, **how)
        self._client.loop_start()
        if not self._wait_for(lambda: self.refusal is not None):
            self.close()
            raise TimeoutError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._is_leaving = True
        self._client.disconnect()
        self._client.loop_stop()

    def subscribe(self, topics: str) -> str:
        """Subscribe to topics. Return the broker's answer; "" if the broker hangs up. Raises
        TimeoutError."""
        _, number = self._client.subscribe(topics, qos=1)
        return self._answer(number)

    def publish(self, topic: str, payload: bytes, **how: Any) -> str:
        """Publish a message. Return the broker's answer; "" if the broker hangs up. ``how`` are
        keyword arguments for paho's `publish`. Raises TimeoutError."""
        return self._answer(self._client.publish(topic, payload, **{"qos": 1, **how}).mid)

    def hears(self, payload: bytes) -> bool:
        """Wait for a message with this payload. Return True if it arrives within the guest's
        ``patience`` (seconds)."""
        return self._wait_for(lambda: self.has_heard(payload))

    def has_heard(self, payload: bytes) -> bool:
        return any(told == payload for _, told in self.heard)

    def _answer(self, number: int | None) -> str:
        if not self._wait_for(lambda: number in self._answers or self.lost.is_set()):
            raise TimeoutError
        return self._answers.get(number, "")

    def _wait_for(self, condition: Callable[[], bool]) -> bool:
        with self._came:
            return self._came.wait_for(condition, self.patience)

    def _on_connect(self, client: Any, data: Any, flags: Any, code: Any, properties: Any) -> None:
        with self._came:
            self.had_session = flags.session_present
            self.refusal = str(code) if code.is_failure else ""
            self._came.notify_all()

    def _on_disconnect(self, *of: Any) -> None:
        with self._came:
            if self.refusal is None:
                self.refusal = "it hangs up"
            if not self._is_leaving:
                self.lost.set()
            self._came.notify_all()

    def _on_answer(self, client: Any, data: Any, number: int, code: Any, properties: Any) -> None:
        with self._came:
            self._answers[number] = str(code[0] if isinstance(code, list) else code)
            self._came.notify_all()

    def _on_message(self, client: Any, data: Any, message: MQTTMessage) -> None:
        with self._came:
            self.heard.append((message.topic, bytes(message.payload)))
            self._came.notify_all()
