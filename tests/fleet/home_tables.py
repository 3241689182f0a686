"""The tables that Home Assistant finds in its tests, and what they tell."""

from pathlib import Path
from typing import Any, Final

from at_broker import AtBroker
from house_table import said
from msgspec.structs import replace
from table_facts import FARES, MACHINE, PLAYED

from pi_table.common.config import load
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.facts import MachineHealth
from pi_table.fleet.bridge.home_assistant import discovery
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.messages import PublicMessage

FILES: Final = Path("pi_table/fleet/bridge/files/home_assistant").absolute()
"""The files that an owner gets."""
CONFIG: Final = load().bridge


def topics_of(table: str) -> Topics:
    return Topics(CONFIG.prefix, table, CONFIG.home_assistant)


def discovery_of(table: str) -> bytes:
    """Return the discovery message for Home Assistant."""
    return discovery(CONFIG, table, "0.7.0")


TABLES: Final = tuple(f"table-{number}" for number in range(1, 6))
"""As many as the dashboard has."""
TABLE: Final = "table-3"
TOPICS: Final = topics_of(TABLE)
OTHER: Final = "table-2"
"""A table that announces nothing, in whatever order the tests come."""
MESSAGE: Final = discovery_of(TABLE)


def entity(kind: str, name: str, table: str = "table_3") -> str:
    return f"{kind}.{table}_{name}"


def tell(
    at_broker: AtBroker,
    public: PublicMessage = PLAYED,
    machine: MachineHealth = MACHINE,
    table: str = TABLE,
    **house: Any,
) -> None:
    """A table tells how it stands and fares."""
    topics, fares = topics_of(table), replace(FARES, **house)
    at_broker.say(topics.of("state"), payloads.state(public, fares))
    at_broker.say(topics.of("settings"), payloads.settings(fares))
    at_broker.say(topics.of("faults"), payloads.faults(fares))
    at_broker.say(topics.of("health"), payloads.health(fares, machine, 1.7e9, 17, 2, 0))


def announce(at_broker: AtBroker, what: str) -> None:
    """Something is announced at the table."""
    at_broker.say(TOPICS.of("event"), payloads.event(said(7, what)), keep=False)


SHOWN: Final = {
    ("binary_sensor", "played"): "on",
    ("binary_sensor", "somebody_there"): "on",
    ("binary_sensor", "out_of_order"): "off",
    ("binary_sensor", "touch_link"): "on",
    ("binary_sensor", "wet"): "off",
    ("binary_sensor", "stores_games"): "on",
    ("binary_sensor", "service_mode"): "off",
    ("binary_sensor", "kept_free"): "off",
    ("binary_sensor", "slowed_down"): "off",
    ("sensor", "status"): "played",
    ("sensor", "game"): "The classic game",
    ("sensor", "phase"): "guess",
    ("sensor", "turn"): "red",
    ("sensor", "clue"): "flight",
    ("sensor", "clue_number"): "3",
    ("sensor", "guesses_left"): "4",
    ("sensor", "red_left"): "5",
    ("sensor", "blue_left"): "6",
    ("sensor", "winner"): "unknown",
    ("sensor", "games"): "17",
    ("sensor", "faults"): "0",
    ("sensor", "deaf_places"): "0",
    ("sensor", "went_wrong"): "3",
    ("sensor", "version"): "0.7.0",
    ("sensor", "temperature"): "51.3",
    ("sensor", "disk_free"): "11.26",
    ("sensor", "disk_worn"): "30",
    ("sensor", "uptime"): "24.0",
    ("sensor", "messages_waiting"): "2",
    ("sensor", "messages_given_up"): "0",
    ("event", "announcement"): "unknown",
    ("number", "brightness"): "80",
    ("number", "volume"): "60",
    ("switch", "muted"): "off",
    ("switch", "idle_lights"): "on",
    ("switch", "out_of_service"): "off",
    ("text", "quiet_hours"): "00:00-00:00",
    ("button", "locate"): "unknown",
    ("button", "closing_in_ten_minutes"): "unknown",
}
"""Home Assistant's states of a table that sends `PLAYED`, `FARES` and `MACHINE`."""
