"""ALL-1: not even the work that the rules, the views and the lights do depends on what is hidden.

Lines of code stand in for time, which no test can compare: how many of the program's own were run
after each line of a script.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import rules_world
from game_scripts import Script
from pairs import pairs, rules_worlds
from planting import instead_of
from seen import Seen, differences

import pi_table
from pi_table.games.rules.word_games import decide

OURS = str(Path(next(iter(pi_table.__path__))))
PAIRS = 20


class Counter:
    """Counts the lines of the program that are run."""

    lines = 0

    def called(self, frame: FrameType, event: str, _: Any) -> Any:
        return self.ran if frame.f_code.co_filename.startswith(OURS) else None

    def ran(self, frame: FrameType, event: str, _: Any) -> Any:
        self.lines += event == "line"
        return self.ran


@contextmanager
def counting() -> Iterator[Counter]:
    counter, before = Counter(), sys.gettrace()
    sys.settrace(counter.called)
    try:
        yield counter
    finally:
        sys.settrace(before)


class WorkingWorld(rules_world.World):
    """A world in which the work is seen."""

    def __init__(self, script: Script, keys: Sequence[str], counter: Counter) -> None:
        super().__init__(script, keys)
        self.counter = counter

    def look(self) -> None:
        super().look()
        self.saw("lines of code", self.counter.lines)


def work(script: Script, keys: Sequence[str]) -> list[Seen]:
    with counting() as counter:
        world = WorkingWorld(script, keys, counter)
        world.run()
    return world.seen


def test_games_that_differ_in_what_is_hidden_make_the_same_work() -> None:
    for worlds in pairs(rules_worlds, "work", PAIRS):
        work(worlds.script, worlds.here)  # what is kept from a first time is kept now
        here, there = (work(worlds.script, keys) for keys in (worlds.here, worlds.there))
        assert not (found := differences(here, there)), f"{worlds.seed}: {found[0]}"


def test_a_search_that_ends_at_the_assassin_is_noticed() -> None:
    original = decide.decide

    def decided(state: Any, *given: Any) -> Any:
        cells = iter(range(25))
        while state.key.identity(next(cells)).team is not None:
            pass
        return original(state, *given)

    worlds = next(pairs(rules_worlds, "work", 1))
    with instead_of(original, decided):
        here, there = (work(worlds.script, keys) for keys in (worlds.here, worlds.there))
    assert {difference.what for difference in differences(here, there)} == {"lines of code"}
