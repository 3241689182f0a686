"""Choosing a game, and going on to the next one."""

from typing import Any

import pytest
from playing import Desk, RulesTable, choose

from pi_table.console.console_events import Choose
from pi_table.console.setup import Setup
from pi_table.console.update import update
from pi_table.hal.contracts import Input
from pi_table.ipc.messages import Answer

PRESS, RIGHT, LEFT, BACK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK


def start(**more: object) -> dict[str, Any]:
    """The request that starts a game, as it is unless something else was chosen."""
    usual: dict[str, Any] = {"profile": "codenames", "options": {}, "cards": "dealt"}
    return {"seat": "operator", "act": "start", **usual, **more}


def test_two_presses_start_a_game_as_it_usually_is() -> None:
    desk = Desk(RulesTable()).happen(PRESS, PRESS)
    assert desk.asked == [start()]
    assert "Red gives the clue" in desk.labels


def test_what_was_chosen_stays_when_the_table_cannot_start_it() -> None:
    desk = Desk(RulesTable()).happen(PRESS)
    choose(desk, "Timer")
    chosen = desk.model.screen
    assert isinstance(chosen, Setup)
    while desk.model.selected:
        desk.happen(LEFT)
    model, (request,) = update(desk.model, PRESS, 0.0)
    no = Answer(request.id, ok=False, reason="unusable", sentence="There is no word pack.")
    desk.model, _ = update(model, no, 0.0)
    assert isinstance(desk.model.screen, Setup)
    assert desk.model.screen.settings == chosen.settings
    assert "There is no word pack." in desk.texts


def test_the_cards_are_as_the_table_is_set_up_for_until_somebody_chooses_otherwise() -> None:
    assert Desk(RulesTable(words=False)).happen(PRESS, PRESS).asked == [start(cards="own")]
    desk = Desk(RulesTable(words=False)).happen(PRESS, RIGHT, RIGHT, PRESS, LEFT, LEFT, PRESS)
    assert desk.asked == [start(cards="dealt")]


CHOSEN = [
    (["Timer"], {"timer": "hourglass"}),
    (["Timer", "Timer"], {"timer": "clock"}),
    (["Timer", "Timer", "Timer"], {}),
    (["Timer", "The hourglass runs"], {"timer": "hourglass", "hourglass_seconds": 90}),
    (["Timer", "Timer", "Time for a clue"], {"timer": "clock", "clue_seconds": 180}),
    (["Timer", "Timer", "Time for guessing"], {"timer": "clock", "guess_seconds": 180}),
    (["Timer", "Timer", "When the time is up"], {"timer": "clock", "clock_end": "end-turn"}),
    (["Clues without a limit"], {"unlimited": False}),
    (["Zero as a clue’s number"], {"zero": True}),
    (["Penalty for an invalid clue"], {"penalty": False}),
]


@pytest.mark.parametrize(("lines", "options"), CHOSEN)
def test_only_what_differs_from_the_usual_game_is_asked_for(
    lines: list[str], options: dict[str, object]
) -> None:
    # CN-16, CN-17, CN-18, CN-24
    desk = Desk(RulesTable()).happen(PRESS)
    for label in lines:
        choose(desk, label)
    choose(desk, "Start the game")
    assert desk.asked == [start(options=options)]


def test_times_are_offered_only_for_the_timer_that_has_them() -> None:
    desk = Desk(RulesTable()).happen(PRESS)
    assert not any("Time for" in label or "hourglass" in label for label in desk.labels)
    choose(desk, "Timer")
    assert "The hourglass runs" in desk.labels
    assert "Time for a clue" not in desk.labels


def test_a_value_can_be_changed_by_tapping_its_line() -> None:
    desk = Desk(RulesTable()).happen(PRESS)
    desk.happen(Choose(desk.model.choices[desk.labels.index("Timer")]))
    assert isinstance(desk.model.screen, Setup)
    assert desk.model.screen.settings.timer == "hourglass"
    assert desk.labels[desk.model.selected] == "Timer"


def test_a_setting_that_is_not_in_the_list_is_shown_and_can_be_left() -> None:
    desk = Desk(RulesTable(timer="clock", clue_seconds=77).begin().do("operator", "abandon"))
    choose(desk, "Another game…")
    assert desk.values[desk.labels.index("Time for a clue")] == "1:17"
    choose(desk, "Time for a clue")
    assert desk.values[desk.labels.index("Time for a clue")] == "0:30"


def test_the_next_game_is_two_presses_away_and_takes_the_same_settings() -> None:
    # CN-23
    desk = Desk(RulesTable(timer="clock").begin().do("operator", "abandon"))
    desk.happen(PRESS)
    assert any("new key" in text for text in desk.texts)
    desk.happen(PRESS)
    assert desk.asked == [{"seat": "operator", "act": "next"}]
    assert desk.table.game == 2


def test_another_game_begins_with_the_settings_of_the_last() -> None:
    desk = Desk(RulesTable(timer="clock", zero=True).begin().do("operator", "abandon"))
    choose(desk, "Another game…")
    choose(desk, "Start the game")
    assert desk.asked == [start(options={"timer": "clock", "zero": True})]


def test_while_a_game_is_played_none_can_be_started() -> None:
    desk = Desk(RulesTable().begin())
    assert not {"New game", "Another game…", "Next game"} & {*desk.labels}
