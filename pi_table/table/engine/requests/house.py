"""What the house orders over its socket: what is to be done about an order.

No order is an act of a game: none begins, changes or ends one, and none is told what is hidden.
``now`` is in seconds of the table's clock.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import InputError, did_you_mean
from pi_table.common.house import LEAST_BRIGHTNESS, changed
from pi_table.games.announcer.standing import Closing
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.house import (
    MOST_CLOSING_MINUTES,
    MOST_FREE_SECONDS,
    MOST_LOCATE_SECONDS,
    HouseSettings,
    Latest,
    Order,
)
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.moves import Unable, check_that_none_is_played
from pi_table.table.engine.outcome import Ordered, Outcome
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.storage.orders import ChangeHouse, ReadFinished


def decide(request: Request, situation: Situation, now: float) -> Outcome:
    """What is to be done about an order. Raises TableError to refuse it."""
    do = request.do
    if do.get("seat") != Seat.OPERATOR.value:
        raise Unable("wrong-seat", "What the house orders is asked for in the operator’s seat.")
    try:
        order = Order(do.get("act"))
    except ValueError:
        hint = did_you_mean(str(do.get("act")), [each.value for each in Order])
        raise Unable("unknown-act", f"The house can order no such thing; {hint}") from None
    return _ORDERS[order](request, situation, now)


def _locate(request: Request, situation: Situation, now: float) -> Outcome:
    seconds = _number(request.do, "seconds", MOST_LOCATE_SECONDS)
    return Ordered(replace(situation.in_force, located_until=_from(now, seconds)))


def _set(request: Request, situation: Situation, now: float) -> Outcome:
    settings = request.do.get("settings")
    if not isinstance(settings, Mapping) or not settings:
        raise InputError("What the house sets is an object of settings and their values.")
    known = list(HouseSettings.__struct_fields__)
    for name in settings:
        if name not in known:
            raise InputError(f"No setting {name!r} is set from afar; {did_you_mean(name, known)}")
    house = changed(situation.house, settings)
    if "brightness" in settings and house.brightness < LEAST_BRIGHTNESS:
        raise InputError(
            f"From afar the lights are set to {LEAST_BRIGHTNESS} % or more: in the dark nobody "
            "could go on with a game."
        )
    return ChangeHouse(request.to, dict(settings))


def _closing(request: Request, situation: Situation, now: float) -> Outcome:
    minutes = _number(request.do, "minutes", MOST_CLOSING_MINUTES)
    if minutes == 0:
        raise InputError("The house closes in one minute or more.")
    said = situation.in_force.closing
    number = 1 if said is None else said.number + 1
    return Ordered(replace(situation.in_force, closing=Closing(number, minutes)))


def _keep_free(request: Request, situation: Situation, now: float) -> Outcome:
    seconds = _number(request.do, "seconds", MOST_FREE_SECONDS)
    if seconds:
        check_that_none_is_played(situation.game)
    return Ordered(replace(situation.in_force, free_until=_from(now, seconds)))


def _finished(request: Request, situation: Situation, now: float) -> Outcome:
    try:
        after = msgspec.convert(request.do.get("after"), Latest | None)
    except msgspec.ValidationError as error:
        raise InputError(f"Finished games after which one? {error}.") from None
    return ReadFinished(request.to, after)


def _number(do: Mapping[str, Any], name: str, most: int) -> int:
    number = do.get(name)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise InputError(f"{name!r} is a whole number from 0 to {most}.")
    return number


def _from(now: float, seconds: int) -> float | None:
    return now + seconds if seconds else None


_ORDERS: Final[dict[Order, Callable[[Request, Situation, float], Outcome]]] = {
    Order.LOCATE: _locate,
    Order.SET: _set,
    Order.CLOSING: _closing,
    Order.KEEP_FREE: _keep_free,
    Order.FINISHED: _finished,
}


def check_that_a_game_may_begin(situation: Situation) -> None:
    """Raises Unable while no game may begin at the table."""
    if situation.in_force.free_until is not None:
        raise Unable("kept-free", "The table is being worked on: a game can begin in some minutes.")
    if situation.house.out_of_service:
        raise Unable("out-of-service", "This table is out of service: no game can begin at it.")
