"""The door: whatever is wanted of the table, by a finger, a person or a program, is judged here.

What is judged is a value, the table's situation, and nothing is changed. So the test of who may
ask for what, when (`tests/engine/who_may.txt`) asks here for everything in everybody's name.
"""

from typing import Final

from pi_table.games.rules import games
from pi_table.games.rules.seat import Seat
from pi_table.table.engine.desk.session import check_that_nothing_is_restored
from pi_table.table.engine.inputs import Request, What
from pi_table.table.engine.intents import Hold
from pi_table.table.engine.moves import (
    Move,
    acted,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    playing,
    touched,
)
from pi_table.table.engine.outcome import Outcome
from pi_table.table.engine.requests import console, desk, house, phone
from pi_table.table.engine.requests.house import check_that_a_game_may_begin
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.service import check_that_nobody_services
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.storage.orders import Deal


def decide(what: What, situation: Situation, now: float) -> Outcome:
    """Return what is to be done about a touch or a request; raise TableError to refuse it.

    ``now`` is in seconds of the table's clock.
    """
    check_that_nothing_is_restored(situation.desk)
    outcome = _decide(what, situation, now)
    if isinstance(outcome, Move | Deal):
        check_that_it_can_be_stored(situation.closed, situation.fault)
    return outcome


def _decide(what: What, situation: Situation, now: float) -> Outcome:
    match what:
        case Hold(place=place):
            seat, act = touched(situation.game, place, situation.chance)
            return acted(playing(situation.game), seat, act, now)
        case Request(by=by):
            return _ASKED[by](what, situation, now)
    check_that_nobody_services(situation.service)
    check_that_a_game_may_begin(situation)
    check_that_none_is_played(situation.game)
    return Deal(what.to, what.game, what.wish)


def _by_itself(request: Request, situation: Situation, now: float) -> Outcome:
    """An act of the rules that the table does for a seat."""
    game = playing(situation.game)
    act = games.read_act(request.do, game.state, situation.chance)
    return acted(game, Seat(request.do["seat"]), act, now)


_ASKED: Final = {
    Asker.CONSOLE: console.decide,
    Asker.PHONE: phone.decide,
    Asker.DESK: desk.decide,
    Asker.HOUSE: house.decide,
    Asker.TABLE: _by_itself,
}
