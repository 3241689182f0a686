"""A whole Home Assistant, and the tables that it finds: fixtures for its tests."""

from collections.abc import Iterator
from shutil import copyfile

import msgspec
import pytest
from at_broker import AtBroker
from home import HomeAssistant
from home_tables import FILES, SHOWN, TABLES, discovery_of, topics_of
from mosquitto import Mosquitto

CONFIGURATION = """
automation:
  - id: winner
    alias: Winner
    use_blueprint:
      path: pi-table/winner.yaml
      input:
        tables: [event.table_1_announcement, event.table_3_announcement]
        lights: [light.bar]
        duration: 1
scene: []
"""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as started:
        yield started


@pytest.fixture(scope="module")
def at_broker(broker: Mosquitto) -> Iterator[AtBroker]:
    with AtBroker(broker.port) as client:
        for table in TABLES:
            topics = topics_of(table)
            client.say(topics.discovery, discovery_of(table))
            client.say(topics.of("availability"), b"online")
        client.say(
            "homeassistant/light/bar/config",
            msgspec.json.encode(
                {
                    "schema": "json",
                    "name": "Bar",
                    "unique_id": "bar",
                    "command_topic": "bar/do",
                    "state_topic": "bar",
                    "brightness": True,
                    "supported_color_modes": ["rgb"],
                }
            ),
        )
        yield client


@pytest.fixture(scope="module")
def home(
    broker: Mosquitto, at_broker: AtBroker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HomeAssistant]:
    folder = tmp_path_factory.mktemp("home")
    (folder / "configuration.yaml").write_text(CONFIGURATION)
    blueprints = folder / "blueprints/automation/pi-table"
    blueprints.mkdir(parents=True)
    copyfile(FILES / "winner.yaml", blueprints / "winner.yaml")
    with HomeAssistant(folder, broker.port) as started:
        started.until(
            lambda states: (
                len([each for each in states if ".table_" in each]) == len(TABLES) * len(SHOWN)
            )
        )
        started.until(lambda states: "light.bar" in states)
        yield started
        assert started.complaints() == []
