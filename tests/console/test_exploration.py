"""Encoder and buttons alone lead to everything, and back."""

import pytest
from exploring import STATES, explored
from playing import KEY, OF_PHONES, OF_THE_HOUSE, TOLD, Desk, RulesTable, choose

from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.families import family_of
from pi_table.screens.console.update import update

AT_ANY_TIME = {*TOLD, *OF_THE_HOUSE, *OF_PHONES, "here"}
"""Acts that no message names, because they are possible at any time."""


@pytest.mark.parametrize("name", STATES)
def test_every_act_that_the_table_allows_is_within_reach(name: str) -> None:
    # CN-26
    table = STATES[name](KEY)
    allowed = {act for acts in table.message().may.values() for act in acts}
    by_touch_alone = {"guess", "place"}
    if table.game is None:
        allowed -= {"record"}  # there is none yet
    asked = {do["act"] for do in explored(name).asked if "ending" not in do}
    assert asked - AT_ANY_TIME == allowed - by_touch_alone


@pytest.mark.parametrize("name", STATES)
def test_everything_that_is_asked_for_is_something_that_its_seat_may_do(name: str) -> None:
    table = STATES[name](KEY)
    may = table.message().may
    for do in explored(name).asked:
        if do.get("ending"):
            assert "abandon" in may["operator"]
        else:
            assert do["act"] in AT_ANY_TIME or do["act"] in may[do["seat"]]


@pytest.mark.parametrize("name", STATES)
def test_the_clues_are_within_reach_once_there_is_one(name: str) -> None:
    # CN-25
    state = STATES[name](KEY).state
    given = state is not None and state.board.clues != ()
    assert any(do["act"] == "clues" for do in explored(name).asked) is given


def test_games_are_read_of_once_one_is_over() -> None:
    table = RulesTable()
    assert [*to_read(table)] == []
    assert [*to_read(table.begin())] == []
    table.do("operator", "abandon")
    assert [*to_read(table)] == ["Tonight", "Games played"]
    assert [*to_read(table.begin())] == ["Games played"]


def to_read(table: RulesTable) -> list[str]:
    desk = Desk(table)
    offered = [*desk.labels, *choose(desk, "More…").labels]
    return [label for label in offered if label in ("Tonight", "Games played")]


@pytest.mark.parametrize("name", STATES)
def test_back_leads_home_from_every_screen_and_asks_for_nothing(name: str) -> None:
    for model in explored(name).models:
        for _ in range(len(model.screens) - 1):
            model, requests = update(model, Input.BACK, 0.0)
            assert [request.do["act"] for request in requests] in ([], ["unpeek"], ["let-go"])
        assert model.table is not None
        home = type(family_of(model.table).home(model.table))
        assert [type(screen) for screen in model.screens] == [home]


def test_all_own_agents_can_be_covered_with_the_encoder() -> None:
    # CN-18
    asked = explored("penalty").asked
    assert {do["cell"] for do in asked if do["act"] == "cover"} == {
        *("A5", "C4", "B3", "E3", "B2", "D2", "B1", "E1"),
    }


def test_all_numbers_can_be_given_with_the_encoder() -> None:
    # CN-5, CN-16, CN-17
    asked = explored("clue").asked
    given = {str(do["number"]) for do in asked if do["act"] == "clue"}
    assert given == {*map(str, range(26)), "unlimited"}
