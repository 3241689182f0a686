"""A turn at the console: what somebody does, what is asked of the table, what the screen shows."""

from collections.abc import Callable
from typing import Any

import pytest
from playing import Desk, RulesTable, choose, typed

from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.console_events import Choose, Happening, Typed

PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK


def clue(number: object, word: str | None = None, team: str = "red") -> dict[str, Any]:
    return {"seat": f"{team}-spymaster", "act": "clue", "word": word, "number": number}


def guessing(*guesses: str, **options: Any) -> RulesTable:
    """Red has given FLIGHT 3 and guessed these cells."""
    return RulesTable(**options).begin().clue().guess(*guesses)


H_AND_I = (PRESS, *[RIGHT] * 7, PRESS, RIGHT, PRESS)
"""Opening the letters, turning to H and pressing it, and then I."""
CLUES: list[tuple[str, tuple[Happening, ...], dict[str, Any]]] = [
    ("the number alone", (PRESS, RIGHT, RIGHT, PRESS, PRESS), clue(3)),
    ("one", (PRESS, PRESS, PRESS), clue(1)),
    ("as many as are left", (PRESS, LEFT, LEFT, LEFT, PRESS, PRESS), clue(9)),
    ("more than are left", (PRESS, LEFT, PRESS, PRESS, PRESS), clue(10)),
    ("the last number", (PRESS, LEFT, PRESS, *[RIGHT] * 15, PRESS, PRESS), clue(25)),
    ("unlimited", (PRESS, LEFT, LEFT, PRESS, PRESS), clue("unlimited")),
    ("more than are left, as a digit", (PRESS, *typed("9\n")), clue(9)),
    ("a digit", (PRESS, *typed("4\n")), clue(4)),
    ("the word before the number", (PRESS, *typed("flight\n3\n")), clue(3, "flight")),
    ("the word after the number", (PRESS, *typed("3flight\n\n")), clue(3, "flight")),
    ("a slip mended", (PRESS, *typed("3flif\bght\n\n")), clue(3, "flight")),
    ("no word after all", (PRESS, *typed("3f\b\n\n")), clue(3)),
    ("two words", (PRESS, *typed("2new york\n\n")), clue(2, "new york")),
    (
        "letters by encoder: H, then I, then done",
        (PRESS, *typed("2"), RIGHT, *H_AND_I, *[LEFT] * 9, PRESS, PRESS),
        clue(2, "hi"),
    ),
]


@pytest.mark.parametrize(("happenings", "request_made"), [row[1:] for row in CLUES])
def test_a_clue_is_given_with_its_number_and_its_word_if_it_is_wanted(
    happenings: tuple[Happening, ...], request_made: dict[str, Any]
) -> None:
    # CN-5, CN-16
    desk = Desk(RulesTable().begin()).happen(*happenings)
    assert desk.asked == [request_made]
    assert desk.model.screens == desk.model.screens[:1]


def test_what_is_more_than_is_left_to_find_stands_behind_more() -> None:
    desk = Desk(RulesTable().begin()).happen(PRESS)  # red has nine to find
    assert desk.labels == [*map(str, range(1, 10)), "unlimited", "More…"]
    choose(desk, "More…")
    assert desk.labels == [*map(str, range(1, 26)), "unlimited"]
    table = guessing("A1", "D1", "A2", "C1").do("blue-spymaster", "clue", number=1)
    table.do("blue-operatives", "guess", cell="E4")
    labels = Desk(table).happen(PRESS).labels
    assert labels[:7] == ["1", "2", "3", "4", "5", "6", "unlimited"]


def test_zero_is_offered_where_the_house_plays_it_and_nowhere_else() -> None:
    # CN-17
    assert "0" in Desk(RulesTable(zero=True).begin()).happen(PRESS).labels
    assert "0" not in Desk(RulesTable().begin()).happen(PRESS).labels
    assert "unlimited" not in Desk(RulesTable(unlimited=False).begin()).happen(PRESS).labels


def test_what_will_be_given_is_shown_before_it_is() -> None:
    desk = Desk(RulesTable().begin()).happen(PRESS, *typed("flight\n3"))
    assert desk.asked == []
    assert {"FLIGHT", "3", "Red gives this clue"} <= {*desk.texts}


def test_going_back_from_the_clue_keeps_the_word_and_from_the_letters_does_not() -> None:
    desk = Desk(RulesTable().begin()).happen(PRESS, *typed("3flight\n"), BACK)
    assert "FLIGHT: how many?" in desk.texts
    desk.happen(RIGHT, PRESS, RIGHT, PRESS, *typed("s"))
    assert "FLIGHTS" in desk.texts
    desk.happen(BACK)
    assert "FLIGHT" in desk.texts


def test_a_word_takes_forty_letters_and_no_more() -> None:
    desk = Desk(RulesTable().begin()).happen(PRESS, *typed("a" * 45 + "\n2\n"))
    assert desk.asked == [clue(2, "a" * 40)]


def _name(given: object) -> str | None:
    return str(given[-1]) if isinstance(given, tuple) else None


ACTS: list[tuple[Callable[[], RulesTable], tuple[str, ...], dict[str, Any]]] = [
    (
        lambda: guessing("A1"),
        ("Red ends its turn", "Yes, end the turn"),
        {"seat": "red-operatives", "act": "stop"},
    ),
    (
        lambda: guessing(),
        ("Blue challenges it", "Yes, challenge it"),
        {"seat": "blue-spymaster", "act": "challenge"},
    ),
    (
        lambda: guessing().do("blue-spymaster", "challenge"),
        ("Blue allows the clue", "Yes, allow it"),
        {"seat": "blue-spymaster", "act": "allow"},
    ),
    (
        lambda: guessing().do("blue-spymaster", "challenge"),
        ("Blue: it is invalid", "Yes, it is invalid"),
        {"seat": "blue-spymaster", "act": "uphold"},
    ),
    (
        lambda: guessing().do("blue-spymaster", "challenge").do("blue-spymaster", "uphold"),
        ("Blue covers none", "Yes, cover none"),
        {"seat": "blue-spymaster", "act": "decline"},
    ),
    (
        lambda: guessing().do("blue-spymaster", "challenge").do("blue-spymaster", "uphold"),
        ("Blue covers a cell", "B3 LOCK", "Yes, cover it"),
        {"seat": "blue-spymaster", "act": "cover", "cell": "B3"},
    ),
    (
        lambda: guessing(timer="hourglass"),
        ("Turn the hourglass",),
        {"seat": "operator", "act": "hourglass"},
    ),
    (lambda: guessing(), ("More…", "Pause"), {"seat": "operator", "act": "pause"}),
    (
        lambda: guessing().do("operator", "pause"),
        ("Go on with the game",),
        {"seat": "operator", "act": "resume"},
    ),
    (
        lambda: guessing("A1"),
        ("Take back the last guess", "Yes, take it back"),
        {"seat": "operator", "act": "correct"},
    ),
    (
        lambda: guessing(),
        ("More…", "Correct the clue’s number", "2", "Yes, change it"),
        {"seat": "operator", "act": "correct", "number": 2},
    ),
    (
        lambda: RulesTable().begin(),
        ("More…", "Draw a new key", "Yes, draw a new key"),
        {"seat": "operator", "act": "new-key"},
    ),
    (
        lambda: guessing(),
        ("More…", "Abandon the game", "Yes, abandon it"),
        {"seat": "operator", "act": "abandon"},
    ),
    (
        lambda: guessing("A1").do("operator", "abandon"),
        ("Go on with the abandoned game", "Yes, go on with it"),
        {"seat": "operator", "act": "correct"},
    ),
    (
        lambda: guessing().do("operator", "abandon"),
        ("Show everybody the key",),
        {"seat": "operator", "act": "reveal"},
    ),
]


@pytest.mark.parametrize(("table", "labels", "request_made"), ACTS, ids=_name)
def test_each_act_is_asked_for_by_turning_and_pressing(
    table: Callable[[], RulesTable], labels: tuple[str, ...], request_made: dict[str, Any]
) -> None:
    # CN-12, CN-18, CN-19, CN-20, CN-24, CN-26, ALL-3, ALL-5
    desk = choose(Desk(table()), *labels)
    assert desk.asked == [request_made]
    assert desk.model.notice is None
    assert len(desk.model.screens) == 1


@pytest.mark.parametrize(
    ("table", "labels"),
    [(table, labels[:-1]) for table, labels, _ in ACTS if labels[-1].startswith("Yes")],
    ids=_name,
)
def test_what_cannot_be_taken_back_is_asked_about_first_and_can_be_left(
    table: Callable[[], RulesTable], labels: tuple[str, ...]
) -> None:
    desk = choose(Desk(table()), *labels)
    depth = len(desk.model.screens)
    assert any(text.endswith("?") or "?" in text for text in desk.texts)
    desk.happen(BACK)
    assert len(desk.model.screens) == depth - 1
    choose(desk, labels[-1], "No, go back")
    assert len(desk.model.screens) == depth - 1
    assert desk.asked == []


@pytest.mark.parametrize("label", ["Abandon the game", "Draw a new key"])
def test_one_press_too_many_does_not_undo_the_game(label: str) -> None:
    desk = choose(Desk(RulesTable().begin()), "More…", label).happen(PRESS)
    assert desk.asked == []


def test_a_question_closes_when_something_happens_meanwhile() -> None:
    desk = choose(Desk(guessing("A1")), "Red ends its turn")
    desk.table.do("red-operatives", "guess", cell="D1")
    desk.hear()
    assert len(desk.model.screens) == 1
    desk.happen(PRESS)
    assert desk.asked == []


def test_a_question_stays_when_only_time_has_passed() -> None:
    desk = choose(Desk(guessing("A1", timer="clock")), "Red ends its turn")
    desk.table.tick(5.0)
    desk.hear().happen(PRESS)
    assert desk.asked == [{"seat": "red-operatives", "act": "stop"}]


def test_a_clue_that_can_no_longer_be_given_is_put_away() -> None:
    # CN-24: the clock ends the turn while the spymaster types.
    desk = Desk(RulesTable(timer="clock", clock_end="end-turn").begin())
    desk.happen(PRESS, *typed("3fli"))
    desk.table.tick(121.0)
    desk.hear()
    assert len(desk.model.screens) == 1
    assert desk.labels[0] == "Blue gives the clue"


def test_a_tap_on_what_is_no_longer_there_does_nothing() -> None:
    desk = Desk(guessing("A1"))
    stop = desk.model.choices[0]
    desk.table.do("red-operatives", "stop")
    desk.hear().happen(Choose(stop))
    assert len(desk.model.screens) == 1
    assert desk.asked == []


def test_the_selection_goes_to_what_is_likeliest_when_the_game_moves_on() -> None:
    desk = Desk(guessing("A1")).happen(RIGHT, RIGHT)
    desk.table.do("red-operatives", "stop")
    assert desk.hear().model.selected == 0
    assert desk.labels[0] == "Blue gives the clue"


def test_only_own_uncovered_agents_can_be_covered_and_the_key_is_seen_for_it() -> None:
    # CN-18
    table = guessing("A1", "B1")
    table.do("blue-spymaster", "clue", number=1).do("red-spymaster", "challenge")
    table.do("red-spymaster", "uphold")
    desk = Desk(table)
    before = desk.texts
    choose(desk, "Red covers a cell")
    cells = [label.split()[0] for label in desk.labels]
    assert cells == ["E5", "C5", "D4", "A4", "C3", "E2", "A2", "D1"]
    choose(desk, "D4 SATURN", "Yes, cover it")
    assert desk.texts != before
    assert not desk.model.peeking


def test_a_refusal_is_told_in_its_sentence_until_somebody_does_something() -> None:
    desk = choose(Desk(guessing("A1")), "Red ends its turn")
    desk.table.do("red-operatives", "stop")  # the table has moved on, the console has not heard
    desk.happen(PRESS)
    assert "Enter the clue’s number first." in desk.texts
    desk.happen(RIGHT)
    assert "Enter the clue’s number first." not in desk.texts


def test_ids_of_requests_grow() -> None:
    desk = Desk(RulesTable().begin()).happen(PRESS, PRESS, PRESS)
    first = desk.model.next_id
    choose(desk, "More…", "Pause")
    assert (first, desk.model.next_id) == (2, 3)


def test_the_keyboard_peeks_except_where_it_writes() -> None:
    desk = Desk(RulesTable().begin()).happen(Typed("p"))
    assert desk.model.peeking
    desk.happen(PEEK, PRESS, *typed("p"))
    assert not desk.model.peeking
    assert "P" in desk.texts


def test_enter_presses_where_nothing_is_written() -> None:
    desk = Desk(RulesTable()).happen(Typed("\n"), Typed("\n"))
    assert desk.table.game == 1


def test_what_the_table_has_answered_can_be_asked_for_again() -> None:
    desk = Desk(RulesTable().begin())
    for _ in range(2):
        choose(desk, "More…", "Pause", "Go on with the game")
    assert [do["act"] for do in desk.asked] == ["pause", "resume"] * 2
