"""The collector's health, as text that Prometheus' node exporter reads from a file."""

from collections.abc import Iterator

import msgspec

from pi_table.fleet import prometheus_text
from pi_table.fleet.prometheus_text import Figure, one


class Health(msgspec.Struct, frozen=True):
    """The collector's health. Times are seconds since 1970 by its clock; None means unknown."""

    at: float
    broker: bool
    """True if the collector is connected to the broker and subscribed to the tables."""
    database: bool
    """True if the collector can use the database."""
    waiting: int
    """Number of messages that the collector has received but not yet stored."""
    committed: int
    """Number of messages stored since the collector started, including rejected messages."""
    rejected: int
    """Number of messages rejected since the collector started; the log has the reasons."""
    last_commit: float | None = None
    broker_certificate_ends: float | None = None
    own_certificate_ends: float | None = None
    at_broker: int | None = None
    """Number of messages that the broker stores for absent clients or as retained messages."""
    dropped: int | None = None
    """Number of messages that the broker has dropped since it started, because a client's queue was
    full."""


def text(health: Health) -> str:
    """Return the metrics of a collector as text. Unknown values are left out."""
    return prometheus_text.text(_figures(health), {})


def _figures(health: Health) -> Iterator[Figure]:
    def of(name: str, explained: str, value: float | None) -> Figure:
        return one(f"collector_{name}", explained, value)

    yield of("broker_connected", "Is the collector connected to its broker?", health.broker)
    yield of("database_connected", "Can the collector use its database?", health.database)
    yield of("waiting", "Messages that wait to be committed.", health.waiting)
    yield of("committed_total", "Messages that were committed.", health.committed)
    yield of("rejected_total", "Messages that are not counted.", health.rejected)
    yield of("last_commit_timestamp_seconds", "When it committed last.", health.last_commit)
    yield of("written_timestamp_seconds", "When these figures were written.", health.at)
    yield one(
        "client_certificate_expiry_timestamp_seconds",
        "When the own certificate of the bridge or collector ends.",
        health.own_certificate_ends,
    )
    yield one(
        "broker_certificate_expiry_timestamp_seconds",
        "When the certificate of the broker, or of who signed it, ends.",
        health.broker_certificate_ends,
    )
    yield one("broker_messages", "Messages that the broker holds.", health.at_broker)
    # Debian 12's Mosquitto does not report drops more than a minute before this connection.
    yield one("broker_dropped_total", "Messages that the broker has dropped.", health.dropped)
