"""The figures of a table for Prometheus: what each says, and what is left out."""

from typing import Any

import msgspec
import pytest
from house_table import HOUSE
from msgspec.structs import replace
from table_facts import FARES, PLAYED, VIEW, WHOLE

from pi_table.fleet.bridge.facts import Facts, MachineHealth
from pi_table.fleet.bridge.figures import text
from pi_table.games.rules.word_games.board import Phase
from pi_table.protocols.ipc.messages import Presence, PublicMessage


def values(facts: Facts, table: str = "near-door") -> dict[str, str]:
    """Each value, by the name and the labels that follow the table's."""
    lines = [line for line in text(table, facts).splitlines() if not line.startswith("#")]
    pairs = [line.rsplit(" ", 1) for line in lines]
    return {
        name.replace(f'{{table="{table}"}}', "").replace(f'table="{table}",', ""): value
        for name, value in pairs
    }


def test_every_figure_of_a_table_of_which_everything_is_known() -> None:
    assert values(WHOLE) == {
        "pi_table_up": "1",
        'pi_table_info{version="0.7.0"}': "1",
        "pi_table_out_of_order": "0",
        "pi_table_faults": "0",
        "pi_table_link_up": "1",
        "pi_table_deaf_places": "0",
        "pi_table_wet": "0",
        "pi_table_can_store": "1",
        "pi_table_out_of_service": "0",
        "pi_table_kept_free": "0",
        "pi_table_games_total": "17",
        'pi_table_counts_total{what="chip_restarts"}': "1",
        'pi_table_counts_total{what="link_lost"}': "2",
        "pi_table_occupied": "1",
        "pi_table_playing": "1",
        'pi_table_game_info{profile="codenames"}': "1",
        "pi_table_in_service": "0",
        "pi_table_announcements_total": "42",
        "pi_table_uptime_seconds": "86400",
        "pi_table_temperature_celsius": "51.3",
        "pi_table_throttled": "0",
        "pi_table_disk_free_bytes": "11264000000",
        "pi_table_wear_percent": "30",
        "pi_table_broker_connected": "1",
        "pi_table_broker_certificate_expiry_timestamp_seconds": "1827086400",
        "pi_table_client_certificate_expiry_timestamp_seconds": "4000000000",
        "pi_table_connections_taken_over_total": "7",
        "pi_table_queue_length": "2",
        "pi_table_published_total": "900",
        "pi_table_dropped_total": "1",
        "pi_table_commands_heard_total": "5",
        "pi_table_commands_refused_total": "4",
        "pi_table_written_timestamp_seconds": "1795550400.25",
    }


@pytest.mark.parametrize("missing", ["public", "house"])
def test_a_table_is_not_up_unless_both_its_sockets_answer(missing: str) -> None:
    told = values(replace(WHOLE, **{missing: None}))
    assert told["pi_table_up"] == "0"
    assert ("pi_table_faults" in told) == (missing == "public")
    assert ("pi_table_playing" in told) == (missing == "house")
    assert told["pi_table_temperature_celsius"] == "51.3"


def test_what_a_machine_does_not_tell_is_left_out() -> None:
    told = text("near-door", replace(WHOLE, machine=MachineHealth()))
    for name in ("uptime", "temperature", "throttled", "disk_free", "wear"):
        assert f"pi_table_{name}" not in told


AT_THE_TABLE: dict[str, tuple[PublicMessage, int, int]] = {
    "a game is under way": (PLAYED, 1, 1),
    "the game is over, and people still sit there": (
        replace(PLAYED, view=replace(VIEW, phase=Phase.OVER)),
        1,
        0,
    ),
    "nobody has come back to the game": (replace(PLAYED, idle=Presence.IDLE), 0, 0),
    "the table asks whether anybody still plays": (replace(PLAYED, idle=Presence.ASKED), 1, 1),
    "no game was ever played": (PublicMessage(None, out_of_order=False), 1, 0),
}


@pytest.mark.parametrize("name", AT_THE_TABLE)
def test_a_table_is_played_while_somebody_is_there_and_a_game_is_under_way(name: str) -> None:
    public, occupied, playing = AT_THE_TABLE[name]
    told = values(replace(WHOLE, public=public))
    assert (told["pi_table_occupied"], told["pi_table_playing"]) == (str(occupied), str(playing))
    assert ('pi_table_game_info{profile="codenames"}' in told) == bool(playing)


@pytest.mark.parametrize(
    ("changed", "name", "value"),
    [
        ({"out_of_order": True}, "out_of_order", "1"),
        ({"faults": ("The disk is full.", "It is hot.")}, "faults", "2"),
        ({"link": False}, "link_up", "0"),
        ({"deaf": ("A1", "B2", "C3")}, "deaf_places", "3"),
        ({"wet": True}, "wet", "1"),
        ({"can_store": False}, "can_store", "0"),
        ({"kept_free": True}, "kept_free", "1"),
        ({"settings": replace(HOUSE.settings, out_of_service=True)}, "out_of_service", "1"),
    ],
)
def test_what_ails_a_table_is_a_figure(changed: dict[str, Any], name: str, value: str) -> None:
    told = values(replace(WHOLE, house=replace(FARES, **changed)))
    assert told[f"pi_table_{name}"] == value


def test_each_figure_says_once_what_it_is_and_ends_as_its_kind_does() -> None:
    lines = text("near-door", WHOLE).splitlines()
    kinds = dict(line.split()[2:4] for line in lines if line.startswith("# TYPE"))
    helped = [line.split()[2] for line in lines if line.startswith("# HELP")]
    named = {line.split("{")[0] for line in lines if not line.startswith("#")}
    assert list(kinds) == helped
    assert set(kinds) == named
    for name, kind in kinds.items():
        assert kind == ("counter" if name.endswith("_total") else "gauge")


def test_no_value_can_write_a_line_of_its_own() -> None:
    evil = replace(WHOLE, house=replace(FARES, version='1"} 1\npi_table_up{table="other\\'))
    lines = text("near-door", evil).splitlines()
    assert [line for line in lines if line.startswith("pi_table_up{")] == [
        'pi_table_up{table="near-door"} 1'
    ]
    assert r"""version="1\"} 1\npi_table_up{table=\"other\\"} 1""" in "\n".join(lines)


def test_nothing_of_a_game_but_its_name_is_a_figure() -> None:
    with_clue = text("near-door", WHOLE)
    assert "flight" not in with_clue
    assert msgspec.json.encode(PLAYED.said[0].words["en"]).decode() not in with_clue
