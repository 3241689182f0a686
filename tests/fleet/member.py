"""Somebody at a broker with a name and a password, and what the broker makes of whatever they
try."""

import socket
import threading
from types import TracebackType
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from patience import PATIENCE

SESSION_SECONDS = 3600


class Refused(Exception):  # noqa: N818
    """The broker does not let them in."""


class Member:
    """A client of the broker at a port of this machine. Raises Refused where it is not let in.

    ``heard`` are topics with payloads. ``will`` is a topic in which the broker is to say ``will``
    once this client is lost.
    """

    def __init__(
        self,
        port: int,
        user: str | None,
        password: str | None,
        *,
        calling_itself: str = "",
        will: str | None = None,
        resumes: bool = False,
        old: bool = False,
        ca: str | None = None,
    ) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.had_session = False
        self.lost = threading.Event()
        self._came = threading.Condition()
        self._answers: dict[int, str] = {}
        self._let_in = threading.Event()
        self._refusal = ""
        self._closing = False
        self._old = old
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=calling_itself or f"{user}'s",
            protocol=MQTTv311 if old else MQTTv5,
            reconnect_on_failure=False,
        )
        if user is not None:
            self._client.username_pw_set(user, password)
        if will is not None:
            self._client.will_set(will, b"will", qos=1)
        if ca is not None:
            self._client.tls_set(ca)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_publish = self._answered
        self._client.on_subscribe = self._answered
        self._client.on_message = self._hears
        asked: dict[str, Any] = {}
        if not old:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            properties.SessionExpiryInterval = SESSION_SECONDS if resumes else 0
            asked = {"clean_start": not resumes, "properties": properties}
        self._client.connect("localhost" if ca else "127.0.0.1", port, **asked)
        self._client.loop_start()
        assert self._let_in.wait(PATIENCE), "The broker does not answer."
        if self._refusal:
            self.close()
            raise Refused(self._refusal)

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
        """Take leave."""
        self._closing = True
        self._client.disconnect()
        self._client.loop_stop()

    def write(
        self, topic: str, payload: bytes, *, kept: bool = False, qos: int = 1, alias: int = 0
    ) -> str:
        """Write something; what the broker answers: ``Success``, or why not. Empty where it ends
        the connection instead."""
        properties = None
        if alias:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.TopicAlias = alias
        sent = self._client.publish(topic, payload, qos, kept, properties)
        return self._answer(sent.mid)

    def listen(self, topics: str) -> str:
        """Subscribe; what the broker answers."""
        _, mid = self._client.subscribe(topics, qos=1)
        assert mid is not None
        return self._answer(mid)

    def hears(self, payload: bytes) -> None:
        """Wait until this payload was heard. Raises AssertionError if it never is."""
        with self._came:
            assert self._came.wait_for(lambda: payload in self._payloads(), PATIENCE), self.heard

    def hears_of(self, topic: str) -> bytes:
        """Wait until something was said in this topic; the first of it. Raises AssertionError if
        nothing ever is."""
        with self._came:
            assert self._came.wait_for(lambda: topic in dict(self.heard), PATIENCE), self.heard
            return next(payload for where, payload in self.heard if where == topic)

    def hears_or_is_lost(self, payload: bytes) -> bool:
        """Wait until this payload was heard, or the connection is lost. Was it heard?"""
        with self._came:
            assert self._came.wait_for(
                lambda: payload in self._payloads() or self.lost.is_set(), PATIENCE
            )
            return payload in self._payloads()

    def has_heard(self, payload: bytes) -> bool:
        """Was this payload heard up to now?"""
        with self._came:
            return payload in self._payloads()

    def is_cut_off(self) -> None:
        """Lose the connection as a power cut does."""
        self._closing = True
        line = self._client.socket()
        assert isinstance(line, socket.socket)
        line.shutdown(socket.SHUT_RDWR)
        self._client.loop_stop()

    def _payloads(self) -> list[bytes]:
        return [payload for _, payload in self.heard]

    def _answer(self, mid: int) -> str:
        with self._came:
            done = self._came.wait_for(lambda: mid in self._answers or self.lost.is_set(), PATIENCE)
            assert done, "The broker does not answer."
            return self._answers.get(mid, "")

    def _connected(self, client: Any, data: Any, flags: Any, code: Any, properties: Any) -> None:
        self.had_session = flags.session_present
        self._refusal = str(code) if code.is_failure else ""
        self._let_in.set()

    def _disconnected(self, *of: Any) -> None:
        with self._came:
            if not self._closing:
                self.lost.set()
            if not self._let_in.is_set():
                self._refusal = "The connection was closed."
                self._let_in.set()
            self._came.notify_all()

    def _answered(self, client: Any, data: Any, mid: int, code: Any, properties: Any) -> None:
        with self._came:
            self._answers[mid] = str(code[0] if isinstance(code, list) else code)
            self._came.notify_all()

    def _hears(self, client: Any, data: Any, message: MQTTMessage) -> None:
        with self._came:
            self.heard.append((message.topic, bytes(message.payload)))
            self._came.notify_all()
