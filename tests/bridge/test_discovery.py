"""The discovery message for Home Assistant. `tests/fleet` checks it with Home Assistant itself."""

import re
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from table_facts import FARES, MACHINE, PLAYED

from pi_table.common.config import Command, load
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.facts import EXPIRY_SECONDS
from pi_table.fleet.bridge.home_assistant import discovery
from pi_table.fleet.bridge.topics import Topics
from pi_table.games.announcer.announcement import What

CONFIG = replace(load().bridge, prefix="tables/of/mine", commands=get_args(Command))
TOPICS = Topics(CONFIG.prefix, "near-door", "homeassistant")
TOLD = {
    "state": msgspec.json.decode(payloads.state(PLAYED, FARES)),
    "settings": msgspec.json.decode(payloads.settings(FARES)),
    "faults": msgspec.json.decode(payloads.faults(FARES)),
    "health": msgspec.json.decode(payloads.health(FARES, MACHINE, 1.7e9, 17, 2, 0)),
    "event": msgspec.json.decode(payloads.event(PLAYED.said[0])),
}
"""A payload of each topic that a table's entities read."""


def components(*commands: Command) -> dict[str, dict[str, Any]]:
    """The entities of a table that hears these commands."""
    message = msgspec.json.decode(discovery(replace(CONFIG, commands=commands), "near-door", "1"))
    found: dict[str, dict[str, Any]] = message["components"]
    return found


ALL = components(*get_args(Command))


def test_the_device_is_the_table_with_its_version() -> None:
    message = msgspec.json.decode(discovery(CONFIG, "near-door", "0.7.0"))
    assert message["device"]["name"] == "near-door"
    assert message["device"]["sw_version"] == "0.7.0"
    assert message["availability_topic"] == "tables/of/mine/near-door/availability"


def test_no_two_tables_and_no_two_entities_have_one_id() -> None:
    other = msgspec.json.decode(discovery(CONFIG, "window", "1"))["components"]
    ids = [each["unique_id"] for each in [*ALL.values(), *other.values()]]
    assert len(set(ids)) == len(ids) == 2 * len(ALL)


def test_each_entity_reads_a_topic_of_its_table_and_fields_that_stand_there() -> None:
    for key, each in ALL.items():
        if "state_topic" not in each:
            assert each["platform"] == "button"
            continue
        told = TOLD[each["state_topic"].removeprefix(TOPICS.of(""))]
        templates = each.get("value_template", "") + each.get("json_attributes_template", "")
        fields = re.findall(r"value_json\.(\w+)", templates)
        assert fields or each["platform"] == "event", key
        assert set(fields) <= set(told), key


def test_a_value_that_a_table_without_power_would_leave_behind_expires() -> None:
    """Only these two kinds of entities can: what else is shown holds until it is set."""
    expires = {key: each["expire_after"] for key, each in ALL.items() if "expire_after" in each}
    assert set(expires.values()) == {EXPIRY_SECONDS}
    stays = {
        each["state_topic"].removeprefix(TOPICS.of(""))
        for key, each in ALL.items()
        if "state_topic" in each and key not in expires
    }
    assert stays == {"settings", "faults", "event"}
    assert {ALL[key]["platform"] for key in expires} == {"sensor", "binary_sensor"}


@pytest.mark.parametrize("command", get_args(Command))
def test_what_gives_a_command_is_there_only_where_the_table_hears_it(command: Command) -> None:
    others = tuple(each for each in get_args(Command) if each != command)
    left_out = ALL.keys() - components(*others).keys()
    assert left_out
    for key in left_out:
        assert ALL[key]["command_topic"] == TOPICS.of(f"do/{command}")


def test_a_table_that_hears_nothing_can_only_be_looked_at() -> None:
    assert {each["platform"] for each in components().values()} == {
        *("sensor", "binary_sensor", "event")
    }


def test_the_event_may_be_whatever_can_be_announced() -> None:
    assert set(ALL["event"]["event_types"]) == {what.value for what in What}


def test_the_message_says_nothing_of_a_game_and_nothing_that_is_hidden() -> None:
    told = discovery(CONFIG, "near-door", "1").decode()
    for word in ("flight", "cells", "console", "sealed", "peek_at", "password"):
        assert word not in told
