"""Prometheus with its node exporter, and what stands in Grafana's dashboard: Debian's own programs
read the figures of tables, and judge what an owner is given."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from patience import PATIENCE
from table_facts import FARES, WHOLE
from waiting import waited_for
from watched_tables import ALERTS, COLLECTING, FILES, TABLES, watched_tables
from watching import Prometheus

from pi_table.fleet.bridge.facts import Facts, MachineHealth
from pi_table.fleet.bridge.figures import text
from pi_table.fleet.collector import health

pytestmark = pytest.mark.fleet


def promtool(*what: str, given: str = "") -> str:
    """Return the complaints of promtool; empty if there are none."""
    done = subprocess.run(
        ["promtool", *what], input=given, capture_output=True, text=True, timeout=PATIENCE
    )
    return (done.stdout + done.stderr) if done.returncode or done.stderr else ""


# ---- what the programs of Prometheus have against the files


@pytest.mark.parametrize(
    "facts",
    [
        WHOLE,
        Facts(at=1.5),
        replace(WHOLE, machine=MachineHealth()),
        replace(WHOLE, public=None),
        replace(WHOLE, house=replace(FARES, version='a "b" \\ c\nd')),
    ],
)
def test_promtool_takes_the_figures_of_a_table(facts: Facts) -> None:
    assert promtool("check", "metrics", given=text("near-door", facts)) == ""


def test_promtool_takes_the_figures_of_a_collector() -> None:
    assert promtool("check", "metrics", given=health.text(COLLECTING)) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("# TYPE pi_table_games_total counter", "# TYPE pi_table_games_total gauge"),
        ("# HELP pi_table_wet ", "# HALP pi_table_wet "),
        ("pi_table_uptime_seconds", "pi_table_uptime_minutes"),
        ('pi_table_wet{table="near-door"} 0', "pi_table_wet{table=near-door} 0"),
    ],
)
def test_promtool_refuses_figures_that_are_wrong(right: str, wrong: str) -> None:
    figures = text("near-door", WHOLE)
    assert right in figures
    assert promtool("check", "metrics", given=figures.replace(right, wrong)) != ""


def test_promtool_takes_the_example_and_the_alerts() -> None:
    assert promtool("check", "config", str(FILES / "prometheus.yml")) == ""
    assert promtool("check", "rules", str(ALERTS)) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("for: 15m", "for: soon"),
        ("expr: pi_table_wet == 1", "expr: pi_table_wet = 1"),
        ("expr: pi_table_wet == 1", "exp: pi_table_wet == 1"),
        ("{{ $labels.table }}", "{{ $labels.table }"),
        ("| humanize }}", "| humanise }}"),
    ],
)
def test_promtool_refuses_alerts_that_are_wrong(right: str, wrong: str, tmp_path: Path) -> None:
    alerts = ALERTS.read_text()
    assert right in alerts
    (tmp_path / "alerts.yml").write_text(alerts.replace(right, wrong, 1))
    assert promtool("check", "rules", str(tmp_path / "alerts.yml")) != ""


def test_each_figure_that_is_asked_for_is_one_that_a_table_or_a_collector_has() -> None:
    written = text("a", WHOLE) + health.text(COLLECTING)
    names = {line.split()[2] for line in written.splitlines() if line.startswith("# TYPE")}
    for file in ("alerts.yml", "dashboard.json"):
        asked = re.findall(r"\bpi_table_[a-z_]+", (FILES / file).read_text())
        assert len(set(asked)) > 8
        assert set(asked) <= names, file


# ---- when an alert fires

Series = Callable[[int], float | None]
"""The value at each minute; None: it is gone."""
TROUBLE: Final = 10
"""The minute at which things go wrong."""


DAY: Final = 86_400


def name_of(name: str, table: str, **labels: str) -> str:
    return labelled(name, job="pi-table", instance=f"{table}:9100", table=table, **labels)


def labelled(name: str, **labels: str) -> str:
    return name + "{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}"


def always(value: float) -> Series:
    return lambda minute: value


def well(table: str) -> dict[str, Series]:
    """The figures of a table that is well."""
    still = {
        "pi_table_up": 1,
        "pi_table_out_of_order": 0,
        "pi_table_faults": 0,
        "pi_table_link_up": 1,
        "pi_table_deaf_places": 0,
        "pi_table_wet": 0,
        "pi_table_can_store": 1,
        "pi_table_temperature_celsius": 55,
        "pi_table_throttled": 0,
        "pi_table_disk_free_bytes": 11e9,
        "pi_table_wear_percent": 30,
        "pi_table_broker_connected": 1,
        "pi_table_queue_length": 3,
        "pi_table_dropped_total": 7,
        "pi_table_commands_refused_total": 7,
    }
    found: dict[str, Series] = {
        name_of(name, table): always(value) for name, value in still.items()
    }
    found[f'up{{job="pi-table",instance="{table}:9100"}}'] = always(1)
    found[name_of("pi_table_info", table, version="0.7.0")] = always(1)
    found[name_of("pi_table_counts_total", table, what="link_lost")] = always(3)
    found[name_of("pi_table_announcements_total", table)] = lambda minute: 5 * minute
    found[name_of("pi_table_written_timestamp_seconds", table)] = lambda minute: 60 * minute
    return found


OF_BROKER: Final = "pi_table_broker_certificate_expiry_timestamp_seconds"
OF_CLIENT: Final = "pi_table_client_certificate_expiry_timestamp_seconds"
COLLECTOR: Final = {"job": "pi-table-collector", "instance": "server:9100"}


def of_collector(name: str, **labels: str) -> str:
    return labelled(name, **COLLECTOR, **labels)


def collecting() -> dict[str, Series]:
    """The figures of a collector that is well."""
    still = {
        "up": 1,
        "pi_table_collector_broker_connected": 1,
        "pi_table_collector_database_connected": 1,
        "pi_table_collector_waiting": 0,
        "pi_table_collector_rejected_total": 2,
        "pi_table_broker_dropped_total": 0,
    }
    found: dict[str, Series] = {of_collector(name): always(value) for name, value in still.items()}
    found[of_collector("pi_table_collector_written_timestamp_seconds")] = lambda minute: 60 * minute
    for name in (OF_BROKER, OF_CLIENT):
        found[of_collector(name)] = always(400 * DAY)
    return found


def firing(changed: dict[str, Series], minute: int, folder: Path, step: int = 1) -> set[str]:
    """The alerts that fire at a minute, of three tables of which "a" is changed, and a
    collector."""
    series = {**well("a"), **well("b"), **well("c"), **collecting(), **changed}
    return {name for name, _ in fired(series, minute, folder, step)}


def fired(
    series: dict[str, Series], minute: int, folder: Path, step: int = 1
) -> set[tuple[str, str]]:
    """The alerts that fire at a minute, each with its machine; "" where it is of none."""
    times = range(0, minute + step, step)
    shown = [
        {
            "series": name,
            "values": " ".join(
                "stale" if (value := of(at)) is None else f"{value:.15g}" for at in times
            ),
        }
        for name, of in series.items()
    ]
    labels: list[dict[str, str]] = []
    for _ in ("nothing yet", "as it was said"):
        asked = {
            "rule_files": [str(ALERTS)],
            "evaluation_interval": f"{step}m",
            "tests": [
                {
                    "interval": f"{step}m",
                    "input_series": shown,
                    "promql_expr_test": [
                        {
                            "expr": 'group by (alertname, instance) (ALERTS{alertstate="firing"})',
                            "eval_time": f"{minute}m",
                            "exp_samples": [
                                {"labels": labelled("", **told), "value": 1} for told in labels
                            ],
                        }
                    ],
                }
            ],
        }
        (folder / "test.yml").write_text(json.dumps(asked))
        said = promtool("test", "rules", str(folder / "test.yml"))
        if not said or labels:
            break
        found = re.findall(r"\{([^}]*)\} 1E\+00", said.partition("got:")[2])
        labels = [dict(re.findall(r'(\w+)="([^"]*)"', each)) for each in found]
    assert said == "", said
    return {(each["alertname"], each.get("instance", "")) for each in labels}


def from_then(
    name: str, wrong: float | None, right: float = 0, table: str = "a", **labels: str
) -> dict[str, Series]:
    return {
        name_of(name, table, **labels): lambda minute: right if minute < TROUBLE else wrong,
    }


def until_then(right: float, wrong: float = 0) -> Series:
    return lambda minute: right if minute < TROUBLE else wrong


def rising(name: str, each_minute: float, **labels: str) -> dict[str, Series]:
    return {name_of(name, "a", **labels): lambda minute: max(0, minute - TROUBLE) * each_minute}


def gone(of: Series, at: int = TROUBLE) -> Series:
    return lambda minute: of(minute) if minute < at else None


def back_after(of: Series, minutes: int) -> Series:
    """The same, which is gone for so many minutes."""
    return lambda minute: None if TROUBLE <= minute < TROUBLE + minutes else of(minute)


def come(of: Series) -> Series:
    return lambda minute: of(minute) if minute >= TROUBLE else None


def away(minute: int) -> float:
    return 0 if minute % 10 == 5 else 1


CERTIFICATE = "pi_table_broker_certificate_expiry_timestamp_seconds"

FIRES: dict[str, tuple[dict[str, Series], int]] = {
    "PiTableMachineAway": (
        {'up{job="pi-table",instance="a:9100"}': lambda minute: 1 if minute < TROUBLE else 0},
        15,
    ),
    "PiTableNoFigures": (
        {name: gone(of) for name, of in well("a").items() if name.startswith("pi_table_")},
        5,
    ),
    "PiTableFiguresOld": (
        {
            name_of("pi_table_written_timestamp_seconds", "a"): lambda minute: (
                60 * min(minute, TROUBLE)
            )
        },
        5,
    ),
    "PiTableAway": (from_then("pi_table_up", 0, 1), 5),
    "PiTableOutOfOrder": (from_then("pi_table_out_of_order", 1), 1),
    "PiTableFault": (from_then("pi_table_faults", 2), 5),
    "PiTableLinkDown": (from_then("pi_table_link_up", 0, 1), 1),
    "PiTableLinkUnsteady": (from_then("pi_table_counts_total", 13, 3, what="link_lost"), 0),
    "PiTableDeafPlaces": (from_then("pi_table_deaf_places", 1), 10),
    "PiTableWet": (from_then("pi_table_wet", 1), 15),
    "PiTableTooHot": (from_then("pi_table_temperature_celsius", 81.5, 55), 5),
    "PiTableSlowedDown": (from_then("pi_table_throttled", 1), 10),
    "PiTableCannotStore": (from_then("pi_table_can_store", 0, 1), 2),
    "PiTableDiskNearlyFull": (from_then("pi_table_disk_free_bytes", 9e8, 11e9), 10),
    "PiTableCardWorn": (from_then("pi_table_wear_percent", 80, 30), 60),
    "PiTableBrokerAway": (from_then("pi_table_broker_connected", 0, 1), 10),
    "PiTableNameTwice": (rising("pi_table_connections_taken_over_total", 1), 3),
    "PiTableMessagesGivenUp": (from_then("pi_table_dropped_total", 8, 7), 0),
    "PiTableStartsAgain": (
        {name_of("pi_table_announcements_total", "a"): lambda minute: minute % TROUBLE},
        TROUBLE,
    ),
    "PiTableFlooded": (rising("pi_table_commands_refused_total", 60), 8),
    "PiTableQueueGrows": (from_then("pi_table_queue_length", 11), 15),
    "PiTableBrokerDown": (
        {
            of_collector("pi_table_collector_broker_connected"): until_then(1),
            **{name_of("pi_table_broker_connected", each): until_then(1) for each in "abc"},
        },
        10,
    ),
    "PiTableCollectorAway": (
        {
            name: until_then(1) if name.startswith("up{") else gone(of)
            for name, of in collecting().items()
        },
        10,
    ),
    "PiTableCollectorBrokerAway": (
        {of_collector("pi_table_collector_broker_connected"): until_then(1)},
        10,
    ),
    "PiTableCollectorDatabaseAway": (
        {of_collector("pi_table_collector_database_connected"): until_then(1)},
        10,
    ),
    "PiTableCollectorBehind": (
        {of_collector("pi_table_collector_waiting"): lambda minute: max(0, minute - TROUBLE + 1)},
        15,
    ),
    "PiTableCollectorRejects": (
        {of_collector("pi_table_collector_rejected_total"): until_then(2, 3)},
        0,
    ),
    "PiTableBrokerDrops": ({of_collector("pi_table_broker_dropped_total"): until_then(0, 20)}, 0),
    "PiTableCertificateEnds": (
        {of_collector(OF_BROKER): always(14 * DAY + 60 * TROUBLE - 1)},
        60,
    ),
    "PiTableClientCertificateEnds": (
        {name_of(OF_CLIENT, "a"): always(14 * DAY + 60 * TROUBLE - 1)},
        60,
    ),
}
"""Series that go wrong at minute `TROUBLE` at one table, and minutes until the alert fires."""


@pytest.mark.parametrize("alert", FIRES)
def test_an_alert_fires_when_it_should_and_not_before(alert: str, tmp_path: Path) -> None:
    changed, after = FIRES[alert]
    assert firing(changed, TROUBLE + after, tmp_path) == {alert}
    assert firing(changed, TROUBLE + after - 1, tmp_path) == set()


def switched_off(table: str, at: int) -> dict[str, Series]:
    """The figures of a table that is well, and whose plug is pulled at that minute."""
    machine = f'up{{job="pi-table",instance="{table}:9100"}}'
    figures = {name: gone(of, at) for name, of in well(table).items()}
    return {**figures, machine: lambda minute: float(minute < at)}


NEARLY: dict[str, dict[str, Series]] = {
    "all is well": {},
    "the bar closes, and one table after the other is switched off": {
        **switched_off("a", TROUBLE),
        **switched_off("b", TROUBLE + 5),
        **switched_off("c", TROUBLE + 9),
    },
    "the bar opens": {
        name: come(of) if name.startswith("pi_table") else lambda minute: float(minute >= TROUBLE)
        for table in "abc"
        for name, of in well(table).items()
    },
    "an update takes its time": {
        name_of("pi_table_up", "a"): lambda minute: float(not TROUBLE <= minute < TROUBLE + 4)
    },
    "a clock that is wrong": {
        name_of("pi_table_written_timestamp_seconds", "a"): lambda minute: 60 * minute - 86400
    },
    "a clock that is put right": {
        name_of("pi_table_written_timestamp_seconds", "a"): lambda minute: (
            60 * minute - (86400 if minute < TROUBLE else 0)
        )
    },
    "a fault that goes away": {
        name_of("pi_table_faults", "a"): lambda minute: float(TROUBLE <= minute < TROUBLE + 5)
    },
    "wet now and then": {name_of("pi_table_wet", "a"): lambda minute: float(minute % 10 < 8)},
    "warm": from_then("pi_table_temperature_celsius", 80, 55),
    "a gigabyte is left": from_then("pi_table_disk_free_bytes", 1e9, 11e9),
    "a card that is not worn yet": from_then("pi_table_wear_percent", 70, 30),
    "a card that does not tell": from_then("pi_table_wear_percent", None, 30),
    "a certificate that ends in three weeks": from_then(CERTIFICATE, 21 * 86400.0, 1e9),
    "a certificate that was renewed in time": {
        name_of(CERTIFICATE, "a"): lambda minute: (
            13 * 86400.0 if TROUBLE <= minute < TROUBLE + 30 else 1e9
        )
    },
    "somebody tries a second bridge": from_then("pi_table_connections_taken_over_total", 2),
    "messages were given up long ago": from_then("pi_table_dropped_total", 7, 7),
    "one start": {
        name_of("pi_table_announcements_total", "a"): lambda minute: (
            5 * minute if minute < TROUBLE else minute - TROUBLE
        )
    },
    "away for a moment": {
        name_of("pi_table_up", "a"): lambda minute: float(minute != TROUBLE),
        name_of("pi_table_faults", "a"): lambda minute: None if minute == TROUBLE else 0,
    },
    "a cable that fails now and then": {
        name_of("pi_table_counts_total", "a", what="link_lost"): lambda minute: minute // 20
    },
    "frames that are damaged": from_then("pi_table_counts_total", 90, 3, what="frames_damaged"),
    "some commands that are refused": rising("pi_table_commands_refused_total", 5),
    "a collector that starts again": {
        name: back_after(of, 5) for name, of in collecting().items() if not name.startswith("up{")
    },
    "nobody collects": {name: (lambda minute: None) for name in collecting()},
    "many games at once": {
        of_collector("pi_table_collector_waiting"): lambda minute: 500 * (minute % 10 < 8)
    },
    "certificates that end in fifteen days": {
        of_collector(name): always(15 * DAY) for name in (OF_BROKER, OF_CLIENT)
    },
    "a broker that dropped messages long ago": {
        of_collector("pi_table_broker_dropped_total"): always(20)
    },
    "the broker starts again": {
        name_of("pi_table_broker_connected", "a"): lambda minute: float(
            not TROUBLE <= minute < TROUBLE + 9
        )
    },
}


@pytest.mark.parametrize("name", NEARLY)
def test_no_alert_fires_where_nothing_is_to_be_done(name: str, tmp_path: Path) -> None:
    for minute in (TROUBLE + 3, TROUBLE + 20, TROUBLE + 90):
        if name == "a broker that dropped messages long ago":
            minute += 60
        assert firing(NEARLY[name], minute, tmp_path) == set()


# ---- several bars


def chain(**bars: str) -> dict[str, Series]:
    """The figures of tables that are well, by their bars, and of a collector; each letter is a
    table."""
    found = collecting()
    for bar, tables in bars.items():
        for table in tables:
            found.update(
                {name.replace("{", f'{{bar="{bar}",', 1): of for name, of in well(table).items()}
            )
    return found


def closed(series: dict[str, Series], tables: str, at: int = TROUBLE) -> dict[str, Series]:
    """The same, where the plugs of these tables are pulled at a minute."""
    return {
        name: of
        if not any(f'instance="{table}:9100"' in name for table in tables)
        else (lambda minute: float(minute < at))
        if name.startswith("up{")
        else gone(of, at)
        for name, of in series.items()
    }


TWO: Final = {"north": "abc", "south": "defg"}


def changed(series: dict[str, Series], name: str, tables: str, to: Series) -> dict[str, Series]:
    its = {each for each in series if each.startswith(f"{name}{{")}
    assert its
    return {
        each: to if each in its and any(f'"{table}:9100"' in each for table in tables) else of
        for each, of in series.items()
    }


def test_a_bar_that_closes_is_no_alert_and_hides_none_of_another_bar(tmp_path: Path) -> None:
    shut = closed(chain(**TWO), "abc")
    assert fired(shut, TROUBLE + 60, tmp_path) == set()
    one_fails = closed(shut, "d", at=TROUBLE + 10)
    assert fired(one_fails, TROUBLE + 60, tmp_path) == {("PiTableMachineAway", "d:9100")}


def test_a_table_that_is_dead_in_a_bar_is_told_until_the_bar_closes(tmp_path: Path) -> None:
    dead = closed(chain(**TWO), "a")
    assert fired(dead, TROUBLE + 20, tmp_path) == {("PiTableMachineAway", "a:9100")}
    shut = closed(dead, "bc", at=TROUBLE + 30)
    assert fired(shut, TROUBLE + 60, tmp_path) == set()


def test_a_table_that_is_left_on_in_a_closed_bar_is_told_where_it_dies(tmp_path: Path) -> None:
    shut = closed(chain(**TWO), "bc")
    dead = changed(shut, "pi_table_up", "a", until_then(1))
    assert fired(dead, TROUBLE + 30, tmp_path) == {("PiTableAway", "a:9100")}


def test_a_broker_that_is_away_is_told_once_for_all_bars(tmp_path: Path) -> None:
    away = changed(chain(**TWO), "pi_table_broker_connected", "abcdefg", until_then(1))
    away[of_collector("pi_table_collector_broker_connected")] = until_then(1)
    assert fired(away, TROUBLE + 30, tmp_path) == {("PiTableBrokerDown", "")}


def test_a_broker_that_is_away_while_all_bars_are_closed_is_told_by_the_collector(
    tmp_path: Path,
) -> None:
    away = closed(chain(**TWO), "abcdefg")
    away[of_collector("pi_table_collector_broker_connected")] = until_then(1)
    told = {("PiTableCollectorBrokerAway", "server:9100")}
    assert fired(away, TROUBLE + 30, tmp_path) == told


@pytest.mark.parametrize("machine", ["is switched off", "stays"])
def test_a_collector_that_is_away_is_told_once(machine: str, tmp_path: Path) -> None:
    away = {
        name: of
        if COLLECTOR["instance"] not in name
        else (until_then(1) if machine == "is switched off" else of)
        if name.startswith("up{")
        else gone(of)
        for name, of in chain(**TWO).items()
    }
    assert fired(away, TROUBLE + 30, tmp_path) == {("PiTableCollectorAway", "server:9100")}


def test_a_collector_that_writes_no_figures_any_more_is_told(tmp_path: Path) -> None:
    series = chain(**TWO)
    written = of_collector("pi_table_collector_written_timestamp_seconds")
    series[written] = lambda minute: 60 * min(minute, TROUBLE)
    assert fired(series, TROUBLE + 30, tmp_path) == {("PiTableCollectorAway", "server:9100")}


def test_messages_that_were_dropped_while_the_collector_was_away_are_told(tmp_path: Path) -> None:
    """Then no figure rises: the first one after the gap is as high already."""
    series = chain(**TWO)
    series[of_collector("pi_table_broker_dropped_total")] = lambda minute: (
        0 if minute < TROUBLE else None if minute < TROUBLE + 120 else 20
    )
    told = {("PiTableBrokerDrops", "server:9100")}
    assert fired(series, TROUBLE + 121, tmp_path) == told
    assert fired(series, TROUBLE + 190, tmp_path) == set()


def test_a_table_that_goes_and_comes_is_told_though_it_was_never_away_for_long(
    tmp_path: Path,
) -> None:
    changed: dict[str, Series] = {name_of("pi_table_up", "a"): away}
    assert firing(changed, 14, tmp_path) == set()
    assert firing(changed, 30, tmp_path) == {"PiTableStartsAgain"}


def differs(changed: dict[str, Series], minute: int, folder: Path) -> bool:
    """True if the alert for an unusual version fires. Steps of half an hour, for days are long."""
    return "PiTableVersionDiffers" in firing(changed, minute, folder, step=30)


def test_a_version_that_most_tables_have_not_is_told_after_a_day(tmp_path: Path) -> None:
    behind: dict[str, Series] = {
        name_of("pi_table_info", "a", version="0.7.0"): lambda minute: None,
        name_of("pi_table_info", "a", version="0.6.9"): lambda minute: 1,
    }
    assert not differs(behind, 23 * 60, tmp_path)
    assert differs(behind, 25 * 60, tmp_path)


def test_a_version_that_most_tables_have_not_is_told_though_the_bar_closes_each_night(
    tmp_path: Path,
) -> None:
    def open_half_the_day(of: Series) -> Series:
        return lambda minute: of(minute) if minute // 60 % 24 < 12 else None

    changed = {name: open_half_the_day(of) for table in "abc" for name, of in well(table).items()}
    del changed[name_of("pi_table_info", "a", version="0.7.0")]
    behind: dict[str, Series] = {
        **changed,
        name_of("pi_table_info", "a", version="0.7.0"): lambda minute: None,
        name_of("pi_table_info", "a", version="0.6.9"): open_half_the_day(always(1)),
    }
    assert not differs(behind, 11 * 60, tmp_path)
    assert differs(behind, 27 * 60, tmp_path)


def test_a_version_is_not_told_while_the_others_have_theirs_for_less_than_a_day(
    tmp_path: Path,
) -> None:
    night = 30 * 60
    changed: dict[str, Series] = {}
    for table in "bc":
        changed[name_of("pi_table_info", table, version="0.7.0")] = lambda minute: (
            1 if minute >= night else None
        )
        changed[name_of("pi_table_info", table, version="0.6.9")] = lambda minute: (
            1 if minute < night else None
        )
    changed[name_of("pi_table_info", "a", version="0.7.0")] = lambda minute: None
    changed[name_of("pi_table_info", "a", version="0.6.9")] = always(1)
    assert not differs(changed, night + 23 * 60, tmp_path)
    assert differs(changed, night + 25 * 60, tmp_path)


def test_nobody_is_hurried_where_people_can_play() -> None:
    """An alert is critical where nobody can play at a table that is switched on, and only there."""
    critical = re.findall(
        r"alert: (\w+)\n(?:(?!alert:)[\s\S])*?severity: critical", ALERTS.read_text()
    )
    assert set(critical) == {
        *("PiTableAway", "PiTableOutOfOrder", "PiTableLinkDown", "PiTableCannotStore")
    }


def test_each_alert_has_its_test_its_sentence_and_what_to_do() -> None:
    rules = re.split(r"\n *- alert: ", ALERTS.read_text())[1:]
    names = {rule.partition("\n")[0] for rule in rules}
    assert names == FIRES.keys() | {"PiTableVersionDiffers"}
    for rule in rules:
        assert re.search(r"labels: \{severity: (critical|warning|info)\}", rule)
        summary, todo = re.findall(r'(?:summary|todo): (?:>-\s+)?"?(.+)', rule)
        assert "{{ $labels." in summary or "{{ $value " in summary
        assert todo


def test_each_service_that_is_named_is_one_of_a_table() -> None:
    services = {file.stem for file in Path("systemd").glob("*.service")} | {"pi-table-collector"}
    named = re.findall(r"(?:restart|-u) (pi-table-\w+)", ALERTS.read_text())
    assert len(set(named)) > 1
    assert set(named) <= services


# ---- real servers


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    with watched_tables(tmp_path_factory) as found:
        yield found


def test_prometheus_has_each_figure_that_a_table_wrote(watched: Prometheus) -> None:
    for line in text("table-1", WHOLE).splitlines():
        if not line.startswith("#"):
            series, value = line.rsplit(" ", 1)
            assert watched.value(series) == float(value), series
    assert watched.asked("node_textfile_scrape_error != 0") == []


def test_prometheus_can_reckon_each_alert(watched: Prometheus) -> None:
    assert waited_for(lambda: "unknown" not in watched.rules().values())
    assert set(watched.rules().values()) == {"ok"}
    assert set(watched.rules()) == FIRES.keys() | {"PiTableVersionDiffers"}


def test_alerts_are_pending_where_something_is_wrong_and_only_there(watched: Prometheus) -> None:
    def alerts() -> set[tuple[str, str]]:
        found = watched.asked('ALERTS{alertname=~"PiTable.+"}')
        return {(each["metric"]["alertname"], each["metric"].get("table", "")) for each in found}

    expected = {
        ("PiTableOutOfOrder", "table-2"),
        ("PiTableFault", "table-2"),
        ("PiTableTooHot", "table-2"),
        ("PiTableMessagesGivenUp", "table-2"),
        ("PiTableAway", "table-3"),
        ("PiTableMachineAway", ""),
        ("PiTableCollectorDatabaseAway", ""),
    }
    old = {("PiTableFiguresOld", table) for table in TABLES} | {("PiTableCollectorAway", "")}
    differs = {("PiTableVersionDiffers", "table-1"), ("PiTableVersionDiffers", "table-2")}
    assert waited_for(lambda: expected <= alerts())
    assert alerts() - old - differs == expected
