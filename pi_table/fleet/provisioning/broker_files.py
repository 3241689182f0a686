"""The configuration of a Mosquitto broker that serves many tables."""

import re
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

PORT: Final = 8883
"""Default port, if the broker's address has none."""
MAX_PACKET_BYTES: Final = 132 * 1024
"""Maximum size in bytes of a packet at the broker. The largest record of a game needs a tenth of
this size."""
SECURITY: Final = "dynamic-security.json"
CONFIGURATION: Final = "mosquitto.conf"
UNIT: Final = "mosquitto-service.conf"
OPEN_FILES: Final = 65536
"""Maximum number of open connections and files of Mosquitto. With systemd's default of 1,024,
Mosquitto accepts only about a thousand clients, and does not log the rejected clients."""
UNIT_TEXT: Final = f"""\
# Made by pi-table provision. On Debian it goes into /etc/systemd/system/mosquitto.service.d.
[Service]
LimitNOFILE={OPEN_FILES}
"""

COLLECTOR_AWAY_DAYS: Final = 14
"""Maximum number of days for which the broker stores messages for an absent collector. The
collector asks for an MQTT session of this length."""
MESSAGES_A_DAY: Final = 30
"""Estimated messages per day from a table to the collector: 20 games, their corrections, and
faults."""
MESSAGE_BYTES: Final = 2048
"""Mean size in bytes of a message from a table to the collector. The estimate is generous."""
MIN_QUEUED_MESSAGES: Final = 50_000
MIN_QUEUE_BYTES: Final = 256 * 1024 * 1024
MAX_QUEUE_BYTES: Final = 2**31 - 1
"""Maximum size in bytes of a queue that Mosquitto 2.0 accepts."""
TABLES_MEASURED: Final = 1000
"""Largest number of tables with which one Mosquitto broker was measured."""
_SIZED_FOR: Final = re.compile(r"^# Sized for (\d{1,5}) tables\.$", re.MULTILINE)


def room_for(tables: int) -> int:
    """Return ``tables`` rounded up to 100 or a multiple of 500. The broker is configured for this
    number, so most new tables do not change the configuration."""
    return 100 if tables <= 100 else -(-tables // 500) * 500


def days_kept(tables: int) -> int:
    """Return for how many whole days a broker of this many tables can store messages for an absent
    collector."""
    return min(COLLECTOR_AWAY_DAYS, MAX_QUEUE_BYTES // (tables * MESSAGES_A_DAY * MESSAGE_BYTES))


def queue_bytes(tables: int) -> int:
    """Return the maximum size in bytes of the queue for a collector of this many tables."""
    most = tables * COLLECTOR_AWAY_DAYS * MESSAGES_A_DAY * MESSAGE_BYTES
    return min(max(MIN_QUEUE_BYTES, most), MAX_QUEUE_BYTES)


def read_table_count(text: str) -> int | None:
    """Return the number of tables in the text of a `configuration`; None for another text."""
    found = _SIZED_FOR.search(text)
    return None if found is None else int(found[1])


def configuration(broker: str, at: PurePosixPath, tables: int) -> str:
    """Return the text of the broker's configuration file for this many tables, at least one. ``at``
    is the folder of the broker's other files."""
    port = urlsplit(broker).port or PORT
    messages = max(MIN_QUEUED_MESSAGES, tables * COLLECTOR_AWAY_DAYS * MESSAGES_A_DAY)
    return f"""\
# A broker for many tables. Made by pi-table provision, for Mosquitto 2.0 and 2.1. On Debian it goes
# into /etc/mosquitto/conf.d; persistence, which keeps what waits, is switched on beside it.
# Tables know it as {broker}.
# Sized for {tables} tables.

listener {port}
# The certificate of this broker for the name by which tables know it, with its chain, and its key.
certfile {at}/server.pem
keyfile {at}/server.key
tls_version tlsv1.2
# One connection for each user: nobody takes over somebody else's by calling itself the same.
use_username_as_clientid true
# Twice as many as there are users: after a power cut old connections are still open.
max_connections {2 * tables + 100}
max_topic_alias 0

# Users and rights. Without this file, or with a broken one, nobody is let in.
allow_anonymous false
plugin mosquitto_dynamic_security.so
plugin_opt_config_file {at}/{SECURITY}

# What one connection may ask of the broker.
allow_zero_length_clientid false
max_packet_size {MAX_PACKET_BYTES}
max_inflight_messages 100
max_keepalive 600
# What waits for somebody who is away: the collector may be away for {days_kept(tables)} days.
max_queued_messages {messages}
max_queued_bytes {queue_bytes(tables)}
persistent_client_expiration {COLLECTOR_AWAY_DAYS}d
memory_limit {max(1024**3, 2 * queue_bytes(tables))}

# The longest time for which a power cut of the broker can take back what it has acknowledged.
autosave_interval 30
"""
