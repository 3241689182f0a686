"""The figures of a collector for Prometheus: what each says, and what is left out."""

from pi_table.fleet.collector.health import Health, text

KNOWN = Health(
    at=1_700_000_015.5,
    broker=True,
    database=False,
    waiting=12,
    committed=40,
    rejected=2,
    last_commit=1_700_000_000.25,
    broker_certificate_ends=1_800_000_000.0,
    own_certificate_ends=1_900_000_000.0,
    at_broker=70,
    dropped=3,
)


def values(health: Health) -> dict[str, str]:
    lines = [line for line in text(health).splitlines() if not line.startswith("#")]
    return dict(line.rsplit(" ", 1) for line in lines)  # type: ignore[misc]


def test_every_figure_of_a_collector_of_which_everything_is_known() -> None:
    assert values(KNOWN) == {
        "pi_table_collector_broker_connected": "1",
        "pi_table_collector_database_connected": "0",
        "pi_table_collector_waiting": "12",
        "pi_table_collector_committed_total": "40",
        "pi_table_collector_rejected_total": "2",
        "pi_table_collector_last_commit_timestamp_seconds": "1700000000.25",
        "pi_table_collector_written_timestamp_seconds": "1700000015.5",
        "pi_table_client_certificate_expiry_timestamp_seconds": "1900000000",
        "pi_table_broker_certificate_expiry_timestamp_seconds": "1800000000",
        "pi_table_broker_messages": "70",
        "pi_table_broker_dropped_total": "3",
    }


def test_what_is_not_known_is_left_out() -> None:
    unknown = Health(1.0, broker=False, database=False, waiting=0, committed=0, rejected=0)
    assert [*values(unknown)] == [
        "pi_table_collector_broker_connected",
        "pi_table_collector_database_connected",
        "pi_table_collector_waiting",
        "pi_table_collector_committed_total",
        "pi_table_collector_rejected_total",
        "pi_table_collector_written_timestamp_seconds",
    ]
