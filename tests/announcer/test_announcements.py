"""Announcements during games: their order, their times, and whose turn they name."""

from itertools import pairwise
from typing import Any

import pytest
from codex_walks import walk
from msgspec.structs import replace

from pi_table.common.language import translate
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer import codex
from pi_table.games.announcer.announcement import ECHO, TENSION, Announcement, What
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.board import Phase, Place
from pi_table.games.rules.codex.views import CodexView, VoteView, public_view
from pi_table.games.rules.seat import AGENTS, Seat

KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"


class Announced:
    """A word game, and what was announced of its latest act."""

    def __init__(self, **game: Any) -> None:
        self.state: Any = games.evolve(None, games.read_opening({"key": KEY, **game}, Chance()))
        self.said: tuple[Announcement, ...] = ()

    def do(self, seat: str, act: str, **more: Any) -> list[tuple[What, float]]:
        before = Standing(view=games.public_view(self.state.board, 0.0), game=1)
        read = games.read_act({"act": act, **more}, self.state, Chance())
        self.state, _ = games.step(self.state, Seat(seat), read, 0.0)
        view = games.public_view(self.state.board, 0.0)
        self.said = announce(before, Standing(view=view, game=1))
        return [(each.what, round(each.after, 3)) for each in self.said]


def challenged() -> Announced:
    """A game in which blue upheld its challenge, and may cover a cell."""
    game = Announced(profile="codenames", options={"penalty": True})
    game.do("red-spymaster", "clue", number=1)
    game.do("blue-operatives", "challenge")
    game.do("blue-spymaster", "uphold")
    return game


def test_whoever_may_cover_a_cell_and_does_not_is_told_that_it_is_their_turn() -> None:
    game = challenged()
    assert game.do("blue-spymaster", "decline") == [(What.TURN, 0.0)]
    assert translate(game.said[0].words, "en") == "It is Blue’s turn."


def test_after_a_penalty_it_is_said_whose_turn_it_is() -> None:
    assert challenged().do("blue-spymaster", "cover", cell="E2") == [
        (What.COVERED, 0.0),
        (What.TURN, ECHO),
    ]


def test_a_group_is_told_of_each_clue_that_is_awaited() -> None:  # NC-4
    game = Announced(profile="nome-in-codice", options={"players": "cooperative"})
    game.do("red-spymaster", "clue", number=1)
    assert game.do("red-operatives", "guess", cell="C4") == [
        (What.REVEALING, 0.0),
        (What.BYSTANDER, TENSION),
        (What.COVER, TENSION + ECHO),
    ]
    assert game.do("red-spymaster", "cover", cell="E2") == [
        (What.COVERED, 0.0),
        (What.TURN, ECHO),
    ]


def test_of_what_follows_a_guess_nothing_takes_the_light_from_the_last_one_left() -> None:
    game = Announced(profile="codenames")
    game.do("red-spymaster", "clue", number="unlimited")
    for cell in ("A1", "B1", "C1", "D1", "E1", "A2", "B2"):
        game.do("red-operatives", "guess", cell=cell)
    told = game.do("red-operatives", "guess", cell="C2")
    assert told == [
        (What.REVEALING, 0.0),
        (What.RIGHT, TENSION),
        (What.LAST_ONE, TENSION + ECHO),
    ]
    game.do("red-operatives", "stop")
    game.do("blue-spymaster", "clue", number="unlimited")
    for cell in ("E2", "A3", "B3", "C3", "D3", "E3"):
        game.do("blue-operatives", "guess", cell=cell)
    game.do("blue-operatives", "stop")
    game.do("red-spymaster", "clue", number=1)
    told = game.do("red-operatives", "guess", cell="A4")
    assert told[2:] == [(What.LAST_ONE, TENSION + ECHO), (What.TURN, TENSION + ECHO + ECHO)]
    assert SCENES[What.LAST_ONE].seconds <= ECHO


def steps_of_codex(seed: str) -> list[list[Announcement]]:
    told = []
    for step in walk(seed, length=250).steps:
        before, after = (games.public_view(it.board, step.now) for it in (step.settled, step.after))
        assert isinstance(before, CodexView)
        assert isinstance(after, CodexView)
        told.append([*codex.announce(before, after)])
    return told


@pytest.mark.parametrize("seed", ["r1", "r2", "r4"])
def test_what_the_truth_machine_told_has_its_time_before_anything_else_is_said(seed: str) -> None:
    facts = [said for said in steps_of_codex(seed) if any(it.what is What.FACT for it in said)]
    assert facts
    for said in facts:
        assert [it.what for it in said] == [What.FACT, What.PHASE, What.CALLED]
        for one, next_one in pairwise(said):
            assert next_one.after >= one.after + SCENES[one.what].seconds


def test_what_the_table_asks_or_lacks_is_said_once_for_as_long_as_it_lasts() -> None:
    for lasting in ("asks", "blocked", "out_of_order", "peeking"):
        old = replace(Standing(), **{lasting: True})
        first = {each.what for each in announce(Standing(), old)}
        again = {each.what for each in announce(old, replace(old, hourglass=True))}
        assert first, lasting
        assert not again, lasting


def test_the_machine_is_announced_where_the_choice_is_made() -> None:  # CX-9, CX-20
    steps = walk("announced/1").steps
    views = (public_view(step.settled.board, step.now) for step in steps)
    view = next(view for view in views if view.at_screen is not None)
    before = replace(view, phase=Phase.VOTE, place=None)
    for place, ending in ((Place.PHONES, "machine, on the phone."), (Place.SCREEN, "machine.")):
        at_machine = replace(view, phase=Phase.MACHINE, phones=AGENTS, place=place)
        (said,) = codex.announce(before, at_machine)
        assert translate(said.words, "en").endswith(f"the truth {ending}")


def test_the_last_vote_is_announced_even_if_nobody_goes_to_the_machine() -> None:  # CX-7, CX-9
    step = walk("announced/1").steps[0]
    view = public_view(step.settled.board, step.now)
    votes = tuple(VoteView(seat, AGENTS[0 if seat is not AGENTS[0] else 1]) for seat in AGENTS)
    before = replace(view, phase=Phase.VOTE, at_screen=None, turn=AGENTS[5], votes=votes[:5])
    after = replace(view, phase=Phase.SEND, number=view.number + 1, last_votes=votes)
    first, second, *_ = codex.announce(before, after)
    name, target = after.agents[5].nickname, after.agents[0].nickname
    assert (first.what, translate(first.words, "en")) == (What.VOTED, f"{name} votes for {target}.")
    assert second.what is What.NOBODY
    assert What.VOTED not in [said.what for said in codex.announce(after, after)]
