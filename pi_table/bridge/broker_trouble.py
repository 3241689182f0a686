"""Why there is no connection to the broker, as a sentence for the log."""

import errno
import socket
import ssl
from typing import Final

from aiomqtt import MqttCodeError, MqttError

from pi_table.bridge.broker import Broker
from pi_table.bridge.payloads import iso
from pi_table.packet_limit import TOO_LARGE

NOT_YET_VALID: Final = 9
OUT_OF_DATE: Final = 10
OTHER_NAME: Final = (62, 64)
"""Of OpenSSL's X509_V_ERR codes: for a name, and for an address."""
UNKNOWN_USER: Final = (134, 135)
"""Of MQTT's reason codes: bad user name or password; not authorised."""
SILENT: Final = 141
"""What the library makes of a broker that has said nothing for as long as the keep-alive."""
TAKEN_OVER: Final = 142
LOST: Final = 128
"""What the library makes of a connection that ends without a word."""


def sentence(error: BaseException, broker: Broker, at: float, noted: str = "") -> str:
    """Why there is no connection. ``at``: seconds since 1970, by the machine's clock; ``noted``:
    what the library noted last."""
    place = broker.place
    if TOO_LARGE in noted:
        return (
            f"The broker {place} sends {noted[noted.index(TOO_LARGE) :]}, which no table asks for: "
            "is [bridge] broker right?"
        )
    if isinstance(error, MqttCodeError) and error.rc is not None:
        return _told_by_broker(getattr(error.rc, "value", error.rc), error, broker)
    found = _cause(error)
    if isinstance(found, ssl.SSLCertVerificationError):
        return _wrong_certificate(found, broker, at)
    if isinstance(found, ssl.SSLError):
        return (
            f"The broker {place} and the table cannot agree on how to seal their connection "
            f"({found}): is that port one for TLS, and does the broker take the "
            "table's certificate?"
        )
    if isinstance(found, socket.gaierror):
        return (
            f"No machine is found by the name of the broker, {broker.host!r}: is [bridge] broker "
            "right, and is there a network?"
        )
    if isinstance(found, ConnectionRefusedError):
        return f"Nobody listens at the broker {place}: does it run, and is the port right?"
    if isinstance(found, OSError) and found.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return f"The broker {place} cannot be reached: is there a network?"
    if "certificate" in noted.lower():
        return (
            f"The broker {place} does not take the certificate of this table: check [bridge] "
            "certificate and key, and whom the broker trusts."
        )
    if isinstance(found, TimeoutError) or "timed out" in str(error):
        return f"The broker {place} does not answer."
    return f"There is no connection to the broker {place}: {found or error}."


def _told_by_broker(code: object, error: MqttError, broker: Broker) -> str:
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
        return (
            f"The connection to the broker {broker.place} was lost. Where that comes again and "
            f"again, somebody else is there by the name of this table, {broker.table!r}."
        )
    return f"The broker {broker.place} has ended the connection: {error}."


def _wrong_certificate(error: ssl.SSLCertVerificationError, broker: Broker, at: float) -> str:
    place = broker.place
    if error.verify_code == NOT_YET_VALID:
        return (
            f"The certificate of the broker {place} is not valid yet, by the clock of this "
            f"machine, which says {_day(at)}. A clock that nobody has set is set by the network."
        )
    if error.verify_code == OUT_OF_DATE:
        return (
            f"The certificate of the broker {place} is out of date, by the clock of this machine, "
            f"which says {_day(at)}: renew it."
        )
    if error.verify_code in OTHER_NAME:
        return (
            f"The certificate of the broker {place} is for another name: is [bridge] broker right?"
        )
    return (
        f"The certificate of the broker {place} is signed by nobody whom the table trusts "
        f"({error.verify_message}): check [bridge] ca."
    )


def _day(at: float) -> str:
    """The day alone: a sentence that is said at each try is the same at each."""
    return iso(at)[:10]


def _cause(error: BaseException) -> BaseException | None:
    """The error of the network that the library has made its own of."""
    found: BaseException | None = error
    while isinstance(found, MqttError):
        found = found.__cause__ or found.__context__
    return found
