"""Faults in what the desk is told at a table without a hidden screen."""

from typing import Any

from planting import Leaks, after, hint

from pi_table.games.rules.team import Team
from pi_table.table.engine.requests import desk, desk_play

LEAKS = Leaks()


@LEAKS.enter("desk", after(desk_play._hand))
def the_desk_is_told_a_letter_of_the_key(_: Any, *more: Any) -> Any:
    return desk_play.DeskHand(Team.RED, (hint.letters[12],), None)


@LEAKS.enter("pages, the desk", after(desk.answer_fields))
def an_answer_to_the_desk_is_as_long_as_the_assassin_is_far(fields: Any, *_: Any) -> Any:
    return {**fields, "pad": "." * (60 * (hint.assassin() % 5))}


@LEAKS.enter("desk", after(desk_play._has_two_sides))
def whether_sides_can_be_swapped_depends_on_the_key(found: bool, *_: Any) -> bool:
    return hint.bit()
