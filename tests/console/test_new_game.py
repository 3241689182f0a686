"""Choosing a game, and going on to the next one."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playing import Desk, RulesTable, choose

from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.house import NIGHT
from pi_table.protocols.ipc.messages import Answer, PageLock
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.setup import HouseRules, Setup, propose
from pi_table.screens.console.update import update

PRESS, RIGHT, LEFT, BACK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK


def start(**more: object) -> dict[str, Any]:
    """The request that starts a game, as it is unless something else was chosen."""
    usual: dict[str, Any] = {"profile": "codenames", "options": {}, "cards": "dealt"}
    return {"seat": "operator", "act": "start", **usual, **more}


def setting_up(table: RulesTable | None = None, *labels: str) -> Desk:
    """The classic game as it would be started, and then these lines of it."""
    return choose(Desk(table or RulesTable()), "The classic game", *labels)


def behind_the_door(*labels: str, table: RulesTable | None = None) -> Desk:
    """Its house rules, and these lines of them."""
    return choose(setting_up(table), "House rules…", *labels)


def test_two_presses_start_the_first_game_as_it_usually_is_and_explain_it() -> None:
    desk = Desk(RulesTable())
    assert desk.labels[0] == "The classic game"
    desk.happen(PRESS)
    assert desk.labels[:2] == ["Start: explain it", "Start: we know it"]
    desk.happen(PRESS)
    assert desk.asked == [start(options={"explain": True})]
    assert "Red gives the clue" in desk.labels


def test_six_presses_lead_a_guest_who_never_turns_from_power_on_to_the_first_clue() -> None:
    desk = Desk(RulesTable())
    presses = (PRESS, PRESS, Input.PEEK, PRESS, PRESS, PRESS)
    desk.happen(*presses)
    assert len(presses) == 6
    assert desk.asked == [
        start(options={"explain": True}),
        {"seat": "red-spymaster", "act": "clue", "word": None, "number": 1},
    ]
    assert [do["act"] for do in desk.peeked][:1] == ["peek"]


def test_every_game_is_offered() -> None:
    titles = [profile.title for profile in PROFILES.values()]
    assert Desk(RulesTable()).labels == [*titles, "How to play", "More…"]
    assert choose(Desk(RulesTable().begin()), "New game…").labels == titles


def test_no_game_changes_the_language_that_people_chose() -> None:
    for lang, other in (("en", "it"), ("it", "en")):
        for profile in PROFILES.values():
            desk = Desk(RulesTable())
            desk.model = msgspec.structs.replace(desk.model, lang=lang)
            choose_at(desk, [*PROFILES].index(profile.id))
            assert isinstance(desk.model.screen, Setup)
            assert (desk.model.lang, desk.model.screen.settings.lang) == (lang, lang)
            model, (request,) = update(desk.model, PRESS, 0.0)
            asked = request.do["options"].get("lang", profile.usual.lang)
            assert (asked, model.lang) == (lang, lang)
            assert other != asked


def choose_at(desk: Desk, at: int) -> None:
    while desk.model.selected != at:
        desk.happen(RIGHT)
    desk.happen(PRESS)


def test_what_was_chosen_stays_when_the_table_cannot_start_it() -> None:
    desk = behind_the_door("Timer").happen(BACK)
    chosen = desk.model.screen
    assert isinstance(chosen, Setup)
    assert chosen.settings.timer == "hourglass"
    while desk.model.selected:
        desk.happen(LEFT)
    model, (request,) = update(desk.model, PRESS, 0.0)
    no = Answer(request.id, ok=False, reason="unusable", sentence="There is no word pack.")
    desk.model, _ = update(model, no, 0.0)
    assert isinstance(desk.model.screen, Setup)
    assert desk.model.screen.settings == chosen.settings
    assert "There is no word pack." in desk.texts


def test_the_cards_are_as_the_table_is_set_up_for_until_somebody_chooses_otherwise() -> None:
    desk = setting_up(RulesTable(words=False), "Start: we know it")
    assert desk.asked == [start(cards="own")]
    desk = setting_up(RulesTable(words=False), "Cards", "Start: we know it")
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
    desk = behind_the_door(*lines).happen(BACK)
    choose(desk, "Start: we know it")
    assert desk.asked == [start(options=options)]


def test_times_are_offered_only_for_the_timer_that_has_them() -> None:
    desk = behind_the_door()
    assert not any("Time for" in label or "hourglass" in label for label in desk.labels)
    choose(desk, "Timer")
    assert "The hourglass runs" in desk.labels
    assert "Time for a clue" not in desk.labels


def test_a_value_can_be_changed_by_tapping_its_line() -> None:
    desk = behind_the_door()
    desk.happen(Choose(desk.model.choices[desk.labels.index("Timer")]))
    assert isinstance(desk.model.screen, HouseRules)
    assert desk.model.screen.settings.timer == "hourglass"
    assert desk.labels[desk.model.selected] == "Timer"


def test_a_setting_that_is_not_in_the_list_is_shown_and_can_be_left() -> None:
    table = RulesTable(timer="clock", clue_seconds=77).begin().do("operator", "abandon")
    desk = choose(Desk(table), "New game…", "The classic game", "House rules…")
    assert desk.values[desk.labels.index("Time for a clue")] == "1:17"
    choose(desk, "Time for a clue")
    assert desk.values[desk.labels.index("Time for a clue")] == "0:30"


def test_the_rules_of_the_house_are_proposed_and_can_be_kept_by_the_operator() -> None:
    desk = behind_the_door("Timer", "Keep these as the rules of the house")
    asked = {"seat": "operator", "act": "house"}
    assert desk.asked == [{**asked, "set": {"rules": {"codenames": {"timer": "hourglass"}}}}]
    house = House(rules={"codenames": {"timer": "hourglass"}, "codex": {"perfume": 1}})
    message = msgspec.structs.replace(RulesTable().message(), house=house)
    assert propose(message, "codenames").settings.timer == "hourglass"
    assert propose(message, "alias-24").settings.timer == "off"
    usual = PROFILES["codex"].usual  # what this version does not know is left out
    assert propose(message, "codex").settings == usual


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
    choose(desk, "New game…", "The classic game", "Start: we know it")
    assert desk.asked == [start(options={"timer": "clock", "zero": True})]


def test_a_new_game_can_begin_at_any_time_and_ends_the_other_after_a_question() -> None:
    desk = choose(Desk(RulesTable().begin()), "New game…", "The classic game", "Start: we know it")
    assert desk.asked == []
    assert any("End the game that is being played" in text for text in desk.texts)
    assert desk.labels[desk.model.selected] == "No, go back"
    desk.happen(PRESS)
    assert isinstance(desk.model.screen, Setup)
    choose(desk, "Start: we know it", "Yes, begin the new game")
    assert desk.asked == [start(ending=True)]
    assert [type(screen).__name__ for screen in desk.model.screens] == ["Home"]


def test_no_other_game_is_offered_to_guests_who_may_end_a_game_but_start_none() -> None:
    desk = Desk(RulesTable().begin())
    house, lock = House(guests_may=("abandon",)), PageLock(pin=True, open=False)
    assert "New game…" in desk.labels
    desk.happen(replace(desk.table.message(), house=house, lock=lock))
    assert "New game…" not in desk.labels


def test_who_looks_for_another_game_and_goes_back_has_ended_nothing() -> None:
    desk = choose(Desk(RulesTable().begin()), "New game…", "The classic game")
    desk.happen(BACK, BACK)
    assert desk.asked == []
    assert "Red gives the clue" in desk.labels


def test_a_rematch_stands_beside_the_next_game_where_two_teams_play() -> None:
    desk = Desk(RulesTable().begin().do("operator", "abandon"))
    assert desk.labels[:2] == ["Next game", "Rematch, sides swapped"]
    choose(desk, "Rematch, sides swapped", "Yes, a rematch")
    assert desk.asked == [{"seat": "operator", "act": "next", "swap": True}]
    group = RulesTable(players="cooperative").begin().do("operator", "abandon")
    assert "Rematch, sides swapped" not in Desk(group).labels


def test_what_was_won_tonight_and_the_story_of_the_game_are_at_hand_after_the_end() -> None:
    desk = Desk(RulesTable().begin().do("operator", "abandon"))
    choose(desk, "Tonight")
    assert desk.labels == ["All games", "The classic game", "Assets and a nuke"]
    assert desk.values == ["Red 2 · Blue 2", "Red 2 · Blue 1", "Red 0 · Blue 1"]
    desk.happen(BACK)
    choose(desk, "The story of this game")
    assert desk.asked[-1]["game"] == 1


def test_people_who_know_the_games_are_asked_again_only_the_next_evening() -> None:
    table = RulesTable()
    desk = choose(Desk(table), "The classic game", "Start: we know it")
    table.do("operator", "abandon")
    choose(desk.hear(), "New game…", "Assets and a nuke")
    assert desk.labels[0] == "Start the game"
    table.now = NIGHT.total_seconds()
    choose(desk.happen(BACK, BACK), "New game…", "Assets and a nuke")
    assert desk.labels[0] == "Start: explain it"


def test_people_who_want_an_explanation_are_asked_at_each_start() -> None:
    table = RulesTable()
    desk = choose(Desk(table), "The classic game", "Start: explain it")
    table.do("operator", "abandon")
    choose(desk.hear(), "New game…", "Assets and a nuke")
    assert desk.labels[:2] == ["Start: explain it", "Start: we know it"]
