"""The views of each seat of Codex: the names that others rely on, and who may see each fact."""

import inspect
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from codex_play import Play, six

from pi_table.games.rules.codex import hidden, views
from pi_table.games.rules.codex.board import Board
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.identikit import Hides, Identikit
from pi_table.games.rules.codex.phases import _in_public
from pi_table.games.rules.codex.views import AgentView, CodexOperatorView, CodexView, public_view

CONTRACT = ["profile", "phase", "number", "roles", "agents", "at_screen", "votes", "outcome"]


def test_the_public_view_of_codex_begins_with_the_fields_of_the_contract() -> None:
    assert [*CodexView.__struct_fields__][:8] == CONTRACT
    assert [*Play().public][:8] == CONTRACT


def test_the_first_view_of_a_game_of_codex() -> None:  # CX-1, CX-3
    assert Play().public == {
        "profile": "codex",
        "phase": "send",
        "number": 1,
        "roles": ["hacker", "leader", "profiler"],
        "agents": [{"nickname": one["nickname"], "revealed": {}} for one in six()],
        "at_screen": "agent-1",
        "votes": [],
        "outcome": None,
        "turn": None,
        "order": [f"agent-{n}" for n in range(2, 7)],
        "timer": {"mode": "visit", "left": 45.0, "running": True, "urging": False},
        "added": 0,
        "awaited": False,
        "paused": False,
        "new_codes": [],
        "place": "screen",
        "there": [],
        "finished": [],
    }


def test_what_is_public_is_made_of_a_board_alone() -> None:  # ALL-1
    assert [*inspect.signature(public_view).parameters] == ["board", "now"]
    assert get_type_hints(public_view)["board"] is Board
    assert get_type_hints(_in_public)["board"] is Board
    assert not any(kind is hidden.State for kind in get_type_hints(_in_public).values())


def reached(kind: Any) -> set[type]:
    """Every struct that a value of this type can hold."""
    found: set[type] = set()
    waiting = [kind]
    while waiting:
        one = waiting.pop()
        if get_origin(one) is not None or get_args(one):
            waiting += get_args(one)
        elif isinstance(one, type) and issubclass(one, msgspec.Struct) and one not in found:
            found.add(one)
            waiting += get_type_hints(one).values()
    return found


def test_a_board_and_the_public_view_have_nothing_hidden_but_identikits_that_were_opened() -> None:
    # ALL-1, ALL-5
    assert {kind for kind in reached(Board) if issubclass(kind, Hides)} == {Identikit}
    hides = {kind for kind in reached(CodexView) if issubclass(kind, Hides)}
    assert hides == {views.OpenIdentikit}
    assert {kind for kind in reached(CodexOperatorView) if issubclass(kind, Hides)} == hides
    assert get_type_hints(Board)["identikits"] == tuple[Identikit, ...] | None


def test_all_that_is_beside_a_board_hides_itself() -> None:  # ALL-1
    of_hidden = {kind for kind in vars(hidden).values() if isinstance(kind, type)}
    structs = {
        kind
        for kind in of_hidden
        if issubclass(kind, msgspec.Struct) and kind.__module__ == hidden.__name__
    }
    assert {kind for kind in structs if not issubclass(kind, Hides)} == {hidden.State}
    assert issubclass(AgentView, Hides)
    assert issubclass(AgentsDealt, Hides)


def test_an_agent_sees_their_own_identikit_and_nothing_of_the_others() -> None:  # CX-1, ALL-1
    play = Play()
    for agent, own in enumerate(six(), start=1):
        seen = play.see(agent)
        assert seen["identikit"] == own
        assert seen["belongs"] == own["faction"]
        shown = msgspec.json.encode(seen).decode()
        for other in six():
            if other is not own and other["fragment"] != own["fragment"]:
                assert other["fragment"] not in shown


def test_the_operator_sees_the_public_view_and_the_settings_alone() -> None:  # ALL-1
    play = Play().sends()
    seen = play.see("operator")
    assert [*seen] == ["seat", "may", "public", "settings", "faults"]
    assert seen["public"] == play.public


def test_what_may_be_done_is_the_same_for_every_role() -> None:  # CX-18
    mays = []
    for roles in (("hacker", "profiler"), ("infiltrator", "informer"), ("inquisitor", "hacker")):
        play = Play(*roles)
        found = []
        for _ in range(6):
            found += [play.see(who)["may"] for who in (1, 2, 3, 4, 5, 6, "operator")]
            agent = int(play.public["at_screen"][-1])
            play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
            play.wait()
        for _ in range(6):
            found += [play.see(who)["may"] for who in (1, 2, 3, 4, 5, 6, "operator")]
            play.wait()
        mays.append(found)
    assert mays[0] == mays[1] == mays[2]
    assert ["ask", "extort", "attempt", "done", "choose-code", "pause"] in mays[0]


@pytest.mark.parametrize("act", ["hack", "ask", "extort", "attempt"])
def test_an_act_without_the_power_shows_the_same_in_public(act: str) -> None:
    # CX-18: by Moon, who leads, and by Bea, who has the power
    of_each: dict[str, dict[str, Any]] = {
        "hack": {"target": "Fay"},
        "ask": {"message": 1, "fact": "position"},
        "extort": {"fact": "role"},
        "attempt": {"code": "2" * 12},
    }
    fields = of_each[act]
    first = {"ask": "profiler", "extort": "inquisitor"}.get(act, "hacker")
    play = Play(first, "informer")
    while act != "hack" and play.public["phase"] == "send":
        play.sends()
    for agent in (1, 2):
        if act == "hack":
            play.do(agent, "send", to="Cid", facts=["position"])
        before, others = play.public, [play.see(n) for n in (3, 4, 5, 6, "operator")]
        play.do(agent, act, **fields)
        assert play.public == before
        assert [play.see(n) for n in (3, 4, 5, 6, "operator")] == others
        play.wait()
