"""Presses in haste open screens, and do nothing at the table."""

import pytest
from playing import RulesTable

from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Presence, Request
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.haste import QUIET_SECONDS

PRESS, RIGHT, LEFT = Input.PRESS, Input.RIGHT, Input.LEFT
ENTER = Typed("\n")


class Hurried:
    """A console at a table that answers at once, and what it asked for."""

    def __init__(self, table: RulesTable, quiet: float = QUIET_SECONDS) -> None:
        self.table = table
        self.asked: list[str] = []
        self.now = 10.0
        self._waiting: list[Request] = []
        self.console = Console(self._waiting.append, quiet=quiet)
        self.console.happen(table.message(), self.now)

    def happen(self, given: Happening, after: float) -> None:
        """Something happens so many seconds after the last."""
        self.now += after
        self.console.happen(given, self.now)
        while self._waiting:
            request = self._waiting.pop(0)
            self.asked.append(request.do["act"])
            self.console.happen(self.table.answer(request), self.now)
            self.console.happen(self.table.message(), self.now)

    def choose(self, *labels: str) -> None:
        """Turn to each of these in turn, at leisure, and press."""
        for label in labels:
            choices = self.console.model.choices
            at = [translate(choice.label, "en") for choice in choices].index(label)
            while self.console.model.selected != at:
                self.happen(RIGHT, 1.0)
            self.happen(PRESS, 1.0)

    @property
    def does(self) -> list[str]:
        return [act for act in self.asked if act not in ("peek", "unpeek")]


@pytest.mark.parametrize("every", [0.0, 0.005, 0.1, 0.24])
@pytest.mark.parametrize("press", [PRESS, ENTER], ids=["the knob", "a key"])
def test_whoever_presses_on_and_on_chooses_a_game_and_begins_none(
    press: Happening, every: float
) -> None:
    at = Hurried(RulesTable())
    for _ in range(20):
        at.happen(press, every)
    assert at.does == []
    at.happen(press, QUIET_SECONDS)
    assert at.does == ["start"]


def test_at_the_pace_of_people_every_press_counts() -> None:
    at = Hurried(RulesTable())
    for _ in range(5):
        at.happen(PRESS, 0.25)
    assert at.does == ["start", "clue"]


def test_without_a_time_of_quiet_every_press_counts() -> None:
    at = Hurried(RulesTable(), quiet=0.0)
    for _ in range(5):
        at.happen(PRESS, 0.0)
    assert at.does == ["start", "clue"]


def test_a_double_tap_does_not_answer_the_question_that_the_first_tap_opened() -> None:
    at = Hurried(RulesTable().begin().do("operator", "abandon"))
    (again, *_) = at.console.model.choices
    at.happen(Choose(again), 1.0)
    (yes, *_) = at.console.model.choices
    at.happen(Choose(yes), 0.15)
    assert at.does == []
    at.happen(Choose(yes), 0.3)
    assert at.does == ["next"]


def test_whoever_turns_has_looked() -> None:
    at = Hurried(RulesTable().begin())
    at.happen(PRESS, 1.0)
    for given in (PRESS, RIGHT, LEFT, PRESS):
        at.happen(given, 0.05)
    assert at.does == ["clue"]


def test_lines_of_a_screen_that_was_there_are_pressed_as_fast_as_one_likes() -> None:
    at = Hurried(RulesTable())
    at.choose("More…", "Operator…", "Sound", "Silent")
    at.happen(PRESS, 0.0)
    at.happen(PRESS, 0.1)
    assert at.does == ["house"] * 3


def test_to_read_something_no_quiet_is_needed() -> None:
    at = Hurried(RulesTable().begin().do("red-spymaster", "clue", word="flight", number=1))
    at.choose("The clue again")
    at.happen(PRESS, 0.0)
    assert at.asked == ["clues"]


@pytest.mark.parametrize(
    ("table", "does"),
    [
        (RulesTable(), ["start"]),
        (RulesTable().begin().do("operator", "pause"), ["resume"]),
    ],
    ids=["no game", "a game in a pause"],
)
def test_a_double_press_at_the_invitation_does_nothing_on_the_screen_behind_it(
    table: RulesTable, does: list[str]
) -> None:
    table.presence = Presence.IDLE
    at = Hurried(table)
    at.console.happen(PRESS, at.now)
    table.presence = Presence.PLAYING
    at.console.happen(table.message(), at.now)
    at.happen(PRESS, 0.1)
    assert [act for act in at.asked if act != "here"] == []
    at.happen(PRESS, QUIET_SECONDS)
    assert [act for act in at.asked if act != "here"] == does
