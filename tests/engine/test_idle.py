"""The idle table: it asks, sets a forgotten game aside, and invites players, in virtual time."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from virtual_table import VirtualTable

from pi_table.common.house_settings import House
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.idle import (
    ASK_SECONDS,
    END_SECONDS,
    Idle,
    OngoingGame,
    abandoned_at,
    advance_idle,
    awake,
    idle_at_start,
    next_change_at,
)
from pi_table.table.engine.presentation.light_player import FRAMES_PER_SECOND

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def make_table(make_table: MakeTable) -> MakeTable:
    """Tables of a house that does care whether anybody is there; in hours of lights that invite
    nobody here needs more than two frames a second."""
    return partial(make_table, house=HOUSE, frames_per_second=2)


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A table with a game, in its first turn's guessing (red's)."""
    table = make_table()
    table.start()
    table.clue(2)
    return table


HOUSE = House(idle_minutes=10, keep_minutes=30)
PLAYED = OngoingGame(paused=False)


def presence(table: VirtualTable) -> tuple[str, float | None]:
    """Return the public message about presence; the console gets the same."""
    public, message = table.table.public_message(), table.message
    assert (public.idle, public.idle_left) == (message.idle, message.idle_left)
    return public.idle.value, public.idle_left


# The value


@pytest.mark.parametrize(
    ("played", "house", "seconds", "expected"),
    [
        (PLAYED, HOUSE, 599.9, "playing"),
        (PLAYED, HOUSE, 600.0, "asked"),
        (PLAYED, HOUSE, 659.9, "asked"),
        (PLAYED, HOUSE, 660.0, "idle"),
        (PLAYED, HOUSE, 1e6, "idle"),  # all at once, after a stall
        (PLAYED, House(idle_minutes=0), 1e6, "playing"),
        (PLAYED, House(idle_minutes=1), 60.0, "asked"),
        (OngoingGame(False, busy_until=1900.0), HOUSE, 899.9, "playing"),
        (OngoingGame(False, busy_until=1900.0), HOUSE, 900.0, "asked"),
        (None, HOUSE, 59.9, "playing"),
        (None, HOUSE, 60.0, "idle"),
        (None, House(idle_minutes=0), 60.0, "idle"),
    ],
)
def test_who_does_nothing_is_asked_and_then_the_table_sleeps(
    played: OngoingGame | None, house: House, seconds: float, expected: str
) -> None:
    assert advance_idle(awake(1000.0), house, played, 1000.0 + seconds).presence.value == expected


def test_the_table_says_when_it_changes_and_does_not_change_before() -> None:
    idle = awake(0.0)
    for expected in (600.0, 660.0):
        due = next_change_at(idle, HOUSE, PLAYED)
        assert due == expected
        assert advance_idle(idle, HOUSE, PLAYED, due - 0.001) == idle
        idle = advance_idle(idle, HOUSE, PLAYED, due)
        assert idle.since == due
    assert next_change_at(idle, HOUSE, PLAYED) is None
    assert abandoned_at(idle, HOUSE, PLAYED) == 660.0 + 1800.0
    assert abandoned_at(idle, HOUSE, None) is None


@pytest.mark.parametrize(
    ("played", "house", "expected"),
    [
        (None, HOUSE, "playing"),
        (OngoingGame(paused=True), HOUSE, "idle"),
        (OngoingGame(paused=True), House(idle_minutes=0), "playing"),  # where none is set apart
        (PLAYED, HOUSE, "playing"),
    ],
)
def test_a_table_that_is_switched_on_is_attended_but_for_a_game_that_was_set_apart(
    played: OngoingGame | None, house: House, expected: str
) -> None:
    assert idle_at_start(played, house, 7.0) == Idle(Presence(expected), 7.0)


# The table


def test_a_forgotten_game_is_asked_about_set_apart_and_in_the_end_abandoned(
    table: VirtualTable,
) -> None:
    table.advance(599.0)
    assert presence(table) == ("playing", None)
    told = table.told, len(table.public)
    table.advance(1.0)
    assert presence(table) == ("asked", ASK_SECONDS)
    assert (table.told, len(table.public)) == (told[0] + 1, told[1] + 1)
    assert not table.view.paused
    table.advance(ASK_SECONDS)
    assert presence(table) == ("idle", 1800.0)
    assert table.view.paused
    stored = table.stored()
    table.advance(1799.0)
    assert presence(table) == ("idle", 1.0)
    assert table.stored() == stored
    table.advance(1.0)
    assert table.view.outcome.why.value == "stopped"
    assert presence(table) == ("idle", None)
    table.advance(1000.0)
    assert table.stored() == stored + 1


def test_who_comes_back_in_time_goes_on_where_the_game_stood(table: VirtualTable) -> None:
    before = table.view
    table.advance(600.0 + ASK_SECONDS + 1000.0)
    table.do("here")
    assert presence(table) == ("playing", None)
    assert table.view.paused
    table.do("resume")
    assert table.view == before
    table.hold("A1")
    assert table.covered == {"A1": "red"}
    table.advance(599.0)
    assert presence(table) == ("playing", None)


def test_a_finger_that_answers_the_question_still_means_what_it_touches(
    table: VirtualTable,
) -> None:
    table.advance(600.0)
    assert presence(table)[0] == "asked"
    table.hold("A1")
    assert presence(table)[0] == "playing"
    assert table.covered == {"A1": "red"}


@pytest.mark.parametrize("mode", ["hold", "tap", "tap-twice"])
def test_the_first_touch_of_a_sleeping_table_only_wakes(make_table: MakeTable, mode: Any) -> None:
    table = make_table(mode=mode)
    table.start()
    table.clue(2)
    table.advance(600.0 + ASK_SECONDS)
    stored = table.stored()
    table.touch("A1")
    assert presence(table)[0] == "playing"
    table.advance(1.0)
    table.release("A1")
    table.advance(1.0)
    assert (table.covered, table.stored()) == ({}, stored)
    assert table.view.paused  # who wipes a table does not start its clock again
    table.do("resume")
    for _ in range(2 if mode == "tap-twice" else 1):
        table.hold("A1")
        table.advance(0.3)
    assert table.covered == {"A1": "red"}


def test_the_touch_that_wakes_is_not_refused_either(make_table: MakeTable) -> None:
    table = make_table(frames_per_second=FRAMES_PER_SECOND)
    assert presence(table) == ("playing", None)
    table.advance(END_SECONDS)
    assert presence(table) == ("idle", None)
    table.touch("C3")
    assert not table.flashes("C3")
    assert presence(table) == ("playing", None)
    table.release("C3")
    table.advance(1.0)
    table.touch("C3")
    assert table.flashes("C3")  # awake, it says that there is nothing yet


def test_a_thing_that_is_left_on_a_cell_keeps_nobody_awake(table: VirtualTable) -> None:
    table.touch("C3", "C4")
    table.advance(600.0)
    assert presence(table)[0] == "asked"


def test_who_looks_by_a_program_keeps_nobody_awake(table: VirtualTable) -> None:
    for _ in range(10):
        table.advance(60.0)
        table.do("look", "red-spymaster")
    assert presence(table)[0] == "asked"
    table.do("peek", "red-spymaster")
    assert presence(table)[0] == "playing"


def test_nobody_peeks_any_more_where_the_table_asks(make_table: MakeTable) -> None:
    table = make_table(peek_seconds=0.0)
    table.start()
    table.do("peek", "red-spymaster")
    table.advance(599.0)
    assert table.message.key is not None
    table.advance(1.0)
    assert presence(table)[0] == "asked"
    assert (table.message.key, table.message.peek) == (None, None)
    table.do("here")
    assert table.message.key is None


def test_after_the_end_the_table_soon_invites(table: VirtualTable) -> None:
    table.do("abandon")
    table.advance(END_SECONDS - 1.0)
    assert presence(table) == ("playing", None)
    table.advance(1.0)
    assert presence(table) == ("idle", None)
    table.do("next")
    assert presence(table) == ("playing", None)


def test_nobody_is_asked_while_time_runs_that_is_for_something_else(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start(timer="hourglass", hourglass_seconds=1200, clock_end="end-turn")
    table.do("hourglass")
    table.advance(1199.0)
    assert presence(table)[0] == "playing"
    table.advance(1.0)
    assert presence(table)[0] == "asked"


def test_a_clock_that_ends_turns_by_itself_keeps_nobody_awake(make_table: MakeTable) -> None:
    table = make_table()
    table.start(timer="clock", clock_end="end-turn", clue_seconds=130)
    table.advance(600.0)
    assert presence(table)[0] == "asked"
    table.advance(ASK_SECONDS)
    assert table.view.paused
    turns = table.stored()
    table.advance(600.0)
    assert table.stored() == turns


def test_a_game_that_was_set_apart_is_still_so_after_a_restart(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.advance(600.0 + ASK_SECONDS + 1700.0)
    table.switch_off()
    other = make_table(now=77.0)
    assert presence(other) == ("idle", 1800.0)
    other.advance(1799.0)
    other.do("resume")
    other.clue(1)
    other.switch_off()
    third = make_table(now=5.0)
    assert presence(third) == ("playing", None)  # the power went while people played
    third.advance(600.0 + ASK_SECONDS)
    third.switch_off()
    fourth = make_table(now=5.0)
    fourth.advance(1800.0)
    assert fourth.view.outcome is not None


def test_a_house_that_sets_no_game_apart_keeps_a_paused_one_over_a_restart(
    make_table: MakeTable,
) -> None:
    house = House(idle_minutes=0, keep_minutes=30)
    table = make_table(house=house)
    table.start()
    table.do("pause")
    table.switch_off()
    other = make_table(house=house)
    other.advance(24 * 3600.0)
    assert presence(other) == ("playing", None)
    assert other.view.outcome is None


def test_a_game_that_is_set_apart_is_said_to_be_so_once_and_not_to_go_on_after_a_restart(
    table: VirtualTable, make_table: MakeTable
) -> None:
    table.advance(600.0 + ASK_SECONDS)
    assert table.view.paused
    assert [said.what for said in table.message.said][-2:] == ["still-playing", "sleeps"]
    table.switch_off()
    other = make_table()
    assert [said.what for said in other.message.said] == []
    other.do("resume")
    assert [said.what for said in other.message.said] == ["join", "resumed"]


def test_a_disk_that_fails_is_asked_again_until_the_pause_is_stored(
    make_table: MakeTable,
) -> None:
    from pi_table.common.errors import StorageError
    from pi_table.table.engine.storage.order import Order
    from pi_table.table.engine.storage.orders import Store
    from pi_table.table.engine.storage.results import NotStored
    from pi_table.table.engine.storage.storage import Storage
    from pi_table.table.engine.storage.workers import AtOnce, Hear

    class Full(AtOnce):
        full = False

        def __init__(self, storage: Storage) -> None:
            super().__init__(storage)

        def give(self, order: Order, hear: Hear) -> None:
            if isinstance(order, Store) and self.full:
                hear(NotStored(StorageError("The disk is full.")))
            else:
                super().give(order, hear)

    table = make_table(make_workers=Full)
    assert isinstance(table.workers, Full)
    table.start()
    table.workers.full = True
    table.advance(600.0 + ASK_SECONDS + 5.0)
    assert (presence(table)[0], table.view.paused) == ("idle", False)
    assert table.message.faults
    table.workers.full = False
    table.advance(1.5)
    assert table.view.paused


def test_the_house_says_how_long(make_table: MakeTable) -> None:
    table = make_table(house=House(idle_minutes=1, keep_minutes=0))
    table.start()
    table.advance(60.0 + ASK_SECONDS)
    assert table.view.outcome is not None
    table.do("house", set={"idle_minutes": 0})
    table.do("next")
    table.advance(1e4)
    assert presence(table) == ("playing", None)
