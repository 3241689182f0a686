"""A table in the real Home Assistant: its states and its controls."""

import json
from contextlib import suppress
from typing import Any

import pytest
from at_broker import AtBroker
from home import VERSION, HomeAssistant, Refused, needs_home
from home_tables import MESSAGE, OTHER, SHOWN, TOPICS, announce, entity, tell
from house_table import HOUSE
from msgspec.structs import replace
from table_facts import MACHINE, PLAYED, VIEW
from waiting import waited_for

from pi_table.fleet.bridge.commands import KINDS, act
from pi_table.fleet.bridge.facts import MachineHealth
from pi_table.games.announcer.announcement import What
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.views import ClueView
from pi_table.protocols.ipc.messages import Presence, PublicMessage

pytestmark = [pytest.mark.fleet, needs_home]


def test_it_is_the_version_that_is_named(home: HomeAssistant) -> None:
    assert home.version == VERSION


def of_the_other(states: dict[str, dict[str, Any]]) -> dict[tuple[str, ...], str]:
    """The states of the other table's entities, by kind and name."""
    own = OTHER.replace("-", "_") + "_"
    return {
        tuple(each.replace(own, "").split(".")): states[each]["state"]
        for each in states
        if own in each
    }


def test_what_a_table_tells_is_what_home_assistant_shows(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    tell(at_broker, table=OTHER)
    # One topic may come after another: what is missing in the end is told by the comparison.
    with suppress(AssertionError, TimeoutError):
        home.until(lambda states: of_the_other(states) == SHOWN)
    assert of_the_other(home.states()) == SHOWN
    assert len(SHOWN) == len(json.loads(MESSAGE)["components"])


OTHERWISE: dict[str, tuple[PublicMessage, dict[str, Any], dict[tuple[str, str], str]]] = {
    "nobody is there and nothing was ever played": (
        PublicMessage(None, out_of_order=False, idle=Presence.IDLE),
        {},
        {
            ("sensor", "status"): "free",
            ("binary_sensor", "played"): "off",
            ("binary_sensor", "somebody_there"): "off",
            ("sensor", "game"): "unknown",
            ("sensor", "turn"): "unknown",
            ("sensor", "clue"): "unknown",
            ("sensor", "red_left"): "unknown",
        },
    ),
    "a clue is spoken, with no limit": (
        replace(PLAYED, view=replace(VIEW, clue=ClueView(None, "unlimited"), guesses_left=None)),
        {},
        {
            ("sensor", "clue"): "(spoken)",
            ("sensor", "clue_number"): "unlimited",
            ("sensor", "guesses_left"): "unknown",
        },
    ),
    "a game is over": (
        replace(
            PLAYED,
            view=replace(
                VIEW,
                phase=Phase.OVER,
                turn=None,
                clue=None,
                outcome=Outcome(Team.BLUE, (Team.RED,), Why.ASSASSIN),
            ),
        ),
        {},
        {
            ("sensor", "status"): "somebody there",
            ("binary_sensor", "played"): "off",
            ("binary_sensor", "somebody_there"): "on",
            ("sensor", "winner"): "blue",
        },
    ),
    "nobody won": (
        replace(
            PLAYED,
            view=replace(
                VIEW, phase=Phase.OVER, outcome=Outcome(None, (Team.RED, Team.BLUE), Why.NUKE)
            ),
        ),
        {},
        {("sensor", "winner"): "nobody"},
    ),
    "the table is ill": (
        replace(PLAYED, out_of_order=True),
        {
            "out_of_order": True,
            "faults": ("The touch grid does not answer.",),
            "link": False,
            "deaf": ("A1", "B2"),
            "wet": True,
            "can_store": False,
        },
        {
            ("sensor", "status"): "out of order",
            ("binary_sensor", "out_of_order"): "on",
            ("sensor", "faults"): "1",
            ("binary_sensor", "touch_link"): "off",
            ("sensor", "deaf_places"): "2",
            ("binary_sensor", "wet"): "on",
            ("binary_sensor", "stores_games"): "off",
        },
    ),
    "no game is to begin": (
        PublicMessage(None, out_of_order=False, out_of_service=True),
        {},
        {("sensor", "status"): "out of service"},
    ),
    "no game is to begin, and one goes on": (
        replace(PLAYED, out_of_service=True),
        {},
        {("sensor", "status"): "played"},
    ),
    "the house has set it otherwise": (
        PLAYED,
        {
            "settings": replace(
                HOUSE.settings,
                brightness=30,
                muted=True,
                quiet_from="23:00",
                quiet_until="09:00",
                idle_lights=False,
                out_of_service=True,
            )
        },
        {
            ("number", "brightness"): "30",
            ("switch", "muted"): "on",
            ("text", "quiet_hours"): "23:00-09:00",
            ("switch", "idle_lights"): "off",
            ("switch", "out_of_service"): "on",
        },
    ),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_otherwise_at_the_table_is_shown(
    home: HomeAssistant, at_broker: AtBroker, name: str
) -> None:
    public, house, shown = OTHERWISE[name]
    tell(at_broker, public, **house)
    home.until(lambda states: {each: states[entity(*each)]["state"] for each in shown} == shown)
    assert home.complaints() == []


def test_values_of_a_table_that_renews_nothing_are_unavailable_though_it_never_said_offline(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    """As after a power cut in which the broker could not say that the table is offline."""
    holds = {("sensor", "faults"): "0", ("switch", "muted"): "off", ("button", "locate"): "unknown"}
    renewed = {each for each in SHOWN if each[0] in ("sensor", "binary_sensor")} - holds.keys()
    soon = json.loads(MESSAGE)
    for each in soon["components"].values():
        if "expire_after" in each:
            each["expire_after"] = 1
    at_broker.say(TOPICS.discovery, json.dumps(soon).encode())
    tell(at_broker)
    # A value may expire before the last one of the same second has come.
    home.until(
        lambda states: (
            {each for each in SHOWN if states[entity(*each)]["state"] == "unavailable"} == renewed
            and {each: states[entity(*each)]["state"] for each in holds} == holds
        )
    )
    at_broker.say(TOPICS.discovery, MESSAGE)
    tell(at_broker)
    home.until(lambda states: states[entity("sensor", "status")]["state"] == "played")
    assert home.complaints() == []


def test_what_the_machine_does_not_tell_is_unknown(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    tell(at_broker, machine=MachineHealth())
    untold = [
        *(entity("sensor", each) for each in ("temperature", "disk_free", "disk_worn", "uptime")),
        entity("binary_sensor", "slowed_down"),
    ]
    home.until(lambda states: {states[each]["state"] for each in untold} == {"unknown"})
    tell(at_broker, machine=replace(MACHINE, throttled=True))
    home.until(lambda states: states[untold[-1]]["state"] == "on")
    assert home.complaints() == []


def test_the_faults_and_the_places_are_told_beside_their_number(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    tell(at_broker, faults=("The disk is full.",), deaf=("C3",))
    home.until(lambda states: states[entity("sensor", "deaf_places")]["state"] == "1")
    states = home.states()
    faults, deaf, counts = (
        states[entity("sensor", each)]["attributes"]
        for each in ("faults", "deaf_places", "went_wrong")
    )
    assert faults["faults"] == ["The disk is full."]
    assert deaf["places"] == ["C3"]
    assert counts["link_lost"] == 2


def test_everything_that_can_be_announced_is_an_event(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    seen = set()
    for what in What:
        announce(at_broker, what.value)

        def shown(states: dict[str, Any], what: What = what) -> bool:
            attributes = states[entity("event", "announcement")]["attributes"]
            return bool(attributes["event_type"] == what.value)

        home.until(shown)
        seen.add(what.value)
    attributes = home.states()[entity("event", "announcement")]["attributes"]
    assert set(attributes["event_types"]) == seen
    assert attributes["words"]["it"] == "Tocca al Rosso."
    assert home.complaints() == []


def test_what_nobody_can_announce_is_no_event(home: HomeAssistant, at_broker: AtBroker) -> None:
    announce(at_broker, What.BEGINS.value)
    announce(at_broker, "kaboom")
    complaints: list[str] = []
    assert waited_for(lambda: bool(complaints.extend(home.complaints()) or complaints))
    assert "Invalid event type kaboom" in complaints[0]
    told = home.states()[entity("event", "announcement")]["attributes"]["event_type"]
    assert told == What.BEGINS.value


# ---- what can be asked for


ASKED: dict[str, tuple[str, tuple[str, str], dict[str, Any], str, dict[str, Any]]] = {
    "a table is looked for": (
        *("button.press", ("button", "locate"), {}),
        *("locate", {"act": "locate", "seconds": 20}),
    ),
    "the house closes soon": (
        *("button.press", ("button", "closing_in_ten_minutes"), {}),
        *("closing", {"act": "closing", "minutes": 10}),
    ),
    "the lights are dimmed": (
        *("number.set_value", ("number", "brightness"), {"value": 45}),
        *("brightness", {"act": "set", "settings": {"brightness": 45}}),
    ),
    "the table is to be louder": (
        *("number.set_value", ("number", "volume"), {"value": 90}),
        *("volume", {"act": "set", "settings": {"volume": 90}}),
    ),
    "the table is silenced": (
        *("switch.turn_on", ("switch", "muted"), {}),
        *("volume", {"act": "set", "settings": {"muted": True}}),
    ),
    "the table may be heard again": (
        *("switch.turn_off", ("switch", "muted"), {}),
        *("volume", {"act": "set", "settings": {"muted": False}}),
    ),
    "the table is silent at night": (
        *("text.set_value", ("text", "quiet_hours"), {"value": "22:30-08:15"}),
        "quiet",
        {"act": "set", "settings": {"quiet_from": "22:30", "quiet_until": "08:15"}},
    ),
    "the table is not to invite": (
        *("switch.turn_off", ("switch", "idle_lights"), {}),
        *("idle-lights", {"act": "set", "settings": {"idle_lights": False}}),
    ),
    "no game is to begin": (
        *("switch.turn_on", ("switch", "out_of_service"), {}),
        *("out-of-service", {"act": "set", "settings": {"out_of_service": True}}),
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_for_is_a_command_that_the_table_obeys(
    home: HomeAssistant, at_broker: AtBroker, name: str
) -> None:
    service, which, data, command, asks = ASKED[name]
    topic = TOPICS.of(f"do/{command}")
    before = len(at_broker.of(topic))
    home.call(service, entity_id=entity(*which), **data)
    assert waited_for(lambda: len(at_broker.of(topic)) > before)
    assert act(command, at_broker.of(topic)[-1], kept=False) == {"seat": "operator", **asks}


def test_each_command_can_be_given_with_home_assistant() -> None:
    assert {command for _, _, _, command, _ in ASKED.values()} == set(KINDS)


def test_hours_that_are_none_go_nowhere(home: HomeAssistant, at_broker: AtBroker) -> None:
    before = len(at_broker.of(TOPICS.of("do/quiet")))
    with pytest.raises(Refused, match="pattern"):
        home.call("text.set_value", entity_id=entity("text", "quiet_hours"), value="24:00-08:00")
    assert len(at_broker.of(TOPICS.of("do/quiet"))) == before


def test_a_table_that_is_away_has_nothing_that_is_known(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    def all_away(states: dict[str, Any]) -> bool:
        return {states[entity(*each)]["state"] for each in SHOWN} == {"unavailable"}

    at_broker.say(TOPICS.of("availability"), b"offline")
    home.until(all_away)
    at_broker.say(TOPICS.of("availability"), b"online")
    home.until(lambda states: not all_away(states))
