"""Tests at the real broker that a table's password gives no access to another table, and that a
client without a password has no access.

The broker has two users with the rights of a table, but without a table. As one of these users, the
probe tries to read the other user's messages and to send it commands, as a thief of a table's
password might. No real table notices the test, and the broker stores nothing.
"""

import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pi_table.common.edited_text import read_text
from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import Topics
from pi_table.fleet.provisioning import broker_files, dynamic_security
from pi_table.fleet.provisioning.guest import ANSWER_SECONDS, Guest, Place
from pi_table.fleet.provisioning.provision import CA, MAX_FILE_BYTES
from pi_table.fleet.provisioning.users import PROBE, PROBED, Kind

OPERATOR: Final = Kind.OPERATOR.value
COPY: Final = say("Copy the folder broker to it, restart it, and probe again.")
_ADDRESS: Final = re.compile(r"^# Tables know it as (mqtts://\S+)\.$", re.MULTILINE)
_TAKEN: Final = ("Success", "No matching subscribers")


def probe(folder: Path, broker: str | None = None, ca: Path | None = None) -> list[str]:
    """Test the broker that a folder describes; return a sentence for each fault. By default, the
    address ``broker`` and the CA certificate ``ca`` come from the folder. Raises InputError for a
    folder without the files of `pi-table provision`."""
    files = folder / "broker"
    security = dynamic_security.read(
        read_text(files / broker_files.SECURITY, MAX_FILE_BYTES), str(files / broker_files.SECURITY)
    )
    if broker is None:
        configuration = files / broker_files.CONFIGURATION
        found = _ADDRESS.search(read_text(configuration, MAX_FILE_BYTES))
        if found is None:
            raise InputError(
                say(
                    "{configuration} has no address of the broker: give --broker.",
                    configuration=configuration,
                )
            )
        broker = found[1]
    if ca is None:
        ca = next(iter(sorted(folder.glob(f"tables/*/{CA}"))), None)
    passwords = {
        user: read_text(folder / "users" / user, MAX_FILE_BYTES).strip()
        for user in (PROBE, PROBED, OPERATOR)
    }
    place = _place(broker, ca)
    try:
        return [*_faults_of_entry(place, passwords)] or [
            *_faults_of_rights(place, passwords, security)
        ]
    except TimeoutError:
        return [
            say(
                "The broker at {broker} does not answer within {answer_seconds} seconds.",
                broker=broker,
                answer_seconds=f"{ANSWER_SECONDS:g}",
            )
        ]
    except OSError as error:
        return [
            say("The broker at {broker} cannot be reached: {error}.", broker=broker, error=error)
        ]


def _place(broker: str, ca: Path | None) -> Place:
    """Return the broker's address, always with TLS, which protects the passwords. Raises InputError
    for an unusable ``ca``."""
    address = urlsplit(broker)
    try:
        tls = ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError):
        raise InputError(say("{ca} is not a readable PEM certificate.", ca=ca)) from None
    return Place(address.hostname or "", address.port or broker_files.PORT, tls)


def _faults_of_entry(place: Place, passwords: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each login that works but should fail, or fails but should work."""
    for user, password, how in (
        (None, None, say("without a password")),
        (PROBE, None, say("by a user's name alone")),
        (PROBE, "not " + passwords[PROBE], say("with a wrong password")),
        (OPERATOR, passwords[PROBE], say("as the operator, with a table's password")),
    ):
        with Guest(place, user, password) as guest:
            if not guest.refusal:
                yield say("The broker lets somebody in {how}. {copy}", how=how, copy=COPY)
    for user, password in passwords.items():
        with Guest(place, user, password) as guest:
            if guest.refusal:
                yield say(
                    "The broker does not let {user} in: {refusal}. {copy}",
                    user=user,
                    refusal=guest.refusal,
                    copy=COPY,
                )


def _faults_of_rights(
    place: Place, passwords: dict[str, str], security: dynamic_security.Security
) -> Iterator[str]:
    """Yield a sentence for each right that a table wrongly has or lacks."""
    own, other = (
        Topics(security.prefix, user, security.home_assistant) for user in (PROBE, PROBED)
    )
    with ExitStack() as all_of:
        thief, table, operator = (
            all_of.enter_context(Guest(place, user, passwords[user]))
            for user in (PROBE, PROBED, OPERATOR)
        )
        for guest, topics in ((table, other.of("do/+")), (operator, other.of("#"))):
            if guest.subscribe(topics) not in ("Granted QoS 1", "Granted QoS 2"):
                yield say(
                    "{user} cannot subscribe to {topics}. {copy}",
                    user=guest.user,
                    topics=topics,
                    copy=COPY,
                )
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
                yield say(
                    "{user} cannot write {topic}. {copy}", user=guest.user, topic=topic, copy=COPY
                )
                return
        for topic in (other.of("event"), other.of("state"), other.of("do/probe")):
            if thief.publish(topic, b"forged") in _TAKEN:
                yield say(
                    "With a table's password one can write {topic}. {copy}", topic=topic, copy=COPY
                )
        operator.publish(own.of("do/probe"), b"last")  # when it arrives, so have all others
        for guest, payload in ((thief, b"last"), (table, b"told"), (operator, b"told")):
            if not guest.hears(payload):
                yield say(
                    "{user} does not receive what it should. {copy}", user=guest.user, copy=COPY
                )
        for topic in sorted({topic for topic, _ in thief.heard} - {own.of("do/probe")}):
            yield say(
                "With a table's password one can read {topic}. {copy}", topic=topic, copy=COPY
            )
