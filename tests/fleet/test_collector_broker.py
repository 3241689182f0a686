"""The collector at brokers that ask who it is, that it has to trust, and that are silent."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from certificates import Authority
from collecting import Collecting, Teller, acknowledged, asked, has_subscribed, until
from mosquitto import OPEN, Mosquitto, with_passwords
from msgspec.structs import replace
from ports import free_port
from told_games import records

from pi_table.common.errors import TableError
from pi_table.fleet.collector import process
from pi_table.fleet.collector.settings import Settings

pytestmark = pytest.mark.fleet

Collect = Callable[..., Collecting]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite://{tmp_path}/games.sqlite"


@pytest.fixture
def collecting(tmp_path: Path, address: str) -> Iterator[Collect]:
    """Starts a collector at a port, with more settings."""
    started: list[Collecting] = []

    def start(port: int, **settings: str | list[str]) -> Collecting:
        one = Collecting(tmp_path, port, address, **settings)
        started.append(one)
        one.start()
        return one

    yield start
    for one in started:
        one.close()


def test_a_user_with_a_password_is_let_in(tmp_path: Path, collecting: Collect) -> None:
    secret = tmp_path / "secret"
    secret.write_text("open sesame\n")
    lines = with_passwords(tmp_path / "broker", {"collector": "open sesame"})
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        one = collecting(broker.port, username="collector", password_file=str(secret))
        until(lambda: has_subscribed(broker))
        assert one.stop() == 0


def test_that_the_broker_does_not_know_the_password_is_said_once(
    tmp_path: Path, collecting: Collect
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("close sesame\n")
    lines = with_passwords(tmp_path / "broker", {"collector": "open sesame"})
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        one = collecting(broker.port, username="collector", password_file=str(secret))
        until(lambda: broker.log.read_text().count("Sending CONNACK to 127.0.0.1 (0, 135)") >= 3)
        assert one.stop() == 0
    assert one.said().count("cannot be used") == 1
    assert "It refuses: Not authorized. Check username and password_file." in one.said()
    assert "sesame" not in one.said()


def test_a_sealed_broker_is_used_only_where_it_is_trusted(
    tmp_path: Path, collecting: Collect
) -> None:
    trusted, other = Authority(tmp_path / "trusted"), Authority(tmp_path / "other")
    own = trusted.sign("127.0.0.1")
    lines = (*OPEN, *own.lines)
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        where = f"mqtts://127.0.0.1:{broker.port}"
        stranger = collecting(0, broker=where, ca=str(other.certificate))
        until(lambda: "is signed by nobody whom the collector trusts" in stranger.said())
        stranger.stop()
        assert "check ca." in stranger.said()
        assert "_ssl.c" not in stranger.said()
        collecting(0, broker=where, ca=str(trusted.certificate))
        until(lambda: has_subscribed(broker))


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("20200101000000Z", "20210101000000Z", "is out of date, by the clock of this machine"),
        ("20900101000000Z", "20980101000000Z", "is not valid yet, by the clock of this machine"),
    ],
)
def test_a_certificate_that_is_not_valid_now_is_told_in_words(
    start: str, end: str, why: str, tmp_path: Path, collecting: Collect
) -> None:
    authority = Authority(tmp_path / "authority")
    signed = authority.sign("127.0.0.1", start, end)
    lines = (*OPEN, *signed.lines)
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        where = f"mqtts://127.0.0.1:{broker.port}"
        one = collecting(0, broker=where, ca=str(authority.certificate))
        until(lambda: why in one.said())
        assert f"The certificate of the broker 127.0.0.1 (port {broker.port})" in one.said()
        assert "_ssl.c" not in one.said()


def test_that_nobody_listens_at_the_broker_is_told_in_words(collecting: Collect) -> None:
    one = collecting(free_port())
    until(lambda: "Nobody listens at the broker 127.0.0.1" in one.said())


def test_that_the_broker_has_forgotten_the_collector_is_said(
    tmp_path: Path, collecting: Collect
) -> None:
    with Mosquitto(tmp_path / "broker") as broker:  # which keeps nothing where it is stopped
        one = collecting(broker.port)
        until(lambda: has_subscribed(broker))
        assert "has forgotten" not in one.said()
        broker.stop()
        broker.start()
        until(lambda: "has forgotten this collector" in one.said())
        assert one.stop() == 0


def test_a_broker_that_forgets_what_it_delivers_is_not_used(
    tmp_path: Path, collecting: Collect
) -> None:
    with Mosquitto(tmp_path / "broker", *OPEN, "max_qos 0") as broker:
        one = collecting(broker.port)
        until(lambda: "It delivers with QoS 0" in one.said())
        assert one.stop() == 0


def test_collecting_once_gives_up_where_the_broker_never_lets_it_in(
    tmp_path: Path, address: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MAX_AWAY_SECONDS", 1.2)
    monkeypatch.setattr("signal.signal", lambda *_: None)  # of this process of tests
    lines = with_passwords(tmp_path / "broker", {"collector": "open sesame"})
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        settings = Settings(f"mqtt://127.0.0.1:{broker.port}", address)
        with pytest.raises(TableError, match="could not be used for 1 s: the log above says why"):
            process.main(settings, once=True)
    assert "It refuses: Not authorized" in caplog.text


def test_tables_of_several_bars_and_prefixes_are_heard(
    tmp_path: Path, address: str, collecting: Collect
) -> None:
    games = [replace(one, table=f"table-{at}") for at, one in enumerate(islice(records(22), 4))]
    topics = ("pi-table/table-0", "pi-table/north/table-1", "old/table-2", "old/pub/table-3")
    with Mosquitto(tmp_path / "broker") as broker, closing(Teller(broker)) as teller:
        one = collecting(broker.port, prefix=["pi-table", "old"])
        until(lambda: has_subscribed(broker))
        for topic, game in zip(topics, games, strict=True):
            until(teller.tell(f"{topic}/record", msgspec.json.encode(game)))
        until(teller.tell("pi-table/north/table-1/faults", b'{"faults": ["It is wet."]}'))
        until(teller.tell("pi-table/north/far/table-1/record", msgspec.json.encode(games[0])))
        until(lambda: acknowledged(broker) == 5)
        assert one.stop() == 0
    assert asked(address, "SELECT name, bar FROM tables ORDER BY name") == [
        *(("table-0", ""), ("table-1", "north"), ("table-2", ""), ("table-3", "pub")),
    ]
    assert asked(address, "SELECT table_name, sentence FROM faults") == [("table-1", "It is wet.")]
    assert asked(address, "SELECT count(*) FROM games") == [(4,)]


def figures(file: Path) -> dict[str, float]:
    """The collector's figures, without what begins all their names."""
    lines = file.read_text().splitlines() if file.exists() else []
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name.removeprefix("pi_table_"): float(value) for name, value in pairs}


def test_figures_tell_how_the_collector_and_its_broker_fare(
    tmp_path: Path, address: str, collecting: Collect
) -> None:
    authority = Authority(tmp_path / "authority")
    soon, later = (datetime.now(UTC).replace(microsecond=0) + timedelta(days) for days in (9, 12))
    signed = authority.sign("127.0.0.1", end=f"{soon:%Y%m%d%H%M%SZ}")
    own = authority.sign("collector", end=f"{later:%Y%m%d%H%M%SZ}")
    metrics = tmp_path / "collector.prom"
    lines = (*OPEN, *signed.lines, "sys_interval 1")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        one = collecting(
            broker.port,
            broker=f"mqtts://127.0.0.1:{broker.port}",
            ca=str(authority.certificate),
            certificate=str(own.certificate),
            key=str(own.key),
            metrics=str(metrics),
        )
        until(lambda: figures(metrics).get("collector_broker_connected") == 1)
        found = figures(metrics)
        assert found["collector_database_connected"] == 1
        assert found["collector_committed_total"] == 0
        assert "collector_last_commit_timestamp_seconds" not in found
        assert found["broker_certificate_expiry_timestamp_seconds"] == soon.timestamp()
        assert found["client_certificate_expiry_timestamp_seconds"] == later.timestamp()
        assert metrics.stat().st_mode & 0o777 == 0o644
        broker.stop()
        until(lambda: figures(metrics)["collector_broker_connected"] == 0)
        assert one.stop() == 0


def test_a_certificate_that_was_renewed_under_a_connection_is_seen(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(process, "CERTIFICATE_SECONDS", 0.0)
    authority = Authority(tmp_path / "authority")
    soon, later = (datetime.now(UTC).replace(microsecond=0) + timedelta(days) for days in (9, 12))
    signed = authority.sign("127.0.0.1", end=f"{soon:%Y%m%d%H%M%SZ}")
    metrics = tmp_path / "collector.prom"
    lines = (*OPEN, *signed.lines)
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        where = f"mqtts://127.0.0.1:{broker.port}"
        settings = Settings(
            where, address, username="", ca=str(authority.certificate), metrics=str(metrics)
        )

        def shows(end: datetime) -> bool:
            collector.turn()
            name = "broker_certificate_expiry_timestamp_seconds"
            return figures(metrics).get(name) == end.timestamp()

        with closing(process.Collector(settings)) as collector:
            until(lambda: shows(soon))
            authority.sign("127.0.0.1", end=f"{later:%Y%m%d%H%M%SZ}")
            broker.reload()
            until(lambda: shows(later))


def test_figures_tell_what_was_committed_and_what_the_broker_has_dropped(
    tmp_path: Path, collecting: Collect
) -> None:
    metrics = tmp_path / "collector.prom"
    lines = (*OPEN, "sys_interval 1", "max_queued_messages 10")
    with Mosquitto(tmp_path / "broker", *lines) as broker, closing(Teller(broker)) as teller:
        one = collecting(broker.port, metrics=str(metrics))
        until(lambda: has_subscribed(broker))
        assert one.stop() == 0
        until(teller.tell_records(islice(records(21), 30)))
        assert figures(metrics).get("broker_dropped_total", 0) == 0
        one.start()
        until(lambda: figures(metrics).get("broker_dropped_total") == 20)
        until(lambda: acknowledged(broker) == 10)
        until(teller.tell("pi-table/rome-1/record", b"{}"))
        until(lambda: figures(metrics)["collector_rejected_total"] == 1)
        found = figures(metrics)
        assert found["collector_committed_total"] == 11
        assert found["collector_waiting"] == 0
        assert found["collector_last_commit_timestamp_seconds"] > 1.7e9
        assert found["broker_messages"] > 0
        assert one.stop() == 0


@pytest.mark.paced
def test_a_broker_that_does_not_answer_is_left_and_tried_again(
    tmp_path: Path, collecting: Collect
) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        broker.freeze()
        one = collecting(broker.port)
        until(lambda: "It does not answer" in one.said())
        broker.thaw()
        until(lambda: has_subscribed(broker))


def test_faults_that_the_broker_has_kept_and_what_cannot_be_read_are_taken_in(
    tmp_path: Path, address: str, collecting: Collect
) -> None:
    with Mosquitto(tmp_path / "broker") as broker, closing(Teller(broker)) as teller:
        until(teller.tell("pi-table/rome-1/faults", b'{"faults": ["It is wet."]}', kept=True))
        until(teller.tell("pi-table/rome-2/state", b"{}", kept=True))
        one = collecting(broker.port)
        until(lambda: has_subscribed(broker))
        until(teller.tell("pi-table/rome-1/record", b"{}"))
        until(teller.tell("pi-table/rome-1/record", b"x" * (300 * 1024)))
        until(lambda: one.said().count("is not counted") == 2)
        until(lambda: acknowledged(broker) == 3)
    assert asked(address, "SELECT table_name, sentence, until FROM faults") == [
        ("rome-1", "It is wet.", None)
    ]
    assert asked(address, "SELECT bytes FROM rejects ORDER BY key") == [(2,), (300 * 1024,)]


def test_what_is_told_without_being_acknowledged_disturbs_nobody(
    tmp_path: Path, address: str, collecting: Collect
) -> None:
    """By QoS 0, as mosquitto_pub does: the broker ends a connection that acknowledges it."""
    wrong = b'{"count": 1, "faults": ["The table is wet."], "out_of_order": false}'
    with Mosquitto(tmp_path / "broker", *OPEN) as broker, closing(Teller(broker)) as teller:
        before = broker.log.read_text().count("protocol error")
        teller.tell_unacknowledged("pi-table/window/faults", wrong, kept=True)
        one = collecting(broker.port)
        until(lambda: has_subscribed(broker))
        until(lambda: asked(address, "SELECT count(*) FROM faults") == [(1,)])
        teller.tell_unacknowledged("pi-table/window/record", b"no record", kept=False)
        told = teller.tell("pi-table/door/faults", wrong)
        until(lambda: asked(address, "SELECT count(*) FROM faults") == [(2,)])
        until(told)
        assert one.stop() == 0
        assert broker.log.read_text().count("protocol error") == before
    assert "cannot be used" not in one.said()
