"""Somebody at a broker who says things and keeps what is said, with no loop of its own."""

import threading
from collections.abc import Callable
from typing import Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from patience import PATIENCE


class AtBroker:
    """A client of the broker at a port of this machine; ``heard`` are topics with payloads.
    ``told`` is called with each payload, and may `tell` something at once."""

    def __init__(
        self, port: int, topic: str = "#", told: Callable[[bytes], None] = lambda _: None
    ) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._told = told
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._hears
        ready = threading.Event()
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.subscribe(topic, qos=1)
        self._client.loop_start()
        assert ready.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the broker."""
        self._client.disconnect()
        self._client.loop_stop()

    def say(self, topic: str, payload: bytes, *, keep: bool = True) -> None:
        """Say something, and wait until the broker has it."""
        self._client.publish(topic, payload, qos=1, retain=keep).wait_for_publish(PATIENCE)

    def tell(self, topic: str, payload: bytes) -> None:
        """Say something, to be kept, and wait for nothing."""
        self._client.publish(topic, payload, qos=1, retain=True)

    def of(self, topic: str) -> list[bytes]:
        """Return the payloads received in a topic."""
        return [payload for where, payload in self.heard if where == topic]

    def _hears(self, client: object, data: object, message: MQTTMessage) -> None:
        payload = bytes(message.payload)
        self.heard.append((message.topic, payload))
        self._told(payload)
