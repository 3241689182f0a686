"""The table with its hands, lights, console and journal, in virtual time."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from virtual_table import BLUE_KEY, HOLD, RED_KEY, HeldRecorder, VirtualTable

from pi_table.engine.lighting import AMBER, COVER, REFUSED_SECONDS
from pi_table.geometry import CELLS, END_TURN, PLACES
from pi_table.hal.contracts import TouchFrame
from pi_table.hal.simulated import SimulatedTable
from pi_table.rules import events
from pi_table.rules.board import Phase
from pi_table.rules.evolve import replay
from pi_table.rules.key import Identity, Team
from pi_table.rules.views import public_view
from pi_table.store.journal import Journal

RED, BLUE = COVER[Identity.RED], COVER[Identity.BLUE]
BYSTANDER = COVER[Identity.BYSTANDER]


MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table with a game, in its first turn's guessing (red's)."""
    table = make_table()
    table.start()
    table.clue(2)
    return table


@pytest.fixture
def slow(make_table: MakeTable) -> VirtualTable:
    """The same, with a disk that takes its time."""
    table = make_table(make_recorder=HeldRecorder)
    table.asking("start", profile="codenames")
    let_go(table)
    table.asking("clue", "red-spymaster", number=2)
    let_go(table)
    return table


def let_go(table: VirtualTable) -> None:
    assert isinstance(table.recorder, HeldRecorder)
    table.recorder.let_go(table.now)


def flashes(table: VirtualTable, name: str) -> bool:
    """Is this place being refused? It is amber, then dark, and goes on as before."""
    if table.light(name) != AMBER:
        return False
    table.advance(REFUSED_SECONDS * 0.3)
    dark = table.light(name) == 0
    table.advance(REFUSED_SECONDS)
    return dark and table.light(name) != AMBER


# --- a guess, from the finger to the light


def test_a_guess_is_felt_filled_stored_and_shown(table: VirtualTable) -> None:  # CN-6
    resting = table.light("A1")
    table.touch("A1")
    felt = table.light("A1")
    assert felt not in (resting, RED)
    table.advance(HOLD / 2)
    assert table.light("A1") not in (resting, felt, RED)
    assert table.covered == {}
    table.advance(HOLD / 2)
    assert table.light("A1") == RED
    assert table.covered == {"A1": "red"}
    assert table.stored() == 3
    assert table.public[-1][1].view == table.view


def test_a_touch_that_is_lifted_in_time_changes_nothing(table: VirtualTable) -> None:
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


def test_nothing_is_shown_before_it_is_stored(slow: VirtualTable) -> None:  # ALL-2
    published = len(slow.public)
    slow.touch("A1")
    slow.advance(HOLD)
    glow = slow.light("A1")
    slow.advance(3.0)
    assert slow.stored() == 2
    assert slow.covered == {}
    assert slow.light("A1") == glow != RED
    assert slow.message.public == slow.view
    assert len(slow.public) == published
    let_go(slow)
    assert slow.stored() == 3
    assert slow.covered == {"A1": "red"}
    assert slow.light("A1") == RED
    assert len(slow.public) == published + 1


def test_an_answer_is_not_given_before_its_act_is_stored(slow: VirtualTable) -> None:  # ALL-2
    answers = slow.asking("pause", "blue-operatives")
    slow.advance(3.0)
    assert answers == []
    assert not slow.view.paused
    let_go(slow)
    assert [verdict.ok for verdict in answers] == [True]
    assert slow.view.paused


def test_what_is_asked_for_while_storing_waits_its_turn(slow: VirtualTable) -> None:
    slow.hold("A1")
    answered: list[str] = []

    def ask(name: str, act: str, seat: str) -> None:
        do = {"act": act, "seat": seat}
        slow.table.ask(do, slow.now, lambda verdict, now: answered.append(f"{name} {verdict.ok}"))

    ask("one", "stop", "red-operatives")
    ask("two", "look", "operator")
    ask("three", "stop", "red-operatives")
    ask("four", "nonsense", "operator")
    assert answered == []
    let_go(slow)
    assert answered == []
    let_go(slow)
    assert answered == ["one True", "two True", "three False", "four False"]
    assert slow.covered == {"A1": "red"}
    assert slow.view.turn is Team.BLUE


def test_what_is_looked_at_after_an_act_was_asked_for_is_seen_after_it(slow: VirtualTable) -> None:
    slow.hold("A1")
    answers = slow.asking("look", "red-operatives")
    let_go(slow)
    (verdict,) = answers
    assert verdict.told.public.cells["A1"].covered is Identity.RED


def test_two_cells_can_be_touched_one_after_another_while_the_disk_is_busy(
    make_table: MakeTable,
) -> None:
    table = make_table(mode="tap", make_recorder=HeldRecorder)
    table.asking("start", profile="codenames")
    let_go(table)
    table.asking("clue", "red-spymaster", number=2)
    let_go(table)
    for name in ("A1", "B1"):
        table.touch(name)
        table.release(name)
    both = [table.light("A1"), table.light("B1")]
    let_go(table)
    assert table.light("A1") == RED
    assert table.light("B1") == both[1] != RED  # still being stored
    let_go(table)
    assert table.covered == {"A1": "red", "B1": "red"}


def state_on_disk(path: Path, now: float) -> object:
    journal = Journal.open_to_read(path)
    try:
        stored = journal.latest()
    finally:
        journal.close()
    state = stored and replay(events.decode(entry.body) for entry in stored.entries)
    return state and public_view(state.board, now)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_shown_at_any_time_is_what_is_stored(
    make_table: MakeTable, path: Path, seed: int
) -> None:  # ALL-2
    """Hands and spymasters at random, and a disk that takes as long as it likes."""
    random = Random(seed)
    table = make_table(make_recorder=HeldRecorder)
    assert isinstance(table.recorder, HeldRecorder)
    shown = 0

    def is_stored(now: float) -> None:
        nonlocal shown
        shown += 1
        at = table.session.time(now)
        assert table.table.public_message(now).view == state_on_disk(path, at)

    def lights_are_stored(frame: tuple[int, ...]) -> None:
        board = table.session.board
        assert board is not None or shown == 0
        on_disk = state_on_disk(path, table.session.time(table.now)) if board else None
        for place, colour in enumerate(frame[:25]):
            if colour in COVER.values():
                assert on_disk.cells[CELLS[place]].covered is not None  # type: ignore[attr-defined]

    table.table.publish = is_stored
    table.device.on_show = lights_are_stored
    table.asking("start", profile="codenames", options={"timer": "clock", "clock_end": "end-turn"})
    for _ in range(220):
        table.advance(random.choice([0.0, 0.01, 0.1, 0.45, 0.6, 7.0]))
        if table.recorder.busy and random.random() < 0.7:
            table.recorder.let_go(table.now)
        doable = [(seat, act) for seat, acts in table.message.may.items() for act in acts]
        match random.randrange(5):
            case 0:
                table.touch(random.choice(PLACES))
            case 1:
                table.release()
            case 2 if doable:
                seat, act = random.choice(doable)
                if act != "abandon" or random.random() < 0.1:
                    fields = {"number": random.randrange(1, 4), "cell": random.choice(CELLS)}
                    table.asking(act, seat, profile="codenames", **fields)
            case _:
                table.advance(HOLD)
                table.release()
    while table.recorder.busy:
        table.recorder.let_go(table.now)
    assert shown > 20
    assert table.stored() > 5


# --- what is refused (CN-21)


def test_a_covered_cell_is_refused_at_once_and_nothing_changes(table: VirtualTable) -> None:
    # CN-21
    table.hold("A1")
    before = table.view, table.stored()
    table.touch("A1")
    assert table.light("A1") == AMBER
    table.advance(HOLD)
    table.release("A1")
    table.advance(2.0)
    assert table.light("A1") == RED
    assert (table.view, table.stored()) == before


@pytest.mark.parametrize("name", ["B1", "E5", "end-turn", "hourglass"])
def test_between_turns_every_touch_is_refused(table: VirtualTable, name: str) -> None:  # CN-21
    table.hold("C4")  # a bystander: the turn ends
    assert (table.view.phase, table.view.turn) == (Phase.CLUE, Team.BLUE)
    before = table.view, table.stored()
    table.touch(name)
    assert flashes(table, name)
    table.release(name)
    table.advance(1.0)
    assert (table.view, table.stored()) == before


def test_a_touch_before_the_first_game_is_refused(make_table: MakeTable) -> None:  # CN-21
    table = make_table()
    table.touch("C3")
    assert flashes(table, "C3")
    assert table.view is None


@pytest.mark.parametrize("mode", ["tap", "tap-twice"])
def test_a_refusal_is_shown_for_taps_too(make_table: MakeTable, mode: str) -> None:  # CN-21
    table = make_table(mode=mode)  # type: ignore[arg-type]
    table.start()
    table.touch("C3")
    assert flashes(table, "C3")
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
        assert table.light(name) == (RED if team == "red" else BLUE)
        table.release(name)
        table.switch_off()


def test_a_touch_whose_turn_to_be_decided_comes_late_is_refused_then(
    make_table: MakeTable,
) -> None:  # CN-20, CN-21
    table = make_table(mode="tap", make_recorder=HeldRecorder)
    table.asking("start", profile="codenames")
    let_go(table)
    table.asking("clue", "red-spymaster", number=2)
    let_go(table)
    table.asking("challenge", "blue-operatives")
    table.touch("A1")
    assert table.light("A1") not in (AMBER, RED)
    let_go(table)
    assert table.light("A1") == AMBER


def test_a_touch_in_a_pause_is_refused(table: VirtualTable) -> None:  # CN-21
    table.do("pause", "blue-spymaster")
    table.touch("A1")
    assert flashes(table, "A1")
    assert table.covered == {}


def test_a_touch_after_the_end_is_refused(table: VirtualTable) -> None:  # CN-21
    table.hold("E5")
    assert table.view.phase is Phase.OVER
    before = table.view
    table.touch("A1")
    assert flashes(table, "A1")
    table.release("A1")
    assert table.view == before


def test_while_a_penalty_is_awaited_every_touch_is_refused_alike(table: VirtualTable) -> None:
    # ALL-1, CN-18
    table.do("challenge", "blue-operatives")
    table.do("uphold", "blue-spymaster")
    assert table.view.phase is Phase.PENALTY
    films = []
    for name in ("A1", "E2", "C4", "E5"):  # red's, blue's, a bystander, the assassin
        begun, seen = table.now, len(table.lights)
        table.touch(name)
        table.advance(HOLD)
        table.release(name)
        table.advance(2.0)
        films.append(
            [(round(at - begun, 6), frame[CELLS.index(name)]) for at, frame in table.lights[seen:]]
        )
    assert films[0]
    assert all(film == films[0] for film in films)


def test_a_refused_cover_shows_nothing_in_public(table: VirtualTable) -> None:  # ALL-1
    table.do("challenge", "blue-operatives")
    table.do("uphold", "blue-spymaster")
    before = len(table.public), len(table.lights), table.stored()
    for name in ("A1", "C4", "E5"):
        assert table.ask("cover", "blue-spymaster", cell=name).reason == "not-own-agent"
    table.advance(5.0)
    assert (len(table.public), len(table.lights), table.stored()) == before


def test_a_palm_is_shown_and_means_nothing(table: VirtualTable) -> None:
    table.touch("A1", "B1", "A2")
    assert table.light("A1") == table.light("B1") == table.light("A2") == AMBER
    table.release("A1", "A2")
    table.advance(5.0)
    assert table.light("B1") == AMBER
    assert table.covered == {}
    table.release("B1")
    assert table.light("B1") not in (AMBER, RED)
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
    published = len(table.public)
    table.device.fail(0, END_TURN)
    assert len(table.public) == published + 1  # the console hears of it
    assert table.message.faults == (
        "These places cannot feel a finger at the moment: A1, end-turn.",
    )
    assert not table.public[-1][1].out_of_order
    assert table.ask("look").told.faults == table.message.faults


# --- what others do while a finger is down


def test_a_challenge_withdraws_a_hold_in_progress(table: VirtualTable) -> None:  # CN-20
    table.touch("A1")
    table.advance(HOLD * 0.9)
    table.do("challenge", "blue-spymaster")
    assert flashes(table, "A1")
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
    let_go(slow)
    slow.advance(5.0)
    assert slow.covered == {}
    assert slow.view.phase is Phase.CHALLENGE


def test_a_guess_that_was_meant_before_a_challenge_comes_before_it(slow: VirtualTable) -> None:
    slow.hold("A1")
    answers = slow.asking("challenge", "blue-spymaster")
    let_go(slow)
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
    assert flashes(table, "end-turn")
    assert table.view.turn is Team.RED


def test_the_hourglass_is_turned_by_its_pad(make_table: MakeTable) -> None:  # CN-24, CN-26
    table = make_table()
    table.start(timer="hourglass", hourglass_seconds=30)
    table.touch("hourglass")
    table.advance(HOLD / 2)
    assert table.view.timer is None
    table.advance(HOLD / 2)
    assert (table.view.timer.left, table.view.timer.running) == (30.0, True)


# --- what the operator does


def test_the_next_game_is_one_act_with_another_key_and_fresh_words(
    make_table: MakeTable,
) -> None:  # CN-23
    table = make_table(cards="dealt", keys=[RED_KEY, BLUE_KEY])
    table.start(timer="hourglass", zero=True)
    first = table.view
    assert table.ask("next").reason == "game-in-progress"
    table.do("abandon")
    assert "next" in table.message.may["operator"]
    table.do("next")
    second = table.view
    assert second.starts is Team.BLUE
    assert table.message.key == BLUE_KEY.letters
    assert table.message.settings is not None
    assert (table.message.settings.timer, table.message.settings.zero) == ("hourglass", True)
    words = [{cell.word for cell in view.cells.values()} for view in (first, second)]
    assert len(words[0] | words[1]) == 50
    assert table.message.game == 2


def test_words_do_not_come_again_after_a_restart(make_table: MakeTable) -> None:  # CN-23
    seen: set[str | None] = set()
    for game in range(4):
        table = make_table(cards="dealt")
        if game:
            table.do("abandon")
        table.start()
        seen |= {cell.word for cell in table.view.cells.values()}
        table.switch_off()
    assert len(seen) == 100


def test_a_game_with_own_cards_goes_on_with_own_cards(make_table: MakeTable) -> None:  # CN-23
    table = make_table(cards="dealt")
    table.do("start", profile="codenames", cards="own")
    table.do("abandon")
    table.do("next")
    assert {cell.word for cell in table.view.cells.values()} == {None}


def test_a_game_that_is_being_played_is_not_replaced(table: VirtualTable) -> None:
    verdict = table.ask("start", profile="codenames")
    assert verdict.reason == "game-in-progress"
    assert table.message.game == 1


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        ({"act": "start", "seat": "red-spymaster", "profile": "codenames"}, "wrong-seat"),
        ({"act": "start", "seat": "operator", "profile": "codename"}, "unusable"),
        ({"act": "start", "seat": "operator"}, "unusable"),
        ({"act": "start", "seat": "operator", "profile": ["codenames"]}, "unusable"),
        ({"act": "start", "seat": "operator", "profile": "codenames", "cards": []}, "unusable"),
        (
            {"act": "start", "seat": "operator", "profile": "codenames", "options": {"x": 1}},
            "unusable",
        ),
        ({"act": "next", "seat": "operator"}, "no-game"),
        ({"act": "look", "seat": "operator"}, "no-game"),
        ({"act": "clues", "seat": "operator"}, "no-game"),
        ({"act": "pause", "seat": "operator"}, "no-game"),
        ({"act": "nonsense", "seat": "operator"}, "unknown-act"),
        ({"act": 5, "seat": "operator"}, "unknown-act"),
        ({}, "unknown-act"),
        ({"act": "look", "seat": "king"}, "unknown-seat"),
        ({"act": "look", "seat": None}, "unknown-seat"),
        ({"act": "record", "seat": "operator", "game": 1}, "unusable"),
        ({"act": "record", "seat": "operator", "game": 10**30}, "unusable"),
        ({"act": "record", "seat": "operator", "game": True}, "bad-number"),
        ({"act": "record", "seat": "operator", "game": "1"}, "bad-number"),
        ({"act": "try-again", "seat": "operator"}, "nothing-to-mend"),
        ({"act": "set-aside", "seat": "operator"}, "nothing-to-mend"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason_and_a_sentence(
    make_table: MakeTable, do: dict[str, object], reason: str
) -> None:
    table = make_table()
    answers: list[object] = []
    table.table.ask(do, table.now, lambda verdict, now: answers.append(verdict))
    (verdict,) = answers
    assert (verdict.ok, verdict.reason) == (False, reason)  # type: ignore[attr-defined]
    assert verdict.sentence.endswith((".", "?"))  # type: ignore[attr-defined]


def test_the_clues_are_told_to_whoever_asks(table: VirtualTable) -> None:  # CN-25
    table.hold("C4")
    table.clue(3, "blue", "river")
    told = table.ask("clues", "red-operatives").told
    assert [(clue.team, clue.word, clue.number) for clue in told] == [
        (Team.RED, None, 2),
        (Team.BLUE, "river", 3),
    ]


def test_each_seat_is_told_what_it_may_see(table: VirtualTable) -> None:  # ALL-1
    looks = {seat: table.ask("look", seat).told for seat in table.message.may}
    assert {seat for seat, seen in looks.items() if hasattr(seen, "key")} == {
        "red-spymaster",
        "blue-spymaster",
    }
    assert all(seen.public == table.view for seen in looks.values())


def test_a_correction_takes_the_light_back_too(table: VirtualTable) -> None:  # ALL-3
    resting = table.light("A1")
    table.hold("A1")
    table.do("correct")
    assert table.light("A1") == resting
    assert table.view.shown == {"A1": Identity.RED}


# --- the record (ALL-4)


def test_the_record_is_read_on_the_console(table: VirtualTable) -> None:  # ALL-4, ALL-5
    assert table.ask("record").told == []
    refused = table.ask("record", game=1)
    assert refused.reason == "unusable"
    table.hold("A1")
    table.hold("E5")
    (summary,) = table.ask("record").told
    assert summary.number == 1
    hidden = [line.text for line in table.ask("record", game=1).told.lines]
    assert any("still hidden" in text for text in hidden)
    assert not any(text.startswith("The key:") for text in hidden)
    table.do("reveal")
    opened = [line.text for line in table.ask("record", game=1).told.lines]
    assert "Red guesses A1: red." in opened
    assert opened[-5:] == [
        "The key: A1 to E1  r r r r r",
        "The key: A2 to E2  r r r r b",
        "The key: A3 to E3  b b b b b",
        "The key: A4 to E4  b b n n n",
        "The key: A5 to E5  n n n n a",
    ]


def test_the_key_of_an_earlier_game_stands_in_its_record(table: VirtualTable) -> None:  # ALL-4
    table.do("abandon")
    table.do("next")
    lines = [line.text for line in table.ask("record", game=1).told.lines]
    assert lines[-1].startswith("The key:")
    assert table.ask("record", game=2).reason == "unusable"


def test_a_frame_that_changes_nothing_shows_nothing(table: VirtualTable) -> None:
    shown, published = len(table.lights), len(table.public)
    for _ in range(10):
        table.table.frame(TouchFrame(), table.now)
    assert (len(table.lights), len(table.public)) == (shown, published)
