"""Discovery for Home Assistant: one message that describes the table as a device with its entities.

The functions are pure: values in, values out. The entities read only the topics that the README
beside this file lists, so they show no secret of a game.
"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pi_table.common.config import BridgeSection
from pi_table.fleet.bridge.entities import ENTITIES, Entity
from pi_table.fleet.bridge.facts import EXPIRY_SECONDS
from pi_table.fleet.bridge.topics import Topics

RENEWED: Final = ("state", "health")
"""Names of topics that are published at least once a minute; their values expire after
`EXPIRY_SECONDS`. Settings and faults stay valid until the next message."""


def discovery(config: BridgeSection, table: str, version: str) -> bytes:
    """Return the retained message for `Topics.discovery`, which describes a table and its entities.
    The entity of a command that the table does not accept is left out."""
    topics = Topics(config.prefix, table, config.home_assistant)
    message = {
        "device": {
            "identifiers": [f"pi-table-{table}"],
            "name": table,
            "manufacturer": "pi-table",
            "model": "pi-table",
            "sw_version": version,
        },
        "origin": {"name": "pi-table", "sw_version": version},
        "availability_topic": topics.of("availability"),
        "components": {
            each.key: _component(each, topics)
            for each in ENTITIES
            if each.does is None or each.does in config.commands
        },
    }
    return msgspec.json.encode(message)


def _component(entity: Entity, topics: Topics) -> dict[str, Any]:
    return {
        "platform": entity.platform,
        "unique_id": f"pi-table-{topics.table}-{entity.key}",
        "name": entity.name,
        "icon": f"mdi:{entity.icon}",
        "qos": 1,
        **dict(_reading(entity, topics)),
        **entity.more,
    }


def _reading(entity: Entity, topics: Topics) -> Iterator[tuple[str, Any]]:
    if entity.tells is not None:
        yield "state_topic", topics.of(entity.tells)
    if entity.tells in RENEWED and entity.platform in ("sensor", "binary_sensor"):
        yield "expire_after", EXPIRY_SECONDS
    if entity.value is not None:
        yield "value_template", "{{ " + entity.value + " }}"
    if entity.attributes is not None and entity.tells is not None:
        yield "json_attributes_topic", topics.of(entity.tells)
        yield "json_attributes_template", "{{ (" + entity.attributes + ") | tojson }}"
    if entity.does is not None:
        yield "command_topic", topics.of(f"do/{entity.does}")
