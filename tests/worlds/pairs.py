"""Pairs of worlds: one script and two keys, what is seen of either, and how the two are told apart.

There are two levels. At that of the rules a script is a game, played by the rules, the views and
the lights alone; at that of the daemon it is an evening at the whole table.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import daemon_world
import evenings
import game_scripts
import rules_world
from seen import Difference, Seen, as_lines, differences
from twin_keys import Told, other_world

Watch = Callable[[Any, Sequence[str]], list[Seen]]


@dataclass(frozen=True)
class Worlds:
    """A script, and the keys that are drawn for it in the one world and in the other."""

    seed: str
    script: Any
    here: tuple[str, ...]
    there: tuple[str, ...]
    told: dict[str, Told]
    """What was disclosed of the keys of ``here``."""
    watch: Watch
    seen_here: list[Seen] | None = None
    """What was seen in the first world, where it is known already."""

    def parted(self, afresh: bool = False) -> list[Difference]:
        """What is not the same in both worlds, to those who are no spymasters."""
        here = self.seen_here
        if here is None or afresh:
            here = self.watch(self.script, self.here)
        found = differences(here, self.watch(self.script, self.there))
        if not found:
            faults = [seen.value for seen in here if seen.what == "fault"]
            assert not faults, f"In both worlds of {self.seed!r} there is a fault: {faults[0]}"
        return found

    def told_apart(self, afresh: bool = False) -> str:
        """What there is to say if the worlds can be told apart; nothing if they cannot."""
        found = self.parted(afresh)
        if not found:
            return ""
        return (
            f"The worlds of seed {self.seed!r} can be told apart by: "
            f"{', '.join(difference.what for difference in found)}.\n{found[0]}\n"
            f"keys of world A: {' '.join(self.here)}\nkeys of world B: {' '.join(self.there)}\n"
            f"the script, in world A:\n{as_lines(self.script.in_world(self.here))}"
        )


def rules_worlds(seed: str) -> Worlds | None:
    """A game in two worlds; None where all that is hidden could be told from what is open."""
    script = game_scripts.write(seed)
    there = other_world(script.drawn, script.told, Random(f"{seed}/other"))
    if there is None:
        return None
    return Worlds(seed, script, script.drawn, there, script.told, rules_world.watch)


def daemon_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening in two worlds; it is spent in the first, to know what is disclosed."""
    evening = evenings.plan(seed, **of_plan)
    watched = daemon_world.watch(evening)
    there = other_world(watched.drawn, watched.told, Random(f"{seed}/other"))
    if there is None:
        return None
    return Worlds(
        seed,
        evening,
        watched.drawn,
        there,
        watched.told,
        lambda evening, keys: daemon_world.watch(evening, keys).seen,
        watched.seen,
    )


def pairs(
    make: Callable[[str], Worlds | None], name: str, number: int, first: int = 0
) -> Iterator[Worlds]:
    """So many pairs of worlds, from seed ``name/first`` on; seeds without a pair do not count."""
    found = 0
    for seed in count(first):
        worlds = make(f"{name}/{seed}")
        if worlds is not None:
            yield worlds
            found += 1
            if found == number:
                return
