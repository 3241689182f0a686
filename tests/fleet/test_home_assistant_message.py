"""The message by which Home Assistant finds a table, and Home Assistant's own parser."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from home import judged, needs_home
from home_tables import MESSAGE, TOPICS

pytestmark = [pytest.mark.fleet, needs_home]


def test_home_assistants_parser_takes_the_message() -> None:
    assert judged([(TOPICS.discovery, MESSAGE)]) == [[]]


Break = Callable[[dict[str, Any]], object]

MISTAKES: dict[str, tuple[Break, str]] = {
    "nobody says where it is from": (lambda told: told.pop("origin"), "data['origin']"),
    "a device without anything to know it by": (
        lambda told: told["device"].pop("identifiers"),
        "at least one identifying value",
    ),
    "an entity of no kind": (
        lambda told: told["components"]["game"].pop("platform"),
        "['game']['platform']",
    ),
    "an entity of a kind that there is not": (
        lambda told: told["components"]["game"].update(platform="gauge"),
        "['game']['platform']",
    ),
    "an entity without an id of its own": (
        lambda told: told["components"]["link"].pop("unique_id"),
        "['link']['unique_id']",
    ),
    "a class that there is not": (
        lambda told: told["components"]["temperature"].update(device_class="warmth"),
        "temperature: expected SensorDeviceClass",
    ),
    "a unit that does not fit its class": (
        lambda told: told["components"]["temperature"].update(unit_of_measurement="GB"),
        "`GB` is not valid together with device class `temperature`",
    ),
    "a template that cannot be read": (
        lambda told: told["components"]["clue"].update(value_template="{{ value_json."),
        "clue: invalid template",
    ),
    "a word of Home Assistant's that is misspelt": (
        lambda told: told["components"]["link"].update(valeu_template="{{ value }}"),
        "extra keys not allowed @ data['valeu_template']",
    ),
    "an event that can be nothing": (
        lambda told: told["components"]["event"].pop("event_types"),
        "data['event_types']",
    ),
    "a picture that is none": (
        lambda told: told["components"]["wet"].update(icon="drop"),
        "wet: Icons should be specified",
    ),
    "a topic with a wildcard to be asked by": (
        lambda told: told["components"]["muted"].update(command_topic="pi-table/+/do/volume"),
        "muted: Wildcards can not be used",
    ),
}


def test_home_assistants_parser_refuses_each_mistake() -> None:
    broken = []
    for mistake, _ in MISTAKES.values():
        told = json.loads(MESSAGE)
        mistake(told)
        broken.append((TOPICS.discovery, json.dumps(told).encode()))
    for name, (_, says), complaints in zip(
        MISTAKES, MISTAKES.values(), judged(broken), strict=True
    ):
        assert any(says[1] in each for each in complaints), (name, complaints)
