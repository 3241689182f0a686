"""The configured MQTT broker: its address, and the table's credentials there."""

import re
import socket
import ssl
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.config import BridgeSection
from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import EVERYBODY
from pi_table.fleet.credentials import read_password, tls_context

TLS_PORT: Final = 8883
PLAIN_PORT: Final = 1883
PLACE: Final = re.compile(r"(?:\[(?P<address>[^]]*)\]|(?P<name>[^:]*))(?::(?P<port>[0-9]*))?")
"""Pattern of a broker's host and port. An IPv6 address is in brackets."""
MAX_PASSWORD_FILE_BYTES: Final = 64 * 1024


class Broker(msgspec.Struct, frozen=True):
    """The address of a broker, and the table's credentials at that broker."""

    host: str
    port: int
    uses_tls: bool
    """True if the connection to the broker uses TLS."""
    table: str
    """Name of the table in the fleet. It is also the table's user name at the broker."""
    password_file: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""

    @property
    def place(self) -> str:
        """Return the broker's host and port as text, for log messages."""
        return say("{host} (port {port})", host=self.host, port=self.port)

    def password(self) -> str | None:
        """Return the table's password; None if the settings name no password file. Raises
        InputError for an unusable file."""
        what = say("[bridge] password_file {path}", path=Path(self.password_file))
        return read_password(self.password_file, MAX_PASSWORD_FILE_BYTES, what)

    def tls_context(self) -> ssl.SSLContext | None:
        """Return the TLS context; None without TLS. Raises InputError for an unusable file."""
        if not self.uses_tls:
            return None
        return tls_context(self.ca, self.certificate, self.key, _refusal)


def broker(section: BridgeSection) -> Broker:
    """Return the configured broker. Raises InputError if the settings name no broker or are
    unusable."""
    scheme, _, where = section.broker.partition("://")
    if not where:
        raise InputError(
            say(
                "[bridge] broker names no broker, so there is nothing for the bridge to do: name "
                'one, such as "mqtts://broker.lan".'
            )
        )
    host, port = _place(where)
    uses_tls = scheme == "mqtts"
    number = int(port) if port else TLS_PORT if uses_tls else PLAIN_PORT
    if not host or not 1 <= number <= 65535:
        raise InputError(
            say(
                "[bridge] broker cannot be {broker}: a name or address, and a port from 1 to "
                "65535 after a colon; an IPv6 address goes in brackets.",
                broker=repr(section.broker),
            )
        )
    if section.certificate and not uses_tls:
        raise InputError(
            say(
                "[bridge] certificate is for a broker at mqtts://, and the one that is named is at "
                "mqtt://."
            )
        )
    return Broker(
        host=host,
        port=number,
        uses_tls=uses_tls,
        table=_table(section.table),
        password_file=section.password_file,
        ca=section.ca,
        certificate=section.certificate,
        key=section.key,
    )


def _place(where: str) -> tuple[str, str]:
    """Return the host and the port in a broker's address; "" for a missing part."""
    found = PLACE.fullmatch(where)
    if found is None:
        return "", ""
    return found["name"] or found["address"] or "", found["port"] or ""


def _table(name: str) -> str:
    """Return the table's name: the configured name, or else the host name. Raises InputError for a
    name that is not allowed."""
    found = name or socket.gethostname().partition(".")[0].lower()
    if found == EVERYBODY:
        raise InputError(
            say(
                "[bridge] table cannot be {everybody}: that name means all tables.",
                everybody=repr(EVERYBODY),
            )
        )
    if not found.isascii() or not found.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            say(
                "The machine's name, {found}, cannot be the table's name among many: name the "
                "table in [bridge] table.",
                found=repr(found),
            )
        )
    return found[:40]


def _refusal(key: str, file: str, why: str) -> str:
    return say(
        "[bridge] {key}, {file}, cannot be used: {why}. It must be a PEM file with {what} that "
        "the bridge's user may read.",
        key=key,
        file=repr(file),
        why=why,
        what="certificates" if key == "ca" else say("a certificate and key"),
    )
