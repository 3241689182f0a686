"""When the broker's certificate ends, as a sealed connection shows it."""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from typing import Final

from pi_table.bridge.broker import Broker
from pi_table.errors import InputError

WARNING_SECONDS: Final = 14 * 24 * 3600.0
"""How long before its end a certificate is to be renewed."""
LOOK_SECONDS: Final = 10.0
"""How long it may take to look at the certificate."""


def end_of(sealed: ssl.SSLSocket | ssl.SSLObject) -> float | None:
    """When the certificate of the other side, or of who signed it, ends: the sooner of the two, in
    seconds since 1970. None where that is not known."""
    own = sealed.getpeercert() or {}
    trusted = sealed.context.get_ca_certs()
    # Where others signed between them, nobody here knows which of those who are trusted it was.
    signers = [each for each in trusted if each["subject"] == own.get("issuer")] or trusted
    # A signer who was renewed is there twice, and the newer one serves.
    ends = [*_ends([own]), *sorted(_ends(signers))[-1:]]
    return min(ends, default=None)


async def look(broker: Broker) -> float | None:
    """When the certificate that the broker shows now ends, as in `end_of`: it may have been renewed
    under a connection that goes on. None where it is not shown."""
    try:
        context = broker.seal()
        async with asyncio.timeout(LOOK_SECONDS):
            _, writer = await asyncio.open_connection(broker.host, broker.port, ssl=context)
    except (OSError, InputError):
        return None
    try:
        sealed = writer.get_extra_info("ssl_object")
        return None if sealed is None else end_of(sealed)
    finally:
        writer.transport.abort()


def _ends(certificates: Sequence[Mapping[str, object]]) -> list[float]:
    return [
        float(ssl.cert_time_to_seconds(str(each["notAfter"])))
        for each in certificates
        if "notAfter" in each
    ]
