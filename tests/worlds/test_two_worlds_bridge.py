"""ALL-1 beyond the house: everything that the bridge publishes, and what the house is told."""

from collections.abc import Iterator
from functools import partial

import leaks_of_the_bridge
import msgspec
import pytest
from pairs import Worlds, bridge_worlds, checks, look_alike, many_look_alike, pairs
from planting import Leak, found_in, planted

PAIRS = 1
MANY_PAIRS = 2_000
MAX_WORLDS = 16
"""So many pairs are looked at for a leak, at most."""
make = partial(bridge_worlds, length=10, messy=0.1)


def published(worlds: Worlds) -> Iterator[str]:
    """The topics on which something was published, and the sockets on which something came."""
    for seen in worlds.seen_here or ():
        yield seen.value[0] if seen.what == "published" else seen.what  # type: ignore[index]


EVERYTHING = (
    *(f"pi-table/table/{each}" for each in ("availability", "state", "settings", "faults")),
    *(f"pi-table/table/{each}" for each in ("health", "event", "record", "done")),
    "homeassistant/device/table/config",
    *("house socket", "figures"),
)


def test_evenings_with_a_bridge_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    look_alike(make, "bridge", range(MAX_WORLDS), PAIRS, published, EVERYTHING)


@pytest.mark.torture
def test_many_evenings_with_a_bridge_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    many_look_alike(make, "many bridges", MANY_PAIRS, "evenings with a bridge")


def test_a_record_tells_of_guesses_that_were_made_and_of_no_others() -> None:  # ALL-1
    """Without this, the comparison would be worth little."""
    records = [
        msgspec.json.decode(seen.value[1])  # type: ignore[index]
        for worlds in pairs(make, "bridge", 1)
        for seen in worlds.seen_here or ()
        if seen.what == "published" and seen.value[0].endswith("/record")  # type: ignore[index]
    ]
    assert any(record["guesses"] for record in records)
    assert {*records[0]} == {
        *("table", "version", "game", "number", "revision", "begun", "profile", "lang", "seconds"),
        *("outcome", "turns", "clues", "guesses", "dealt"),
    }


@pytest.mark.parametrize("leak", planted("bridge", leaks_of_the_bridge.LEAKS))
def test_a_leak_to_the_broker_is_found(leak: Leak) -> None:
    found_in(leak, checks(make, "planted bridge", range(MAX_WORLDS)))
