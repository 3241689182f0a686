"""Fingers at the table: what they do, what is refused, and how it looks (CN-6, CN-21)."""

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace
from virtual_table import ANSWERED, HOLD, SEEN_OUT, HeldDisk, VirtualTable, place

from pi_table.common.geometry import END_TURN, PLACES, leds_of
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.devices.hal.simulated import SimulatedTable, of_places
from pi_table.devices.lights.colours import AMBER, OFF
from pi_table.devices.lights.light import FRAME_SECONDS
from pi_table.games.announcer.announcement import TENSION
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import Identity
from pi_table.table.engine.touches.intents import LEFT_BEHIND_SECONDS, SETTLING_SECONDS

MakeTable = Callable[..., VirtualTable]


# --- a guess, from the finger to the light


def test_a_guess_is_felt_filled_stored_and_shown(table: VirtualTable) -> None:  # CN-6
    resting = table.light("A1")
    table.touch("A1")
    felt = table.light("A1")
    assert felt != resting
    table.advance(HOLD / 2)
    assert table.light("A1") not in (resting, felt)
    assert table.covered == {}
    table.advance(HOLD / 2)
    table.release("A1")
    table.advance(TENSION - 0.1)
    assert table.lit_as("A1") is None
    table.advance(ANSWERED - TENSION + 0.1)
    assert table.lit_as("A1") is Identity.RED
    assert table.covered == {"A1": "red"}
    assert table.stored() == 3
    assert table.public[-1][1].view == table.view


def test_a_touch_that_is_lifted_in_time_changes_nothing(table: VirtualTable) -> None:
    table.advance(SEEN_OUT)
    before = table.view, table.device.shown, table.stored()
    table.touch("A1")
    table.advance(HOLD - 0.001)
    table.release("A1")
    table.advance(5.0)
    assert (table.view, table.device.shown, table.stored()) == before


def test_a_finger_is_answered_at_once_though_the_disk_is_busy(slow: VirtualTable) -> None:
    slow.hold("A1")
    slow.advance(0.1)
    resting = slow.light("B1")
    slow.touch("B1")
    assert slow.light("B1") != resting


def test_a_frame_that_changes_nothing_shows_nothing(table: VirtualTable) -> None:
    shown, published = len(table.lights), len(table.public)
    for _ in range(10):
        table.table.on_touch_frame(TouchFrame())
    assert (len(table.lights), len(table.public)) == (shown, published)


# --- what is refused (CN-21)


def test_a_covered_cell_is_refused_at_once_and_nothing_changes(table: VirtualTable) -> None:
    # CN-21
    table.hold("A1")
    table.advance(TENSION)
    before = table.view, table.stored()
    table.touch("A1")
    assert table.light("A1") == AMBER
    table.advance(HOLD)
    table.release("A1")
    table.advance(2.0)
    assert table.lit_as("A1") is Identity.RED
    assert (table.view, table.stored()) == before


@pytest.mark.parametrize("name", ["B1", "E5", "end-turn", "hourglass"])
def test_between_turns_every_touch_is_refused(table: VirtualTable, name: str) -> None:  # CN-21
    table.hold("C4")  # a bystander: the turn ends
    assert (table.view.phase, table.view.turn) == (Phase.CLUE, Team.BLUE)
    table.advance(TENSION)
    before = table.view, table.stored()
    table.touch(name)
    assert table.flashes(name)
    table.release(name)
    table.advance(1.0)
    assert (table.view, table.stored()) == before


def test_a_touch_before_the_first_game_is_refused(make_table: MakeTable) -> None:  # CN-21
    table = make_table()
    table.touch("C3")
    assert table.flashes("C3")
    assert table.view is None


@pytest.mark.parametrize("mode", ["tap", "tap-twice"])
def test_a_refusal_is_shown_for_taps_too(make_table: MakeTable, mode: str) -> None:  # CN-21
    table = make_table(mode=mode)
    table.start()
    table.touch("C3")
    assert table.flashes("C3")
    assert table.stored() == 1


def test_a_refusal_is_over_when_the_place_is_touched_again(make_table: MakeTable) -> None:
    for mode in ("hold", "tap"):
        table = make_table(mode=mode)
        if table.view is None:
            table.start()
        else:
            table.do("stop", "red-operatives")
        team = table.view.turn.value
        name = {"red": "A1", "blue": "E2"}[team]
        table.touch(name)
        assert table.light(name) == AMBER
        table.release(name)
        table.clue(2, team)
        table.touch(name)
        assert table.light(name) != AMBER
        table.advance(HOLD)
        table.release(name)
        table.advance(ANSWERED)
        assert table.lit_as(name) is {"red": Identity.RED, "blue": Identity.BLUE}[team]
        table.switch_off()


def test_a_touch_whose_turn_to_be_decided_comes_late_is_refused_then(
    make_table: MakeTable,
) -> None:  # CN-20, CN-21
    table = make_table(mode="tap", make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("clue", "red-spymaster", number=2)
    table.let_go()
    table.asking("challenge", "blue-operatives")
    table.touch("A1")
    assert table.light("A1") != AMBER
    table.let_go()
    assert table.light("A1") == AMBER


def test_a_touch_in_a_pause_is_refused(table: VirtualTable) -> None:  # CN-21
    table.do("pause", "blue-spymaster")
    table.touch("A1")
    assert table.flashes("A1")
    assert table.covered == {}


def test_a_touch_after_the_end_is_refused(table: VirtualTable) -> None:  # CN-21
    table.hold("E5")
    assert table.view.phase is Phase.OVER
    table.advance(TENSION)
    before = table.view
    table.touch("A1")
    assert table.flashes("A1")
    table.release("A1")
    assert table.view == before


def test_while_a_penalty_is_awaited_every_touch_is_refused_alike(table: VirtualTable) -> None:
    # ALL-1, CN-18
    table.do("challenge", "blue-operatives")
    table.do("uphold", "blue-spymaster")
    assert table.view.phase is Phase.PENALTY
    table.advance(SEEN_OUT)
    films = []
    for name in ("A1", "E2", "C4", "E5"):  # red's, blue's, a bystander, the assassin
        begun, seen = table.now, len(table.lights)
        table.touch(name)
        table.advance(HOLD)
        table.release(name)
        table.advance(2.0)
        films.append(
            [
                (round(at - begun, 6), [frame[led] for led in leds_of(place(name))])
                for at, frame in table.lights[seen:]
            ]
        )
    assert films[0]
    assert all(film == films[0] for film in films)


def test_a_refused_cover_shows_nothing_in_public(table: VirtualTable) -> None:  # ALL-1
    table.do("challenge", "blue-operatives")
    table.do("uphold", "blue-spymaster")
    table.advance(SEEN_OUT)
    before = len(table.public), len(table.lights), table.stored()
    for name in ("A1", "C4", "E5"):
        assert table.ask("cover", "blue-spymaster", cell=name).reason == "not-own-agent"
    table.advance(5.0)
    assert (len(table.public), len(table.lights), table.stored()) == before


def test_a_palm_is_shown_and_means_nothing(table: VirtualTable) -> None:
    table.touch("A1", "B1", "A2")
    assert table.light("A1") == table.light("B1") == table.light("A2") == AMBER
    table.release("A1", "A2")
    table.advance(2.0)
    assert table.light("B1") == AMBER
    assert table.covered == {}
    table.release("B1")
    settling = table.light("B1")
    assert settling != AMBER
    table.advance(SETTLING_SECONDS)
    assert table.light("B1") not in (settling, AMBER)
    table.hold("B1")
    assert table.covered == {"B1": "red"}


def test_a_cup_that_stands_there_when_the_table_starts_is_no_guess(
    table: VirtualTable, make_table: MakeTable
) -> None:
    table.switch_off()
    device = SimulatedTable()
    device.touch(0)
    again = make_table(device=device)
    again.advance(10.0)
    assert again.covered == {}
    again.release()
    again.hold("A1")
    assert again.covered == {"A1": "red"}


def test_a_cell_that_fails_while_it_is_held_is_no_guess_when_it_works_again(
    table: VirtualTable,
) -> None:
    table.touch("A1")
    table.advance(HOLD / 2)
    table.device.fail(0)
    table.advance(1.0)
    assert "A1" in table.message.faults[0]
    table.device.mend()
    table.advance(5.0)
    assert table.covered == {}
    assert table.message.faults == ()


def test_deaf_places_are_told_to_the_console_and_not_to_the_public(table: VirtualTable) -> None:
    published, told = len(table.public), table.told
    table.device.fail(0, END_TURN)
    assert (len(table.public), table.told) == (published, told + 1)
    assert table.message.faults == (
        "These places cannot feel a finger at the moment: A1, end-turn.",
    )
    assert not table.public[-1][1].out_of_order
    assert table.ask("look").told.faults == table.message.faults


def test_places_that_are_deaf_for_a_moment_are_no_fault(table: VirtualTable) -> None:
    table.feel(felt(deaf=frozenset({0, 1}), deaf_briefly=True))
    assert table.message.faults == ()
    table.feel(felt(deaf=frozenset({0, 1})))
    assert len(table.message.faults) == 1


# --- what others do while a finger is down


def test_a_challenge_withdraws_a_hold_in_progress(table: VirtualTable) -> None:  # CN-20
    table.touch("A1")
    table.advance(HOLD * 0.9)
    table.do("challenge", "blue-spymaster")
    assert table.flashes("A1")
    table.advance(5.0)
    assert table.covered == {}
    table.do("allow", "blue-spymaster")
    table.advance(5.0)
    assert table.covered == {}  # the finger is still down, and spent
    table.release("A1")
    table.hold("A1")
    assert table.covered == {"A1": "red"}


def test_a_challenge_that_is_stored_slowly_withdraws_a_hold_that_began_meanwhile(
    slow: VirtualTable,
) -> None:  # CN-20
    slow.asking("challenge", "blue-spymaster")
    slow.touch("A1")
    slow.advance(HOLD * 0.9)
    slow.let_go()
    slow.advance(5.0)
    assert slow.covered == {}
    assert slow.view.phase is Phase.CHALLENGE


def test_a_hold_is_not_judged_before_the_guess_that_is_being_stored(slow: VirtualTable) -> None:
    # CN-21
    slow.touch("end-turn")
    assert slow.flashes("end-turn")  # no turn ends without a guess
    slow.release("end-turn")
    slow.advance(5.0)
    slow.hold("A1")
    slow.touch("end-turn")
    slow.advance(HOLD / 2)
    assert slow.light("end-turn") != AMBER
    slow.let_go()
    slow.advance(HOLD)
    slow.let_go()
    assert slow.view.turn is Team.BLUE


def test_a_guess_that_was_meant_before_a_challenge_comes_before_it(slow: VirtualTable) -> None:
    slow.hold("A1")
    answers = slow.asking("challenge", "blue-spymaster")
    slow.let_go()
    assert slow.covered == {"A1": "red"}
    assert answers[0].reason == "challenge-too-late"


def test_a_hold_for_one_team_is_no_guess_of_the_other(table: VirtualTable) -> None:
    table.hold("A1")
    table.touch("B1")
    table.advance(HOLD / 4)
    table.do("stop", "red-operatives")
    table.clue(1, "blue")
    table.advance(5.0)
    assert table.covered == {"A1": "red"}
    assert table.view.turn is Team.BLUE


# --- the pads (CN-26)


def test_the_pad_ends_the_turn_when_it_is_held(table: VirtualTable) -> None:  # CN-13, CN-26
    table.hold("A1")
    table.touch("end-turn")
    table.advance(HOLD * 0.9)
    assert table.view.turn is Team.RED
    table.advance(HOLD * 0.1)
    assert table.view.turn is Team.BLUE


def test_the_pad_is_refused_before_the_first_guess(table: VirtualTable) -> None:  # CN-12, CN-26
    table.touch("end-turn")
    assert table.flashes("end-turn")
    assert table.view.turn is Team.RED


def test_the_hourglass_is_turned_by_its_pad(make_table: MakeTable) -> None:  # CN-24, CN-26
    table = make_table()
    table.start(timer="hourglass", hourglass_seconds=30)
    table.touch("hourglass")
    table.advance(HOLD / 2)
    assert not table.view.timer
    table.advance(HOLD / 2)
    assert (table.view.timer.left, table.view.timer.running) == (30.0, True)


# --- what hands, cups and drinks do


def felt(*names: str, **more: object) -> TouchFrame:
    return TouchFrame(frozenset(map(place, names)), **more)  # type: ignore[arg-type]


def perhaps(*names: str) -> frozenset[int]:
    return frozenset(map(place, names))


def test_a_suspected_finger_is_lit_and_nothing_else_comes_of_it(table: VirtualTable) -> None:
    table.advance(SEEN_OUT)
    dark, stored, told = table.device.shown, table.stored(), (len(table.public), table.told)
    table.feel(felt(perhaps=perhaps("B1")))
    lit = table.light("B1")
    assert table.device.shown != dark
    table.advance(2 * HOLD)
    assert table.light("B1") == lit
    table.feel(felt())
    assert table.device.shown == dark
    assert (table.stored(), (len(table.public), table.told)) == (stored, told)
    table.feel(felt("B1"))
    assert table.light("B1") > lit


@pytest.mark.parametrize(
    "frame",
    [
        TouchFrame(perhaps=perhaps("B1", "C1")),
        TouchFrame(blocked=True, perhaps=perhaps("B1")),
        TouchFrame(perhaps("A1"), heavy=perhaps("A1"), perhaps=perhaps("B1")),
    ],
)
def test_beside_anything_else_no_suspicion_is_shown(table: VirtualTable, frame: TouchFrame) -> None:
    table.advance(SEEN_OUT)
    table.feel(replace(frame, perhaps=frozenset()))
    before = table.light("B1")
    table.feel(frame)
    assert table.light("B1") == before


def test_something_heavy_is_shown_and_means_nothing(table: VirtualTable) -> None:
    table.feel(felt("A1"))
    table.advance(HOLD * 0.9)
    table.feel(felt("A1", heavy=frozenset({0})))
    assert table.light("A1") == AMBER
    table.advance(HOLD)
    assert table.covered == {}
    table.feel(felt())
    table.advance(SETTLING_SECONDS)
    table.hold("A1")
    assert table.covered == {"A1": "red"}


def test_a_grid_that_is_blocked_asks_to_be_wiped_and_means_nothing(table: VirtualTable) -> None:
    table.advance(SEEN_OUT)
    before = table.device.shown
    table.feel(felt("A1"))
    table.advance(HOLD * 0.9)
    table.feel(felt("A1", "B1", blocked=True))
    seen = len(table.lights)
    table.advance(3.0)
    bars = {of_places(frame)[10:15] for _, frame in table.lights[seen:]}
    assert len(bars) == 5
    assert table.covered == {}
    table.feel(felt())
    table.advance(SETTLING_SECONDS)
    assert table.device.shown == before
    table.hold("A1")
    assert table.covered == {"A1": "red"}


def test_others_play_on_beside_what_was_left_behind(table: VirtualTable) -> None:
    table.hold("A1")
    table.feel(felt("C4", heavy=frozenset({place("C4")})))
    table.feel(felt("C4"))
    table.advance(LEFT_BEHIND_SECONDS)
    table.feel(felt("B1", "C4"))
    table.advance(HOLD)
    assert table.covered == {"A1": "red", "B1": "red"}
    table.feel(felt())
    table.advance(5.0)
    assert table.covered == {"A1": "red", "B1": "red"}


def test_a_cell_that_is_deaf_is_dark(table: VirtualTable) -> None:
    table.hold("A1")
    table.advance(SEEN_OUT)
    lit = table.light("B1")
    table.device.fail(0, 1)
    assert table.light("B1") == OFF != lit
    table.advance(SETTLING_SECONDS)
    assert (table.lit_as("A1"), table.light("B1")) == (Identity.RED, OFF)
    table.device.mend()
    table.advance(SETTLING_SECONDS)
    assert table.light("B1") == lit


def test_a_grid_that_feels_nothing_at_all_is_out_of_order(table: VirtualTable) -> None:
    table.advance(SEEN_OUT)
    lit = table.device.shown
    table.device.fail(*range(len(PLACES)))
    assert table.public[-1][1].out_of_order
    assert table.light("A1") == table.light("C3") != table.light("B1") == OFF
    table.device.mend()
    assert not table.public[-1][1].out_of_order
    table.advance(SEEN_OUT)
    assert table.device.shown == lit


def test_what_ails_the_device_is_told_to_the_console_and_not_to_the_public(
    table: VirtualTable,
) -> None:
    ails = "The touch chip at 0x5B does not answer. Check its wires."
    published, told, shown = len(table.public), table.told, table.device.shown
    table.feel(felt(trouble=ails))
    table.feel(felt(trouble=ails))
    assert (len(table.public), table.told) == (published, told + 1)
    assert table.message.faults == (ails,)
    assert table.ask("look").told.faults == (ails,)
    assert not table.public[-1][1].out_of_order
    assert table.device.shown == shown
    table.feel(felt())
    assert table.message.faults == ()


def test_no_frame_by_itself_is_stored(table: VirtualTable) -> None:
    """Whatever is felt: only a place that is meant can reach the journal, and time must pass."""
    chance = Random(7)
    before = table.stored()
    for _ in range(2_000):
        touched, deaf = (
            {n for n in range(len(PLACES)) if chance.random() < share}
            for share in (chance.choice((0.0, 0.04, 0.3)), chance.choice((0.0, 0.1)))
        )
        heavy = frozenset(n for n in touched - deaf if chance.random() < 0.2)
        frame = TouchFrame(
            frozenset(touched - deaf),
            frozenset(deaf),
            heavy,
            chance.random() < 0.1,
            perhaps=frozenset({chance.randrange(len(PLACES))} - touched - deaf),
        )
        table.feel(frame)
        table.advance(chance.choice((0.0, 0.01, 0.1, 0.19)))
    assert table.stored() == before


@pytest.mark.parametrize("second", ["B1", "end-turn"])
def test_a_finger_that_comes_before_the_answer_is_answered_after_it(
    table: VirtualTable, second: str
) -> None:  # ALL-1, CN-21
    """Lit or refused at once, it would tell whether the turn goes on."""
    table.advance(SEEN_OUT)
    table.hold("C4")  # a bystander: the turn ends
    table.advance(0.3)
    before = table.light(second)
    table.touch(second)
    table.advance(0.2)
    assert table.light(second) == before
    assert table.public[-1][1].said[-1].what == "refused"
    assert 0.0 < table.public[-1][1].said[-1].after < TENSION - 0.3
    table.release(second)
    table.advance(table.public[-1][1].said[-1].after - 0.2 + FRAME_SECONDS)
    assert table.flashes(second)
