"""The bridge's payloads, and their examples in its README."""

import json
import re
from pathlib import Path
from typing import Any, get_args

from house_table import HOUSE, PUBLIC, finished, said
from msgspec.structs import replace
from table_facts import VIEW

import pi_table.fleet.bridge
from pi_table.common.config import Command
from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.commands import KINDS, act
from pi_table.fleet.bridge.facts import MachineHealth
from pi_table.games.rules.codex.board import Phase as CodexPhase
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.seat import AGENTS
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.protocols.ipc.messages import CodexPublicMessage, Presence, PublicMessage

README = (Path(pi_table.fleet.bridge.__path__[0]) / "README.md").read_text("utf-8")
CODEX = CodexView(
    profile="codex",
    phase=CodexPhase.SEND,
    number=1,
    roles=(),
    agents=(),
    at_screen=None,
    votes=(),
    outcome=None,
    turn=AGENTS[2],
    order=(),
    timer=None,
    added=0,
    awaited=False,
    paused=False,
    new_codes=(),
)
MACHINE = MachineHealth(86400, 51.3, False, 11264000000, 3)


def example(name: str) -> Any:
    """Return the README's example of a topic."""
    found = re.search(rf"`{name}`:\n\n```json\n(.*?)\n```", README, re.DOTALL)
    assert found, name
    return json.loads(found[1])


def test_the_state_of_a_word_game_is_as_the_readme_shows_it() -> None:
    told = payloads.state(PublicMessage(VIEW, out_of_order=False), HOUSE)
    assert json.loads(told) == example("state")


def test_a_table_before_its_first_game_has_a_state() -> None:
    told = json.loads(payloads.state(replace(PUBLIC, idle=Presence.IDLE), None))
    assert told.keys() == example("state").keys()
    assert (told["presence"], told["profile"], told["left"]) == ("idle", None, None)


def test_a_game_of_codex_has_its_turn_and_no_clue() -> None:
    told = json.loads(payloads.state(CodexPublicMessage(CODEX, out_of_order=False), HOUSE))
    assert told.keys() == example("state").keys()
    assert (told["profile"], told["phase"], told["turn"]) == ("codex", "send", "agent-3")
    assert told["clue"] is None


def test_a_game_that_is_over_and_a_table_that_is_kept_free_say_so() -> None:
    won = Outcome(Team.RED, (Team.BLUE,), Why.AGENTS)
    over = replace(VIEW, phase=Phase.OVER, turn=None, clue=None, guesses_left=None, outcome=won)
    public = PublicMessage(over, out_of_order=True, service=True, out_of_service=True)
    told = json.loads(payloads.state(public, replace(HOUSE, kept_free=True)))
    assert told["outcome"] == {"winner": "red", "losers": ["blue"], "why": "agents", "score": None}
    assert told["turn"] is None
    flags = ("out_of_order", "service", "out_of_service", "kept_free")
    assert all(told[each] is True for each in flags)


def test_health_is_as_the_readme_shows_it() -> None:
    house = replace(HOUSE, version="0.3.0", counts={"touch_faults": 0})
    told = payloads.health(house, MACHINE, 1795551300.9, 17, 0, 0)
    assert json.loads(told) == example("health") | {"at": "2026-11-24T20:15:00Z"}
    assert example("health")["at"] == "2026-11-24T20:15:00Z"


def test_settings_faults_events_and_records_have_what_the_readme_names() -> None:
    for name in json.loads(payloads.settings(HOUSE)):
        assert f"`{name}`" in README
    faults = replace(HOUSE, faults=("It is dark.",))
    told = json.loads(payloads.faults(faults))
    assert told == {"count": 1, "faults": ["It is dark."], "out_of_order": False}
    event = json.loads(payloads.event(said(7, "won-red")))
    assert event.keys() == {"event_type", "number", "words"}
    record = json.loads(payloads.record(finished(3), "near-door", "0.7.0"))
    assert (record["table"], record["version"], record["number"]) == ("near-door", "0.7.0", 3)
    assert record["outcome"]["winner"] == "red"


def test_every_command_of_the_readme_is_one_and_every_one_is_in_the_readme() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (`\{.*?) \|", README, re.MULTILINE)
    assert [name for name, _ in rows] == [*KINDS] == [*get_args(Command)]
    for name, shown in rows:
        for payload in re.findall(r"`(\{.*?\})`", shown):
            assert act(name, payload.encode(), kept=False)["seat"] == "operator"
