"""Sentences for the log that say why the bridge is not connected to the broker."""

from typing import Final

from aiomqtt import MqttCodeError, MqttError

from pi_table.fleet import connection_errors
from pi_table.fleet.bridge.broker import Broker
from pi_table.fleet.connection_errors import Asker, day
from pi_table.fleet.packet_limit import TOO_LARGE

UNKNOWN_USER: Final = (134, 135)
"""MQTT reason codes for a bad user name or password, and for a user who is not authorised."""
SILENT: Final = 141
"""paho's error code for a broker that sent nothing for the whole keep-alive time."""
TAKEN_OVER: Final = 142
"""MQTT reason code: a client with the same id has connected, so the broker ends this connection.
MQTT 5 demands the code (MQTT-3.1.4-3); Mosquitto 2.0.11 does not send it, 2.0.20 does."""
LOST: Final = 128
"""paho's error code for a connection that ended without a DISCONNECT packet."""


def is_taken_over(error: BaseException) -> bool:
    """True if the broker reports that another client has connected with the same name."""
    return _code(error) == TAKEN_OVER


def is_lost(error: BaseException) -> bool:
    return _code(error) == LOST


def repeated_loss(broker: Broker, times: int) -> str:
    return (
        f"The connection to the broker {broker.place} was lost {times} times in a row, each soon "
        f"after it was made. Unless the broker itself restarts, somebody else is there by the name "
        f"of this table, {broker.table!r}: the broker's log has both addresses. Give each table a "
        "name of its own in [bridge] table."
    )


def ends_soon(broker: Broker, ends: float) -> str:
    """Return a warning that the broker's certificate expires at ``ends`` (seconds since 1970)."""
    return (
        f"The certificate of the broker {broker.place}, or of who signed it, ends on {day(ends)}: "
        "renew it before that day, or no table can connect."
    )


def own_ends_soon(broker: Broker, ends: float) -> str:
    """Return a warning that the table's certificate expires at ``ends`` (seconds since 1970)."""
    return (
        f"The certificate of this table, {broker.certificate}, ends on {day(ends)}: renew it "
        f"before that day, or the table cannot connect to the broker {broker.place}."
    )


def _code(error: BaseException) -> object:
    return getattr(error.rc, "value", error.rc) if isinstance(error, MqttCodeError) else None


def sentence(error: BaseException, broker: Broker, at: float, noted: str = "") -> str:
    """Return a sentence about why there is no connection. ``at`` is the present time in seconds
    since 1970, by the machine's clock; ``noted`` is paho's last warning."""
    place = broker.place
    if TOO_LARGE in noted:
        return (
            f"The broker {place} sends {noted[noted.index(TOO_LARGE) :]}, which no table asks for: "
            "is [bridge] broker right?"
        )
    if isinstance(error, MqttCodeError) and error.rc is not None:
        return _broker_refusal(_code(error), error, broker)
    found = _cause(error)
    asker = Asker("table", "[bridge] ", broker.host, broker.port)
    if (told := connection_errors.sentence(found, asker, at)) is not None:
        return told
    if "certificate" in noted.lower():
        return (
            f"The broker {place} does not take the certificate of this table: check [bridge] "
            "certificate and key, and whom the broker trusts."
        )
    if isinstance(found, TimeoutError) or "timed out" in str(error):
        return f"The broker {place} does not answer."
    return f"There is no connection to the broker {place}: {found or error}."


def _broker_refusal(code: object, error: MqttError, broker: Broker) -> str:
    if code in UNKNOWN_USER:
        return (
            f"The broker {broker.place} does not know this table's password: check [bridge] "
            f"password_file, and the user {broker.table!r} there."
        )
    if code == TAKEN_OVER:
        return (
            f"Somebody else has connected to the broker {broker.place} by the name of this table, "
            f"{broker.table!r}: give each table a name of its own in [bridge] table."
        )
    if code == SILENT:
        return f"The broker {broker.place} does not answer."
    if code == LOST:
        return f"The connection to the broker {broker.place} was lost."
    return f"The broker {broker.place} has ended the connection: {error}."


def _cause(error: BaseException) -> BaseException | None:
    """Return the network error behind an error of the MQTT library; None for any other cause."""
    found: BaseException | None = error
    while isinstance(found, MqttError):
        found = found.__cause__ or found.__context__
    return found
