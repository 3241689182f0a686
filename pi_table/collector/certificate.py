"""When the broker's certificate ends, and the collector's own."""

import socket
import ssl
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pi_table.collector.settings import Settings
from pi_table.errors import InputError

LOOK_SECONDS: Final = 10.0
"""How long the broker may take to show its certificate."""


def end_of(sealed: ssl.SSLSocket) -> float | None:
    """When the certificate at the other end, or that of who signed it, ends: the sooner one, in
    seconds since 1970; None where neither says."""
    shown = sealed.getpeercert() or {}
    trusted = sealed.context.get_ca_certs()
    signers = [each for each in trusted if each["subject"] == shown.get("issuer")] or trusted
    # A signer who was renewed is there twice, and the newer one serves.
    return min([*_ends([shown]), *sorted(_ends(signers))[-1:]], default=None)


def look(settings: Settings) -> float | None:
    """When the certificate ends that the broker shows now: it may have been renewed under a
    connection that goes on. None where it shows none."""
    try:
        context = settings.seal()
        if context is None:
            return None
        place = settings.host, settings.port
        with (
            socket.create_connection(place, LOOK_SECONDS) as line,
            context.wrap_socket(line, server_hostname=settings.host) as sealed,
        ):
            return end_of(sealed)
    except (OSError, ValueError, InputError):
        return None


def end_of_own(settings: Settings) -> float | None:
    """When the collector's own certificate ends; None where it has none."""
    if not settings.certificate:
        return None
    try:
        # Python has no other way to read a certificate that nobody sent.
        own = ssl._ssl._test_decode_cert(settings.certificate)  # type: ignore[attr-defined]
    except OSError:
        return None
    return min(_ends([own]), default=None)


def _ends(certificates: Sequence[Mapping[str, Any]]) -> list[float]:
    return [
        float(ssl.cert_time_to_seconds(each["notAfter"]))
        for each in certificates
        if "notAfter" in each
    ]
