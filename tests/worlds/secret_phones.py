"""Signs for others of people's private acts on phones: the same evening, with and without them."""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

import daemon_world
from codex_on_phones import not_taken, secret_acts, steps
from codex_on_phones import plan as plan_on_phones
from daemon_world import SCREEN_OF
from evenings import Evening, plan, with_phones
from seen import Difference, Seen, differences

from pi_table.games.rules.seat import AGENTS

PHONE_OF = "phone of "
"""Prefix of the observables that only the owner of a phone sees."""
INSIDE = ("console", "files", "log", "pi-table ")
"""Prefixes of the observables that nobody in the room sees: the table's own record of the input.
The console's socket also gets a message when a phone's request is accepted. It belongs to the
program of the hidden screen, which is trusted, and shows nothing of that."""


def evenings_with_phones(name: str, number: int) -> Iterator[Evening]:
    """So many evenings in which somebody does something secret on a phone."""
    found = 0
    for seed in count():
        evening = plan(f"{name}/{seed}", length=12, messy=0.0)
        # Who confirms to keep a phone is seen by everybody, and so that is none of this.
        evening = with_phones(evening, Random(f"{name}/{seed}/phones"), keeping=False)
        if evening.with_phones_unused().happenings != evening.happenings:
            yield evening
            found += 1
            if found == number:
                return


def trace_of_phones(evening: Evening) -> list[Difference]:
    """Return the signs of acts on phones that others could see."""
    used, unused = daemon_world.watch(evening), daemon_world.watch(evening.with_phones_unused())
    return _trace(used.seen, unused.seen, (PHONE_OF,))


def evenings_of_agents(name: str) -> Iterator[tuple[Evening, str]]:
    """Evenings of Codex, and in each an agent who, on a phone, enters what nobody else is to
    notice: a question, a demand, an attempt at a code, that they are done while others are not."""
    for seed in count():
        evening = plan_on_phones(f"{name}/{seed}", secretly=True)
        yield evening, Random(f"{name}/{seed}/who").choice(AGENTS).value


def trace_of_agent(evening: Evening, seat: str) -> list[Difference]:
    """Return the signs of this agent's acts on a phone that others see, on their phones too."""
    unused = evening.with_phones_unused(seat)
    used, without = daemon_world.watch(evening), daemon_world.watch(unused)
    unseen = (f"{PHONE_OF}{seat}", f"{SCREEN_OF}{seat}", *INSIDE)
    found = _trace(used.seen, without.seen, unseen)
    if not found:  # it proves something if all was done that was meant to be
        for spent, watched in ((evening, used), (unused, without)):
            left_out = not_taken(spent, watched.stories.values())
            assert not left_out, f"{evening.seed}: {left_out} did not happen."
        done = steps(used.stories.values()) - steps(without.stories.values())
        assert done, evening.seed
        assert done == secret_acts(evening, seat), f"{evening.seed}: {done}"
    return found


def _trace(used: list[Seen], unused: list[Seen], unseen: Sequence[str]) -> list[Difference]:
    found = differences(_but(unseen, used), _but(unseen, unused))
    if not found:
        faults = [seen.value for seen in used if seen.what == "fault"]
        assert not faults, faults[0]
    return found


def _but(unseen: Sequence[str], seen: list[Seen]) -> list[Seen]:
    return [one for one in seen if not one.what.startswith(tuple(unseen))]
