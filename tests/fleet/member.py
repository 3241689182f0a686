"""Somebody at a broker with a name and a password, and what the broker makes of whatever they
try."""

import socket
import ssl
from pathlib import Path
from typing import Any, ClassVar, Final

from paho.mqtt.client import Client, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from patience import PATIENCE

from pi_table.fleet.provisioning.guest import Guest, Place

SESSION_SECONDS: Final = 3600


class Refused(Exception):  # noqa: N818
    """The broker does not let them in."""


class Member(Guest):
    """A client of the broker at a port of this machine. Raises Refused where it is not let in.

    ``will`` is a topic in which the broker is to say ``will`` once this client is lost.
    """

    patience: ClassVar[float] = PATIENCE

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
        ca: Path | None = None,
    ) -> None:
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=calling_itself or f"{user}'s",
            protocol=MQTTv311 if old else MQTTv5,
            reconnect_on_failure=False,
        )
        if will is not None:
            client.will_set(will, b"will", qos=1)
        how: dict[str, Any] = {}
        if not old:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            properties.SessionExpiryInterval = SESSION_SECONDS if resumes else 0
            how = {"clean_start": not resumes, "properties": properties}
        tls = ssl.create_default_context(cafile=ca) if ca else None
        place = Place("localhost" if ca else "127.0.0.1", port, tls)
        super().__init__(place, user, password, client, **how)
        if self.refusal:
            self.close()
            raise Refused(self.refusal)

    def write(
        self, topic: str, payload: bytes, *, kept: bool = False, qos: int = 1, alias: int = 0
    ) -> str:
        """Write something; what the broker answers: ``Success``, or why not. Empty where it ends
        the connection instead."""
        properties = None
        if alias:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.TopicAlias = alias
        return self.publish(topic, payload, qos=qos, retain=kept, properties=properties)

    def hears_of(self, topic: str) -> bytes:
        """Wait until something was said in this topic; the first of it. Raises AssertionError if
        nothing ever is."""
        assert self._wait_for(lambda: topic in dict(self.heard)), self.heard
        return next(payload for where, payload in self.heard if where == topic)

    def hears_or_is_lost(self, payload: bytes) -> bool:
        """Wait for this payload or the loss of the connection; return True if it was heard."""
        assert self._wait_for(lambda: self.has_heard(payload) or self.lost.is_set())
        return self.has_heard(payload)

    def is_cut_off(self) -> None:
        """Lose the connection as a power cut does."""
        self._is_leaving = True
        line = self._client.socket()
        assert isinstance(line, socket.socket)
        line.shutdown(socket.SHUT_RDWR)
        self._client.loop_stop()
