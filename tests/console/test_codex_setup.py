"""Beginning a game of Codex at the console: its nicknames, roles and times."""

from typing import Any

import pytest
from codex_table import BACK, LEFT, PRESS, RIGHT, CodexTable, desk
from playing import Desk, RulesTable, choose

from pi_table.games.rules.profile import PROFILES
from pi_table.screens.console.console_events import Choose, Typed

SEATS = ("A1", "C1", "E1", "A5", "C5", "E5")


def setup() -> Desk:
    """The setup of this game, at a table that played none yet."""
    return choose(Desk(RulesTable()), "Six agents, two codes")


def started(at: Desk) -> dict[str, Any]:
    """Return the request that starts the game for people who know it."""
    effect: Any = at.model.choices[at.labels.index("Start: we know it")].does
    asked: dict[str, Any] = effect.do.as_json()
    return asked


def write(at: Desk, name: str) -> Desk:
    return at.happen(*map(Typed, name), Typed("\n"))


def test_it_begins_as_it_stands_with_everything_drawn() -> None:
    # CX-1, CX-3
    at = setup()
    assert started(at) == {
        "seat": "operator",
        "act": "start",
        "profile": "codex",
        "options": {"lang": "en"},  # of the screen; the game's own would be Italian
        "cards": "dealt",
        "nicknames": [None] * 6,
    }
    assert at.values[at.labels.index("Nicknames")] == "Drawn by lot"


def test_nicknames_are_typed_one_by_one() -> None:
    # CX-1
    at = choose(setup(), "Nicknames")
    assert at.labels == [*(f"Agent on {cell}" for cell in SEATS), "Done"]
    assert at.values[:6] == ["Drawn by lot"] * 6
    write(at.happen(PRESS), "Zoe")
    at.happen(RIGHT, RIGHT, PRESS)
    for label in ("Z", "O", "E", "Space", "B"):
        at.happen(Choose(at.model.choices[at.labels.index(label)]))
    assert "Zoe B" in at.texts
    choose(at, "Done")
    assert at.values[:3] == ["Zoe", "Drawn by lot", "Zoe B"]
    choose(at, "Done")
    assert at.values[at.labels.index("Nicknames")] == "2 of 6"
    assert started(at)["nicknames"] == ["Zoe", None, "Zoe B", None, None, None]


def test_a_name_is_at_most_twelve_characters_and_no_other_agents() -> None:
    # CX-1
    at = choose(setup(), "Nicknames")
    write(at.happen(PRESS), "  Maximiliano Rossi")
    assert at.values[0] == "Maximiliano"  # the twelfth was a space
    at.happen(RIGHT, PRESS)
    write(at, "MAXI miliano")
    assert "Another agent has this name." in at.texts
    at.happen(Typed("\b"), Typed("\n"))
    assert at.values[1] == "MAXI milian"


def test_a_name_that_the_table_cannot_show_is_not_taken_and_it_is_said_why() -> None:
    at = choose(setup(), "Nicknames")
    write(at.happen(PRESS), "Zoё")
    assert "It contains a letter or sign that the table cannot show: erase it." in at.texts
    at.happen(Typed("\b"), Typed("é"), Typed("\n"))
    assert at.values[0] == "Zoé"


def test_a_name_without_letters_is_drawn_again() -> None:
    at = choose(setup(), "Nicknames")
    write(at.happen(PRESS), "Zoe")
    at.happen(PRESS, Typed("\b"), Typed("\b"), Typed("\b"), Typed("\n"))
    assert at.values[0] == "Drawn by lot"


def test_going_back_keeps_what_was_typed() -> None:
    at = choose(setup(), "Nicknames")
    write(at.happen(PRESS), "Zoe")
    assert started(at.happen(BACK))["nicknames"][0] == "Zoe"


def test_nicknames_typed_during_a_game_outlast_what_happens_in_it() -> None:
    # CX-1
    table = RulesTable().begin()
    at = choose(Desk(table), "New game…", "Six agents, two codes", "Nicknames")
    write(at.happen(PRESS), "Zoe")
    table.clue()
    assert at.hear().values[0] == "Zoe"
    at.happen(RIGHT, PRESS, *map(Typed, "Bea"))
    table.guess("A1")
    assert "Bea" in at.hear().texts
    at.happen(Typed("\n"))
    assert at.values[:2] == ["Zoe", "Bea"]


def test_the_roles_are_drawn_or_two_are_chosen() -> None:
    # CX-3
    at = setup()
    choose(at, "House rules…")
    line = at.labels.index("Roles beside the Leader")
    assert at.values[line] == "Drawn by lot"
    choose(at, "Roles beside the Leader")
    assert at.values[line] == "Hacker, Infiltrator"
    assert started(at.happen(BACK))["options"] == {
        "lang": "en",
        "roles": ("hacker", "infiltrator"),
    }


def test_another_game_proposes_the_same_agents_and_starts_with_them() -> None:
    table = CodexTable()
    table.do("operator", "abandon")
    at = choose(desk(table), "New game…", "Six agents, two codes")
    assert at.values[at.labels.index("Nicknames")] == "6 of 6"
    at.happen(PRESS)
    assert at.asked[-1]["nicknames"] == ["Moon", "Vega", "Puma", "Koala", "Tango", "Mistral"]
    assert "I am Moon" in at.labels


@pytest.mark.parametrize("profile", ["codenames", "alias-24"])
def test_a_word_game_has_no_nicknames(profile: str) -> None:
    at = choose(Desk(RulesTable()), PROFILES[profile].title)
    assert started(at)["profile"] == profile
    assert "nicknames" not in started(at)
    assert "Nicknames" not in at.labels


def test_the_time_at_the_screen_is_chosen() -> None:
    # CX-18
    at = setup()
    choose(at, "House rules…", "Time of a visit")
    assert at.happen(LEFT).labels[at.model.selected] == "Time for discussion"
    assert started(at.happen(BACK))["options"] == {"lang": "en", "visit_seconds": 60}
