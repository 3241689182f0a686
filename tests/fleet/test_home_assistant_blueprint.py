"""The blueprint by which the bar's lights follow a winner, in Home Assistant's own program."""

import json
import threading
from collections.abc import Iterator
from typing import Any, Self

import pytest
from at_broker import AtBroker
from home import HomeAssistant, needs_home
from home_tables import FILES, TOPICS, announce, entity, tell
from mosquitto import Mosquitto
from msgspec.structs import replace
from table_facts import PLAYED, VIEW
from waiting import waited_for

from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase

pytestmark = [pytest.mark.fleet, needs_home]

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
        """The states of the lamp since then."""
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
