"""Makes sentences about failed connections to a broker, and finds when certificates expire."""

import errno
import socket
import ssl
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import msgspec

from pi_table.common.errors import InputError

NOT_YET_VALID: Final = 9
OUT_OF_DATE: Final = 10
OTHER_NAME: Final = (62, 64)
"""OpenSSL's error codes (X509_V_ERR) for a certificate that is for another host name or address."""
LOOK_SECONDS: Final = 10.0
"""Timeout in seconds for the broker to send its certificate."""


class Asker(msgspec.Struct, frozen=True):
    """The names of a client and its broker, for sentences about a failed connection."""

    who: str
    """The name of the client in sentences, such as ``table``."""
    section: str
    """Text before the name of a setting in a sentence, such as ``[bridge]`` and a space."""
    host: str
    port: int

    @property
    def place(self) -> str:
        """Return the broker's host and port as text, for log messages."""
        return f"{self.host} (port {self.port})"


def sentence(error: BaseException | None, asker: Asker, at: float) -> str | None:
    """Return a sentence about the network or TLS problem that ``error`` reports; None for any other
    error. ``at`` is the present time in seconds since 1970, by the machine's clock."""
    place, who, section = asker.place, asker.who, asker.section
    match error:
        case ssl.SSLCertVerificationError():
            return _wrong_certificate(error, asker, at)
        case ssl.SSLError():
            return (
                f"The broker {place} and the {who} cannot agree on how to seal their connection "
                f"({error}): is that port one for TLS, and does the broker take the "
                f"{who}'s certificate?"
            )
        case socket.gaierror():
            return (
                f"No machine is found by the name of the broker, {asker.host!r}: is "
                f"{section}broker right, and is there a network?"
            )
        case ConnectionRefusedError():
            return f"Nobody listens at the broker {place}: does it run, and is the port right?"
        case OSError() if error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
            return f"The broker {place} cannot be reached: is there a network?"
    return None


def _wrong_certificate(error: ssl.SSLCertVerificationError, asker: Asker, at: float) -> str:
    place = asker.place
    if error.verify_code == NOT_YET_VALID:
        return (
            f"The certificate of the broker {place} is not valid yet, by the clock of this "
            f"machine, which says {day(at)}. A clock that nobody has set is set by the network."
        )
    if error.verify_code == OUT_OF_DATE:
        return (
            f"The certificate of the broker {place} is out of date, by the clock of this machine, "
            f"which says {day(at)}: renew it."
        )
    if error.verify_code in OTHER_NAME:
        return (
            f"The certificate of the broker {place} is for another name: is "
            f"{asker.section}broker right?"
        )
    return (
        f"The certificate of the broker {place} is signed by nobody whom the {asker.who} trusts "
        f"({error.verify_message}): check {asker.section}ca."
    )


def day(at: float) -> str:
    """Return the UTC date of a time, as text. A sentence with a date instead of a time is the
    same all day, so the log does not repeat it."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


class Settings(Protocol):
    """Connection settings of a client of the broker."""

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def certificate(self) -> str:
        """Path of the client's own certificate; "" if the client has none."""

    def tls_context(self) -> ssl.SSLContext | None: ...


def fetch_certificate_end(settings: Settings) -> float | None:
    """Return the result of `certificate_end` for a new connection to the broker, because the
    client's present connection may still show an older certificate. None without TLS, or if the
    connection fails."""
    try:
        context = settings.tls_context()
        if context is None:
            return None
        place = settings.host, settings.port
        with (
            socket.create_connection(place, LOOK_SECONDS) as line,
            context.wrap_socket(line, server_hostname=settings.host) as tls_line,
        ):
            return certificate_end(tls_line)
    except (OSError, ValueError, InputError):
        return None


def own_certificate_end(settings: Settings) -> float | None:
    """Return when the client's own certificate expires (seconds since 1970). None if the client has
    no certificate, or if the file cannot be read."""
    if not settings.certificate:
        return None
    try:
        # Python has no other way to read a certificate from a file.
        own = ssl._ssl._test_decode_cert(settings.certificate)  # type: ignore[attr-defined]
    except OSError:
        return None
    return min(ends([own]), default=None)


def certificate_end(tls_line: ssl.SSLSocket) -> float | None:
    """Return when the broker's certificate or the certificate of its CA expires, whichever is
    earlier. The result is in seconds since 1970; None means unknown."""
    shown = tls_line.getpeercert() or {}
    trusted = tls_line.context.get_ca_certs()
    # With intermediate CAs the root is unknown here, so all trusted CAs count.
    signers = [each for each in trusted if each["subject"] == shown.get("issuer")] or trusted
    # A renewed CA is listed twice; its later expiry counts.
    return min([*ends([shown]), *sorted(ends(signers))[-1:]], default=None)


def ends(certificates: Iterable[Mapping[str, Any]]) -> list[float]:
    """Return the expiry times of certificates (seconds since 1970). Certificates that never expire
    are left out."""
    return [
        float(ssl.cert_time_to_seconds(each["notAfter"]))
        for each in certificates
        if "notAfter" in each
    ]
