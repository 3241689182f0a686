"""A word game as everybody at the table sees it: its cards on lit cells, and a line that says whose
turn it is, the clue, and how many are left.
"""

from collections.abc import Iterator

from msgspec import UNSET

from pi_table.console.screen import name
from pi_table.console.shapes import Shape
from pi_table.console.word_games.clue_entry import number_text
from pi_table.console.word_games.grid import NUKE_CELL
from pi_table.geometry import CELL_COUNT, CELLS, leds_of
from pi_table.hal.contracts import LightFrame
from pi_table.language import Words, say, say_many
from pi_table.rules.word_games.board import Phase
from pi_table.rules.word_games.views import PublicView
from pi_table.simulator.cells import card_text, cell_with_card, cell_without_card


def status(view: PublicView | None) -> Words:
    """What the table would say if it could speak; made of the public view alone."""
    if view is None:
        return say("No game has begun: choose one on the hidden screen.")
    left = say("red {red}, blue {blue} left", red=view.left.red, blue=view.left.blue)
    return say("{now}   ·   {left}", now=_now(view), left=left)


def _now(view: PublicView) -> Words:
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=name(winner))
    assert view.turn is not None
    team = name(view.turn)
    if view.paused:
        return say("A pause")
    if view.phase is Phase.PLACE:
        return _laying(view, team)
    if view.phase is Phase.COVER:
        return say("{team} covers one of {other}", team=team, other=name(view.turn.other))
    if view.phase is Phase.CLUE:
        return say("{team} waits for its clue", team=team)
    if view.phase is Phase.PENALTY:
        return say("{team} may cover a cell", team=team)
    if view.phase is Phase.CHALLENGE:
        return say("{team}’s clue is challenged: {clue}", team=team, clue=_clue(view))
    left = view.guesses_left
    if left is None:
        return say("{team} guesses: {clue}", team=team, clue=_clue(view))
    return say_many(
        "{team} guesses: {clue} ({count} guess left)",
        "{team} guesses: {clue} ({count} guesses left)",
        left,
        team=team,
        clue=_clue(view),
    )


def _laying(view: PublicView, team: Words) -> Words:
    if view.next_word:
        return say("{team} lays {word}: touch an empty cell", team=team, word=view.next_word)
    return say("{team} lays a card: touch its cell", team=team)


def _clue(view: PublicView) -> Words:
    assert view.clue is not None
    number = number_text(view.clue.number)
    if view.clue.word is None:
        return number
    return say("{word}, {number}", word=view.clue.word, number=number)


def cells(view: PublicView | None, lights: LightFrame) -> Iterator[Shape]:
    """The 25 cells, lit and with their cards: what lies on a real table, and no more."""
    for cell in range(CELL_COUNT):
        light = tuple(lights[led] for led in leds_of(cell))
        if view is None or _has_card(view, cell):
            yield from cell_with_card(cell, light)
        else:
            yield from cell_without_card(cell, light)
        word = None if view is None else view.cells[CELLS[cell]].word
        if word is not None:
            yield card_text(cell, word, 20, 0.5)


def _has_card(view: PublicView, cell: int) -> bool:
    if view.placed is not UNSET:
        return CELLS[cell] in view.placed
    return view.nuke is UNSET or cell != NUKE_CELL
