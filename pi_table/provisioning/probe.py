"""Proof, at the real broker, that its rights hold: with a table's password one hears and commands
no other table, and nobody is let in without a password.

Two users have a table's rights and no table: the one tries, with the means of a thief, what the
other one is told. No table notices, and nothing is kept by the broker.
"""

import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from pi_table.bridge.topics import Topics
from pi_table.edited_text import read_text
from pi_table.errors import InputError
from pi_table.provisioning import broker_files, dynamic_security
from pi_table.provisioning.provision import CA, MOST_BYTES
from pi_table.provisioning.users import PROBE, PROBED, Kind

ANSWER_SECONDS: Final = 10.0
"""How long the broker may take to answer."""
OPERATOR: Final = Kind.OPERATOR.value
COPY: Final = "Copy the folder broker to it, restart it, and probe again."
_ADDRESS: Final = re.compile(r"^# Tables know it as (mqtts://\S+)\.$", re.MULTILINE)
_TAKEN: Final = ("Success", "No matching subscribers")


def probe(folder: Path, broker: str | None = None, ca: Path | None = None) -> list[str]:
    """Try the broker of a folder; the answer is a sentence for each fault. ``broker`` is its
    address, and ``ca`` the certificate of whoever signs for it: without them, those in the folder.
    Raises InputError for a folder without the files of `pi-table provision`."""
    files = folder / "broker"
    security = dynamic_security.read(
        read_text(files / broker_files.SECURITY, MOST_BYTES),
        str(files / broker_files.SECURITY),
    )
    if broker is None:
        configuration = files / broker_files.CONFIGURATION
        found = _ADDRESS.search(read_text(configuration, MOST_BYTES))
        if found is None:
            raise InputError(f"{configuration} has no address of the broker: say --broker.")
        broker = found[1]
    if ca is None:
        ca = next(iter(sorted(folder.glob(f"tables/*/{CA}"))), None)
    passwords = {
        user: read_text(folder / "users" / user, MOST_BYTES).strip()
        for user in (PROBE, PROBED, OPERATOR)
    }
    place = _Place(broker, ca)
    try:
        return [*_faults_of_entry(place, passwords)] or [
            *_faults_of_rights(place, passwords, security)
        ]
    except TimeoutError:
        return [f"The broker at {broker} does not answer within {ANSWER_SECONDS:g} seconds."]
    except OSError as error:
        return [f"The broker at {broker} cannot be reached: {error}."]


def _faults_of_entry(place: "_Place", passwords: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each way in that should be closed, or is not open."""
    for user, password, how in (
        (None, None, "without a password"),
        (PROBE, None, "by a user's name alone"),
        (PROBE, "not " + passwords[PROBE], "with a wrong password"),
        (OPERATOR, passwords[PROBE], "as the operator, with a table's password"),
    ):
        with _Guest(place, user, password) as guest:
            if not guest.refusal:
                yield f"The broker lets somebody in {how}. {COPY}"
    for user, password in passwords.items():
        with _Guest(place, user, password) as guest:
            if guest.refusal:
                yield f"The broker does not let {user} in: {guest.refusal}. {COPY}"


def _faults_of_rights(
    place: "_Place", passwords: dict[str, str], security: dynamic_security.Security
) -> Iterator[str]:
    """Yield a sentence for each right that is missing, or that a table should not have."""
    own, other = (
        Topics(security.prefix, user, security.home_assistant) for user in (PROBE, PROBED)
    )
    with ExitStack() as all_of:
        thief, table, operator = (
            all_of.enter_context(_Guest(place, user, passwords[user]))
            for user in (PROBE, PROBED, OPERATOR)
        )
        for guest, topics in ((table, other.of("do/+")), (operator, other.of("#"))):
            if guest.subscribe(topics) not in ("Granted QoS 1", "Granted QoS 2"):
                yield f"{guest.user} cannot subscribe to {topics}. {COPY}"
                return
        for topics in (
            *("#", "$SYS/#", f"{security.prefix}/#", f"{security.prefix}/+/do/+"),
            *(
                other.of("#"),
                other.of("do/probe"),
                other.of("event"),
                f"$share/probe/{other.of('#')}",
            ),
            own.of("do/+"),
        ):
            thief.subscribe(topics)
        for guest, topic in ((table, other.of("event")), (operator, other.of("do/probe"))):
            if guest.publish(topic, b"told") not in _TAKEN:
                yield f"{guest.user} cannot write {topic}. {COPY}"
                return
        for topic in (other.of("event"), other.of("state"), other.of("do/probe")):
            if thief.publish(topic, b"forged") in _TAKEN:
                yield f"With a table's password one can write {topic}. {COPY}"
        operator.publish(own.of("do/probe"), b"last")  # what came before was heard by now
        for guest, payload in ((thief, b"last"), (table, b"told"), (operator, b"told")):
            if not guest.hears(payload):
                yield f"{guest.user} does not hear what it may. {COPY}"
        for topic in sorted({topic for topic, _ in thief.heard} - {own.of("do/probe")}):
            yield f"With a table's password one can hear {topic}. {COPY}"


class _Place:
    """Where the broker is."""

    def __init__(self, broker: str, ca: Path | None) -> None:
        address = urlsplit(broker)
        self.host = address.hostname or ""
        self.port = address.port or broker_files.PORT
        try:
            self.tls = ssl.create_default_context(cafile=ca)
        except (OSError, ssl.SSLError):
            raise InputError(f"{ca} is no certificate of PEM that can be read.") from None


class _Guest:
    """A client of the broker, which is let in or not: ``refusal`` says why not. Raises OSError for
    a broker that cannot be reached, or does not answer."""

    def __init__(self, place: _Place, user: str | None, password: str | None) -> None:
        self.user = user
        self.refusal: str | None = None
        self.heard: list[tuple[str, bytes]] = []
        self._came = threading.Condition()
        self._answers: dict[int | None, str] = {}
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"pi-table-{user}",
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        self._client.tls_set_context(place.tls)
        if user is not None:
            self._client.username_pw_set(user, password)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_answer
        self._client.on_subscribe = self._on_answer
        self._client.on_message = self._on_message
        self._client.connect_timeout = ANSWER_SECONDS
        self._client.connect(place.host, place.port)
        self._client.loop_start()
        if not self._wait_for(lambda: self.refusal is not None):
            self._client.loop_stop()
            raise TimeoutError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def subscribe(self, topics: str) -> str:
        """Return the broker's answer; "" if it ends the connection instead."""
        _, number = self._client.subscribe(topics, qos=1)
        return self._answer(number)

    def publish(self, topic: str, payload: bytes) -> str:
        """Return the broker's answer; "" if it ends the connection instead."""
        return self._answer(self._client.publish(topic, payload, qos=1).mid)

    def hears(self, payload: bytes) -> bool:
        """Wait for a payload. True if it comes."""
        return self._wait_for(lambda: any(told == payload for _, told in self.heard))

    def _answer(self, number: int | None) -> str:
        self._wait_for(lambda: number in self._answers)
        return self._answers.get(number, "")

    def _wait_for(self, condition: Callable[[], bool]) -> bool:
        with self._came:
            return self._came.wait_for(condition, ANSWER_SECONDS)

    def _on_connect(self, client: Any, data: Any, flags: Any, code: Any, properties: Any) -> None:
        with self._came:
            self.refusal = str(code) if code.is_failure else ""
            self._came.notify_all()

    def _on_disconnect(self, *of: Any) -> None:
        with self._came:
            if self.refusal is None:
                self.refusal = "it hangs up"
            self._came.notify_all()

    def _on_answer(self, client: Any, data: Any, number: int, code: Any, properties: Any) -> None:
        with self._came:
            self._answers[number] = str(code[0] if isinstance(code, list) else code)
            self._came.notify_all()

    def _on_message(self, client: Any, data: Any, message: MQTTMessage) -> None:
        with self._came:
            self.heard.append((message.topic, bytes(message.payload)))
            self._came.notify_all()
