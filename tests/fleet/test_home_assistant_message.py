"""The message by which Home Assistant finds a table, and Home Assistant's own parser."""

import json

import pytest
from home import judged, needs_home
from home_tables import MESSAGE, TOPICS

pytestmark = [pytest.mark.fleet, needs_home]


def test_home_assistants_parser_takes_the_message() -> None:
    assert judged([(TOPICS.discovery, MESSAGE)]) == [[]]


MISTAKES = (
    ("origin", None, "data['origin']"),
    ("device/identifiers", None, "at least one identifying value"),
    ("components/game/platform", None, "['game']['platform']"),
    ("components/game/platform", "gauge", "['game']['platform']"),
    ("components/link/unique_id", None, "['link']['unique_id']"),
    ("components/temperature/device_class", "warmth", "temperature: expected SensorDeviceClass"),
    (
        "components/temperature/unit_of_measurement",
        "GB",
        "`GB` is not valid together with device class `temperature`",
    ),
    ("components/clue/value_template", "{{ value_json.", "clue: invalid template"),
    (
        "components/link/valeu_template",
        "{{ value }}",
        "extra keys not allowed @ data['valeu_template']",
    ),
    ("components/event/event_types", None, "data['event_types']"),
    ("components/wet/icon", "drop", "wet: Icons should be specified"),
    ("components/muted/command_topic", "pi-table/+/do/volume", "muted: Wildcards cannot be used"),
)
"""A field, its wrong value (None: the field is missing), and what the parser says."""


def test_home_assistants_parser_refuses_each_mistake() -> None:
    broken = []
    for path, value, _ in MISTAKES:
        told = place = json.loads(MESSAGE)
        *folders, field = path.split("/")
        for folder in folders:
            place = place[folder]
        if value is None:
            del place[field]
        else:
            place[field] = value
        broken.append((TOPICS.discovery, json.dumps(told).encode()))
    for mistake, complaints in zip(MISTAKES, judged(broken), strict=True):
        assert any(mistake[2] in each for each in complaints), (mistake, complaints)
