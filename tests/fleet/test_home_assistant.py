"""Home Assistant's own program, and a table: the message by which it finds one, what it then shows,
what can be asked for with it, and the files that an owner gets for it."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copyfile
from typing import Any, Self

import msgspec
import pytest
from at_broker import AtBroker
from home import VERSION, HomeAssistant, Refused, judged, needs_home
from house_table import HOUSE, said
from mosquitto import Mosquitto
from msgspec.structs import replace
from table_facts import FARES, MACHINE, PLAYED, VIEW
from waiting import waited_for

from pi_table.announcer.announcement import What
from pi_table.bridge import payloads
from pi_table.bridge.commands import KINDS, act
from pi_table.bridge.facts import MachineHealth
from pi_table.bridge.home_assistant import discovery
from pi_table.bridge.topics import Topics
from pi_table.config import load
from pi_table.ipc.messages import Presence, PublicMessage
from pi_table.rules.outcome import Outcome, Why
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import Phase
from pi_table.rules.word_games.views import ClueView

pytestmark = [pytest.mark.fleet, needs_home]

FILES = Path("pi_table/bridge/files/home_assistant").absolute()
CONFIG = load().bridge


def topics_of(table: str) -> Topics:
    return Topics(CONFIG.prefix, table, CONFIG.home_assistant)


TABLE = "table-3"
TOPICS = topics_of(TABLE)
OTHER = "table-2"
"""A table that announces nothing, in whatever order the tests come."""
MESSAGE = discovery(CONFIG, TABLE, "0.7.0")

# ---- the message, and the parser


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


# ---- a whole Home Assistant


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as started:
        yield started


@pytest.fixture(scope="module")
def at_broker(broker: Mosquitto) -> Iterator[AtBroker]:
    with AtBroker(broker.port) as client:
        for table in (f"table-{number}" for number in range(1, 6)):
            topics = topics_of(table)
            client.say(topics.discovery, discovery(CONFIG, table, "0.7.0"))
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
            lambda states: len([each for each in states if ".table_" in each]) == 5 * len(SHOWN)
        )
        started.until(lambda states: "light.bar" in states)
        yield started
        assert started.complaints() == []


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
    at_broker.say(topics.of("health"), payloads.health(fares, machine, 1.7e9, 2, 0))


def announce(at_broker: AtBroker, what: str) -> None:
    """Something is announced at the table."""
    at_broker.say(TOPICS.of("event"), payloads.event(said(7, what)), keep=False)


SHOWN = {
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
"""What Home Assistant shows of a table that tells `PLAYED`, `FARES` and `MACHINE`."""


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


# ---- the files for the owner

CARDS = frozenset(
    (
        *("button", "entities", "heading", "history-graph", "markdown"),
        *("statistics-graph", "tile"),
    )
)
"""Kinds of cards that come with Home Assistant; its own program has no list of them to ask."""

WINNER = "automation.winner"
WHITE = {"r": 255, "g": 250, "b": 240}
BLUEPRINT = (FILES / "winner.yaml").read_text()
INPUTS = {"tables": ["event.table_3_announcement"], "lights": ["light.bar"]}


def test_home_assistant_makes_an_automation_of_the_blueprint(home: HomeAssistant) -> None:
    assert home.against(BLUEPRINT, **INPUTS) is None


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("mode: queued", "mode: sometimes", "queued"),
        ("trigger: state", "trigger: stare", "stare"),
        ("scene.create", "scene create", "scene create"),
        ("  domain: automation\n", "", "domain"),
        ("!input lights", "!input lamps", "lamps"),
        ("in colours }}", "in colours }", "template"),
        ("{{ trigger.to_state", "{{ trigger..to_state", "conditions"),
        ("max: 10", "max: ten", "max"),
    ],
)
def test_home_assistant_refuses_each_mistake_in_the_blueprint(
    home: HomeAssistant, right: str, wrong: str, says: str
) -> None:
    assert right in BLUEPRINT
    assert says in (home.against(BLUEPRINT.replace(right, wrong), **INPUTS) or "")


def test_the_blueprint_makes_no_automation_where_no_table_is_named(home: HomeAssistant) -> None:
    assert "tables" in (home.against(BLUEPRINT, lights=["light.bar"]) or "")


MOMENT = 0.5
"""Seconds that a lamp takes to say how it is; the colour is shown for twice as long."""


class Lamp:
    """The lamp of the bar, which does as it is told, and says a moment later how it is."""

    def __init__(self, port: int) -> None:
        self.was = {"state": "ON", "brightness": 77, "color_mode": "rgb", "color": WHITE}
        self.done: list[dict[str, Any]] = []
        """How the lamp has been since then."""
        self._at_broker = AtBroker(port, "bar/do", self._told)

    def __enter__(self) -> Self:
        self._at_broker.say("bar", json.dumps(self.was).encode())
        return self

    def __exit__(self, *_: object) -> None:
        self._at_broker.close()

    def _told(self, told: bytes) -> None:
        self.done.append({**(self.done[-1] if self.done else self.was), **json.loads(told)})
        says = json.dumps(self.done[-1]).encode()
        threading.Timer(MOMENT, self._at_broker.tell, ("bar", says)).start()


@pytest.fixture
def lamp(broker: Mosquitto, home: HomeAssistant, at_broker: AtBroker) -> Iterator[Lamp]:
    home.until(lambda states: states[WINNER]["attributes"]["current"] == 0)
    tell(at_broker)
    home.until(lambda states: states[entity("sensor", "winner")]["state"] == "unknown")
    with Lamp(broker.port) as lamp:
        home.until(lambda states: states["light.bar"]["attributes"].get("brightness") == 77)
        yield lamp


def wins(at_broker: AtBroker, team: Team) -> None:
    """A team wins: what is announced comes before how the table stands, or after it."""
    outcome = Outcome(team, (team.other,), Why.AGENTS)
    over = replace(PLAYED, view=replace(VIEW, phase=Phase.OVER, outcome=outcome))
    if team is Team.RED:
        announce(at_broker, "win")
        tell(at_broker, over)
    else:
        tell(at_broker, over)
        announce(at_broker, "win")


@pytest.mark.paced
@pytest.mark.parametrize("team", Team)
def test_the_lights_follow_the_winner_and_are_then_as_they_were(
    home: HomeAssistant, at_broker: AtBroker, lamp: Lamp, team: Team
) -> None:
    wins(at_broker, team)
    assert waited_for(lambda: len(lamp.done) == 2)
    shown, then = lamp.done
    assert max(shown["color"], key=shown["color"].get) == {Team.RED: "r", Team.BLUE: "b"}[team]
    assert shown["brightness"] == 204
    assert then == lamp.was
    home.until(lambda states: states[WINNER]["attributes"]["current"] == 0)


@pytest.mark.paced
def test_a_second_winner_waits_for_the_first_and_the_lights_are_at_last_as_they_were(
    home: HomeAssistant, at_broker: AtBroker, lamp: Lamp
) -> None:
    wins(at_broker, Team.RED)
    assert waited_for(lambda: len(lamp.done) == 1)
    announce(at_broker, "win")
    assert waited_for(lambda: len(lamp.done) == 4)
    assert lamp.done[1] == lamp.done[3] == lamp.was
    assert lamp.done[0] == lamp.done[2] != lamp.was
    home.until(lambda states: states[WINNER]["attributes"]["current"] == 0)


@pytest.mark.paced
def test_the_lights_stay_as_they_are_where_nobody_wins_or_a_table_comes_back(
    home: HomeAssistant, at_broker: AtBroker, lamp: Lamp
) -> None:
    announcement = entity("event", "announcement")
    wins(at_broker, Team.BLUE)
    assert waited_for(lambda: len(lamp.done) == 2)
    home.until(lambda states: states[WINNER]["attributes"]["current"] == 0)
    ran = home.states()[WINNER]["attributes"]["last_triggered"]
    at_broker.say(TOPICS.of("availability"), b"offline")
    home.until(lambda states: states[announcement]["state"] == "unavailable")
    at_broker.say(TOPICS.of("availability"), b"online")
    home.until(lambda states: states[announcement]["attributes"].get("event_type") == "win")
    announce(at_broker, "loss")
    home.until(lambda states: states[announcement]["attributes"].get("event_type") == "loss")
    assert home.states()[WINNER]["attributes"]["last_triggered"] == ran
    assert len(lamp.done) == 2


def named(value: object) -> Iterator[str]:
    """Every entity that a dashboard names, in its fields and its templates."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from named(each)
    elif isinstance(value, str):
        yield from re.findall(r"\b[a-z_]+\.table_[0-9]+_[a-z_]+\b", value)


Card = dict[str, Any]


def cards(home: HomeAssistant) -> Iterator[tuple[str, Card]]:
    """Every card of the dashboard, with the path of its view."""
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        for section in view["sections"]:
            for card in section["cards"]:
                yield view["path"], card


def rows(card: Card) -> Iterator[Card]:
    """What a card shows, each an entity with its name: the card itself, or its rows."""
    for each in (card, *card.get("entities", ())):
        if "entity" in each:
            yield each


def is_shown(card: Card, states: dict[str, dict[str, Any]]) -> bool:
    """Are all the conditions met under which a card is visible?"""
    for condition in card.get("visibility", ()):
        state = states[condition["entity"]]["state"]
        if not (
            ("state" in condition and state == condition["state"])
            or ("state_not" in condition and state != condition["state_not"])
            or ("above" in condition and state.isdigit() and int(state) > condition["above"])
        ):
            return False
    return True


def test_each_entity_of_the_dashboard_has_a_name_that_is_not_cut_off(home: HomeAssistant) -> None:
    """Without a name of its own, a card shows that of the table before that of the entity."""
    for _, card in cards(home):
        for row in rows(card):
            assert 0 < len(row.get("name", "")) <= 23, row


def shown_of(home: HomeAssistant, table: str) -> dict[str, str]:
    """The state of each entity of a table that an owner sees in the first view, by its name."""
    states = home.states()
    return {
        row["name"]: states[row["entity"]]["state"]
        for view, card in cards(home)
        if view == "bar" and is_shown(card, states)
        for row in rows(card)
        if f".{table}_" in row["entity"]
    }


SPOKEN = replace(PLAYED, view=replace(VIEW, phase=Phase.CLUE, clue=None, guesses_left=None))
FIRST_VIEW: dict[str, tuple[PublicMessage, dict[str, str]]] = {
    "nobody has ever played": (
        PublicMessage(None, out_of_order=False, idle=Presence.IDLE),
        {"Status": "free"},
    ),
    "a game is set apart": (replace(PLAYED, idle=Presence.IDLE), {"Status": "free"}),
    "a clue is awaited": (
        SPOKEN,
        {
            "Status": "played",
            "Game": "The classic game",
            "Turn": "red",
            "Red left": "5",
            "Blue left": "6",
        },
    ),
    "a clue is given": (
        PLAYED,
        {
            "Status": "played",
            "Game": "The classic game",
            "Turn": "red",
            "Clue": "flight",
            "Red left": "5",
            "Blue left": "6",
        },
    ),
}


@pytest.mark.parametrize("name", FIRST_VIEW)
def test_the_first_view_shows_what_is_known_and_nothing_else(
    home: HomeAssistant, at_broker: AtBroker, name: str
) -> None:
    public, shown = FIRST_VIEW[name]
    tell(at_broker, public)
    home.until(lambda _: shown_of(home, "table_3") == shown)


def test_the_first_view_shows_of_a_table_that_is_away_only_that(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    tell(at_broker)
    at_broker.say(TOPICS.of("availability"), b"offline")
    home.until(lambda _: shown_of(home, "table_3") == {"Status": "unavailable"})
    at_broker.say(TOPICS.of("availability"), b"online")


def test_each_fault_has_a_line_of_its_own(home: HomeAssistant, at_broker: AtBroker) -> None:
    tell(at_broker, faults=("The disk is full.", "The rim is wet."))
    home.until(lambda states: states[entity("sensor", "faults")]["state"] == "2")
    (told,) = (
        home.rendered(card["content"])
        for _, card in cards(home)
        if "sensor.table_3_faults" in card.get("content", "")
    )
    lines = [line for line in told.splitlines() if line.startswith("-")]
    assert lines == ["- The disk is full.", "- The rim is wet."]


def test_what_was_said_last_is_told_of_each_table(home: HomeAssistant, at_broker: AtBroker) -> None:
    announce(at_broker, "turn")
    home.until(
        lambda states: (
            states[entity("event", "announcement")]["attributes"].get("event_type") == "turn"
        )
    )
    (said_last,) = (
        card["content"] for _, card in cards(home) if "_announcement" in card.get("content", "")
    )
    head, line, *told = home.rendered(said_last).splitlines()
    assert {each.count("|") for each in (head, line, *told)} == {4}
    assert [each.split("|")[1].strip() for each in told] == [
        f"**Table {number}**" for number in range(1, 6)
    ]
    assert "Red’s turn." in told[2]
    assert told[1].split("|")[2:] == [" – ", "  ", ""]


def test_all_tables_are_shown_alike(home: HomeAssistant) -> None:
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        if view["path"] != "evening":
            told = [json.dumps(section) for section in view["sections"]]
            assert len(told) == 5
            for number, section in enumerate(told, 1):
                alike = section.replace(f"table_{number}_", "table_1_")
                assert alike.replace(f"Table {number}", "Table 1") == told[0]


def test_every_entity_of_the_dashboard_is_one_that_its_tables_bring(home: HomeAssistant) -> None:
    dashboard = home.read(FILES / "dashboard.yaml")
    entities = set(named(dashboard))
    assert len(entities) > 100
    assert entities <= set(home.states())
    for number in range(1, 6):
        assert any(f"table_{number}_" in each for each in entities)


def test_each_card_of_the_dashboard_is_of_a_kind_that_home_assistant_has(
    home: HomeAssistant,
) -> None:
    for _, card in cards(home):
        assert card["type"] in CARDS, card
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        assert view["type"] == "sections"
