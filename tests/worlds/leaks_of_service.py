"""Faults that tell in service what is hidden of a game that is over, or of one that is played."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from planting import Leaks, instead_of, knowing

from pi_table.common.geometry import leds_of
from pi_table.table.engine import messages, service

LEAKS = Leaks()


@LEAKS.enter("console")
def what_is_counted_is_as_much_as_the_key_says() -> Iterator[None]:
    original = messages._in_service

    def in_service(situation: Any, now: float) -> Any:
        made = original(situation, now)
        if made is None:
            return None
        return replace(made, counts={**made.counts, "link_lost": hint.assassin() % 5})

    with knowing() as hint, instead_of(original, in_service):
        yield


@LEAKS.enter("lights")
def the_assassin_stays_dark_while_all_lights_are_tried() -> Iterator[None]:
    original = service.tried

    def tried(*given: Any) -> Any:
        made = original(*given)
        return replace(made, lit=made.lit - {*leds_of(max(0, hint.assassin()))})

    with knowing() as hint, instead_of(original, tried):
        yield


@LEAKS.enter("lights")
def a_finger_on_the_assassin_is_not_seen_in_service() -> Iterator[None]:
    original = service.tried

    def tried(of: Any, touched: Any, deaf: Any) -> Any:
        near = frozenset(place for place in touched if hint.near(place))
        return original(of, touched - near, deaf)

    with knowing() as hint, instead_of(original, tried):
        yield
