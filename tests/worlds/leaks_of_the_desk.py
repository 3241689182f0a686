"""Faults in what the desk is told at a table without a hidden screen."""

from typing import Any

from planting import Leaks, after, at, hint

from pi_table.games.rules import games
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team
from pi_table.table.engine.families.codex import record
from pi_table.table.engine.phone_sessions import PhoneSessions
from pi_table.table.engine.requests import desk, desk_play

LEAKS = Leaks()
IN_CODEX = Leaks()


@LEAKS.enter("desk", after(desk_play._hand))
def the_desk_is_told_a_letter_of_the_key(_: Any, *more: Any) -> Any:
    return desk_play.DeskHand(Team.RED, (hint.letters[12],), None)


@LEAKS.enter("pages, the desk", after(desk.answer_fields))
def an_answer_to_the_desk_is_as_long_as_the_assassin_is_far(fields: Any, *_: Any) -> Any:
    return {**fields, "pad": "." * (60 * (hint.assassin() % 5))}


@LEAKS.enter("desk", after(desk_play._has_two_sides))
def whether_sides_can_be_swapped_depends_on_the_key(found: bool, *_: Any) -> bool:
    return hint.bit()


@IN_CODEX.enter("desk", at(desk_play.DeskSeat))
def the_leaders_link_seems_to_have_been_tried(
    original: Any, seat: Seat, nickname: Any, needed: bool, state: Any, tried: bool
) -> Any:
    return original(seat, nickname, needed, state, tried or seat is AGENTS[hint.leader()])


@IN_CODEX.enter("desk", after(games.may))
def the_desk_may_allow_no_new_code_where_the_leader_sits_at_an_odd_place(
    may: Any, state: Any, seat: Seat
) -> Any:
    if seat is not Seat.OPERATOR or hint.leader() % 2 == 0:
        return may
    return tuple(act for act in may if act != "new-code")


@IN_CODEX.enter("desk", at(record.is_open))
def the_record_has_the_identikits_before_they_are_revealed(*_: Any) -> bool:
    return True


@IN_CODEX.enter("pages, the desk", after(desk.answer_fields))
def an_answer_to_the_desk_is_longer_the_further_the_leader_sits(fields: Any, *_: Any) -> Any:
    return {**fields, "pad": "." * 60 * hint.leader()}


@IN_CODEX.enter("public socket", after(PhoneSessions.due_requests))
def an_agent_of_reds_stays_with_the_lost_phone(due: Any, *_: Any) -> Any:
    def is_lost(do: Any) -> bool:
        found = hint.identikit(do.get("target"))
        return found is not None and found.faction is Team.RED

    return [request for request in due if not is_lost(request.do)]
