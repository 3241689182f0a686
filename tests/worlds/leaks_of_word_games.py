"""Faults in the table that show only in games that are not the classic one."""

import asyncio
from collections.abc import Iterator
from typing import Any

from planting import Leaks, after, at, hint

from pi_table.common.geometry import CELL_COUNT, SIDE, leds_of
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.lights import word_games as lights_of_words
from pi_table.games.rules import games
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.word_games.board import COVER, Board
from pi_table.games.rules.word_games.events import KeyDrawn
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience, Publish
from pi_table.table.engine.table import Table
from pi_table.table.engine.touches.fingers import Fingers

IN_ALIAS_24, IN_A_GROUP, WHERE_CARDS_ARE_LAID_OUT = Leaks(), Leaks(), Leaks()


@IN_ALIAS_24.enter("lights", at(lights_of_words._nuke))
def the_nuke_is_brighter_where_its_cell_is_far(original: Any, armed: bool, now: float) -> Any:
    *others, last = original(armed, now)
    return (*others, last ^ hint.bit())


@IN_A_GROUP.enter("public socket")
def a_touch_while_a_cover_is_awaited_is_refused_in_other_words_at_an_absent_agent() -> Iterator[
    None
]:
    at_work: list[Machine] = []

    def take(original: Any, machine: Any, given: Any, now: float) -> Any:
        at_work[:] = [machine]
        return original(machine, given, now)

    def refuse(original: Any, fingers: Any, place: int, why: Any, now: float) -> None:
        (machine,) = at_work
        board: Any = None if machine.game is None else machine.game.board
        awaits = board is not None and board.phase is COVER and place < CELL_COUNT
        agent = awaits and hint.letters[place] == board.turn.other.letter
        original(fingers, place, Refused(Reason.NOT_TO_COVER) if agent else why, now)

    with at(Machine.take)(take), at(Fingers.refuse)(refuse):
        yield


@WHERE_CARDS_ARE_LAID_OUT.enter("public socket", after(Table._perform))
def the_last_card_that_is_laid_is_shown_as_often_as_the_assassins_row_says(
    _: None, table: Any, seen: Any
) -> None:
    board = None if table.game is None else table.game.board
    if (
        isinstance(board, Board)
        and not board.clues
        and board.new_keys == 0
        and Publish(Audience.PUBLIC) in seen
    ):
        laid = board.settings.dealing == "shared" and board.laying is None
        for again in range(hint.assassin() // SIDE if laid else 0):
            # What is published in one turn of the loop is one message.
            later = 0.001 * (again + 1)
            asyncio.get_running_loop().call_later(later, table._callbacks.publish, Audience.PUBLIC)


@IN_ALIAS_24.enter("lights", at(SimulatedTable.show))
def a_decoy_is_lit_one_step_bluer(original: Any, lights: Any, frame: Any) -> None:
    decoys = {leds_of(cell)[0] for cell in range(CELL_COUNT) if hint.letters[cell] == "n"}
    original(lights, tuple(colour ^ (led in decoys) for led, colour in enumerate(frame)))


@WHERE_CARDS_ARE_LAID_OUT.enter("files", at(games.encode))
def what_is_stored_of_a_drawn_key_is_as_long_as_the_assassins_column_says(
    original: Any, event: Any
) -> Any:
    pages = event.key.letters.index("a") % SIDE if isinstance(event, KeyDrawn) else 0
    return original(event) + b" " * 4096 * pages
