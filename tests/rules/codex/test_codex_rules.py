"""Codex, rule by rule; whole games stand in ``tests/games``."""

from typing import Any

import pytest
from codex_play import BLUE_CODE, RED_CODE, Play

from pi_table.games.rules import games
from pi_table.games.rules.codex.board import Agent, Board, Vote
from pi_table.games.rules.codex.decide import most_voted
from pi_table.games.rules.codex.hidden import State, inbox
from pi_table.games.rules.codex.identikit import REVEALABLE
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat


def outcome(play: Play) -> tuple[object, object]:
    ended = play.public["outcome"]
    return (ended["winner"], ended["why"]) if ended else (None, None)


# --- messages


def test_a_message_tells_the_fragment_and_a_fact_but_not_its_sender() -> None:  # CX-5
    play = Play().sends(agent1=("Cid", "position"), agent2=("Cid", "nickname"))
    assert play.see(3)["received"] == [
        {
            "phase": 1,
            "messages": [
                {"number": 1, "fragment": "B3B3", "facts": {"nickname": "Bea"}, "learned": {}},
                {"number": 2, "fragment": "M2M2", "facts": {"position": 2}, "learned": {}},
            ],
        }
    ]


def test_messages_stand_in_the_same_order_whoever_sent_them_first() -> None:
    # CX-5, CX-10: the order of the laps is public
    to: dict[str, Any] = {f"agent{n}": ("Dan", "role") for n in (1, 2, 3, 5, 6)}
    play = Play().sends(**to)
    (delivery,) = play.see(4)["received"]
    fragments = [message["fragment"] for message in delivery["messages"]]
    assert fragments == sorted(fragments)
    assert len(fragments) == 5


def test_nothing_is_delivered_before_the_last_visit_of_the_lap_is_over() -> None:  # CX-10
    play = Play()
    for agent in range(1, 7):
        play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
        play.wait(44.75)
        assert not any(play.see(other)["received"] for other in range(1, 7))
        play.wait(0.25)
    assert all(play.see(other)["received"] for other in range(1, 7))


def test_the_rules_themselves_know_of_no_message_before_it_is_delivered() -> None:  # CX-10
    play = Play()
    for agent in range(1, 6):
        play.do(agent, "send", to="Fay", facts=["role"])
        play.wait()
        assert inbox(play.state, 5, 1) == ()
    play.do(6, "send", to="Moon", facts=["role"])
    assert inbox(play.state, 5, 1) == ()
    assert len(inbox(play.wait().state, 5, 1)) == 5


def test_messages_of_earlier_phases_can_be_read_again() -> None:  # CX-10
    play = Play().sends().to_next_phase()
    play.sends(agent1=("Bea", "faction"))
    (latest, first) = play.see(2)["received"]
    assert (latest["phase"], latest["messages"][0]["facts"]) == (2, {"faction": "red"})
    assert (first["phase"], first["messages"][0]["facts"]) == (1, {"role": "leader"})


def test_an_informer_tells_two_facts_and_nobody_else() -> None:  # CX-13, CX-18
    both = ("role", "faction")
    play = Play("informer").sends(agent2=("Moon", *both), agent3=("Moon", *both[::-1]))
    (delivery,) = play.see(1)["received"]
    assert [message["facts"] for message in delivery["messages"]][:2] == [
        {"role": "informer", "faction": "blue"},
        {"faction": "red", "role": "informer"},
    ]
    play = Play().sends(agent2=("Moon", *both), agent3=("Moon", *both[::-1]))
    (delivery,) = play.see(1)["received"]
    assert [m["facts"] for m in delivery["messages"]][:2] == [
        {"role": "hacker"},
        {"faction": "red"},
    ]


@pytest.mark.parametrize("first", ["informer", "hacker"])
def test_two_facts_without_the_role_are_refused_to_everybody(first: str) -> None:  # CX-13, CX-18
    play = Play(first)
    play.do(1, "send", to="Bea", facts=["role"])
    play.wait()
    assert play.refused(2, "send", to="Moon", facts=["faction", "position"]) == "role-first"
    assert play.refused(2, "send", to="Moon", facts=["role", "faction", "position"]) == "bad-fact"


def test_whoever_is_done_enters_nothing_more_in_that_visit() -> None:  # CX-18
    play = Play()
    assert play.refused(1, "done") == "message-first"
    play.do(1, "send", to="Bea", facts=["role"])
    play.do(1, "done")
    assert play.see(1)["done"] is True
    for act, fields in (("hack", {"target": "Bea"}), ("done", {})):
        assert play.refused(1, act, **fields) == "visit-done"
    assert play.wait().see(1)["done"] is False


# --- attempts


def test_only_the_leader_tries_again_and_in_every_phase_once() -> None:  # CX-6, CX-15
    play = Play()
    for number in (1, 2, 3):
        play.sends()
        wrong = {"code": BLUE_CODE}
        told = play.acts((1, "attempt", wrong), (3, "attempt", wrong))
        assert told[1] == {"result": "wrong"}
        assert told[3] == {"result": "wrong" if number == 1 else "none-left"}
        assert play.see(1)["attempt_left"] is True
        assert play.see(3)["attempt_left"] is False
        play.talk().votes().do(2, "reveal", fact=("role", "faction", "position")[number - 1])


@pytest.mark.parametrize(
    ("agent", "code", "result"),
    [
        (1, RED_CODE, "right"),
        (1, RED_CODE.lower(), "right"),
        (3, "E6E6-M2M2-C4C4", "right"),
        (5, " e6e6 m2m2 c4c4 ", "right"),
        (1, BLUE_CODE, "wrong"),
        (4, BLUE_CODE, "right"),
        (1, "M2M2E6E6C4C4", "wrong"),
        (1, "C4C4M2M2E6E6", "wrong"),
    ],
)
def test_a_code_is_three_fragments_in_the_order_of_their_positions(
    agent: int, code: str, result: str
) -> None:  # CX-2, CX-6
    play = Play().sends()
    play.to_visit(agent)
    assert play.do(agent, "attempt", code=code) == {"result": result}
    won = ("blue" if agent == 4 else "red") if result == "right" else None
    assert outcome(play) == (won, "code" if won else None)


@pytest.mark.parametrize(
    "code", ["", "E6E6M2M2C4C", "E6E6M2M2C4C4C", "E6E6M2M2C4C0", "ÉE6EM2M2C4C4"]
)
def test_what_can_be_no_code_is_refused_and_is_no_attempt(code: str) -> None:  # CX-6
    play = Play().sends()
    assert play.refused(1, "attempt", code=code) == "bad-code"
    assert play.see(1)["attempt_left"] is True
    assert "attempt" in play.see(1)["may"]


def test_an_attempt_that_is_wrong_is_told_to_the_agent_alone() -> None:  # CX-6, CX-18
    play = Play().sends()
    before = play.public
    play.do(1, "attempt", code=BLUE_CODE)
    assert play.public == before


def test_the_first_right_code_ends_the_game_at_once() -> None:  # CX-10
    play = Play().sends()
    play.wait(10.0)
    play.do(1, "attempt", code=RED_CODE)
    assert play.public["outcome"] == {
        "winner": "red",
        "losers": ["blue"],
        "why": "code",
        "score": None,
    }
    assert (play.public["phase"], play.public["at_screen"], play.public["timer"]) == (
        "over",
        None,
        None,
    )
    assert play.refused(1, "pause") == "game-over"


def test_an_infiltrator_wins_with_the_faction_that_the_identikit_hides() -> None:  # CX-12
    play = Play("infiltrator").sends(agent2=("Moon", "faction"))
    seen = play.see(2)
    assert (seen["identikit"]["faction"], seen["belongs"]) == ("red", "blue")
    assert play.see(1)["received"][0]["messages"][0]["facts"] == {"faction": "red"}
    play.wait()
    assert play.do(2, "attempt", code=BLUE_CODE) == {"result": "right"}
    assert outcome(play) == ("blue", "code")
    play.do("operator", "reveal")
    shown = play.public["identikits"][1]
    assert (shown["faction"], shown["belongs"]) == ("red", "blue")


def test_an_infiltrators_papers_count_at_the_truth_machine() -> None:  # CX-9, CX-12
    play = Play("infiltrator").sends().to_next_phase("faction")
    assert play.public["agents"][1]["revealed"] == {"faction": "red"}


# --- hackers


def test_a_blocked_attempt_is_neither_judged_nor_used_up() -> None:  # CX-11
    play = Play().sends(hacks={2: "Eva"})
    assert play.see(5)["blocked"] is True
    assert play.acts((5, "attempt", {"code": RED_CODE})) == {5: {"result": "blocked"}}
    assert outcome(play) == (None, None)
    assert play.see(5)["attempt_left"] is True
    play.talk().votes().do(2, "reveal", fact="role")
    assert play.see(5)["blocked"] is False
    play.sends()
    assert play.see(5)["blocked"] is False
    assert play.refused(1, "attempt", code=RED_CODE) == "not-your-turn"
    play.to_visit(5)
    assert play.do(5, "attempt", code=RED_CODE) == {"result": "right"}


def test_a_hackers_own_block_stands_even_for_one_who_tried_before() -> None:
    # CX-6, CX-11: nothing is judged, so nothing tells that none is left
    play = Play().sends()
    play.acts((5, "attempt", {"code": BLUE_CODE}))
    play.talk().votes().do(2, "reveal", fact="role")
    play.sends(hacks={2: "Eva"})
    assert play.acts((5, "attempt", {"code": RED_CODE})) == {5: {"result": "blocked"}}


def test_two_hackers_on_one_agent_are_told_once() -> None:  # CX-11
    one, both = Play().sends(hacks={2: "Eva"}), Play().sends(hacks={2: "Eva", 3: "Eva"})
    assert one.see(5) == both.see(5)
    assert one.see(5)["blocked"] is True


def test_a_target_named_by_one_who_is_no_hacker_is_not_blocked() -> None:  # CX-11, CX-18
    play = Play().sends(hacks={1: "Eva", 5: "Moon"})
    assert not any(play.see(agent)["blocked"] for agent in range(1, 7))


def test_nobody_is_named_in_two_phases_running_but_may_be_in_the_third() -> None:  # CX-11, CX-18
    play = Play()
    for number in (1, 2, 3):
        for agent in play.order():
            play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
            target = "Cid" if agent == 2 else "Bea"  # Cid has the power, Moon has not
            if agent in (1, 3):
                if number == 2:
                    assert play.see(agent)["not_target"] == "agent-2"
                    assert play.refused(agent, "hack", target=target) == "same-target"
                else:
                    assert play.see(agent)["not_target"] is None
                    play.do(agent, "hack", target=target)
            play.wait()
        play.to_next_phase(("role", "faction", "position")[number - 1])


# --- profilers


def test_a_profiler_asks_one_question_in_the_game() -> None:  # CX-16
    play = Play().sends(agent1=("Eva", "role"))
    told = play.acts((5, "ask", {"message": 2, "fact": "nickname"}))
    assert told == {5: {"fact": "nickname", "value": "Moon"}}
    assert play.see(5)["received"][0]["messages"][1]["learned"] == {"nickname": "Moon"}
    assert play.see(5)["power_left"] is False
    play.talk().votes().do(2, "reveal", fact="role")
    play.sends(agent1=("Eva", "role"))
    assert play.acts((5, "ask", {"message": 2, "fact": "faction"})) == {5: None}
    assert play.see(5)["received"][0]["messages"][1]["learned"] == {}
    assert play.see(5)["received"][1]["messages"][1]["learned"] == {"nickname": "Moon"}


def test_a_profiler_is_told_what_the_identikit_says() -> None:  # CX-12, CX-16
    play = Play("infiltrator").sends(agent2=("Eva", "role"))
    assert play.acts((5, "ask", {"message": 1, "fact": "faction"}))[5]["value"] == "red"


def test_a_question_about_a_message_of_an_earlier_phase_is_refused() -> None:  # CX-16
    play = Play().sends(agent1=("Eva", "role")).to_next_phase()
    play.sends(agent1=("Eva", "role"), agent4=("Fay", "role"))
    play.to_visit(5)
    assert play.refused(5, "ask", message=2, fact="faction") == "unknown-message"
    assert play.refused(5, "ask", message=0, fact="faction") == "unknown-message"
    assert play.do(5, "ask", message=1, fact="faction") == {"fact": "faction", "value": "red"}


def test_a_question_without_the_power_is_told_nothing() -> None:  # CX-16, CX-18
    play = Play().sends()
    assert play.acts((2, "ask", {"message": 1, "fact": "faction"})) == {2: None}
    assert play.see(2)["received"][0]["messages"][0]["learned"] == {}


# --- inquisitors


def demanded(play: Play, *demands: tuple[int, str]) -> Play:
    play.sends()
    play.acts(*((who, "extort", {"fact": fact}) for who, fact in demands))
    return play.talk()


def test_a_demand_takes_effect_once() -> None:  # CX-14
    play = demanded(Play("inquisitor"), (3, "fragment")).votes()
    play.do(2, "reveal", fact="role")
    assert play.public["agents"][1]["revealed"] == {"fragment": "B3B3"}
    assert play.see(3)["power_left"] is False
    demanded(play, (3, "faction")).votes().do(2, "reveal", fact="position")
    assert play.public["agents"][1]["revealed"] == {"fragment": "B3B3", "position": 1}


def test_a_demand_by_one_who_is_no_inquisitor_has_no_effect() -> None:  # CX-14, CX-18
    play = demanded(Play("inquisitor"), (1, "fragment"), (5, "faction")).votes()
    play.do(2, "reveal", fact="role")
    assert play.public["agents"][1]["revealed"] == {"role": "inquisitor"}


def test_a_demand_is_kept_unless_its_inquisitor_voted_for_the_one_at_the_machine() -> None:  # CX-14
    play = demanded(Play("inquisitor"), (3, "fragment")).votes(agent3="Moon")
    play.do(2, "reveal", fact="role")
    assert play.public["agents"][1]["revealed"] == {"role": "inquisitor"}
    assert play.see(3)["power_left"] is True
    demanded(play, (3, "fragment")).votes(agent3="Moon").do(2, "reveal", fact="faction")
    assert play.public["agents"][1]["revealed"] == {"role": "inquisitor", "faction": "blue"}
    assert play.see(3)["power_left"] is True


def test_a_demand_does_not_outlast_its_phase() -> None:  # CX-14
    play = demanded(Play("inquisitor"), (3, "fragment")).votes(agent3="Moon")
    play.do(2, "reveal", fact="role")
    demanded(play).votes(**{f"agent{n}": "Moon" for n in range(2, 7)}, agent1="Bea")
    play.do(1, "reveal", fact="role")
    assert play.public["agents"][0]["revealed"] == {"role": "leader"}


def test_a_demand_of_what_was_revealed_there_before_has_no_effect_and_is_kept() -> None:  # CX-14
    play = demanded(Play("inquisitor")).votes()
    play.do(2, "reveal", fact="fragment")
    demanded(play, (3, "fragment")).votes().do(2, "reveal", fact="role")
    assert play.public["agents"][1]["revealed"] == {"fragment": "B3B3", "role": "inquisitor"}
    assert play.see(3)["power_left"] is True


def test_a_demand_of_what_the_agent_chooses_too_is_used_up() -> None:  # CX-14
    play = demanded(Play("inquisitor"), (3, "role")).votes()
    play.do(2, "reveal", fact="role")
    assert play.see(3)["power_left"] is False


def test_a_demand_names_a_fact_and_nobody() -> None:  # CX-14
    play = Play("inquisitor").sends()
    assert play.refused(1, "extort", fact="nickname") == "bad-fact"
    assert play.refused(1, "extort", target="Bea") == "missing-field"
    play.do(1, "extort", fact="role")
    assert play.see(1)["entered"]["extort"] == "role"
    assert play.refused(1, "extort", fact="faction") == "entered-already"


def test_of_two_demands_the_first_that_can_be_met_prevails() -> None:
    # CX-14: Bea votes first, but what she demands was revealed before
    play = demanded(Play("inquisitor")).votes(**{f"agent{n}": "Moon" for n in range(2, 7)})
    play.do(1, "reveal", fact="faction")
    demanded(play, (2, "faction"), (3, "position"))
    play.votes(**{f"agent{n}": "Moon" for n in range(2, 7)}, agent1="Bea")
    play.do(1, "reveal", fact="fragment")
    assert [*play.public["agents"][0]["revealed"]] == ["faction", "position"]
    assert (play.see(2)["power_left"], play.see(3)["power_left"]) == (True, False)


@pytest.mark.parametrize(("number", "prevails", "kept"), [(1, 2, 3), (3, 3, 2)])
def test_of_two_demands_the_first_to_vote_prevails(number: int, prevails: int, kept: int) -> None:
    # CX-14: in phase 3 Cid votes before Bea
    play = Play("inquisitor")
    for _ in range(number - 1):
        demanded(play).votes().do(2, "reveal", fact=("role", "faction")[_])
    demanded(play, (2, "faction"), (3, "position"))
    play.votes(**{f"agent{n}": "Moon" for n in range(2, 7)}, agent1="Bea")
    play.do(1, "reveal", fact="fragment")
    fact = "faction" if prevails == 2 else "position"
    assert [*play.public["agents"][0]["revealed"]] == [fact]
    assert play.see(prevails)["power_left"] is False
    assert play.see(kept)["power_left"] is True


def test_the_public_cannot_tell_a_demand_from_a_choice() -> None:  # CX-14
    choice = demanded(Play("inquisitor")).votes()
    demand = demanded(Play("inquisitor"), (3, "fragment")).votes()
    assert choice.public == demand.public
    choice.do(2, "reveal", fact="fragment")
    demand.do(2, "reveal", fact="role")
    assert choice.public == demand.public
    for agent in (1, 2, 4, 5, 6):
        assert choice.see(agent) == demand.see(agent)


# --- vote and machine


def test_votes_are_cast_one_by_one_in_the_order_of_the_laps_and_shown_at_once() -> None:
    # CX-7, CX-10
    play = Play().sends().to_next_phase()
    play.sends().to_vote()
    for place, agent in enumerate((2, 3, 4, 5, 6, 1)):
        assert (play.public["turn"], play.public["at_screen"]) == (f"agent-{agent}", None)
        assert len(play.public["votes"]) == place
        for other in {1, 2, 3, 4, 5, 6} - {agent}:
            assert play.refused(other, "vote", target="Moon") in ("not-your-turn", "not-yourself")
        play.do(agent, "vote", target="Bea" if agent != 2 else "Cid")
    assert play.public["at_screen"] == "agent-2"


def board_after(revealed: tuple[int, ...]) -> Board:
    """A board on which each agent has revealed so many facts."""
    board = Play().state.board
    agents = tuple(
        Agent(agent.nickname, tuple((fact, "?") for fact in REVEALABLE[:count]))
        for agent, count in zip(board.agents, revealed, strict=True)
    )
    return Board(
        **{name: getattr(board, name) for name in board.__struct_fields__} | {"agents": agents}
    )


@pytest.mark.parametrize(
    ("votes", "revealed", "goes"),
    [
        ("222211", (0, 0, 0, 0, 0, 0), 2),
        ("112222", (0, 3, 0, 0, 0, 0), 2),  # the most votes, whatever was revealed
        ("211221", (0, 0, 0, 0, 0, 0), 2),  # both three; Bea had three first
        ("212121", (0, 0, 0, 0, 0, 0), 2),
        ("122112", (0, 0, 0, 0, 0, 0), 1),
        ("211221", (0, 1, 0, 0, 0, 0), 1),  # Moon has revealed fewer
        ("112233", (1, 1, 1, 0, 0, 0), 1),
        ("332211", (0, 0, 1, 0, 0, 0), 2),
        ("123456", (0, 0, 0, 0, 0, 0), 1),
        ("654321", (1, 0, 1, 0, 0, 1), 5),
        ("222221", (0, 4, 0, 0, 0, 0), 1),  # Bea is passed over
        ("222311", (0, 4, 0, 0, 0, 0), 1),
        ("222131", (4, 4, 3, 0, 0, 0), 3),
        ("222233", (0, 4, 4, 0, 0, 0), None),
    ],
)
def test_who_goes_to_the_truth_machine(
    votes: str, revealed: tuple[int, ...], goes: int | None
) -> None:  # CX-7, CX-8, CX-9
    cast = tuple(Vote(voter, int(target) - 1) for voter, target in enumerate(votes))
    found = most_voted(board_after(revealed), cast)
    assert found == (None if goes is None else goes - 1)


def test_nothing_is_revealed_twice_and_never_the_nickname() -> None:  # CX-9
    play = Play()
    for fact in ("role", "faction", "position", "fragment"):
        play.sends().to_vote().votes()
        assert play.refused(2, "reveal", fact="nickname") == "bad-fact"
        for known in play.public["agents"][1]["revealed"]:
            assert play.refused(2, "reveal", fact=known) == "fact-revealed"
        play.do(2, "reveal", fact=fact)
    play.sends().to_vote().votes()
    assert play.public["at_screen"] == "agent-1"  # the only other one with a vote


def test_nobody_goes_if_all_of_them_have_revealed_everything() -> None:  # CX-9
    play = with_nothing_to_reveal()
    play.sends().to_vote().votes()
    assert (play.public["phase"], play.public["number"], play.public["votes"]) == ("send", 10, [])
    assert play.public["at_screen"] == "agent-4"


def test_the_last_vote_is_public_even_if_nobody_goes_to_the_machine() -> None:  # CX-7, CX-9
    play = with_nothing_to_reveal()
    assert "last_votes" not in play.public
    play.sends().to_vote()
    for agent in play.order():
        play.do(agent, "vote", target="Bea" if agent == 1 else "Moon")
    order = (3, 4, 5, 6, 1, 2)
    assert play.public["last_votes"] == [
        {"voter": f"agent-{agent}", "target": "agent-2" if agent == 1 else "agent-1"}
        for agent in order
    ]
    play.sends()
    assert "last_votes" not in play.public


def with_nothing_to_reveal() -> Play:
    """A ninth phase, in which Moon and Bea have revealed everything."""
    play = Play()
    for _ in range(4):
        for agent, name in ((1, "Moon"), (2, "Bea")):
            play.sends().to_vote().votes(**{f"agent{n}": name for n in range(1, 7) if n != agent})
            found = play.public["agents"][agent - 1]["revealed"]
            fact = next(fact.value for fact in REVEALABLE if fact.value not in found)
            play.do(agent, "reveal", fact=fact)
    return play


# --- time


def test_the_laps_begin_one_seat_later_in_every_phase() -> None:  # CX-4, CX-10
    play = Play()
    for number in range(1, 8):
        for phase in ("send", "act"):
            first = (number - 1) % 6
            for place in range(6):
                agent = (first + place) % 6 + 1
                public = play.public
                assert (public["phase"], public["number"]) == (phase, number)
                assert public["at_screen"] == f"agent-{agent}"
                assert public["order"] == [
                    f"agent-{(first + later) % 6 + 1}" for later in range(place + 1, 6)
                ]
                if phase == "send":
                    play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
                play.wait()
        assert play.public["phase"] == "discuss"
        play.talk().votes(**{f"agent{n}": f"agent-{n % 6 + 1}" for n in range(1, 7)})
        agent = int(play.public["at_screen"][-1])
        revealed = play.public["agents"][agent - 1]["revealed"]
        fact = next(fact.value for fact in REVEALABLE if fact.value not in revealed)
        play.do(agent, "reveal", fact=fact)


@pytest.mark.parametrize("done", [True, False])
def test_a_visit_lasts_its_time_whatever_is_done_in_it(done: bool) -> None:  # CX-18
    play = Play()
    play.do(1, "send", to="Bea", facts=["role"])
    if done:
        play.do(1, "done")
    play.wait(44.5)
    assert play.public["at_screen"] == "agent-1"
    play.wait(0.5)
    assert play.public["at_screen"] == "agent-2"
    assert play.public["timer"]["left"] == 45.0


def test_a_visit_that_goes_on_asks_for_the_code_again() -> None:  # CX-18, CX-19
    play = Play()
    play.do(1, "choose-code", code="2468")
    assert play.see(1)["code"] == "open"
    play.wait(45.0)
    assert play.public["at_screen"] == "agent-1"
    assert play.see(1)["code"] == "enter"
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "code-first"
    play.do(1, "enter-code", code="2468")
    play.do(1, "send", to="Bea", facts=["role"])


def test_a_missing_message_adds_whole_lengths_in_small_steps_and_in_one() -> None:  # CX-18
    steps, leap = Play(), Play()
    for _ in range(10 * 4):
        steps.wait(11.25)
    leap.wait(450.0)
    assert steps.state == leap.state
    assert steps.public["added"] == 10
    for play in (steps, leap):
        play.wait(1.0).do(1, "send", to="Bea", facts=["role"])
        play.wait(43.75)
        assert play.public["at_screen"] == "agent-1"
        play.wait(0.25)
        assert (play.public["at_screen"], play.public["added"]) == ("agent-2", 0)


def test_a_leap_over_a_very_long_time_is_one_event() -> None:  # CX-18
    play = Play(visit=1).wait(999_999.0)
    assert len(play.happened) == 2
    assert play.public["added"] == 999_999


def test_only_the_message_is_waited_for() -> None:  # CX-10, CX-18
    play = Play().sends()
    play.wait(6 * 45.0)
    assert (play.public["phase"], play.public["timer"]["left"]) == ("discuss", 300.0)


def test_the_discussion_ends_by_time_or_by_the_operator() -> None:  # CX-17
    play = Play().sends()
    play.acts()
    assert play.refused(3, "end-discussion") == "wrong-seat"
    play.wait(299.0)
    assert play.public["phase"] == "discuss"
    play.wait(1.0)
    assert (play.public["phase"], play.public["timer"]) == ("vote", None)
    assert play.refused("operator", "end-discussion") == "wrong-phase"


def test_neither_vote_nor_machine_has_a_limit_of_time() -> None:  # CX-7, CX-9
    play = Play().sends().to_vote()
    voting = play.public
    assert play.wait(10_000.0).public == voting
    play.votes()
    choosing = play.public
    assert play.wait(10_000.0).public == choosing


def test_a_pause_stops_all_time_and_all_that_is_entered() -> None:  # CX-18
    play = Play().wait(40.0)
    play.do(6, "pause")
    assert play.wait(10_000.0).public["timer"] == {
        "mode": "visit",
        "left": 5.0,
        "running": False,
        "urging": False,
    }
    for act, fields in (
        ("send", {"to": "Bea", "facts": ["role"]}),
        ("hack", {"target": "Bea"}),
        ("choose-code", {"code": "1234"}),
        ("pause", {}),
    ):
        assert play.refused(1, act, **fields) == "paused"
    play.do("operator", "new-code", target="Moon")
    play.do(2, "resume")
    assert play.wait(4.75).public["added"] == 0
    assert play.wait(0.25).public["added"] == 1


# --- codes of one's own


def test_a_visit_waits_for_its_agent_for_as_long_as_it_takes() -> None:  # CX-18
    play = Play(starts="ready").wait(100_000.0)
    assert (play.public["at_screen"], play.public["awaited"]) == ("agent-1", True)
    standing = {"mode": "visit", "left": 45.0, "running": False, "urging": False}
    assert play.public["timer"] == standing
    play.do(1, "ready")
    assert play.public["awaited"] is False
    assert play.wait(44.5).public["timer"]["left"] == 0.5
    assert play.wait(0.5).public["added"] == 1


def test_before_they_say_that_they_are_there_nothing_can_be_done_at_the_screen() -> None:  # CX-18
    play = Play(starts="ready")
    assert play.see(1)["may"] == ["ready", "pause"]
    for act, fields in (
        ("send", {"to": "Bea", "facts": ["role"]}),
        ("hack", {"target": "Bea"}),
        ("choose-code", {"code": "1234"}),
        ("enter-code", {"code": "1234"}),
        ("done", {}),
    ):
        assert play.refused(1, act, **fields) == "ready-first"
    play.do(1, "ready")
    assert play.refused(1, "ready") == "ready-already"
    play.do(1, "send", to="Bea", facts=["role"])


def test_every_visit_of_both_laps_waits_and_so_does_one_that_passed() -> None:  # CX-18, CX-19
    play = Play(starts="ready")
    for lap in ("send", "act"):
        for agent in range(1, 7):
            assert (play.public["phase"], play.public["awaited"]) == (lap, True)
            assert play.refused(agent % 6 + 1, "ready") == "not-your-turn"
            play.do(agent, "ready")
            if lap == "send":
                play.do(agent, "choose-code", code="1234")
                play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
            elif agent == 1:
                play.lock_out(agent)
            play.wait()
    assert (play.public["at_screen"], play.public["awaited"]) == ("agent-1", True)
    play.do(1, "ready")
    play.wait()
    assert (play.public["phase"], play.public["awaited"]) == ("discuss", False)
    assert play.refused(1, "ready") == "wrong-phase"


def test_a_visit_that_lasts_longer_does_not_wait_again() -> None:
    # CX-18: the message is missing, and the screen asks for the code of one's own again
    play = Play(starts="ready")
    play.do(1, "ready")
    assert play.wait().public["awaited"] is False
    assert play.public["timer"]["running"] is True


def test_the_operator_lets_the_time_run_where_nobody_says_that_they_are_there() -> None:  # CX-18
    play = Play(starts="ready").wait(600.0)
    play.do("operator", "ready")
    assert play.public["timer"]["running"] is True
    play.do(1, "send", to="Bea", facts=["role"])
    assert play.wait().public["at_screen"] == "agent-2"


def test_a_pause_does_not_let_the_time_of_a_visit_run_that_waits() -> None:  # CX-18
    play = Play(starts="ready")
    play.do("operator", "pause")
    assert play.refused(1, "ready") == "paused"
    play.wait(10.0)
    play.do("operator", "resume")
    assert play.wait(10_000.0).public["timer"]["left"] == 45.0
    assert play.public["awaited"] is True


def test_where_a_visit_starts_at_once_nobody_says_that_they_are_there() -> None:  # CX-18
    play = Play()
    assert play.public["awaited"] is False
    assert play.refused(1, "ready") == play.refused("operator", "ready") == "ready-already"


def test_the_machine_waits_for_nobody_to_be_there() -> None:
    # CX-9: it has no time of its own, and asks for the code
    play = Play(starts="ready")
    for lap in ("send", "act"):
        for agent in range(1, 7):
            play.do(agent, "ready")
            if lap == "send":
                play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
            play.wait()
    play.talk().votes()
    assert (play.public["phase"], play.public["awaited"]) == ("machine", False)


def test_a_code_of_ones_own_is_asked_for_at_every_later_visit_and_at_the_machine() -> None:  # CX-19
    play = Play()
    play.do(1, "choose-code", code="1234")
    assert play.see(1)["code"] == "open"
    play.sends()
    assert (play.see(1)["code"], play.see(1)["may"]) == ("enter", ["enter-code", "pause"])
    for act, fields in (
        ("extort", {"fact": "role"}),
        ("attempt", {"code": RED_CODE}),
        ("ask", {"message": 1, "fact": "faction"}),
        ("done", {}),
    ):
        assert play.refused(1, act, **fields) == "code-first"
    assert play.do(1, "enter-code", code="1234") == {"right": True, "tries_left": 3}
    play.do(1, "extort", fact="role")
    play.to_vote().votes(**{f"agent{n}": "Moon" for n in range(2, 7)})
    assert play.refused(1, "reveal", fact="role") == "code-first"
    play.do(1, "enter-code", code="1234")
    play.do(1, "reveal", fact="role")
    assert play.see(1)["code"] == "enter"


def test_after_three_wrong_codes_the_machine_waits_until_the_operator_allows_a_new_one() -> None:
    # CX-19
    play = Play()
    for agent in range(1, 7):
        play.do(agent, "choose-code", code="1234")
        play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
        play.wait()
    play.to_vote().votes()
    play.lock_out(2)
    waiting = play.public
    assert play.wait(100_000.0).public == waiting
    for act, fields in (("enter-code", {"code": "1234"}), ("reveal", {"fact": "role"})):
        assert play.refused(2, act, **fields) == "too-many-codes"
    play.do("operator", "new-code", target="Bea")
    play.do(2, "choose-code", code="5678")
    play.do(2, "reveal", fact="role")
    assert play.public["agents"][1]["revealed"] == {"role": "hacker"}
    play.wait()
    assert play.public["added"] == 1  # Bea's own visit begins the next phase
    assert play.do(2, "enter-code", code="5678") == {"right": True, "tries_left": 3}


def test_after_three_wrong_codes_the_visit_passes_to_the_end_of_the_lap() -> None:  # CX-19
    play = Play()
    play.do(1, "choose-code", code="1234")
    play.sends()
    for left in (2, 1, 0):
        before = play.public
        assert play.do(1, "enter-code", code="4321") == {"right": False, "tries_left": left}
        assert play.see(1)["tries_left"] == left
        assert play.public == before
    assert play.refused(1, "enter-code", code="1234") == "too-many-codes"
    assert play.see(1)["code"] == "locked"
    assert play.wait(44.5).public["at_screen"] == "agent-1"  # the time runs out all the same
    play.wait(0.5)
    assert (play.public["at_screen"], play.public["order"][-1]) == ("agent-2", "agent-1")
    play.wait(5 * 45.0)
    assert (play.public["phase"], play.public["at_screen"]) == ("act", "agent-1")
    assert play.do(1, "enter-code", code="1234") == {"right": True, "tries_left": 3}
    assert play.wait().public["phase"] == "discuss"


def test_in_the_first_lap_a_visit_that_passes_is_not_lengthened() -> None:  # CX-18, CX-19
    play = Play().sends().to_vote().votes()
    play.do(2, "choose-code", code="1234")
    play.do(2, "reveal", fact="role")
    play.lock_out(2)
    play.wait()
    assert (play.public["at_screen"], play.public["order"]) == (
        "agent-3",
        ["agent-4", "agent-5", "agent-6", "agent-1", "agent-2"],
    )
    assert [one["voter"] for one in play.public["votes"]] == []


def test_the_order_of_the_votes_is_that_of_the_phase_whoever_came_last() -> None:  # CX-7, CX-19
    play = Play()
    play.do(1, "choose-code", code="1234")
    play.sends()
    play.lock_out(1)
    play.wait(7 * 45.0)
    play.talk()
    assert play.public["turn"] == "agent-1"


def test_the_operator_lets_an_agent_choose_anew_in_public() -> None:  # CX-19
    play = Play()
    play.do(1, "choose-code", code="1234")
    play.sends()
    play.lock_out(1)
    play.do("operator", "new-code", target="Moon")
    assert play.public["new_codes"] == ["agent-1"]
    assert (play.see(1)["code"], play.see(1)["tries_left"]) == ("choose", 3)
    play.do(1, "choose-code", code="0000")
    play.do(1, "done")
    assert play.wait().public["order"] == ["agent-3", "agent-4", "agent-5", "agent-6"]


@pytest.mark.parametrize("code", ["", "123", "12345", "12 4", "１２３４", "12.4"])
def test_a_code_of_ones_own_is_four_digits(code: str) -> None:  # CX-19
    assert Play().refused(1, "choose-code", code=code) == "bad-own-code"


# --- seats


@pytest.mark.parametrize("seat", [seat for seat in Seat if seat not in {*AGENTS, Seat.OPERATOR}])
def test_the_seats_of_other_games_are_none_of_codex(seat: Seat) -> None:  # CX-1, ALL-1
    state = Play().state
    assert games.may(state, seat) == ()
    with pytest.raises(Refused) as refusal:
        games.view(state, seat, 0.0)
    assert refusal.value.reason is Reason.UNKNOWN_SEAT
    assert seat not in games.seats(state.board)


def test_only_the_operator_ends_a_game_and_opens_it_then() -> None:  # ALL-3, ALL-5
    play = Play()
    assert play.refused(1, "abandon") == "wrong-seat"
    assert play.refused("operator", "reveal") == "not-over"
    assert play.refused("operator", "correct") == "nothing-to-correct"
    before = play.public
    play.do("operator", "abandon")
    assert "identikits" not in play.public
    play.do("operator", "correct")
    assert play.public == before
    assert play.refused("operator", "correct") == "nothing-to-correct"
    play.do("operator", "abandon")
    assert isinstance(play.state, State)
    assert play.refused(4, "reveal") == "wrong-seat"
    play.do("operator", "reveal")
    assert play.refused("operator", "correct") == "nothing-to-correct"
    assert [one["nickname"] for one in play.public["identikits"]] == [
        *("Moon", "Bea", "Cid", "Dan", "Eva", "Fay")
    ]
    assert all(games.may(play.state, seat) == () for seat in Seat)
