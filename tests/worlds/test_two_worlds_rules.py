"""ALL-1: nothing that anybody but a spymaster can see depends on what is hidden of the key.

Here: in the rules, the views, the lights, and what everything looks like in print.
"""

from collections import Counter

import pytest
from game_scripts import GAMES
from pairs import Worlds, many_look_alike, pairs, rules_worlds

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Key

PAIRS = 100
MANY_PAIRS = 100_000


def test_games_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1, ALL-3, ALL-5, CN-18
    many_look_alike(rules_worlds, "rules", PAIRS, "games")


@pytest.mark.torture
def test_many_games_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1, ALL-3, ALL-5
    many_look_alike(rules_worlds, "many rules", MANY_PAIRS, "games")


def _last_keys(worlds: Worlds) -> tuple[str, str]:
    """The key that a game is played with, and its twin."""
    last = [*worlds.told][-1]
    return last, worlds.there[worlds.here.index(last)]


@pytest.mark.mutation
def test_the_pairs_are_of_every_kind() -> None:
    """Without this, the tests above would be worth little."""
    differing, hidden, starts = Counter[str](), Counter[int](), Counter[Team]()
    laid_out, redrawn, refused, reasons = 0, 0, 0, Counter[str]()
    profiles, ways_to_sit = Counter[str](), Counter[str]()
    for worlds in pairs(rules_worlds, "rules", 900):
        dealt = worlds.script.game
        profiles[dealt["profile"]] += 1
        ways_to_sit[dealt["options"].get("players", "")] += 1
        laid_out += any(line["act"] == "place" for line in worlds.script.lines)
        here, there = _last_keys(worlds)
        told = worlds.told[here]
        assert all(here[cell] == there[cell] for cell in told.cells)
        assert Key(there).starts is Key(here).starts
        differing.update(one + other for one, other in zip(here, there, strict=True))
        hidden[CELL_COUNT - len(told.cells)] += 1
        starts[Key(here).starts] += 1
        redrawn += len(worlds.told) > 1
        refused += bool(told.not_letters)
        for seen in worlds.watch(worlds.script, worlds.here):
            if seen.what == "refusal":
                reasons[seen.value[0]] += 1  # type: ignore[index]
    assert min(profiles[game.id] for game in GAMES) > 150
    assert min(ways_to_sit.values()) > 100
    assert laid_out > 150
    assert {one + other for one in "rbna" for other in "rbna"} - {*differing} <= {"aa"}
    assert min(hidden) <= 4
    assert max(hidden) == CELL_COUNT
    assert sum(number for cells, number in hidden.items() if cells <= 12) > 40
    assert min(starts.values()) > 150
    assert redrawn > 40
    assert refused > 15
    expected = {reason.value for reason in Reason if any(map(reason.where, GAMES))}
    assert expected - {*reasons} == {Reason.ALREADY_REVEALED.value}
