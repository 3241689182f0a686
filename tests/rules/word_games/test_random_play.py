"""Properties of every game, for any acts in any order."""

from collections import Counter
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as run
from msgspec.structs import replace
from walks import KINDS, Choice, Walk, Walked, in_another_world, made, placing, walks

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules import games
from pi_table.games.rules.events import AbandonTakenBack, Event, GameEnded
from pi_table.games.rules.games import replay, settle, step
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import Board, Phase, State
from pi_table.games.rules.word_games.decide import decide
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import CLASSIC, Identity, Key
from pi_table.games.rules.word_games.phases import ON_TIME, ROWS, may
from pi_table.games.rules.word_games.views import public_view, view

LETTERS_OF_A_KEY = f'"{Key.__struct_fields__[0]}":'
"""Beginning of every written key."""
PLAY_GOES_ON = {"place", "clue", "guess", "allow", "uphold", "cover", "decline", "resume"}


@given(walks())
def test_what_is_covered_and_what_is_left_make_up_the_key(walk: Walk) -> None:
    # CN-2, CN-6, CN-22, AL-1, AL-4
    for state in walk.states:
        board, key = state.board, state.key
        hunted = board.layout.quarry(board.starts)
        if key is None:
            assert (board.agents_left(hunted), board.agents_left(hunted.other)) == (9, 8)
            assert not board.covered
            continue
        letters = Counter(key.letters)
        classic = board.layout is CLASSIC
        assert sorted(letters.values()) == ([1, 7, 8, 9] if classic else [1, 1, 6, 8, 9])
        assert letters[hunted.letter] == 9
        covered = Counter(identity.letter for identity in board.covered.values())
        for team in Team:
            assert board.agents_left(team) + covered[team.letter] == letters[team.letter]
        for cell, identity in board.covered.items():
            assert identity is key.identity(cell)


@given(walks())
def test_an_act_that_is_refused_changes_nothing(walk: Walk) -> None:  # ALL-3: a refusal is no event
    for walked in walk.steps:
        if walked.refused is not None:
            before = msgspec.json.encode(walked.settled)
            with pytest.raises(Refused) as refusal:
                step(walked.settled, walked.seat, walked.act, walked.now)
            assert refusal.value.reason is walked.refused
            assert msgspec.json.encode(walked.settled) == before


@given(walks())
def test_a_game_is_over_or_somebody_can_go_on_with_it(walk: Walk) -> None:
    # CN-5, CN-20, NC-4, DU-2
    for state in walk.states:
        playing = [seat for seat in games.seats(state.board) if seat.role is not Role.OPERATOR]
        can = {name for seat in playing for name in may(state.board, seat)}
        assert bool(can & PLAY_GOES_ON) == (state.board.phase is not Phase.OVER)


@given(walks(length=40))
def test_a_seat_may_do_just_what_the_rules_then_accept(walk: Walk) -> None:
    # ALL-1: what may be done is asked of the board alone, so it tells nothing of the key
    for state in walk.states:
        for seat in games.seats(state.board):
            accepted = {name for name in KINDS if _is_accepted(state, seat, name)}
            assert set(may(state.board, seat)) == accepted


def _is_accepted(state: State, seat: Seat, name: str) -> bool:
    """True if any act of this name is accepted."""
    candidates: list[acts.Act]
    match name:
        case "place":
            candidates = [placing(state, cell, None, 0) for cell in range(CELL_COUNT)]
        case "clue":
            candidates = [acts.GiveClue(1)]
        case "guess":
            candidates = [acts.Guess(cell) for cell in range(CELL_COUNT)]
        case "cover":
            candidates = [acts.Cover(cell) for cell in range(CELL_COUNT)]
        case "correct":
            candidates = [acts.Correct(), acts.Correct(1)]
        case _:
            candidates = [made(state, name, Choice(False, 0, 0, 0.0))]
    for act in candidates:
        try:
            decide(state, seat, act, 0.0)
        except Refused:
            continue
        return True
    return False


@given(walks())
def test_the_journal_brings_back_the_same_game(walk: Walk) -> None:
    # replaying needs no chance and no clock
    stored = [games.encode(event) for event in walk.events]
    assert replay(games.decode(body) for body in stored) == walk.states[-1]


@given(walks())
def test_every_change_of_phase_stands_in_the_table(walk: Walk) -> None:
    for walked in walk.steps:
        before = walked.before
        for lapsed in walked.lapsed:
            after = evolve(before, lapsed)
            assert after.board.phase in ON_TIME[before.board.phase]
            before = after
        if walked.refused is None:
            leads = ROWS[type(walked.act)].leads[walked.settled.board.phase]
            assert walked.after.board.phase in leads


@given(walks())
def test_events_come_in_the_order_of_their_times(walk: Walk) -> None:
    assert all(one.at <= other.at for one, other in pairwise(walk.events))


@given(walks())
def test_the_outcome_follows_from_what_lies_covered(walk: Walk) -> None:
    # CN-10, CN-15, NC-5, NC-6, AL-8, AL-10, AL-11
    for state in walk.states:
        board = state.board
        outcome = board.outcome
        assert (outcome is None) == (board.phase is not Phase.OVER)
        done = [team for team in Team if board.agents_left(team) == 0]
        fatal = {Identity.ASSASSIN, Identity.NUKE} & {*board.covered.values()}
        if outcome is None or outcome.why is Why.STOPPED:
            assert not done
            assert not fatal
            continue
        assert len(done) + len(fatal) == 1
        group = board.starts if board.settings.players == "cooperative" else None
        found = done[0] if done else None
        expected: dict[Why, Any] = {
            Why.AGENTS: (found, (found.other,)) if found and not group else (group, ()),
            Why.ABSENT_TEAM: (None, (group,)),
            Why.ASSETS: (found.other, (found,)) if found else None,
            Why.ASSASSIN: (None if group else board.turn.other, (board.turn,)),
            Why.NUKE: (board.turn.other, (board.turn,)),
        }
        if fatal == {Identity.NUKE} and board.settings.nuke == "mad" and len(board.covered) > 13:
            expected[Why.NUKE] = (None, (Team.RED, Team.BLUE))
        assert (outcome.winner, outcome.losers) == expected[outcome.why]
        assert (outcome.why in (Why.ASSASSIN, Why.NUKE)) == bool(fatal)
        assert (outcome.why is Why.ABSENT_TEAM) == (group is not None and found is group.other)
        score = board.agents_left(group.other) if group and outcome.winner else None
        assert outcome.score == score
        assert score is None or 1 <= score <= 8


@given(walks())
def test_a_group_covers_a_cell_of_the_absent_team_after_each_turn_and_no_other_does(
    walk: Walk,
) -> None:  # NC-3, NC-4: whatever ended the turn
    group = walk.dealt.settings.players == "cooperative"
    seats = len(games.seats(walk.states[0].board))
    assert seats == (3 if group else 5)
    before = walk.states[0].board
    for state in walk.states[1:]:
        board = state.board
        assert (board.phase is Phase.COVER) <= group
        if group and board.laying is None:
            assert board.turn is board.starts
            covered = before.agents_left(board.turn.other) - board.agents_left(board.turn.other)
            if before.phase is Phase.COVER and board.phase is Phase.CLUE:
                assert covered == 1
            elif before.phase is Phase.GUESS and not board.corrections > before.corrections:
                assert board.phase is not Phase.CLUE
        before = board


@given(walks())
def test_the_teams_lay_the_cards_in_turn_until_the_grid_is_full(walk: Walk) -> None:
    # DU-2: by turns, from the team that starts; then there is a key, and that team starts
    for state in walk.states:
        board = state.board
        assert (board.laying is None) == (state.key is not None)
        if board.laying is None:
            continue
        assert board.phase in (Phase.PLACE, Phase.OVER)
        placed = board.laying.placed
        assert len({*placed}) == len(placed) < 25 - (board.layout is not CLASSIC)
        assert board.layout.without_card not in placed
        if board.phase is Phase.PLACE:
            others_turn = len(placed) % 2 and board.settings.players != "cooperative"
            assert board.turn is (board.starts.other if others_turn else board.starts)
        words = board.words or (None,) * CELL_COUNT
        assert {cell for cell, word in enumerate(words) if word is not None} <= {*placed}
    for walked in walk.steps:
        if any(isinstance(event, events.KeyDrawn) for event in walked.happened):
            assert walked.after.key is not None
            board = walked.after.board
            assert board.starts is walk.dealt.starts is walked.after.key.starts is board.turn
            assert walk.dealt.key in (None, walked.after.key)


@given(walks())
def test_the_nuke_is_armed_by_thirteen_others_and_shown_in_alias_24_alone(walk: Walk) -> None:
    # AL-11, AL-12
    mad = walk.dealt.settings.nuke == "mad"
    for board in (state.board for state in walk.states):
        nuke = public_view(board, 0.0).nuke
        if board.layout is CLASSIC:
            assert nuke is msgspec.UNSET
            continue
        assert nuke is not msgspec.UNSET
        harmed = [one for one in board.covered.values() if one is not Identity.NUKE]
        assert (nuke.mode, nuke.armed) == ("mad" if mad else "basic", mad and len(harmed) >= 13)


@given(walks())
def test_no_more_guesses_are_made_than_the_clue_allows(walk: Walk) -> None:
    # CN-11, CN-12, CN-16, CN-17
    for board in (state.board for state in walk.states):
        if board.phase is Phase.GUESS:
            assert board.clue is not None
            number = board.clue.number
            if isinstance(number, int) and number > 0:
                assert board.guesses <= number
                assert board.guesses_left == number + 1 - board.guesses
            else:
                assert board.guesses_left is None


@given(walks())
def test_a_correction_gives_back_the_board_as_it_was(walk: Walk) -> None:
    # ALL-3: the latest guess, and, while the cards are laid out, the latest card; and an abandon
    guessed: list[Board] = []
    abandoned: Board | None = None
    for walked in walk.steps:
        for event in walked.happened:
            if isinstance(event, events.ClueGiven | events.KeyDrawn):
                guessed = []
            elif isinstance(event, events.Guessed | events.Placed):
                guessed.append(walked.settled.board)
            elif isinstance(event, GameEnded):
                abandoned = walked.settled.board
            elif isinstance(event, AbandonTakenBack):
                assert abandoned is not None
                now = walked.after.board
                same_but = {"corrections": now.corrections, "countdown": now.countdown}
                assert now == replace(abandoned, **same_but)
            elif isinstance(event, events.CardTakenBack):
                same = ("phase", "turn", "words", "laying", "starts", "left", "outcome", "before")
                then, now = guessed.pop(), walked.after.board
                for field in same:
                    assert getattr(now, field) == getattr(then, field)
            elif isinstance(event, events.GuessTakenBack):
                then, now = guessed.pop(), walked.after.board
                same = ("phase", "turn", "left", "covered", "clue", "clues", "guesses", "starts")
                for field in (*same, "challenged", "outcome", "settings", "words"):
                    assert getattr(now, field) == getattr(then, field)
                if now.countdown and then.countdown:
                    at = walked.now
                    left = then.countdown.remaining(_time_of_guess(walk, then))
                    assert now.countdown.remaining(at) == left


def _time_of_guess(walk: Walk, before: Board) -> float:
    return next(
        walked.now
        for walked in reversed(walk.steps)
        if walked.settled.board is before and isinstance(walked.act, acts.Guess) and walked.happened
    )


@given(walks())
def test_what_was_shown_stays_known(walk: Walk) -> None:  # ALL-3
    seen: dict[int, Identity] = {}
    for state in walk.states:
        board = state.board
        seen.update(board.covered)
        assert {**board.shown, **board.covered} == seen


@run(max_examples=40)
@given(walks())
def test_a_board_holds_no_key_before_it_is_made_public(walk: Walk) -> None:  # ALL-1, ALL-5
    for state in walk.states:
        found = msgspec.json.encode(state.board).decode().count(LETTERS_OF_A_KEY)
        assert found == (state.board.open_key is not None)
        assert state.board.open_key in (None, state.key)
        key = state.key or state.kept
        for seat in games.seats(state.board):
            sees = msgspec.json.encode(view(state, seat, 0.0)).decode()
            spymaster = seat.role is Role.SPYMASTER and state.key is not None
            assert key is None or (key.letters in sees) == (spymaster or bool(found))


@given(walks())
def test_two_worlds_look_the_same_to_all_but_the_spymasters(walk: Walk) -> None:
    # ALL-1: the same acts, under a key that differs only where nothing was ever shown
    known = {cell for state in walk.states for cell in state.board.covered}
    dealt = walk.dealt
    key = dealt.key and in_another_world(dealt.key.letters, known)
    there = evolve(None, replace(dealt, key=key))
    for walked in walk.steps:
        if isinstance(walked.act, acts.Reveal) and walked.refused is None:
            break  # now all may see which world it is
        there, lapsed = settle(there, walked.now)
        assert lapsed == walked.lapsed
        there, happened, refused = _done_there(there, walked, known)
        assert refused is walked.refused
        if not isinstance(walked.act, acts.NewKey | acts.Place):
            assert happened == walked.happened
        assert there.board == walked.after.board
        for seat in games.seats(there.board):
            if seat.role is Role.SPYMASTER:
                continue
            assert view(there, seat, walked.now) == view(walked.after, seat, walked.now)


def _done_there(
    state: State, walked: Walked, known: set[int]
) -> tuple[State, tuple[Event, ...], Reason | None]:
    act = walked.act
    if isinstance(act, acts.NewKey):
        act = acts.NewKey(in_another_world(act.key.letters, known))
    elif isinstance(act, acts.Place) and act.key is not None:
        act = replace(act, key=in_another_world(act.key.letters, known))
    if isinstance(act, acts.Cover) and walked.refused is not None:
        return state, (), walked.refused  # it is told to that spymaster alone
    try:
        return *step(state, walked.seat, act, walked.now), None
    except Refused as refusal:
        return state, (), refusal.reason
