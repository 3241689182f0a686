"""When the broker's certificate ends, as a sealed connection shows it."""

import asyncio
from typing import Final

from pi_table.bridge.broker import Broker
from pi_table.broker_trouble import end_of
from pi_table.errors import InputError

WARNING_SECONDS: Final = 14 * 24 * 3600.0
"""How long before its end a certificate is to be renewed."""
LOOK_SECONDS: Final = 10.0
"""How long it may take to look at the certificate."""


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
