"""ALL-1 beyond the house: everything that the bridge publishes, and what the house is told."""

from collections import Counter
from functools import cache, partial

import leaks_of_the_bridge
import msgspec
import pytest
from pairs import Worlds, bridge_worlds, pairs
from planting import Leak, found_in, planted

PAIRS = 6
MANY_PAIRS = 2_000
MOST = 16
"""So many pairs are looked at for a leak, at most."""
make = partial(bridge_worlds, length=10, messy=0.1)


def published(worlds: Worlds) -> Counter[str]:
    """How often something was published on each topic, and on whose socket something came."""
    kinds: Counter[str] = Counter()
    for seen in worlds.seen_here or ():
        if seen.what == "published":
            kinds[seen.value[0]] += 1  # type: ignore[index]
        else:
            kinds[seen.what] += 1
    return kinds


EVERYTHING = (
    *(f"pi-table/table/{each}" for each in ("availability", "state", "settings", "faults")),
    *(f"pi-table/table/{each}" for each in ("health", "event", "record", "done")),
    "homeassistant/device/table/config",
    *("house socket", "figures"),
)


def test_evenings_with_a_bridge_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    kinds: Counter[str] = Counter()
    for worlds in pairs(make, "bridge", PAIRS):
        assert not (how := worlds.told_apart()), how
        kinds += published(worlds)
    assert min(kinds[what] for what in EVERYTHING) > 0, kinds


@pytest.mark.torture
def test_many_evenings_with_a_bridge_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    for worlds in pairs(make, "many bridges", MANY_PAIRS):
        assert not (how := worlds.told_apart()), how
    print(f"{MANY_PAIRS} pairs of evenings with a bridge look alike.")


def test_a_record_tells_of_guesses_that_were_made_and_of_no_others() -> None:  # ALL-1
    """What the comparison would be worth little without."""
    records = [
        msgspec.json.decode(seen.value[1])  # type: ignore[index]
        for worlds in pairs(make, "bridge", PAIRS)
        for seen in worlds.seen_here or ()
        if seen.what == "published" and seen.value[0].endswith("/record")  # type: ignore[index]
    ]
    assert any(record["guesses"] for record in records)
    assert {*records[0]} == {
        *("table", "version", "game", "number", "revision", "begun", "profile", "lang", "seconds"),
        *("outcome", "turns", "clues", "guesses", "dealt"),
    }


@cache
def with_leak(number: int) -> Worlds | None:
    return make(f"planted bridge/{number}")


@pytest.mark.parametrize("leak", planted("bridge", leaks_of_the_bridge.LEAKS))
def test_a_leak_to_the_broker_is_found(leak: Leak) -> None:
    worlds = (pair for number in range(MOST) if (pair := with_leak(number)) is not None)
    found_in(leak, (partial(pair.parted, afresh=True) for pair in worlds))
