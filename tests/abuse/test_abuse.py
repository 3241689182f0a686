"""Each guess that reaches the rules was meant by somebody, whatever else happens at the table.

Each test plays a whole game in virtual time: from the load on a pad through the controller's own
firmware and the link to the engine. pi_table/table/engine/ABUSE.md describes the model of the
disturbances.
"""

from collections import Counter
from collections.abc import Iterable

import pytest
from abused_table import Played, play
from evenings_of_abuse import KINDS, NEVER_ANEW, plan
from planted import parameters
from weak_policies import WEAK, Weak

from pi_table.simulator.emulated import Build

EVENINGS: dict[Build, int] = {"host": 5, "emulated": 1, "pi": 2}
MANY: dict[Build, int] = {"host": 3_000, "emulated": 100, "pi": 3_000}
MAX_MISSED_SHARE = 0.01
MAX_ALIKE_SHARE = 0.02
"""Of all drips: those that come and stay as a finger does, and end in a guess."""
SMALL_RUN = 60
"""Evenings in which every weak policy must have made a false guess."""


class Figures:
    """Figures of many evenings."""

    def __init__(self) -> None:
        self.evenings = self.touches = self.fair = self.missed = self.unseen = self.alike = 0
        self.incidents: Counter[str] = Counter()
        self.unlike: Counter[str] = Counter()
        self.blamed: Counter[str] = Counter()
        self.false: list[str] = []
        self.seconds = 0.0

    def add(self, played: Played) -> None:
        evening = played.evening
        self.evenings += 1
        self.seconds += evening.seconds
        self.incidents.update(incident.kind for incident in evening.incidents)
        self.unlike.update(evening.unlike)
        self.touches += len(evening.touches)
        self.fair += len(played.fair)
        self.missed += len(played.missed)
        self.unseen += len(played.unseen)
        self.alike += len(played.alike)
        for at, place in played.false:
            self.blamed[played.blame(at)] += 1
            self.false.append(
                f"{evening.seed}: place {place} at {at:.3f} s, during {played.blame(at)}"
            )

    def __str__(self) -> str:
        lines = [
            f"{self.evenings} games, {self.seconds / 3600:.1f} h of play, {self.touches} touches "
            f"meant; false guesses: {len(self.false)}; of drops like fingers: {self.alike}; beside "
            f"deaf places: {self.unseen}; missed: {self.missed} of {self.fair} with the table "
            "ready and no abuse about"
        ]
        for kind in dict.fromkeys((*KINDS, *self.incidents)):
            blamed = sum(count for kinds, count in self.blamed.items() if kind in kinds)
            lines.append(
                f"  {kind:>10}: {self.incidents[kind]} times, {blamed} false; "
                f"{self.unlike[kind]} drawn anew, being what a finger does"
            )
        return "\n".join(lines)


def spend(seeds: Iterable[str], build: Build = "host") -> Figures:
    figures = Figures()
    for seed in seeds:
        figures.add(play(plan(seed), build))
    return figures


def check(figures: Figures) -> None:
    assert not figures.false, "\n".join([*figures.false, str(figures)])
    assert figures.alike <= MAX_ALIKE_SHARE * figures.incidents[NEVER_ANEW], str(figures)
    assert figures.missed <= MAX_MISSED_SHARE * figures.fair, str(figures)


@pytest.mark.parametrize("build", EVENINGS)
def test_nothing_but_what_is_meant_is_a_guess(build: Build) -> None:
    figures = spend((f"slice/{number}" for number in range(EVENINGS[build])), build)
    assert not figures.false, "\n".join([*figures.false, str(figures)])
    assert figures.missed <= 1 + MAX_MISSED_SHARE * figures.fair, str(figures)
    assert figures.fair > 0


@pytest.mark.torture
@pytest.mark.parametrize("build", MANY)
def test_in_many_games_nothing_but_what_is_meant_is_a_guess(build: Build) -> None:
    figures = spend((f"many/{number}" for number in range(MANY[build])), build)
    print(f"\nOn the {build} build: {figures}")
    check(figures)
    assert min(figures.incidents[kind] for kind in KINDS) > MANY[build] // 15


QUICK = ("knows no crowd", "ignores being blocked", "taps", "taps twice")


@pytest.mark.parametrize("weak", parameters(WEAK, QUICK))
def test_a_policy_that_lacks_a_rule_makes_false_guesses(weak: Weak) -> None:
    for number in range(SMALL_RUN):
        played = play(plan(f"weak/{number}", weak.kinds), intents=weak.make)
        if played.false:
            at, place = played.false[0]
            print(f"Evening {number}, place {place} at {at:.2f}, {played.blame(at)}")
            return
    pytest.fail(f"In {SMALL_RUN} evenings nothing noticed it.")
