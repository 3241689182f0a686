"""When the broker's certificate ends, and the collector's own."""

import socket
import ssl
from typing import Final

from pi_table.broker_trouble import end_of, ends
from pi_table.collector.settings import Settings
from pi_table.errors import InputError

LOOK_SECONDS: Final = 10.0
"""How long the broker may take to show its certificate."""


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
    return min(ends([own]), default=None)
