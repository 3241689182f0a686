"""Faults that tell in service what is hidden of a game that is over, or of one that is played."""

from typing import Any

from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.geometry import leds_of
from pi_table.table.engine.presentation import messages
from pi_table.table.engine.state import service

LEAKS = Leaks()


@LEAKS.enter("console", after(messages._in_service))
def what_is_counted_is_as_much_as_the_key_says(made: Any, *_: Any) -> Any:
    if made is None:
        return None
    return replace(made, counts={**made.counts, "link_lost": hint.assassin() % 5})


@LEAKS.enter("lights", after(service.light_test))
def the_assassin_stays_dark_while_all_lights_are_tried(made: Any, *_: Any) -> Any:
    return replace(made, lit=made.lit - {*leds_of(max(0, hint.assassin()))})


@LEAKS.enter("lights", at(service.light_test))
def a_finger_on_the_assassin_is_not_seen_in_service(
    original: Any, of: Any, touched: Any, deaf: Any
) -> Any:
    near = frozenset(place for place in touched if hint.near(place))
    return original(of, touched - near, deaf)
