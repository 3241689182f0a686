"""The contents of the screen: the state of the game, the time, and the texts."""

from typing import Any

import pytest
from msgspec.structs import replace
from playing import KEY, OTHER_KEY, Desk, RulesTable, choose

from pi_table.common.geometry import CELLS
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.views import NukeView
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, Busy
from pi_table.screens.console import style
from pi_table.screens.console.console_events import Happening
from pi_table.screens.console.shapes import Text

REDS = ("A1", "D1", "A2", "E2", "C3", "A4", "D4", "C5", "E5")
ALIAS_KEY = "rbrrbrbnbrab-nbrnbrnbnrnr"
PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK


def table(**options: Any) -> RulesTable:
    return RulesTable(**options).begin()


def clued(**options: Any) -> RulesTable:
    return table(**options).clue()


def group() -> RulesTable:
    """Red alone, with a clue that has no limit."""
    return table(players="cooperative").clue(None, "unlimited")


def challenged() -> RulesTable:
    return clued().do("blue-spymaster", "challenge")


def abandoned() -> RulesTable:
    return clued().do("operator", "abandon")


SHOWN: list[tuple[RulesTable, list[str]]] = [
    (RulesTable(), ["Would you like to play?", "The classic game"]),
    (table(), ["Red’s clue", "9", "8", "Red gives the clue", "ANCHOR", "A1"]),
    (clued(), ["Red guesses", "4 guesses left", "FLIGHT", "3", "Blue challenges it"]),
    (clued().guess("A1", "D1"), ["2 guesses left", "7", "8", "Red ends its turn"]),
    (clued().guess("A1", "D1", "A2"), ["The last guess", "6"]),
    (clued().guess("B1"), ["Blue’s clue", "9", "7", "Blue gives the clue"]),
    (challenged(), ["Blue judges", "Blue allows the clue", "Blue: it is invalid"]),
    (challenged().do("blue-spymaster", "uphold"), ["Blue may cover", "Blue covers a cell"]),
    (clued().do("operator", "pause"), ["Paused", "Red’s turn", "Go on with the game"]),
    (clued().guess("A3"), ["Blue wins", "Red found the assassin", "Next game"]),
    (clued().do("operator", "abandon"), ["Nobody wins", "The game was stopped"]),
    (table().clue(None, "unlimited"), ["No limit", "∞"]),
    (table(words=False), ["E5", "A1"]),
]


@pytest.mark.parametrize(("given", "texts"), SHOWN, ids=[texts[0] for _, texts in SHOWN])
def test_the_state_of_the_game_is_seen(given: RulesTable, texts: list[str]) -> None:
    # CN-3, CN-11, CN-22
    assert {*texts} <= {*Desk(given).texts}


def test_a_clock_counts_down_between_two_messages() -> None:
    # CN-24
    desk = Desk(table(timer="clock"))
    assert "2:00" in desk.texts
    desk.table.now = 30.5
    assert "1:30" in desk.texts
    desk.table.now = 500.0
    assert "Time!" in desk.texts


def test_a_clock_that_stands_is_not_counted_down() -> None:
    # CN-24: time stands still in a pause.
    given = table(timer="clock")
    given.tick(20.0)
    desk = Desk(given.do("operator", "pause"))
    desk.table.now = 90.0
    assert "1:40" in desk.texts


def test_the_clue_can_be_had_again_with_its_spelling() -> None:
    # CN-25
    desk = Desk(clued()).happen(PRESS)
    assert "F   L   I   G   H   T" in desk.texts


def test_earlier_clues_are_told_only_when_asked_for() -> None:
    # CN-25
    given = clued().guess("B1").do("blue-spymaster", "clue", number=2)
    desk = Desk(given)
    assert "FLIGHT" not in desk.texts
    desk.happen(PRESS, PRESS)
    assert desk.asked == [{"seat": "operator", "act": "clues", "lang": "en"}]
    assert [*zip(desk.labels, desk.values, strict=True)] == [("only spoken", "2"), ("FLIGHT", "3")]


def test_the_record_lists_games_and_scrolls_through_one() -> None:
    # ALL-4
    desk = choose(Desk(abandoned()), "More…", "Games played")
    assert desk.labels[0] == "Game 12, 2026-11-21 20:15"
    desk.happen(PRESS)
    assert desk.asked == [
        {"seat": "operator", "act": "record", "lang": "en"},
        {"seat": "operator", "act": "record", "game": 12, "lang": "en"},
    ]
    assert "A game of codenames begins; red starts." in desk.texts
    assert "Red guesses 11." not in desk.texts
    desk.happen(*(RIGHT,) * 13)
    assert "Red guesses 11." in desk.texts
    assert "A game of codenames begins; red starts." not in desk.texts


def test_a_record_that_is_refused_or_not_understood_leaves_a_sentence() -> None:
    desk = choose(Desk(abandoned()), "More…", "Games played")
    desk.happen(Answer(desk.model.next_id - 1, True, told={"rubbish": 1}))
    assert "The console does not understand the table’s answer." in desk.texts
    desk.happen(Answer(desk.model.next_id - 1, False, "cannot-store", "The journal is away."))
    assert "The journal is away." in desk.texts
    assert desk.labels[0] == "Games played"


def test_a_fault_comes_up_by_itself_and_can_be_put_away_and_looked_at_again() -> None:
    given = table()
    desk = Desk(given)
    given.faults = ("The controller does not answer. Check its cable.",)
    desk.hear()
    assert given.faults[0] in desk.texts
    desk.happen(BACK)
    assert given.faults[0] not in desk.texts
    desk.hear()
    assert given.faults[0] not in desk.texts
    assert given.faults[0] in choose(desk, "What is wrong?").texts
    given.faults = ()
    assert "What is wrong?" not in desk.hear().labels
    assert len(desk.model.screens) == 1


def test_a_damaged_journal_can_be_set_aside_after_a_question_that_begins_with_no() -> None:
    given = RulesTable()
    given.damaged, given.faults = True, ("The journal is damaged.",)
    desk = Desk(given).happen(RIGHT, PRESS, PRESS)
    assert desk.asked == []
    desk.happen(PRESS, LEFT, PRESS)
    assert desk.asked == [{"seat": "operator", "act": "set-aside"}]
    assert "The classic game" in desk.labels


def test_a_journal_that_was_mended_can_be_opened_again_by_one_press() -> None:
    given = RulesTable()
    given.damaged, given.faults = True, ("The journal cannot be read.",)
    desk = Desk(given).happen(PRESS)
    assert desk.asked == [{"seat": "operator", "act": "try-again"}]
    assert "The classic game" in desk.labels


def test_while_cards_are_laid_out_what_lies_is_clear_and_there_is_no_key_to_see() -> None:
    # DU-2
    given = RulesTable(profile="deep-undercover", words=False).begin()
    given.do("red-operatives", "place", cell="B2")
    desk = Desk(given)
    inks = {text.text: text.colour for text in desk.scene if isinstance(text, Text)}
    assert {name for name in CELLS if inks[name] == style.INK} == {"B2"}
    assert {"Blue lays a card", "One of its own"} <= {*desk.texts}
    assert not any("PEEK" in text for text in desk.texts)
    assert not desk.happen(PEEK).model.peeking


GROUPS: list[tuple[RulesTable, set[str]]] = [
    (group().guess("C1"), {"Red covers", "Cover one of Blue’s", "Red covers a cell"}),
    (group().guess("A3"), {"The group loses", "Red found the assassin"}),
    (group().guess(*REDS), {"Won, with 8 of 8", "Not one found: legendary"}),
]


@pytest.mark.parametrize(("given", "texts"), GROUPS)
def test_a_group_is_told_how_it_fares(given: RulesTable, texts: set[str]) -> None:
    # NC-4, NC-5, NC-6
    assert {*texts} <= {*Desk(given).texts}


def test_the_nuke_is_seen_where_no_card_lies() -> None:
    # AL-1, AL-11
    given = RulesTable(key=ALIAS_KEY, profile="alias-24", nuke="mad").begin()
    given.do("blue-spymaster", "clue", number=0)
    desk = Desk(given)
    assert {"not armed", "assets left"} <= {*desk.texts}
    message = given.message()
    assert message.public is not None
    armed = replace(message.public, nuke=NukeView("mad", armed=True))
    assert "ARMED" in desk.happen(replace(message, public=armed)).texts


@pytest.mark.parametrize("away", [Disconnected(), Connected()])
def test_without_the_table_nothing_is_shown_or_done_and_then_it_all_comes_back(
    away: Happening,
) -> None:
    desk = Desk(clued()).happen(PEEK)
    desk.happen(away, PRESS, RIGHT, PEEK)
    assert "Connecting to the table…" in desk.texts
    assert desk.asked == []
    assert "FLIGHT" in desk.hear().texts
    assert not desk.model.peeking


def test_a_screen_that_is_not_the_one_served_says_so_until_it_is() -> None:
    desk = Desk(clued()).happen(Connected(), Busy())
    for again in (Disconnected(), Connected(), Busy(), Disconnected(), Connected()):
        assert "Another screen is connected to this table" in desk.texts
        assert "Connecting to the table…" not in desk.texts
        desk.happen(again)
    assert "FLIGHT" in desk.hear().texts
    desk.happen(Disconnected())
    assert "Connecting to the table…" in desk.texts


def test_what_a_guess_that_was_taken_back_has_shown_stays_seen() -> None:
    # ALL-3
    before = Desk(clued())
    signs = len([shape for shape in before.scene if not isinstance(shape, Text)])
    given = clued().guess("A1").do("operator", "correct")
    after = Desk(given)
    assert len([shape for shape in after.scene if not isinstance(shape, Text)]) == signs + 1


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_printing_a_model_does_not_show_the_key(key: str) -> None:
    desk = Desk(RulesTable(key=key).begin()).happen(PEEK)
    assert key not in repr(desk.model)
    assert key not in str(desk.model)
    assert key not in f"{[*desk.model.__rich_repr__()]}"
