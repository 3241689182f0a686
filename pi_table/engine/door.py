"""The door: whatever is wanted of the table, by a finger, a person or a program, is judged here.

What is judged is a value, the table's situation, and nothing is changed. So the test of who may
ask for what, when (`tests/engine/rights.txt`) asks here for everything in everybody's name.
"""

from pi_table.engine.desk.requests import Work as DeskWork
from pi_table.engine.desk.requests import work_of as work_of_desk
from pi_table.engine.desk.session import check_that_nothing_is_restored
from pi_table.engine.house_orders import Work as HouseWork
from pi_table.engine.house_orders import check_that_a_game_may_begin, work_of_house
from pi_table.engine.inputs import Asked, AskedAtDesk, AskedByHouse, AskedByPhone, AskedByTable
from pi_table.engine.intents import Hold
from pi_table.engine.jobs import What
from pi_table.engine.moves import (
    Move,
    acted,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    playing,
    touched,
)
from pi_table.engine.outputs import Deal
from pi_table.engine.phone_requests import work_of_phone
from pi_table.engine.requests import Work, work_of
from pi_table.engine.service import check_that_nobody_services
from pi_table.engine.situation import Situation
from pi_table.rules import games


def decide(what: What, situation: Situation, now: float) -> Work | HouseWork | DeskWork:
    """Return what is to be done about a touch or a request; raise TableError to refuse it.

    ``now`` is in seconds of the table's clock.
    """
    check_that_nothing_is_restored(situation.desk)
    work = _work(what, situation, now)
    if isinstance(work, Move | Deal):
        check_that_it_can_be_stored(situation.closed, situation.fault)
    return work


def _work(what: What, situation: Situation, now: float) -> Work | HouseWork | DeskWork:
    match what:
        case Hold(place=place):
            seat, act = touched(situation.game, place, situation.chance)
            return acted(playing(situation.game), seat, act, now)
        case Asked():
            return work_of(what, situation, now)
        case AskedAtDesk():
            return work_of_desk(what, situation, now)
        case AskedByHouse():
            return work_of_house(what, situation, now)
        case AskedByPhone():
            return work_of_phone(what, situation, now)
        case AskedByTable(seat=seat, do=do):
            game = playing(situation.game)
            return acted(game, seat, games.read_act(do, game.state, situation.chance), now)
    check_that_nobody_services(situation.service)
    check_that_a_game_may_begin(situation)
    check_that_none_is_played(situation.game)
    return Deal(what.to, what.game, what.wish)
