"""Pairs of worlds: one script and two keys, what is seen of either, and how the two are told apart.

The tests in this folder prove rule ALL-1: nothing that anybody but a spymaster can observe depends
on the hidden part of the key. A test plays one script twice, with two different keys (or deals of
Codex). Both keys agree with everything that the game has disclosed. All bytes and times that can be
observed must be the same in both runs. ``twin_keys.py`` makes the second key, and ``twin_deals.py``
the second deal. ``leaks_of_*.py`` plant leaks in the code; the tests must find each leak.

There are two levels. At that of the rules a script is a game, played by the rules, the views and
the lights alone; at that of the daemon it is an evening at the whole table.

A failed test names its seed, for example ``rules/17``. These commands, run in this folder, repeat
the test. For other kinds of seeds replace ``rules_worlds`` by ``daemon_worlds``, ``codex_worlds``
or ``codex_pages_worlds``::

    export PYTHONPATH=..
    ../../.venv/bin/python -c "import pairs; print(pairs.rules_worlds('rules/17').told_apart())"

The tests compare everything that a run shows, even each phone's decrypted content. They leave out
the key that a spymaster sees during a peek. Messages on the sealed socket and on WebSockets are
encrypted, so the tests compare only their lengths and times. No test compares the order in which
two viewers are served at the same instant. Other tests cover more:

- ``../attacks`` and ``../pages`` search the memory of processes for secrets.
- ``../pages/test_two_worlds_of_a_page.py`` tests what a web page does with its data.
- ``test_two_worlds_tension.py`` tests the seconds between a guess and its answer.
- ``test_two_worlds_work.py`` counts executed lines of code. No test compares the computing time
  itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count, islice
from random import Random
from typing import Any, Final, TypeVar, cast

import codex_evenings
import codex_on_phones
import daemon_world
import evenings
import game_scripts
import msgspec
import rules_world
from daemon_world import SCREEN_OF, Stage, Watched
from evenings import Evening
from seen import Difference, Seen, as_lines, differences
from twin_deals import Deal, Hidden, twin
from twin_keys import Told, other_world

from pi_table.games.rules.seat import AGENTS

Watch = Callable[[Any, Sequence[str]], list[Seen]]


@dataclass(frozen=True)
class Worlds:
    """A script, and the keys, or deals of Codex, for it in the one world and in the other."""

    seed: str
    script: Any
    here: tuple[Any, ...]
    there: tuple[Any, ...]
    told: dict[str, Told]
    """Disclosed facts of the keys of ``here``."""
    watch: Watch
    seen_here: list[Seen] | None = None
    """Observations in the first world, where they are known already."""

    def parted(self, afresh: bool = False) -> list[Difference]:
        """Return the differences between both worlds for people who are no spymasters."""
        here = self.seen_here
        if here is None or afresh:
            here = self.watch(self.script, self.here)
        found = differences(here, self.watch(self.script, self.there))
        if not found:
            faults = [seen.value for seen in here if seen.what == "fault"]
            assert not faults, f"In both worlds of {self.seed!r} there is a fault: {faults[0]}"
        return found

    def told_apart(self, afresh: bool = False) -> str:
        """Return a report if the worlds can be told apart; empty if they cannot."""
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
    return _evening_in_two_worlds(seed, evenings.plan(seed, **of_plan))


def _evening_in_two_worlds(seed: str, evening: Evening) -> Worlds | None:
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


def pages_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening with pages and phones in two worlds."""
    evening = evenings.with_phones(evenings.plan(seed, **of_plan), Random(f"{seed}/phones"))
    return _evening_in_two_worlds(seed, evening)


def screenless_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening at a table without a hidden screen in two worlds."""
    evening = evenings.with_phones(evenings.plan(seed, **of_plan), Random(f"{seed}/phones"))
    return _evening_in_two_worlds(seed, evenings.without_screen(evening))


def bridge_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening with a bridge to a broker in two worlds."""
    evening = evenings.with_a_bridge(evenings.plan(seed, **of_plan), Random(f"{seed}/bridge"))
    return _evening_in_two_worlds(seed, evening)


def codex_worlds(seed: str, **of_plan: Any) -> Worlds | None:
    """An evening of Codex in two worlds, with what the agents see who can see nothing different.

    In every second one they do not even enter the same in both worlds. A deal that came to no game,
    because that could not be stored, is the same in both. None where no game began, or where all
    that is hidden could be told from what is open.
    """
    return _with_two_deals(seed, codex_evenings.plan(seed, **of_plan))


def codex_pages_worlds(seed: str, *, screenless: bool = False) -> Worlds | None:
    """The same of an evening whose agents have phones, at a table with or without a hidden screen.
    There all that is meant to be done is: what is left out is a fault."""

    def watch(evening: Evening) -> Watched:
        watched = daemon_world.watch(evening)
        left_out = codex_on_phones.not_taken(evening, watched.stories.values())
        if left_out:
            watched.seen.append(Seen("fault", f"{dict(left_out)} did not happen."))
        return watched

    return _with_two_deals(seed, codex_on_phones.plan(seed, screenless=screenless), watch)


def _with_two_deals(
    seed: str, evening: Evening, spent: Callable[[Evening], Watched] = daemon_world.watch
) -> Worlds | None:
    """``spent`` spends an evening."""
    chance = Random(f"{seed}/other")
    otherwise = chance.random() < 0.5
    watched = spent(evening)
    there = watched.stories
    if otherwise:
        there = spent(evening.hiding(Hidden(evening.deals, otherwise))).stories
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
        return [*filter(is_the_same, spent(evening.hiding(Hidden(*hidden))).seen)]

    if not twins:
        return None
    assert twins.keys() <= {*evening.deals}
    seen_here = [*filter(is_the_same, watched.seen)]
    other_deals = Hidden(tuple(twins.get(deal, deal) for deal in evening.deals), otherwise)
    return Worlds(seed, evening, Hidden(evening.deals), other_deals, {}, watch, seen_here)


Pair = TypeVar("Pair")


def pairs(make: Callable[[str], Pair | None], name: str, number: int) -> Iterator[Pair]:
    """So many pairs of worlds; seeds without a pair do not count."""
    made = (make(f"{name}/{seed}") for seed in count())
    return islice((worlds for worlds in made if worlds is not None), number)


def look_alike(
    make: Callable[[str], Worlds | None],
    name: str,
    seeds: Iterable[int],
    least: int,
    shows: Callable[[Worlds], Iterable[object]] = lambda worlds: (),
    expected: Iterable[object] = (),
) -> None:
    """Compare pairs of worlds: ``least`` of these seeds, and more until ``expected`` was shown."""
    made = (worlds for seed in seeds if (worlds := make(f"{name}/{seed}")) is not None)
    missing = {*expected}
    for number, worlds in enumerate(made, 1):
        assert not (how := worlds.told_apart()), how
        missing.difference_update(shows(worlds))
        if number >= least and not missing:
            return
    raise AssertionError(f"No pair of worlds shows {missing}; or there are not {least}.")


def many_look_alike(make: Callable[[str], Worlds | None], name: str, number: int, of: str) -> None:
    """Compare so many pairs of worlds ``of`` this kind."""
    for worlds in pairs(make, name, number):
        assert not (how := worlds.told_apart()), how
    print(f"{number} pairs of {of} look alike.")


_made = cache(lambda make, seed: make(seed))


def checks(
    make: Callable[[str], Worlds | None], name: str, seeds: Iterable[int]
) -> Iterator[Callable[[], list[Difference]]]:
    """Compare two worlds anew, again and again with another script. Pairs are made once."""
    for seed in seeds:
        worlds: Worlds | None = _made(make, f"{name}/{seed}")
        if worlds is not None:
            yield partial(worlds.parted, afresh=True)


LISTENER: Final = "public socket, one that listens"
"""Observable that has every message that anybody gets."""


def shown(worlds: Worlds) -> Iterator[str]:
    """Yield the phases and marks in the public views of a game of Codex."""
    seen = [one.value for one in worlds.seen_here or () if one.what == LISTENER]
    for line in b"".join(seen).splitlines():  # type: ignore[arg-type]
        view = msgspec.json.decode(line)["view"]
        if view is not None and view["profile"] == "codex":
            yield view["phase"]
            yield from (name for name in ("added", "votes", "together") if view.get(name))
            yield from ("revealed" for agent in view["agents"] if agent["revealed"])
