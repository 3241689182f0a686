"""Pairs of worlds: one script and two keys, what is seen of either, and how the two are told apart.

There are two levels. At that of the rules a script is a game, played by the rules, the views and
the lights alone; at that of the daemon it is an evening at the whole table.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any, cast

import codex_evenings
import daemon_world
import evenings
import game_scripts
import msgspec
import rules_world
from daemon_world import SCREEN_OF, Stage
from evenings import Evening
from seen import Difference, Seen, as_lines, differences
from twin_deals import Deal, Hidden, twin
from twin_keys import Told, other_world

from pi_table.rules.seat import AGENTS

Watch = Callable[[Any, Sequence[str]], list[Seen]]


@dataclass(frozen=True)
class Worlds:
    """A script, and the keys, or deals of Codex, for it in the one world and in the other."""

    seed: str
    script: Any
    here: tuple[Any, ...]
    there: tuple[Any, ...]
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
            f"keys of world A: {_text(self.here)}\nkeys of world B: {_text(self.there)}\n"
            f"the script, in world A:\n{as_lines(self.script.in_world(self.here))}"
        )


def _text(drawn: Sequence[Any]) -> str:
    """Keys, or deals of Codex, in the clear."""
    return msgspec.json.encode(drawn).decode()


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


def codex_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening of Codex in two worlds, with what the agents see who can see nothing different.

    In every second one they do not even enter the same in both worlds. A deal that came to no game,
    because that could not be stored, is the same in both. None where no game began, or where all
    that is hidden could be told from what is open.
    """
    evening = codex_evenings.plan(seed, **of_plan)
    chance = Random(f"{seed}/other")
    otherwise = chance.random() < 0.5
    watched = daemon_world.watch(evening)
    there = watched.stories
    if otherwise:
        there = daemon_world.watch(evening.hiding(Hidden(evening.deals, otherwise))).stories
    twins: dict[Deal, Deal] = {}
    aware: dict[tuple[int, str], int] = {}
    for game, story in watched.stories.items():
        deal = twin(story, there[game], chance) if game in there else None
        if deal is None:
            return None
        twins[story.deal] = deal
        for agent, since in story.aware_of(replace(there[game], deal=deal)).items():
            aware[game, f"{SCREEN_OF}{AGENTS[agent].value}"] = since

    def is_the_same(seen: Seen) -> bool:
        if not seen.what.startswith(SCREEN_OF):
            return True
        when = cast(tuple[Stage, object], seen.value)[0]
        since = aware.get((when.game, seen.what))
        return since is None or when.phase < since or (when.phase == since and when.sending)

    def watch(evening: Evening, hidden: Sequence[Any]) -> list[Seen]:
        return [*filter(is_the_same, daemon_world.watch(evening.hiding(Hidden(*hidden))).seen)]

    if not twins:
        return None
    assert twins.keys() <= {*evening.deals}
    seen_here = [*filter(is_the_same, watched.seen)]
    other_deals = Hidden(tuple(twins.get(deal, deal) for deal in evening.deals), otherwise)
    return Worlds(seed, evening, Hidden(evening.deals), other_deals, {}, watch, seen_here)


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
