"""The configuration of a Mosquitto that tables meet at."""

from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

PORT: Final = 8883
"""Of a broker whose address names none."""
LARGEST_MESSAGE: Final = 128 * 1024
"""Bytes of a payload; the largest record of a game has a tenth of that."""
PASSWORDS: Final = "passwords"
RIGHTS: Final = "acl"
CONFIGURATION: Final = "mosquitto.conf"


def configuration(broker: str, at: PurePosixPath) -> str:
    """The configuration of the broker with this address; its files lie in the folder ``at``."""
    port = urlsplit(broker).port or PORT
    return f"""\
# A broker for tables among many. Made by pi-table provision, for Mosquitto 2.0. On Debian it goes
# into /etc/mosquitto/conf.d; persistence, by which what waits is kept, is switched on beside it.
# Tables know it as {broker}.

listener {port}
# The certificate of this broker for the name by which tables know it, with its chain, and its key.
certfile {at}/server.pem
keyfile {at}/server.key
tls_version tlsv1.2
# One connection for each user: nobody takes over somebody else's by calling itself the same.
use_username_as_clientid true
max_connections 2000
max_topic_alias 0

allow_anonymous false
password_file {at}/{PASSWORDS}
acl_file {at}/{RIGHTS}

# What one connection may ask of the broker.
allow_zero_length_clientid false
max_packet_size {LARGEST_MESSAGE + 4096}
message_size_limit {LARGEST_MESSAGE}
max_inflight_messages 100
max_keepalive 600
# What waits for somebody who is away: the collector may miss a week.
max_queued_messages 50000
max_queued_bytes {256 * 1024 * 1024}
persistent_client_expiration 30d
memory_limit {1024 * 1024 * 1024}

# The longest time for which a power cut of the broker can take back what it has acknowledged.
autosave_interval 30
"""
