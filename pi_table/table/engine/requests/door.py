"""The one place that decides about every touch and request, whether of a person or a program.

This module only reads a snapshot of the table, and changes nothing. So the test of all rights
(`tests/engine/who_may.txt`) can request every act here, for every asker.
"""

from typing import Any, Final

from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say
from pi_table.games.rules import games
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.table.engine.desk.desk import check_that_it_is_open, check_that_nothing_is_restored
from pi_table.table.engine.inputs import Request, Task
from pi_table.table.engine.phones.phones import PhoneRequest
from pi_table.table.engine.requests.acts import (
    ACTS,
    CONSOLE,
    DESK,
    HOUSE,
    Act,
    act_at,
    act_at_console,
    act_on_phone,
    names_at,
)
from pi_table.table.engine.requests.console import check_can_start
from pi_table.table.engine.requests.desk_play import check_that_no_screen_does_it
from pi_table.table.engine.requests.fields import read_fields
from pi_table.table.engine.requests.game import acting
from pi_table.table.engine.requests.outcome import Outcome
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.lock import needs_pin, pin_needed
from pi_table.table.engine.state.moves import (
    Move,
    Unable,
    act_of_touch,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    move_of_act,
    playing,
)
from pi_table.table.engine.storage.orders import Deal
from pi_table.table.engine.touches.intents import Hold


def decide(what: Task, snapshot: Snapshot, now: float) -> Outcome:
    """Return the outcome of a touch or a request, or raise TableError to refuse it."""
    check_that_nothing_is_restored(snapshot.desk)
    always_needs_disk = not isinstance(what, Request) or what.by is Asker.TABLE
    if always_needs_disk and snapshot.unsettled is not None:
        raise snapshot.unsettled  # the rules would judge it by a state that is out of date
    outcome = _decide(what, snapshot, now)
    if isinstance(outcome, Move | Deal):
        check_that_it_can_be_stored(snapshot.closed, snapshot.fault, snapshot.unsettled)
    return outcome


def _decide(what: Task, snapshot: Snapshot, now: float) -> Outcome:
    match what:
        case Hold(place=place):
            seat, act = act_of_touch(snapshot.game, place, snapshot.chance)
            return move_of_act(playing(snapshot.game), seat, act, now)
        case Request(by=by):
            return _ASKED[by](what, snapshot, now)
    check_can_start(snapshot)
    check_that_none_is_played(snapshot.game)
    return Deal(what.to, what.game, what.source)


def _do(act: Act[Any], request: Request, snapshot: Snapshot, now: float) -> Outcome:
    if act.when is not None:
        act.when(snapshot)
    fields = None if act.fields is None else read_fields(act.fields, request.do)
    return act.do(request, fields, snapshot, now)


# --- askers


def _at_console(request: Request, snapshot: Snapshot, now: float) -> Outcome:
    act = act_at_console(_name(request))
    if act.seat is None:
        _, seat = acting(request, snapshot)
    elif request.do.get("seat") == act.seat.value:
        seat = act.seat
    else:
        raise Refused(Reason.WRONG_SEAT)
    if not without_pin(snapshot, seat.role, (act.name,)):
        raise pin_needed()
    return _do(act, request, snapshot, now)


def _on_phone(request: Request, snapshot: Snapshot, now: float) -> Outcome:
    to = request.to
    assert isinstance(to, PhoneRequest)
    if not snapshot.phones.has(to):
        raise Unable("no-link", say("That seat has no phone."))
    if snapshot.game is not None and to.seat not in snapshot.seated:
        raise Unable("not-confirmed", say("Hold a finger on the phone first, to keep its seat."))
    seat, act = to.seat, act_on_phone(_name(request))
    if seat.role not in act.phones:
        raise Unable("not-on-a-phone", say("That is not done on a phone."))
    phone = snapshot.phones.of(seat)
    if act.is_limited and phone is not None and phone.asks_too_often:
        raise Unable("too-often", say("Wait a minute before you do that again."))
    do = {**request.do, "seat": seat.value}
    if act.by is Asker.PHONE:
        return _do(act, Request(Asker.PHONE, to, do), snapshot, now)
    outcome = _at_console(Request(CONSOLE, to, do), as_from_a_phone(snapshot), now)
    # An agent's results appear only in the view that is shown while a finger holds.
    return replace(outcome, told=None) if isinstance(outcome, Move) else outcome


def _at_desk(request: Request, snapshot: Snapshot, now: float) -> Outcome:
    name = request.do.get("act")
    act = act_at(DESK, name)
    if act is None or not act.while_locked:
        check_that_it_is_open(snapshot.desk)  # do not list the acts to strangers
    if act is None:
        raise InputError(
            say(
                "The desk has no act {name}; {did_you_mean}",
                name=repr(name),
                did_you_mean=did_you_mean(str(name), names_at(DESK)),
            )
        )
    if act.without_screen:
        check_that_no_screen_does_it(snapshot)
    return _do(act, request, snapshot, now)


def _of_house(request: Request, snapshot: Snapshot, now: float) -> Outcome:
    """Decide an order of the house. Such an order never acts in a game or shows hidden
    information."""
    do = request.do
    if do.get("seat") != Seat.OPERATOR.value:
        raise Unable("wrong-seat", say("Orders of the house are given from the operator’s seat."))
    act = act_at(HOUSE, do.get("act"))
    if act is None:
        hint = did_you_mean(str(do.get("act")), names_at(HOUSE))
        raise Unable("unknown-act", say("The house has no such order; {hint}", hint=hint))
    return _do(act, request, snapshot, now)


def _by_itself(request: Request, snapshot: Snapshot, now: float) -> Outcome:
    game = playing(snapshot.game)
    act = games.read_act(request.do, game.state, snapshot.chance)
    return move_of_act(game, Seat(request.do["seat"]), act, now)


_ASKED: Final = {
    Asker.CONSOLE: _at_console,
    Asker.PHONE: _on_phone,
    Asker.DESK: _at_desk,
    Asker.HOUSE: _of_house,
    Asker.TABLE: _by_itself,
}


def _name(request: Request) -> str:
    name = request.do.get("act")
    if not isinstance(name, str):
        raise Refused(Reason.UNKNOWN_ACT)
    return name


# --- acts that may be requested


def without_pin(snapshot: Snapshot, role: Role, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the acts among ``names`` that this role may do now without the PIN. Agents never need
    the PIN, because all their acts are part of the game."""
    lock, house = snapshot.lock, snapshot.house
    if lock.is_open or role is Role.AGENT:
        return names
    return tuple(name for name in names if not needs_pin(lock, house, act_at_console(name).needs))


def as_from_a_phone(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot for a phone's request: as if the hidden screen had no peek and no open
    page."""
    return replace(snapshot, peek=None, lock=replace(snapshot.lock, open_until=None))


def acts_on_offer(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the acts outside the rules that the hidden screen offers to the operator now. An act
    that is always possible is not listed: the screen offers it if the lock allows it."""
    names = tuple(name for name, is_offered in _OFFERED if is_offered(snapshot))
    return without_pin(snapshot, Role.OPERATOR, names)


_OFFERED: Final = tuple((act.name, act.is_offered) for act in ACTS if act.is_offered is not None)
