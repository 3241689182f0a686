"""Codex with phones: a lap that some do at the same time, each on their own (CX-20)."""

import pytest
from codex_play import BLUE_CODE, RED_CODE, Play

from pi_table.common.errors import InputError
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import events
from pi_table.games.rules.seat import AGENTS

ALL = (1, 2, 3, 4, 5, 6)


def sends(play: Play, *agents: int) -> Play:
    """These agents send a message, each their role to the next one."""
    for agent in agents:
        play.do(agent, "send", to=f"agent-{agent % 6 + 1}", facts=["role"])
    return play


def done(play: Play, *agents: int) -> Play:
    for agent in agents:
        play.do(agent, "done")
    return play


def seats(*agents: int) -> list[str]:
    return [f"agent-{agent}" for agent in agents]


# --- who has a phone


def test_agents_who_have_a_phone_do_a_lap_together_and_the_others_follow_in_their_order() -> None:
    # CX-20
    play = Play(phones=(2, 5, 6))
    public = play.public
    assert public["phones"] == public["together"] == seats(2, 5, 6)
    assert (public["at_screen"], public["order"]) == (None, seats(1, 3, 4))
    done(sends(play, 6, 2, 5), 6, 2)
    assert (play.public["place"], play.public["finished"]) == ("phones", [])
    play.wait()
    assert (play.public["at_screen"], play.public["together"]) == ("agent-1", [])
    finished = [2, 5, 6]
    for agent in (1, 3, 4):
        assert play.public["at_screen"] == f"agent-{agent}"
        assert (play.public["place"], play.public["finished"]) == ("screen", seats(*finished))
        sends(play, agent).wait()
        finished = sorted([*finished, agent])
    assert (play.public["phase"], play.public["together"]) == ("act", seats(2, 5, 6))
    assert (play.public["order"], play.public["finished"]) == (seats(1, 3, 4), [])


def test_the_order_of_those_who_follow_begins_one_seat_later_in_every_phase() -> None:
    # CX-10, CX-20
    play = Play(phones=(2, 5, 6))
    for lap in ("send", "act"):
        if lap == "send":
            sends(play, 2, 5, 6)
        play.wait()
        for agent in (1, 3, 4):
            if lap == "send":
                sends(play, agent)
            play.wait()
    play.talk().votes().do(2, "reveal", fact="role")
    assert (play.public["together"], play.public["order"]) == (seats(2, 5, 6), seats(3, 4, 1))


def test_whoever_pairs_before_any_time_has_run_joins_at_once() -> None:  # CX-20
    play = Play(phones=())
    assert (play.public["at_screen"], play.public["phones"]) == ("agent-1", [])
    for agent in (6, 1, 4):
        play.do(agent, "pair")
    assert play.public["together"] == seats(1, 4, 6)
    assert (play.public["at_screen"], play.public["order"]) == (None, seats(2, 3, 5))
    play.wait(0.5).do(2, "pair")
    assert (play.public["phones"], play.public["together"]) == (seats(1, 2, 4, 6), seats(1, 4, 6))


def test_whoever_pairs_later_has_the_next_visit_on_the_phone() -> None:  # CX-20
    play = Play(phones=()).wait(1.0)
    play.do(2, "pair")
    play.do(3, "pair")
    play.do(1, "pair")
    assert (play.public["at_screen"], play.public["place"]) == ("agent-1", "screen")
    sends(play, 1).wait(44.0)
    assert (play.public["together"], play.public["order"]) == (seats(2, 3), seats(4, 5, 6))
    sends(play, 3, 2).wait()
    assert play.public["at_screen"] == "agent-4"


def test_the_operator_takes_an_agent_back_to_the_hidden_screen() -> None:
    # CX-20: a phone may run out of power
    play = Play(phones=(2, 3, 5))
    sends(play, 2, 5).wait(10.0)
    play.do("operator", "unpair", target="Cid")
    assert (play.public["together"], play.public["order"]) == (seats(2, 5), seats(1, 3, 4, 6))
    assert play.refused(3, "send", to="Dan", facts=["role"]) == "not-your-turn"
    play.wait(35.0)
    assert play.public["at_screen"] == "agent-1"
    assert play.refused("operator", "unpair", target="Cid") == "not-paired"


def test_if_the_only_phone_is_gone_the_hidden_screen_comes_at_once() -> None:  # CX-20
    play = Play(phones=(3,)).wait(10.0)
    play.do("operator", "unpair", target="Cid")
    assert (play.public["at_screen"], play.public["timer"]["left"]) == ("agent-1", 45.0)
    assert play.public["order"] == seats(2, 3, 4, 5, 6)


def test_without_one_who_is_not_done_the_others_may_be_all_done() -> None:  # CX-20
    play = Play(phones=(2, 3, 5)).wait(10.0)
    done(sends(play, 2, 5), 2, 5)
    assert play.public["together"] == seats(2, 3, 5)
    play.do("operator", "unpair", target="Cid")
    assert (play.public["at_screen"], play.public["order"]) == ("agent-1", seats(3, 4, 6))


@pytest.mark.parametrize(
    ("phones", "who", "act", "fields", "reason"),
    [
        (None, 1, "pair", {}, "no-phones"),
        (None, "operator", "unpair", {"target": "Moon"}, "no-phones"),
        ((1,), 1, "pair", {}, "paired-already"),
        ((1,), "operator", "pair", {}, "wrong-seat"),
        ((1,), 1, "unpair", {"target": "Moon"}, "wrong-seat"),
        ((), "operator", "unpair", {"target": "Moon"}, "not-paired"),
        ((1,), "operator", "unpair", {"target": "Bea"}, "not-paired"),
        ((1,), "operator", "unpair", {"target": "Zoe"}, "unknown-agent"),
        ((1,), 2, "send", {"to": "Cid", "facts": ["role"]}, "not-your-turn"),
    ],
)
def test_what_is_refused_where_some_have_phones(
    phones: tuple[int, ...] | None, who: int | str, act: str, fields: dict[str, str], reason: str
) -> None:  # CX-20
    assert Play(phones=phones).refused(who, act, **fields) == reason


def test_a_game_without_phones_shows_nothing_of_them() -> None:
    # CX-20: `screens` is `hidden` unless it is set
    assert not {"phones", "together"} & {*Play().public}


@pytest.mark.parametrize(
    ("screens", "phones"), [("hidden", ["agent-1"]), ("phones", "agent-1"), ("phones", ["Moon"])]
)
def test_phones_of_a_game_are_seats_of_a_game_with_phones(screens: str, phones: object) -> None:
    # CX-20
    game = {"profile": "codex", "options": {"screens": screens}, "phones": phones}
    with pytest.raises(InputError, match="phone"):
        games.read_opening(game, Chance())


# --- the lap


def test_it_ends_when_all_are_done_and_tells_nobody_who_was_done_when() -> None:  # CX-20
    one, other = Play(phones=(1, 2, 3)), Play(phones=(1, 2, 3))
    for play, order in ((one, (1, 2, 3)), (other, (3, 1, 2))):
        sends(play, *order).wait(5.0)
        before = play.public
        done(play, *order[:2])
        assert play.public == before
        play.wait(5.0)
        done(play, order[2])
        assert (play.public["at_screen"], play.public["timer"]["left"]) == ("agent-4", 45.0)
    assert one.public == other.public


def test_of_one_who_is_alone_on_a_phone_nothing_tells_when_they_were_done() -> None:
    # CX-20: their visit lasts its time, as at the hidden screen
    play = Play(phones=(3,))
    done(sends(play, 3), 3)
    assert play.public["together"] == seats(3)
    assert play.wait(44.5).public["together"] == seats(3)
    assert play.wait(0.5).public["at_screen"] == "agent-1"


def test_when_all_six_are_done_in_both_laps_the_discussion_begins() -> None:  # CX-10, CX-20
    play = Play(phones=ALL)
    done(sends(play.wait(3.0), *ALL), *ALL)
    assert (play.public["phase"], play.public["together"]) == ("act", seats(*ALL))
    assert all(len(play.see(agent)["received"]) == 1 for agent in ALL)
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "wrong-phase"
    done(play.wait(3.0), *ALL)
    assert (play.public["phase"], play.public["together"]) == ("discuss", [])


@pytest.mark.parametrize(
    ("phones", "minutes"),
    [((), 9.0), ((2,), 9.0), ((1, 2, 3), 6.0), ((1, 2, 3, 4, 5), 3.0), (ALL, 1.5)],
)
def test_the_visits_of_a_phase_take_the_less_time_the_more_have_a_phone(
    phones: tuple[int, ...], minutes: float
) -> None:  # CX-18, CX-20: both laps, where everybody takes the whole time of a visit
    play = Play(phones=phones)
    seconds = 0
    while play.public["phase"] != "discuss":
        public = play.public
        if public["phase"] == "send":
            at_it = public["together"] or [public["at_screen"]]
            sends(play, *(int(seat[-1]) for seat in at_it))
        play.wait(45.0)
        seconds += 45
    assert seconds == 60 * minutes


def test_nothing_comes_before_the_whole_lap_is_over() -> None:  # CX-10, CX-20
    play = Play(phones=(1, 2, 3, 4, 5))
    done(sends(play, 1, 2, 3, 4, 5), 1, 2, 3, 4, 5)
    assert not any(play.see(agent)["received"] for agent in ALL)
    sends(play, 6).wait()
    assert all(play.see(agent)["received"] for agent in ALL)


def test_a_missing_message_lengthens_it_for_all_and_closes_what_was_open() -> None:
    # CX-18, CX-19, CX-20
    play = Play(phones=(1, 2, 3))
    play.do(1, "choose-code", code="1234")
    sends(play, 1, 3).wait()
    assert (play.public["together"], play.public["added"]) == (seats(1, 2, 3), 1)
    assert play.see(1)["code"] == "enter"
    sends(play, 2).wait(44.5)
    assert play.public["together"] == seats(1, 2, 3)
    assert play.wait(0.5).public["at_screen"] == "agent-4"


def test_it_is_lengthened_in_small_steps_as_in_one() -> None:  # CX-18, CX-20
    steps, leap = Play(phones=(1, 2)), Play(phones=(1, 2))
    for _ in range(40):
        steps.wait(11.25)
    leap.wait(450.0)
    assert steps.state == leap.state
    assert steps.public["added"] == 10


def test_a_pause_stops_it_for_all() -> None:  # CX-18, CX-20
    play = Play(phones=(1, 2, 3)).wait(40.0)
    play.do(2, "pause")
    assert play.wait(1_000.0).public["timer"]["left"] == 5.0
    for agent in (1, 2, 3):
        assert play.refused(agent, "send", to="Fay", facts=["role"]) == "paused"
    play.do("operator", "resume")
    sends(play, 1, 2, 3)
    assert play.wait(5.0).public["at_screen"] == "agent-4"


def test_the_code_of_ones_own_is_asked_for_on_a_phone_too() -> None:  # CX-19, CX-20
    play = Play(phones=ALL)
    play.do(1, "choose-code", code="1234")
    done(sends(play, *ALL), *ALL)
    assert (play.see(1)["code"], play.see(1)["may"]) == ("enter", ["enter-code", "pause"])
    assert play.refused(1, "done") == "code-first"
    play.do(1, "enter-code", code="1234")
    play.do(1, "extort", fact="role")


def test_three_wrong_codes_on_a_phone_pass_to_the_end_of_the_lap() -> None:
    # CX-19, CX-20: and nobody sees it before the time is over
    play = Play(phones=(1, 2, 3))
    play.do(1, "choose-code", code="1234")
    sends(play, 1, 2, 3).wait()
    for agent in (4, 5, 6):
        sends(play, agent).wait()
    before = play.public
    play.lock_out(1)
    done(play, 2, 3)
    assert play.public == before
    play.wait()
    assert (play.public["at_screen"], play.public["order"]) == ("agent-4", seats(5, 6, 1))
    play.wait(3 * 45.0)
    assert play.public["together"] == seats(1)
    assert play.do(1, "enter-code", code="1234") == {"right": True, "tries_left": 3}
    assert play.wait().public["phase"] == "discuss"


def test_on_phones_an_agent_is_told_what_only_they_may_know() -> None:  # CX-6, CX-11, CX-16, CX-20
    play = Play(phones=ALL)
    sends(play, *ALL).do(2, "hack", target="Moon")
    done(play, *ALL)
    assert play.do(1, "attempt", code=RED_CODE) == {"result": "blocked"}
    assert play.do(5, "ask", message=1, fact="faction") == {"fact": "faction", "value": "blue"}
    before = play.public
    assert play.do(3, "attempt", code=BLUE_CODE) == {"result": "wrong"}
    assert play.public == before
    assert play.do(4, "attempt", code=BLUE_CODE) == {"result": "right"}
    assert (play.public["phase"], play.public["together"]) == ("over", [])


def test_vote_and_machine_are_as_in_any_game() -> None:
    # CX-7, CX-9, CX-20
    play = Play(phones=ALL)
    done(sends(play, *ALL), *ALL)
    done(play, *ALL)
    play.talk().votes()
    assert (play.public["phase"], play.public["at_screen"]) == ("machine", "agent-2")
    assert play.public["place"] == "phones"
    play.do(2, "reveal", fact="role")
    assert (play.public["phase"], play.public["together"]) == ("send", seats(2, 3, 4, 5, 6, 1))


def at_the_machine(*phones: int) -> Play:
    """Bea (agent-2) is at the truth machine and has entered her code, which is 1234."""
    play = Play(phones=phones)
    for _ in range(2):
        while play.public["phase"] in ("send", "act"):
            public = play.public
            for name in public["together"] or [public["at_screen"]]:
                agent = int(name[-1])
                if public["phase"] == "send":
                    sends(play, agent)
                if agent == 2:
                    act = "choose-code" if public["phase"] == "send" else "enter-code"
                    play.do(2, act, code="1234")
            play.wait()
    play.talk().votes().do(2, "enter-code", code="1234")
    assert play.see(2)["code"] == "open"
    return play


@pytest.mark.parametrize("phones", [(2,), (2, 5)])
def test_a_choice_that_moves_to_the_hidden_screen_is_closed(phones: tuple[int, ...]) -> None:
    # CX-19, CX-20, ALL-6: somebody else may sit at the hidden screen
    play = at_the_machine(*phones)
    play.do("operator", "unpair", target="Bea")
    assert (play.public["place"], play.see(2)["code"]) == ("screen", "enter")
    assert play.refused(2, "reveal", fact="role") == "code-first"
    play.do(2, "enter-code", code="1234")
    play.do(2, "reveal", fact="role")


def test_a_choice_that_moves_to_a_phone_is_closed() -> None:  # CX-19, CX-20, ALL-6
    play = at_the_machine(5)
    play.do(2, "pair")
    assert (play.public["place"], play.see(2)["code"]) == ("phones", "enter")
    assert play.refused(2, "reveal", fact="role") == "code-first"


def test_the_phone_of_another_agent_closes_no_choice() -> None:  # CX-19, CX-20
    play = at_the_machine(2, 5)
    play.do(3, "pair")
    play.do("operator", "unpair", target="Eva")
    assert (play.public["place"], play.see(2)["code"]) == ("phones", "open")
    play.do(2, "reveal", fact="role")


def test_a_visit_is_closed_when_its_agent_gets_or_loses_a_phone() -> None:
    # CX-19: somebody else may hold that phone
    play = Play(phones=()).wait(5.0)
    play.do(1, "choose-code", code="1234")
    play.do(2, "pair")
    assert play.see(1)["code"] == "open"
    play.do(1, "pair")
    assert (play.public["place"], play.see(1)["code"]) == ("screen", "enter")
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "code-first"
    play.do(1, "enter-code", code="1234")
    play.do("operator", "unpair", target="agent-1")
    assert play.see(1)["code"] == "enter"


def test_a_visit_in_an_abandoned_game_that_continues_is_closed() -> None:
    # ALL-3, CX-19: the agents may have left
    play = Play(phones=(1, 2)).wait(5.0)
    play.do(1, "choose-code", code="1234")
    play.do("operator", "abandon")
    play.do("operator", "correct")
    assert (play.see(1)["code"], play.see(2)["code"]) == ("enter", "choose")
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "code-first"


def test_a_visit_that_continues_after_a_pause_is_closed() -> None:
    # CX-19: the agents may have left in the pause
    play = Play(phones=(1, 2)).wait(5.0)
    play.do(1, "choose-code", code="1234")
    play.do("operator", "pause")
    play.do("operator", "resume")
    assert (play.see(1)["code"], play.see(2)["code"]) == ("enter", "choose")
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "code-first"


# --- where a visit waits for its agent


def test_the_time_begins_when_all_of_them_are_there() -> None:  # CX-18, CX-20
    play = Play(starts="ready", phones=(1, 2)).wait(1_000.0)
    assert (play.public["awaited"], play.public["together"]) == (True, seats(1, 2))
    assert play.refused(1, "send", to="Bea", facts=["role"]) == "ready-first"
    before = play.public
    play.do(2, "ready")
    assert play.public == {**before, "there": seats(2)}
    assert play.refused(2, "ready") == "ready-already"
    play.do(1, "ready")
    assert (play.public["awaited"], play.public["timer"]["running"]) == (False, True)
    assert play.public["there"] == []
    sends(play, 2, 1).wait()
    assert (play.public["at_screen"], play.public["awaited"]) == ("agent-3", True)


def test_the_operator_does_not_wait_for_all_of_them() -> None:  # CX-18, CX-20
    play = Play(starts="ready", phones=(1, 2))
    play.do("operator", "ready")
    assert isinstance(play.happened[-1], events.TogetherStarted)
    assert play.public["awaited"] is False


def test_while_somebody_is_awaited_others_may_join_and_leave() -> None:  # CX-18, CX-20
    play = Play(starts="ready", phones=())
    play.wait(10.0).do(3, "pair")
    play.wait(10.0).do(2, "pair")
    play.do(2, "ready")
    play.do(6, "pair")
    assert (play.public["together"], play.public["awaited"]) == (seats(2, 3, 6), True)
    play.do("operator", "unpair", target="Cid")
    play.do(6, "ready")
    assert (play.public["together"], play.public["awaited"]) == (seats(2, 6), False)
    assert play.public["order"] == seats(1, 3, 4, 5)


def test_without_the_one_who_was_awaited_the_time_begins() -> None:  # CX-18, CX-20
    play = Play(starts="ready", phones=(1, 2, 3))
    play.do(1, "ready")
    play.do(2, "ready")
    play.do("operator", "unpair", target="Cid")
    assert (play.public["together"], play.public["awaited"]) == (seats(1, 2), False)


def test_what_those_on_their_phones_may_do_is_the_same_for_every_role() -> None:  # CX-18, CX-20
    found = []
    for roles in (("hacker", "profiler"), ("infiltrator", "informer"), ("inquisitor", "hacker")):
        play = Play(*roles, phones=ALL)
        mays = [games.may(play.state, seat) for seat in AGENTS]
        done(sends(play, *ALL), *ALL)
        found.append([*mays, *(games.may(play.state, seat) for seat in AGENTS)])
    assert found[0] == found[1] == found[2]
    assert found[0][-1] == ("ask", "extort", "attempt", "done", "choose-code", "pause")
