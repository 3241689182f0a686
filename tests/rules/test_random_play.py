"""What holds in every game, whatever is done in it and in whatever order."""

from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as run
from msgspec.structs import replace
from walks import KINDS, Choice, Walk, Walked, in_another_world, made, walks

from pi_table.geometry import CELL_COUNT
from pi_table.rules import acts, events
from pi_table.rules.board import Board, Phase, State, Why
from pi_table.rules.decide import decide
from pi_table.rules.evolve import evolve, replay
from pi_table.rules.game import settle, step
from pi_table.rules.key import Identity, Key, Team
from pi_table.rules.phases import ON_TIME, ROWS, may
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, Seat
from pi_table.rules.views import view

PLAY_GOES_ON = {"clue", "guess", "allow", "uphold", "cover", "decline", "resume"}


@given(walks())
def test_what_is_covered_and_what_is_left_make_up_the_key(walk: Walk) -> None:
    # CN-2, CN-6, CN-22
    for state in walk.states:
        board, key = state.board, state.key
        letters = Counter(key.letters)
        assert sorted(letters.values()) == [1, 7, 8, 9]
        covered = Counter(identity.letter for identity in board.covered if identity)
        for team in Team:
            assert board.agents_left(team) + covered[team.letter] == letters[team.letter]
        for cell, identity in enumerate(board.covered):
            assert identity in (None, key.identity(cell))


@given(walks())
def test_an_act_that_is_refused_changes_nothing(walk: Walk) -> None:
    # ALL-3: a refusal is no event
    for walked in walk.steps:
        if walked.refused is not None:
            before = msgspec.json.encode(walked.settled)
            with pytest.raises(Refused) as refusal:
                step(walked.settled, walked.seat, walked.act, walked.now)
            assert refusal.value.reason is walked.refused
            assert msgspec.json.encode(walked.settled) == before


@given(walks())
def test_a_game_is_over_or_somebody_can_go_on_with_it(walk: Walk) -> None:
    # CN-5, CN-20
    for state in walk.states:
        playing = [seat for seat in Seat if seat.role is not Role.OPERATOR]
        can = {name for seat in playing for name in may(state.board, seat)}
        assert bool(can & PLAY_GOES_ON) == (state.board.phase is not Phase.OVER)


@run(max_examples=40)
@given(walks(length=40))
def test_a_seat_may_do_just_what_the_rules_then_accept(walk: Walk) -> None:
    # ALL-1: what may be done is asked of the board alone, so it tells nothing of the key
    for state in walk.states:
        for seat in Seat:
            accepted = {name for name in KINDS if _is_accepted(state, seat, name)}
            assert set(may(state.board, seat)) == accepted


def _is_accepted(state: State, seat: Seat, name: str) -> bool:
    """Is any act of this name accepted?"""
    candidates: list[acts.Act]
    match name:
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
    stored = [events.encode(event) for event in walk.events]
    assert replay(events.decode(body) for body in stored) == walk.states[-1]


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
    # CN-10, CN-15
    for state in walk.states:
        board, key = state.board, state.key
        outcome = board.outcome
        assert (outcome is None) == (board.phase is not Phase.OVER)
        done = [team for team in Team if board.agents_left(team) == 0]
        assassin = board.covered[key.letters.index("a")] is Identity.ASSASSIN
        if outcome is None or outcome.why is Why.STOPPED:
            assert not done
            assert not assassin
        elif outcome.why is Why.AGENTS:
            assert [outcome.winner] == done
            assert outcome.losers == (outcome.winner.other,)
            assert not assassin
        else:
            assert assassin
            assert outcome.winner is not None
            assert outcome.losers == (outcome.winner.other,) == (board.turn,)


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
    # ALL-3
    guessed: list[Board] = []
    for walked in walk.steps:
        for event in walked.happened:
            if isinstance(event, events.ClueGiven):
                guessed = []
            elif isinstance(event, events.Guessed):
                guessed.append(walked.settled.board)
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
def test_what_was_shown_stays_known(walk: Walk) -> None:
    # ALL-3
    seen: dict[int, Identity] = {}
    for state in walk.states:
        board = state.board
        for cell, identity in enumerate(board.covered):
            if identity is not None:
                seen[cell] = identity
        known = {cell: board.covered[cell] or board.shown[cell] for cell in seen}
        assert known == seen


@given(walks())
def test_a_board_holds_no_key_before_it_is_made_public(walk: Walk) -> None:
    # ALL-1, ALL-5
    for state in walk.states:
        found = [*_keys_in(state.board)]
        assert found == ([] if state.board.open_key is None else [state.key])
        for seat in (Seat.RED_OPERATIVES, Seat.BLUE_OPERATIVES, Seat.OPERATOR):
            sees = msgspec.json.encode(view(state, seat, 0.0)).decode()
            assert (state.key.letters in sees) == bool(found)


def _keys_in(value: object) -> list[Key]:
    if isinstance(value, Key):
        return [value]
    if isinstance(value, msgspec.Struct):
        return [key for name in value.__struct_fields__ for key in _keys_in(getattr(value, name))]
    if isinstance(value, tuple):
        return [key for part in value for key in _keys_in(part)]
    return []


@given(walks())
def test_two_worlds_look_the_same_to_all_but_the_spymasters(walk: Walk) -> None:
    # ALL-1: the same acts, under a key that differs only where nothing was ever shown
    known = {
        cell
        for state in walk.states
        for cell, identity in enumerate(state.board.covered)
        if identity is not None
    }
    dealt = walk.dealt
    there = evolve(None, replace(dealt, key=in_another_world(dealt.key.letters, known)))
    for walked in walk.steps:
        if isinstance(walked.act, acts.Reveal) and walked.refused is None:
            break  # now all may see which world it is
        there, lapsed = settle(there, walked.now)
        assert lapsed == walked.lapsed
        there, happened, refused = _done_there(there, walked, known)
        assert refused is walked.refused
        if not isinstance(walked.act, acts.NewKey):
            assert happened == walked.happened
        assert there.board == walked.after.board
        for seat in (Seat.RED_OPERATIVES, Seat.BLUE_OPERATIVES, Seat.OPERATOR):
            assert view(there, seat, walked.now) == view(walked.after, seat, walked.now)


def _done_there(
    state: State, walked: Walked, known: set[int]
) -> tuple[State, tuple[events.Event, ...], Reason | None]:
    act = walked.act
    if isinstance(act, acts.NewKey):
        act = acts.NewKey(in_another_world(act.key.letters, known))
    if isinstance(act, acts.Cover) and walked.refused is not None:
        return state, (), walked.refused  # it is told to that spymaster alone
    try:
        return *step(state, walked.seat, act, walked.now), None
    except Refused as refusal:
        return state, (), refusal.reason
