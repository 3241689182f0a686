"""The journal's form of the Codex events: it may not change, for journals outlive versions.

Printed events show nothing that is hidden.
"""

import json
import pprint
from typing import get_args

import pytest
from codex_play import Play, six
from rich.pretty import pretty_repr

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.events import AnyEvent
from pi_table.games.rules.codex.hidden import Attempted, State
from pi_table.games.rules.codex.identikit import Fact, Hides
from pi_table.games.rules.events import Event

OPENING = games.read_opening({"profile": "codex", "deal": six()}, Chance(), 0.0)
STORED: list[tuple[Event, str]] = [
    (
        events.VisitStarted(0.5, 3),
        '{"event":"visit-started","at":0.5,"agent":3,"by_operator":false}',
    ),
    (
        events.VisitStarted(0.5, 3, by_operator=True),
        '{"event":"visit-started","at":0.5,"agent":3,"by_operator":true}',
    ),
    (
        events.MessageSent(1.0, 0, 3, (Fact.ROLE, Fact.POSITION)),
        '{"event":"message-sent","at":1.0,"agent":0,"to":3,"facts":["role","position"]}',
    ),
    (
        events.HackNamed(1.5, 1, 2),
        '{"event":"hack-named","at":1.5,"agent":1,"target":2}',
    ),
    (
        events.Asked(2.0, 4, 1, Fact.POSITION, 3),
        '{"event":"asked","at":2.0,"agent":4,"message":1,"fact":"position","answer":3}',
    ),
    (
        events.Asked(2.0, 4, 1, Fact.ROLE, None),
        '{"event":"asked","at":2.0,"agent":4,"message":1,"fact":"role","answer":null}',
    ),
    (
        events.Asked(2.0, 4, 1, Fact.ROLE, "leader"),
        '{"event":"asked","at":2.0,"agent":4,"message":1,"fact":"role","answer":"leader"}',
    ),
    (
        events.Demanded(3.0, 2, Fact.FRAGMENT),
        '{"event":"demanded","at":3.0,"agent":2,"fact":"fragment"}',
    ),
    (
        events.CodeTried(4.0, 2, "ABCDEFGH2345", Attempted.NONE_LEFT),
        '{"event":"code-tried","at":4.0,"agent":2,"code":"ABCDEFGH2345","result":"none-left"}',
    ),
    (events.VisitFinished(5.0, 2), '{"event":"visit-finished","at":5.0,"agent":2}'),
    (
        events.OwnCodeChosen(6.0, 2, "0123"),
        '{"event":"own-code-chosen","at":6.0,"agent":2,"code":"0123"}',
    ),
    (
        events.OwnCodeEntered(7.0, 2, False),
        '{"event":"own-code-entered","at":7.0,"agent":2,"right":false}',
    ),
    (events.NewCodeAllowed(8.0, 2), '{"event":"new-code-allowed","at":8.0,"agent":2}'),
    (events.VisitEnded(9.0), '{"event":"visit-ended","at":9.0}'),
    (events.VisitExtended(9.0, 2), '{"event":"visit-extended","at":9.0,"by":2}'),
    (events.VisitPassed(9.0), '{"event":"visit-passed","at":9.0}'),
    (events.Paired(9.0, 4), '{"event":"paired","at":9.0,"agent":4}'),
    (events.Unpaired(9.0, 4), '{"event":"unpaired","at":9.0,"agent":4}'),
    (events.AgentThere(9.0, 4), '{"event":"agent-there","at":9.0,"agent":4}'),
    (
        events.TogetherStarted(9.0, by_operator=True),
        '{"event":"together-started","at":9.0,"by_operator":true}',
    ),
    (events.TogetherEnded(9.0), '{"event":"together-ended","at":9.0}'),
    (events.DiscussionEnded(10.0), '{"event":"discussion-ended","at":10.0}'),
    (events.Voted(11.0, 0, 5), '{"event":"voted","at":11.0,"agent":0,"target":5}'),
    (events.TakenToMachine(11.0, 5), '{"event":"taken-to-machine","at":11.0,"agent":5}'),
    (events.NobodyTaken(11.0), '{"event":"nobody-taken","at":11.0}'),
    (
        events.FactRevealed(12.0, 5, Fact.FACTION, "red", Fact.ROLE, 2),
        '{"event":"fact-revealed","at":12.0,"agent":5,"fact":"faction","value":"red",'
        '"chosen":"role","inquisitor":2}',
    ),
]
PUBLIC = {
    events.NewCodeAllowed,
    events.VisitStarted,
    events.VisitEnded,
    events.VisitExtended,
    events.VisitPassed,
    events.Paired,
    events.Unpaired,
    events.AgentThere,
    events.TogetherStarted,
    events.TogetherEnded,
    events.DiscussionEnded,
    events.Voted,
    events.TakenToMachine,
    events.NobodyTaken,
}
"""Events that hold nothing hidden."""


@pytest.mark.parametrize(("event", "stored"), STORED, ids=lambda value: type(value).__name__)
def test_an_event_of_codex_is_stored_as_it_always_was(event: Event, stored: str) -> None:  # ALL-2
    assert games.encode(event).decode() == stored
    assert games.decode(stored.encode()) == event


def test_a_deal_of_codex_is_stored_as_it_always_was() -> None:  # ALL-2, CX-1
    stored = json.loads(games.encode(OPENING))
    assert [*stored] == ["event", "at", "profile", "settings", "roles", "identikits", "phones"]
    assert stored["event"] == "agents-dealt"
    assert stored["roles"] == ["hacker", "leader", "profiler"]
    assert stored["identikits"] == six()
    assert games.decode(games.encode(OPENING)) == OPENING


def test_a_demand_that_version_0_5_stored_holds_for_the_agent_whom_it_names() -> None:
    # CX-14, ALL-2: games that were being played then are gone on with
    old = b'{"event":"demanded","at":3.0,"agent":2,"target":%d,"fact":"fragment"}'
    for target, revealed in ((1, {"fragment": "B3B3"}), (5, {"role": "inquisitor"})):
        play = Play("inquisitor").sends()
        demanded = games.decode(old % target)
        assert demanded == events.Demanded(3.0, 2, Fact.FRAGMENT, target=target)
        state = games.evolve(play.state, demanded)
        assert isinstance(state, State)
        play.state = state
        play.to_next_phase()
        assert play.public["agents"][1]["revealed"] == revealed


def test_no_kind_of_event_of_codex_is_left_out() -> None:
    assert {type(event) for event, _ in STORED} | {events.AgentsDealt} == {*get_args(AnyEvent)}


@pytest.mark.parametrize("kind", get_args(AnyEvent), ids=lambda kind: kind.__name__)
def test_an_event_hides_itself_unless_all_of_it_is_public(kind: type[Event]) -> None:
    # CX-18, ALL-1
    assert issubclass(kind, Hides) is (kind not in PUBLIC)


def test_printing_a_whole_game_and_all_that_happened_in_it_shows_nothing_hidden() -> None:
    # CX-18, ALL-1
    play = Play("inquisitor").sends(hacks={1: "Eva"}, agent2=("Cid", "position"))
    play.acts((3, "extort", {"fact": "fragment"}), (1, "attempt", {"code": "2" * 12}))
    play.talk().votes()
    play.do(2, "choose-code", code="8642")
    play.do(2, "reveal", fact="position")
    views = [games.view(play.state, seat, 0.0) for seat in games.seats(play.state.board)]
    act = games.read_act({"act": "choose-code", "code": "8642"}, play.state, Chance())
    attempt = games.read_act({"act": "attempt", "code": "M2M2B3B3C4C4"}, play.state, Chance())
    for thing in (play.state.secrets, play.happened[:-1], *views[:-1], act, attempt):
        for shown in (repr(thing), str(thing), pprint.pformat(thing), pretty_repr(thing)):
            assert "hidden" in shown
            for secret in ("M2M2", "C4C4", "8642", "2222", "inquisitor", "fragment", "position"):
                assert secret not in shown
    for thing in (play.state, views[-1]):
        for shown in (repr(thing), str(thing), pprint.pformat(thing), pretty_repr(thing)):
            for secret in ("M2M2", "C4C4", "8642", "2222"):
                assert secret not in shown
