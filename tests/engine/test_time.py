"""Clocks and hourglasses at the table (CN-24), and time across a power cut."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from virtual_table import HOLD, SEEN_OUT, HeldDisk, VirtualTable

from pi_table.devices.lights.colours import AMBER
from pi_table.devices.lights.light import FRAME_SECONDS
from pi_table.games.announcer.announcement import ECHO, TENSION, What
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.table.engine.state.game_in_play import NOTE_SECONDS
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS

MakeTable = Callable[..., VirtualTable]
CLOCK = {"timer": "clock", "clue_seconds": 120, "guess_seconds": 90, "clock_end": "end-turn"}


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table where the clock ends turns, in its first turn's guessing (red's)."""
    table = make_table()
    table.start(**CLOCK)
    table.clue(2)
    return table


def left(table: VirtualTable) -> float:
    timer = table.view.timer
    assert timer is not None
    assert isinstance(timer.left, float)
    return timer.left


def test_the_clock_ends_a_turn_by_itself_and_everybody_is_shown(table: VirtualTable) -> None:
    # CN-24
    table.advance(89.999)
    assert table.view.turn is Team.RED
    published = len(table.public)
    table.advance(0.002)
    assert (table.view.phase, table.view.turn) == (Phase.CLUE, Team.BLUE)
    assert len(table.public) == published + 1
    assert left(table) == pytest.approx(120, abs=0.01)


def test_several_turns_end_one_after_another_each_at_its_own_time(table: VirtualTable) -> None:
    # CN-24
    begun = table.now
    ends = []
    turn = table.view.turn
    for _ in range(40):
        table.advance(10.0)
        if table.view.turn is not turn:
            turn = table.view.turn
            ends.append(120.0 - left(table) - (table.now - begun))
    assert [round(-at, 3) for at in ends] == [90.0, 210.0, 330.0]


def test_turns_that_ended_while_nobody_looked_are_made_up_for(table: VirtualTable) -> None:
    # CN-24
    table.now += 90 + 120 + 5  # a machine that was suspended
    table.table.on_timer()
    assert (table.view.phase, table.view.turn) == (Phase.CLUE, Team.RED)
    assert left(table) == pytest.approx(115)


def test_a_hold_begun_in_time_counts(table: VirtualTable) -> None:  # CN-24
    table.advance(90 - HOLD / 2)
    table.touch("A1")
    table.advance(HOLD * 0.75)  # the clock has run down, the hold has not
    assert table.view.turn is Team.RED
    table.advance(HOLD * 0.3)
    assert table.covered == {"A1": "red"}
    assert table.view.turn is Team.BLUE  # the time is up all the same


def test_a_hold_begun_in_time_and_lifted_lets_the_turn_end(table: VirtualTable) -> None:  # CN-24
    table.advance(90 - HOLD / 2)
    table.touch("A1")
    table.advance(HOLD * 0.75)
    table.release("A1")
    assert table.covered == {}
    assert table.view.turn is Team.BLUE


def test_a_hold_begun_too_late_does_not_count(table: VirtualTable) -> None:  # CN-24
    table.advance(90.0)
    table.touch("A1")
    table.advance(5.0)
    assert table.covered == {}


def test_somebody_at_the_console_does_not_end_the_turn_under_a_finger(table: VirtualTable) -> None:
    # CN-24
    table.advance(90 - HOLD / 2)
    table.touch("A1")
    table.advance(HOLD * 0.75)
    assert table.ask("look").told.public.turn is Team.RED
    table.advance(HOLD * 0.3)
    assert table.covered == {"A1": "red"}


@pytest.fixture
def slow(make_table: MakeTable) -> VirtualTable:
    """The same, with a disk that takes its time."""
    table = make_table(make_workers=HeldDisk)
    table.asking("start", profile="codenames", options=CLOCK)
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    return table


def test_what_was_asked_for_in_time_is_in_time_though_the_disk_was_slow(
    slow: VirtualTable,
) -> None:  # CN-24
    slow.advance(89.9)
    slow.asking("pause", "blue-operatives")
    slow.asking("resume", "blue-operatives")
    slow.hold("A1")
    slow.advance(0.3)
    for _ in range(3):
        slow.let_go()
    assert slow.covered == {"A1": "red"}


def test_a_hold_begun_in_time_counts_though_the_disk_is_still_busy_with_the_one_before(
    slow: VirtualTable,
) -> None:  # CN-24
    slow.advance(89.0)
    slow.hold("A1")
    slow.advance(0.4)
    slow.hold("B1")
    slow.advance(0.3)
    slow.let_go()
    slow.let_go()
    assert slow.covered == {"A1": "red", "B1": "red"}


@pytest.mark.parametrize(("cell", "rest"), [("A1", ["guesses", "hurry"]), ("E2", ["turn"])])
def test_what_time_brings_about_waits_for_the_answer_of_a_guess(
    make_table: MakeTable, cell: str, rest: list[str]
) -> None:
    """Otherwise it would tell before that whether the turn goes on."""
    table = make_table()
    table.start(timer="clock", clue_seconds=60, guess_seconds=60)
    table.clue(2)
    table.advance(50.0 - HOLD - 0.3)
    table.hold(cell)
    guessed = table.now - MOVEMENT_SECONDS
    table.advance(2.0)
    told: dict[int, tuple[str, float]] = {}
    for at, message in table.public:
        for said in message.said:
            told.setdefault(said.number, (said.what, at + said.after - guessed))
    *_, (what, answered) = (each for each in told.values() if each[0] not in rest)
    assert (what, answered) == ("right" if cell == "A1" else "wrong", pytest.approx(TENSION))
    assert [what for what, _ in [*told.values()][-len(rest) :]] == rest
    for _, after in [*told.values()][-len(rest) :]:
        assert after == pytest.approx(TENSION + ECHO, abs=FRAME_SECONDS)


@pytest.mark.parametrize(
    "fields",
    [
        {"act": "closing", "seat": "operator", "minutes": 5},
        {"act": "clue", "seat": "blue-spymaster", "number": 2},
    ],
)
def test_what_is_asked_for_during_the_drum_is_announced_after_the_answer(
    make_table: MakeTable, tmp_path: Path, fields: dict[str, Any]
) -> None:
    """Otherwise its lights would disturb the suspense, or tell that the turn has ended."""
    shown = []
    for is_asked in (False, True):
        table = make_table(tmp_path / f"{is_asked}" / "journal.sqlite")
        table.start()
        table.clue(2)
        table.hold("C4")  # a bystander
        guessed = table.now - MOVEMENT_SECONDS
        table.advance(0.5)
        if is_asked and fields["seat"] == "operator":
            table.table.on_house_order(fields, lambda verdict: None)
        elif is_asked:
            table.do(**fields)
        told, now = table.message.said[-1], table.now
        table.advance(TENSION)
        shown.append([each for each in table.lights if each[0] < guessed + TENSION])
    assert told.what == fields["act"]
    assert now + told.after == pytest.approx(guessed + TENSION + ECHO, abs=FRAME_SECONDS)
    assert shown[0] == shown[1]


def test_a_clue_is_announced_before_its_challenge(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(2)
    table.hold("C4")  # a bystander
    due = {}
    for seat, act, fields in (
        ("blue-spymaster", "clue", {"number": 2}),
        ("red-operatives", "challenge", {}),
    ):
        table.advance(0.3)
        table.do(act, seat, **fields)
        due[act] = table.now + table.message.said[-1].after
    assert due["challenge"] >= due["clue"]


def test_the_explanation_of_the_next_turn_waits_for_the_answer_and_its_turn(
    table: VirtualTable,
) -> None:
    """Otherwise it would tell before the answer that the turn ends."""
    table.do("abandon")
    table.start(explain=True)
    table.clue(2)
    table.hold("A1")
    table.advance(0.5)
    table.do("stop", "red-operatives")
    after = {said.what: said.after for _, message in table.public for said in message.said}
    assert after["explain"] >= after["turn"] > 0


@pytest.mark.parametrize(
    ("clock_end", "told"),
    [
        ("end-turn", ["Time is running out.", "The time is up; it is Blue’s turn."]),
        (
            "urge",
            [
                "Time is running out.",
                "The time is up.",
                "A1 is one of Red’s.",
                "2 guesses left.",
                "The team ends its turn; it is Blue’s turn.",
            ],
        ),
    ],
)
def test_the_time_is_said_to_have_ended_a_turn_where_it_did(
    make_table: MakeTable, clock_end: str, told: list[str]
) -> None:  # CN-24
    table = make_table()
    table.start(timer="clock", clue_seconds=60, guess_seconds=60, clock_end=clock_end)
    table.clue(2)
    table.advance(65.0)
    if clock_end == "urge":
        table.hold("A1")
        table.hold("end-turn")
    said = [each for each in table.message.said if each.spoken]
    assert [each.words["en"] for each in said][2:] == told


def test_an_hourglass_that_has_run_down_urges_and_nothing_else(make_table: MakeTable) -> None:
    # CN-24
    table = make_table()
    table.start(timer="hourglass", hourglass_seconds=30)
    table.clue(2)
    table.do("hourglass", "blue-operatives")
    resting = table.light("hourglass")
    stored = table.stored()
    table.advance(19.99)
    published = len(table.public)
    table.advance(10.0)
    assert not table.view.timer.urging
    assert table.public[-1][1].said[-1].what == What.HURRY.value  # once, ten seconds before
    assert len(table.public) == published + 1
    table.advance(0.02)
    assert table.view.timer.urging
    assert table.public[-1][1].said[-1].what == What.TIME_UP.value
    assert len(table.public) == published + 2
    table.advance(SEEN_OUT)
    assert table.light("hourglass") == AMBER != resting
    table.advance(60.0)
    assert (table.view.phase, table.view.turn, table.stored()) == (Phase.GUESS, Team.RED, stored)
    assert len(table.public) == published + 2
    table.hold("A1")
    assert table.covered == {"A1": "red"}


@pytest.mark.parametrize("seed", range(12))
def test_time_runs_out_at_the_named_instant_whatever_the_clocks_read(
    make_table: MakeTable, seed: int
) -> None:  # CN-24
    """Whatever rounding does: `advance` fails where the table wants the same instant again."""
    random = Random(seed)
    table = make_table(now=random.uniform(0, 10.0 ** random.randrange(8)))
    table.start(timer="clock", clock_end="end-turn" if seed % 2 else "urge", guess_seconds=11)
    table.advance(random.uniform(0.0, 3.0))
    table.clue(2)
    table.advance(10.999)
    assert table.view.turn is Team.RED
    assert not table.view.timer.urging
    table.advance(0.002)
    assert (table.view.turn is Team.BLUE) is (seed % 2 == 1)
    told = table.public[-1][1].view
    assert told is not None
    assert told.timer is not None
    assert told.timer.urging is (seed % 2 == 0)
    ticks = table.ticks
    table.advance(0.0)
    assert table.ticks == ticks


def test_everybody_is_told_that_time_has_run_out_whatever_rounding_does(
    make_table: MakeTable,
) -> None:  # CN-24
    def rounded_up(begun: float) -> bool:
        """True if some of the eleven seconds is left at the sum of the two."""
        return 11.0 - ((begun + 11.0) - begun) > 0.0

    random = Random(1)
    begun = next(at for _ in range(10**6) if rounded_up(at := random.uniform(0.0, 5000.0)))
    table = make_table(now=0.0)
    table.start(timer="hourglass", hourglass_seconds=11)
    table.advance(begun)
    table.do("hourglass", "blue-operatives")
    table.advance(11.001)
    told = table.public[-1][1].view
    assert told is not None
    assert told.timer is not None
    assert told.timer.urging
    assert table.light("hourglass") == AMBER


def test_time_stands_still_in_a_challenge_and_a_pause(table: VirtualTable) -> None:  # CN-24
    table.advance(10.0)
    table.do("challenge", "blue-operatives")
    table.advance(1000.0)
    assert left(table) == pytest.approx(80)
    table.do("allow", "blue-spymaster")
    table.do("pause", "blue-operatives")
    table.advance(1000.0)
    table.do("resume", "red-operatives")
    table.advance(1.0)
    assert left(table) == pytest.approx(79)


# --- after a power cut


def test_a_game_goes_on_exactly_where_it_stood(make_table: MakeTable) -> None:  # ALL-2
    table = make_table(cards="dealt")
    table.start(timer="hourglass", zero=True)
    table.clue(2, word="river")
    table.do("challenge", "blue-operatives")
    table.do("allow", "blue-spymaster")
    table.hold("A1")
    table.hold("C4")
    table.do("correct")
    table.advance(SEEN_OUT)
    before = table.view, table.message, table.light("B1"), table.lit_as("A1")
    key = table.key
    table.switch_off()
    again = make_table(now=5.0)
    assert (again.view, again.key, again.message.may, again.message.settings) == (
        before[0],
        key,
        before[1].may,
        before[1].settings,
    )
    again.advance(SEEN_OUT)
    assert (again.light("B1"), again.lit_as("A1")) == before[2:]
    again.hold("B1")
    assert again.covered == {"A1": "red", "B1": "red"}


@pytest.mark.parametrize("played", [0.0, 3.0, 7.5, 33.3, 89.0])
def test_a_countdown_goes_on_within_fifteen_seconds_of_where_it_stood(
    table: VirtualTable, make_table: MakeTable, played: float
) -> None:  # CN-24
    table.advance(played)
    stood = left(table)
    table.switch_off()  # nothing is stored or noted any more: the plug is out
    again = make_table(now=77777.7)
    assert stood <= left(again) <= stood + NOTE_SECONDS
    again.advance(left(again) + 0.001)
    assert again.view.turn is Team.BLUE


def test_time_stands_still_while_the_power_is_off(
    table: VirtualTable, make_table: MakeTable
) -> None:  # CN-24
    table.advance(30.0)
    readings = []
    for boot in range(5):
        table.switch_off()
        table = make_table(now=1e5 * boot)
        readings.append(left(table))
    assert readings == pytest.approx([readings[0]] * 5)
    assert table.view.turn is Team.RED


def test_an_hourglass_that_had_run_down_still_urges_after_a_power_cut(
    make_table: MakeTable,
) -> None:  # CN-24
    table = make_table()
    table.start(timer="hourglass", hourglass_seconds=30)
    table.do("hourglass", "blue-operatives")
    table.advance(31.0)
    table.switch_off()
    again = make_table(now=3.0)
    assert again.view.timer.urging
    assert again.light("hourglass") == AMBER


def test_a_turn_whose_time_ran_out_at_the_power_cut_ends_once(
    table: VirtualTable, make_table: MakeTable
) -> None:  # CN-24
    table.advance(90.001)
    stored = table.stored()
    table.switch_off()
    again = make_table()
    again.advance(1.0)
    assert (again.view.turn, again.stored()) == (Team.BLUE, stored)


def test_a_table_at_rest_rests(make_table: MakeTable, path: Path) -> None:
    table = make_table()
    table.start()
    table.clue(2)
    table.advance(SEEN_OUT)
    ticks = table.ticks
    table.advance(3600.0)
    assert table.ticks == ticks
    assert table.table.wakes is None


def test_a_countdown_is_noted_every_fifteen_seconds_and_no_more_when_it_is_over(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start(timer="clock", clue_seconds=60, clock_end="urge")
    noted = set()
    for _ in range(599):
        table.advance(0.1)
        noted.add(table.game.noted)
    assert len(noted) == 4
    assert not table.view.timer.urging
    table.advance(1.0)
    assert table.view.timer.urging
    assert table.game.note_due is None
