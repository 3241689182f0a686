"""CN-24: the hourglass and the clock, as tables of {time, what is done, what the timer shows}."""

from typing import Any

import pytest
from hypothesis import given
from walks import Walk, walks

from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import settle, step
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.board import Board, Phase, State
from pi_table.games.rules.word_games.events import Dealt, Ended, TurnEnded
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import Key
from pi_table.games.rules.word_games.views import public_view

KEY = Key.read("rbnrbbrrnbnrabrrnbnrbnrbn")

CLUE = (Seat.RED_SPYMASTER, acts.GiveClue(2))
RIGHT = (Seat.RED_OPERATIVES, acts.Guess(0))
LAST = (Seat.RED_OPERATIVES, acts.Guess(6))
BYSTANDER = (Seat.RED_OPERATIVES, acts.Guess(2))
ASSASSIN = (Seat.RED_OPERATIVES, acts.Guess(12))
STOP = (Seat.RED_OPERATIVES, acts.Stop())
CHALLENGE = (Seat.BLUE_OPERATIVES, acts.Challenge())
ALLOW = (Seat.BLUE_SPYMASTER, acts.Allow())
UPHOLD = (Seat.BLUE_SPYMASTER, acts.Uphold())
COVER = (Seat.BLUE_SPYMASTER, acts.Cover(1))
DECLINE = (Seat.BLUE_SPYMASTER, acts.Decline())
TURN = (Seat.BLUE_OPERATIVES, acts.TurnHourglass())
PAUSE = (Seat.RED_OPERATIVES, acts.Pause())
RESUME = (Seat.BLUE_SPYMASTER, acts.Resume())
TAKE_BACK = (Seat.OPERATOR, acts.Correct())
MEND = (Seat.OPERATOR, acts.Correct(3))
NEW_KEY = (Seat.OPERATOR, acts.NewKey(KEY))
ABANDON = (Seat.OPERATOR, acts.Abandon())
COVER_ABSENT = (Seat.RED_SPYMASTER, acts.Cover(1))
COVER_ABSENT_TOO = (Seat.RED_SPYMASTER, acts.Cover(4))
LAY = (Seat.RED_OPERATIVES, acts.Place(0))
LOOK = None

URGE: dict[str, Any] = {"timer": "clock", "clue_seconds": 60, "guess_seconds": 90}
END_TURN = URGE | {"clock_end": "end-turn"}
HOURGLASS: dict[str, Any] = {"timer": "hourglass", "hourglass_seconds": 30}

TABLES: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "no timer": (
        {},
        [(0, LOOK, "red clue"), (5, CLUE, "red guess"), (9999, RIGHT, "red guess")],
    ),
    "a clock that urges": (
        URGE,
        [
            (0, LOOK, "red clue 60"),
            (59.5, LOOK, "red clue 0.5"),
            (60, LOOK, "red clue 0 urging"),
            (600, LOOK, "red clue 0 urging"),
            (700, CLUE, "red guess 90"),
            (730, RIGHT, "red guess 60"),
            (790, LOOK, "red guess 0 urging"),
            (800, STOP, "blue clue 60"),
        ],
    ),
    "a clock that ends turns": (
        END_TURN,
        [
            (10, CLUE, "red guess 90"),
            (99.75, LOOK, "red guess 0.25"),
            (100, LOOK, "blue clue 60"),
            (160, LOOK, "red clue 60"),
            (161, LOOK, "red clue 59"),
        ],
    ),
    "several turns at once": (
        END_TURN,
        [
            (10, CLUE, "red guess 90"),
            (100 + 60 * 1000 + 45, LOOK, "blue clue 15"),  # 1,001 turns have ended
            (100 + 60 * 1001, LOOK, "red clue 60"),
        ],
    ),
    "a challenge that is allowed": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (40, CHALLENGE, "red challenge 50 standing"),
            (4000, LOOK, "red challenge 50 standing"),
            (4000, ALLOW, "red guess 50"),
            (4050, LOOK, "blue clue 60"),
        ],
    ),
    "a challenge that is upheld, a cover": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (40, CHALLENGE, "red challenge 50 standing"),
            (50, UPHOLD, "blue penalty"),
            (5000, LOOK, "blue penalty"),
            (5001, COVER, "blue clue 60"),
            (5061, LOOK, "red clue 60"),
        ],
    ),
    "a penalty declined": (
        URGE,
        [
            (0, CLUE, "red guess 90"),
            (80, CHALLENGE, "red challenge 10 standing"),
            (300, UPHOLD, "blue penalty"),
            (400, DECLINE, "blue clue 60"),
        ],
    ),
    "a challenge where no penalty is played": (
        URGE | {"penalty": False},
        [
            (0, CLUE, "red guess 90"),
            (80, CHALLENGE, "red challenge 10 standing"),
            (300, UPHOLD, "blue clue 60"),
        ],
    ),
    "a pause": (
        END_TURN,
        [
            (20, PAUSE, "red clue 40 standing"),
            (9000, LOOK, "red clue 40 standing"),
            (9000, RESUME, "red clue 40"),
            (9040, LOOK, "blue clue 60"),
        ],
    ),
    "a pause in a challenge": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (30, CHALLENGE, "red challenge 60 standing"),
            (40, PAUSE, "red challenge 60 standing"),
            (50, RESUME, "red challenge 60 standing"),
            (500, ALLOW, "red guess 60"),
        ],
    ),
    "a pause in a penalty": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (30, CHALLENGE, "red challenge 60 standing"),
            (31, UPHOLD, "blue penalty"),
            (32, PAUSE, "blue penalty"),
            (9000, RESUME, "blue penalty"),
            (9001, DECLINE, "blue clue 60"),
        ],
    ),
    "a guess taken back after the turn": (
        URGE,
        [
            (0, CLUE, "red guess 90"),
            (10, RIGHT, "red guess 80"),
            (30, BYSTANDER, "blue clue 60"),
            (55, TAKE_BACK, "red guess 60"),
            (65, LOOK, "red guess 50"),
            (66, TAKE_BACK, "red guess 80"),  # as it stood at the first guess
        ],
    ),
    "a guess taken back after the end": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (85, ASSASSIN, "over"),
            (7000, LOOK, "over"),
            (7000, TAKE_BACK, "red guess 5"),
            (7005, LOOK, "blue clue 60"),
        ],
    ),
    "a guess taken back after the clock ended the turn": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (70, RIGHT, "red guess 20"),
            (200, LOOK, "red clue 10"),
            (205, TAKE_BACK, "red guess 20"),
        ],
    ),
    "a guess taken back in a pause": (
        END_TURN,
        [
            (0, CLUE, "red guess 90"),
            (60, RIGHT, "red guess 30"),
            (61, PAUSE, "red guess 29 standing"),
            (70, TAKE_BACK, "red guess 30 standing"),
            (7000, LOOK, "red guess 30 standing"),
            (7000, RESUME, "red guess 30"),
        ],
    ),
    "a number mended": (
        URGE,
        [
            (0, CLUE, "red guess 90"),
            (10, MEND, "red guess 80"),
            (20, CHALLENGE, "red challenge 70 standing"),
            (30, MEND, "red challenge 70 standing"),
        ],
    ),
    "a new key": (
        URGE,
        [
            (50, NEW_KEY, "red clue 60"),
            (80, PAUSE, "red clue 30 standing"),
            (90, NEW_KEY, "red clue 60 standing"),
            (95, RESUME, "red clue 60"),
        ],
    ),
    "an hourglass": (
        HOURGLASS,
        [
            (0, LOOK, "red clue"),
            (10, TURN, "red clue 30"),
            (25, TURN, "red clue 30"),  # over and over again
            (55, LOOK, "red clue 0 urging"),
            (9000, LOOK, "red clue 0 urging"),
            (9001, CLUE, "red guess"),
            (9002, TURN, "red guess 30"),
            (9012, RIGHT, "red guess 20"),
            (9013, PAUSE, "red guess 19 standing"),
            (9020, RESUME, "red guess 19"),
            (9021, BYSTANDER, "blue clue"),
            (9022, TAKE_BACK, "red guess 18"),
        ],
    ),
    "an hourglass in a challenge": (
        HOURGLASS,
        [
            (0, CLUE, "red guess"),
            (1, CHALLENGE, "red challenge"),
            (2, ALLOW, "red guess"),
            (3, TURN, "red guess 30"),
        ],
    ),
    "a group's cover": (  # NC-4
        END_TURN | {"players": "cooperative"},
        [
            (10, CLUE, "red guess 90"),
            (40, BYSTANDER, "red cover"),
            (5000, LOOK, "red cover"),
            (5001, PAUSE, "red cover"),
            (5002, RESUME, "red cover"),
            (5010, COVER_ABSENT, "red clue 60"),
            (5070, LOOK, "red cover"),
            (9000, COVER_ABSENT_TOO, "red clue 60"),
            (9030, CLUE, "red guess 90"),
            (9120, LOOK, "red cover"),
        ],
    ),
    "a group's guess taken back after the cover": (
        URGE | {"players": "cooperative"},
        [
            (0, CLUE, "red guess 90"),
            (10, BYSTANDER, "red cover"),
            (500, TAKE_BACK, "red guess 80"),
            (510, BYSTANDER, "red cover"),
            (600, COVER_ABSENT, "red clue 60"),
            (610, TAKE_BACK, "red guess 70"),
        ],
    ),
    "cards laid out": (  # DU-2
        END_TURN | {"dealing": "shared"},
        [
            (1000, LAY, "blue place"),
            (2000, TAKE_BACK, "red place"),
            (3000, PAUSE, "red place"),
            (4000, RESUME, "red place"),
        ],
    ),
    "the end": (
        URGE,
        [(10, PAUSE, "red clue 50 standing"), (20, ABANDON, "over")],
    ),
}


def dealt(options: dict[str, Any], at: float = 0.0) -> State:
    return evolve(None, Dealt(at, "codenames", Settings(**options), None, KEY))


def shown(board: Board, now: float) -> str:
    view = public_view(board, now)
    words = [view.turn.value] if view.turn else []
    words.append(view.phase.value)
    if view.timer:
        words.append(f"{view.timer.left:g}")
        words += ["standing"] * (not view.timer.running) + ["urging"] * view.timer.urging
    assert (view.timer is not None and view.timer.urging) == board.urging(now)
    return " ".join(words)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("pace", ["in leaps", "every second", "much later, in another game"])
def test_time_goes_by_as_the_table_says(name: str, pace: str) -> None:  # CN-24
    options, rows = TABLES[name]
    zero = 1024.0 if pace.startswith("much later") else 0.0
    state = dealt(options, zero)
    before = zero
    for at, done, expected in rows:
        now = zero + at
        if pace == "every second" and now - before < 1000:
            for second in range(int(before), int(now) + 1):
                state, _ = settle(state, float(second))
        state, _ = settle(state, now)
        if done is not None:
            seat, act = done
            state, _ = step(state, seat, act, now)
        assert shown(state.board, now) == expected, f"at {at}"
        before = now


def test_each_turn_ends_at_the_instant_at_which_its_time_ran_out() -> None:
    # CN-24: however late somebody looks
    state, lapsed = settle(dealt(END_TURN), 250.0)
    assert [event.at for event in lapsed] == [60.0, 120.0, 180.0, 240.0]
    assert shown(state.board, 250.0) == "red clue 50"


def test_a_guess_that_was_begun_in_time_counts_and_the_turn_ends_with_it() -> None:
    # CN-24: the table lets time run to the beginning of a touch, and then judges the touch
    state, _ = step(dealt(END_TURN), *CLUE, 0.0)
    state, lapsed = settle(state, 89.75)
    assert not lapsed
    state, _ = step(state, *RIGHT, 90.25)
    assert shown(state.board, 90.25) == "red guess 0 urging"
    state, lapsed = settle(state, 90.25)
    assert [event.at for event in lapsed] == [90.25]
    assert shown(state.board, 90.25) == "blue clue 60"
    state, _ = step(state, *TAKE_BACK, 91.0)
    assert shown(state.board, 91.0) == "red guess 0 urging"


@pytest.mark.parametrize(
    ("countdown", "now", "left", "ends"),
    [
        (Countdown(60.0, 10.0), 10.0, 60.0, 70.0),
        (Countdown(60.0, 10.0), 30.5, 39.5, 70.0),
        (Countdown(60.0, 10.0), 70.0, 0.0, 70.0),
        (Countdown(60.0, 10.0), 999.0, 0.0, 70.0),  # never below nothing
        (Countdown(60.0, None), 999.0, 60.0, None),
        (Countdown(0.0, None), 999.0, 0.0, None),
    ],
)
def test_a_countdown_counts_down(
    countdown: Countdown, now: float, left: float, ends: float | None
) -> None:  # CN-24
    assert countdown.remaining(now) == left
    assert countdown.ends == ends
    assert countdown.stop(now) == Countdown(left, None)
    assert countdown.start(now) == Countdown(left, now)


@given(walks())
def test_looking_often_changes_nothing(walk: Walk) -> None:
    # CN-24: time in small steps, and time in leaps, lead to the same game
    for walked in walk.steps:
        state = walked.before
        lapsed: tuple[Event, ...] = ()
        for quarter in range(5):
            now = walked.now - walked.waited * (4 - quarter) / 4
            state, more = settle(state, now)
            lapsed += more
        assert (state, lapsed) == (walked.settled, walked.lapsed)


@given(walks())
def test_time_alone_ends_only_turns_that_a_clock_may_end(walk: Walk) -> None:  # CN-24
    settings = walk.dealt.settings
    ends_turns = settings.timer == "clock" and settings.clock_end == "end-turn"
    for walked in walk.steps:
        if walked.lapsed:
            assert ends_turns
            assert walked.before.board.phase in (Phase.CLUE, Phase.GUESS)
            assert not walked.before.board.paused


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ([BYSTANDER], Ended.GUESS),
        ([(Seat.RED_OPERATIVES, acts.Guess(1))], Ended.GUESS),
        ([RIGHT, (Seat.RED_OPERATIVES, acts.Guess(3)), LAST], Ended.LAST_GUESS),
        ([RIGHT, STOP], Ended.STOPPED),
        ([CHALLENGE, UPHOLD], Ended.INVALID_CLUE),
        ([LOOK], Ended.CLOCK),
    ],
)
def test_the_end_of_a_turn_says_why(done: list[Any], why: Ended) -> None:  # CN-11, CN-12, CN-24
    state = evolve(None, Dealt(0.0, "codenames", Settings(**END_TURN), None, KEY))
    happened: tuple[Event, ...] = ()
    for each in [CLUE, *done]:
        if each is LOOK:
            state, happened = settle(state, 100.0)
        else:
            seat, act = each
            state, happened = step(state, seat, act, 1.0)
    (ended,) = (event for event in happened if isinstance(event, TurnEnded))
    assert (ended.then, ended.why) == (Team.BLUE, why)
